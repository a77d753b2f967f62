/* SPDX-License-Identifier: MIT */
/* disk_limits.c - see disk_limits.h */
#include "session/drain/disk_limits.h"

#include <string.h>

/* A trace of bounded size goes away in so many steps. */
#define FILES_PER_TRACE 16

static uint64_t share(const struct tacho_session *file)
{
	uint64_t bytes = tacho_load_relaxed(&file->max_bytes);

	return bytes && bytes < FILES_PER_TRACE ? 1 : bytes / FILES_PER_TRACE;
}

uint64_t limits_file_bytes(const struct tacho_session *file, uint32_t channel)
{
	uint64_t bytes = tacho_load_relaxed(&file->channel[channel].tracefile_bytes);
	uint64_t most = share(file);

	return most && (!bytes || most < bytes) ? most : bytes;
}

static struct ctf_stream *find_writer(struct ring_set *set, const char *name)
{
	for (uint32_t i = 0; i < set->copy_count; i++) {
		struct ctf_stream *stream = set->copies[i].stream;

		if (stream && !strcmp(ctf_stream_name(stream), name))
			return stream;
	}
	return NULL;
}

static struct ctf_trace_file *find_oldest(struct ctf_trace_file *files, int count)
{
	struct ctf_trace_file *oldest = NULL;

	for (int i = 0; i < count; i++) {
		if (files[i].bytes && (!oldest || files[i].begin_ts < oldest->begin_ts))
			oldest = &files[i];
	}
	return oldest;
}

/* One that is written to goes as well: that of a ring where nothing happens any more. */
static int remove_file(struct ring_set *set, const struct ctf_trace *trace, const char *name)
{
	struct ctf_stream *stream = find_writer(set, name);

	if (!stream)
		return ctf_trace_remove_file(trace, name);
	ctf_stream_drop(stream);
	return 0;
}

static int shrink(struct ring_set *set, struct ctf_trace *trace, uint64_t most)
{
	struct ctf_trace_file *files;
	struct ctf_trace_file *oldest;
	uint64_t bytes;
	int count = ctf_trace_files(trace, &files, &bytes);
	int ret = 0;

	if (count < 0)
		return count;
	while (!ret && bytes > most && (oldest = find_oldest(files, count))) {
		ret = remove_file(set, trace, oldest->name);
		bytes -= oldest->bytes;
		oldest->bytes = 0;
	}
	ctf_trace_files_free(files, count);
	return ret;
}

int limits_keep(struct limits *limits, const struct tacho_session *file, struct ring_set *set,
		struct ctf_trace *trace, uint64_t written_bytes)
{
	uint64_t most = tacho_load_relaxed(&file->max_bytes);
	uint64_t step = share(file);

	if (!most)
		return 0;
	limits->unchecked_bytes += written_bytes;
	if (limits->is_checked && limits->unchecked_bytes < step / 2)
		return 0;
	limits->is_checked = true;
	limits->unchecked_bytes = 0;
	return shrink(set, trace, most - step);
}
