/* SPDX-License-Identifier: MIT */
/* disk_limits.c - see disk_limits.h */
#include "session/drain/disk_limits.h"

#include <string.h>

#include "session/state.h"

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

/* The files of programs' events, and of the kernel's. */
struct part {
	struct ctf_trace *trace; /* NULL: there is none */
	struct ctf_trace_file *files;
	int count;
	uint64_t bytes;
};
#define PARTS 2

static struct ctf_stream *find_writer(struct ring_set *set, const struct trace_output *output,
				      const struct ctf_trace *trace, const char *name)
{
	for (uint32_t i = 0; i < set->copy_count; i++) {
		struct ctf_stream *stream = set->copies[i].stream;

		if (stream && trace_output_of(output, set->copies[i].channel) == trace &&
		    !strcmp(ctf_stream_name(stream), name))
			return stream;
	}
	return NULL;
}

static struct ctf_trace_file *find_oldest_of(const struct part *part)
{
	struct ctf_trace_file *oldest = NULL;

	for (int i = 0; i < part->count; i++) {
		struct ctf_trace_file *file = &part->files[i];

		if (file->bytes && (!oldest || file->begin_ts < oldest->begin_ts))
			oldest = file;
	}
	return oldest;
}

static struct ctf_trace_file *find_oldest(struct part parts[PARTS], struct part **ret_part)
{
	struct ctf_trace_file *oldest = NULL;

	for (int i = 0; i < PARTS; i++) {
		struct ctf_trace_file *file = find_oldest_of(&parts[i]);

		if (!file || (oldest && oldest->begin_ts <= file->begin_ts))
			continue;
		oldest = file;
		*ret_part = &parts[i];
	}
	return oldest;
}

/* One that is written to goes as well: that of a ring where nothing happens any more. */
static int remove_file(struct ring_set *set, const struct trace_output *output, struct part *part,
		       struct ctf_trace_file *file)
{
	struct ctf_stream *stream = find_writer(set, output, part->trace, file->name);

	part->bytes -= file->bytes;
	file->bytes = 0;
	if (!stream)
		return ctf_trace_remove_file(part->trace, file->name);
	ctf_stream_drop(stream);
	return 0;
}

static int list_files(struct part *part)
{
	if (part->trace)
		part->count = ctf_trace_files(part->trace, &part->files, &part->bytes);
	return part->count < 0 ? part->count : 0;
}

static int shrink(struct ring_set *set, const struct trace_output *output, uint64_t most)
{
	struct part parts[PARTS] = { { .trace = output->trace }, { .trace = output->kernel } };
	struct part *part = NULL;
	int ret = 0;

	for (int i = 0; !ret && i < PARTS; i++)
		ret = list_files(&parts[i]);
	while (!ret && parts[0].bytes + parts[1].bytes > most) {
		struct ctf_trace_file *oldest = find_oldest(parts, &part);

		if (!oldest)
			break;
		ret = remove_file(set, output, part, oldest);
	}
	for (int i = 0; i < PARTS; i++)
		if (parts[i].count > 0)
			ctf_trace_files_free(parts[i].files, parts[i].count);
	return ret;
}

int limits_keep(struct limits *limits, struct ring_set *set, const struct trace_output *output,
		uint64_t written_bytes)
{
	const struct tacho_session *file = output->session->file;
	uint64_t most = tacho_load_relaxed(&file->max_bytes);
	uint64_t step = share(file);

	if (!most)
		return 0;
	limits->unchecked_bytes += written_bytes;
	if (limits->is_checked && limits->unchecked_bytes < step / 2)
		return 0;
	limits->is_checked = true;
	limits->unchecked_bytes = 0;
	return shrink(set, output, most - step);
}
