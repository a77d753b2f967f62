/* SPDX-License-Identifier: MIT */
/* reader.c - all traces of a directory as one sequence of items; see reader.h */
#include "reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "find.h"
#include "merge.h"
#include "parts.h"
#include "trace.h"

/* So often it is opened anew because traces moved; then it is taken as it is. */
#define REOPENS_MAX 8

/* What went wrong before there were items: given out first. */
struct complaint {
	struct complaint *next;
	struct tacho_error error;
};

struct ctf_reader {
	struct read_paths roots; /* that it was opened with .. */
	struct read_paths found; /* .. and the traces there, be they damaged or not */
	struct read_trace *traces;
	struct read_trace **trace_tail;
	struct read_merge merge;
	struct complaint *complaints;
	struct complaint **complaint_tail;
	struct complaint *given_out; /* the one that the item at hand is made of */
	struct ctf_item item;
	struct ctf_reader_totals totals;
	uint64_t begin_ns, end_ns; /* items that are wanted */
	bool is_elsewhere;         /* the streams are not where the range begins */
	bool is_disordered;        /* see ctf_reader_watch_order() */
	uint64_t disordered_begin_ns;
};

static int complain(struct ctf_reader *reader, const struct tacho_error *e)
{
	struct complaint *complaint = calloc(1, sizeof(*complaint));

	if (!complaint)
		return -ENOMEM;
	complaint->error = *e;
	*reader->complaint_tail = complaint;
	reader->complaint_tail = &complaint->next;
	return 0;
}

/* ---- files, and the streams that they are of ---- */

static void count_file(struct ctf_reader *reader, const char *path)
{
	struct stat st;

	if (!lstat(path, &st))
		reader->totals.bytes += (uint64_t)st.st_size;
}

/* One stream of @count files. */
static int add_stream(struct ctf_reader *reader, const struct read_trace *trace,
		      const struct read_part *parts, size_t count)
{
	struct read_stream *stream;
	int rc = read_stream_new(trace, parts[0].path, &stream);

	if (rc)
		return rc;
	for (size_t i = 0; !rc && i < count; i++) {
		if (i)
			rc = read_stream_add(stream, parts[i].path);
		if (!rc)
			read_stream_expect(stream, i, &parts[i].identity.file);
		count_file(reader, parts[i].path);
	}
	if (rc) {
		read_stream_free(stream);
		return rc;
	}
	read_stream_number(stream, (uint32_t)reader->totals.streams++);
	return read_merge_add(&reader->merge, stream);
}

static int add_files(struct ctf_reader *reader, const struct read_trace *trace,
		     const struct read_paths *paths)
{
	struct read_part *parts;
	int rc = read_parts_new(trace, paths, &parts);
	size_t used;

	if (rc)
		return rc;
	for (size_t i = 0; i < paths->count && !rc; i += used) {
		used = read_parts_of_stream(&parts[i], paths->count - i);
		rc = add_stream(reader, trace, &parts[i], used);
	}
	free(parts);
	return rc;
}

static int add_streams(struct ctf_reader *reader, const struct read_trace *trace)
{
	struct tacho_error e;
	struct read_paths paths;
	int rc = read_find_streams(trace->path, &paths);

	if (rc == -ENOMEM)
		return rc;
	if (rc) {
		error_set(&e, rc, "cannot list %s: %s", trace->path, strerror(-rc));
		return complain(reader, &e);
	}
	rc = add_files(reader, trace, &paths);
	read_paths_fini(&paths);
	return rc;
}

static int add_trace(struct ctf_reader *reader, const char *dir)
{
	struct tacho_error e = { 0 };
	struct read_trace *trace;
	int rc = read_trace_open(dir, &e, &trace);

	if (rc == -ENOMEM && !trace)
		return rc;
	if (rc)
		rc = complain(reader, &e);
	if (!trace)
		return rc;
	*reader->trace_tail = trace;
	reader->trace_tail = &trace->next;
	reader->totals.traces++;
	return rc ? rc : add_streams(reader, trace);
}

static int add_traces(struct ctf_reader *reader, const char *dir, struct tacho_error *e)
{
	struct tacho_error skipped;
	struct read_paths paths;
	int rc = read_find_traces(dir, &paths, &skipped);

	if (rc)
		return error_set(e, rc, "cannot read %s: %s", dir, strerror(-rc));
	if (skipped.code && !paths.count)
		return error_set(e, skipped.code, "%s", skipped.text);
	if (skipped.code)
		rc = complain(reader, &skipped);
	for (size_t i = 0; i < paths.count && !rc; i++) {
		rc = read_paths_add(&reader->found, paths.path[i]);
		if (!rc)
			rc = add_trace(reader, paths.path[i]);
	}
	if (rc)
		error_set(e, rc, "cannot read %s: %s", dir, strerror(-rc));
	else if (!paths.count)
		rc = error_set(e, -ENOENT, "no trace in %s: no file `metadata` is there or below",
			       dir);
	read_paths_fini(&paths);
	return rc;
}

static int open_all(const char *const *dirs, size_t count, struct tacho_error *e,
		    struct ctf_reader **ret_reader)
{
	struct ctf_reader *reader = calloc(1, sizeof(*reader));
	int rc = 0;

	if (!reader)
		return error_set(e, -ENOMEM, "no memory");
	reader->trace_tail = &reader->traces;
	reader->complaint_tail = &reader->complaints;
	reader->end_ns = UINT64_MAX;
	for (size_t i = 0; i < count && !rc; i++) {
		rc = read_paths_add(&reader->roots, dirs[i]);
		rc = rc ? error_set(e, rc, "no memory") : add_traces(reader, dirs[i], e);
	}
	if (!rc && !reader->traces)
		rc = error_set(e, reader->complaints->error.code, "%s",
			       reader->complaints->error.text);
	if (rc) {
		ctf_reader_close(reader);
		return rc;
	}
	*ret_reader = reader;
	return 0;
}

/* Are the traces at @dir those that were found, from the one at *at on? Moves *at behind them. */
static bool are_found_at(const struct ctf_reader *reader, const char *dir, size_t *at)
{
	const struct read_paths *found = &reader->found;
	struct tacho_error skipped;
	struct read_paths now;
	bool are_same = !read_find_traces(dir, &now, &skipped) && now.count <= found->count - *at;

	for (size_t i = 0; i < now.count && are_same; i++)
		are_same = !strcmp(found->path[(*at)++], now.path[i]);
	read_paths_fini(&now);
	return are_same;
}

bool ctf_reader_is_changed(const struct ctf_reader *reader)
{
	bool is_same = true;
	size_t at = 0;

	for (size_t i = 0; i < reader->roots.count && is_same; i++)
		is_same = are_found_at(reader, reader->roots.path[i], &at);
	is_same = is_same && at == reader->found.count;
	for (const struct read_trace *trace = reader->traces; trace && is_same; trace = trace->next)
		is_same = !read_trace_is_moved(trace);
	return !is_same;
}

/* Traces move while they are looked for: one may be missed, or be met where it was and where it is. */
int ctf_reader_open_all(const char *const *dirs, size_t count, struct tacho_error *e,
			struct ctf_reader **ret_reader)
{
	int rc = open_all(dirs, count, e, ret_reader);

	for (int i = 0; !rc && i < REOPENS_MAX && ctf_reader_is_changed(*ret_reader); i++) {
		ctf_reader_close(*ret_reader);
		rc = open_all(dirs, count, e, ret_reader);
	}
	return rc;
}

int ctf_reader_open(const char *dir, struct tacho_error *e, struct ctf_reader **ret_reader)
{
	return ctf_reader_open_all(&dir, 1, e, ret_reader);
}

static void free_given_out(struct ctf_reader *reader)
{
	free(reader->given_out);
	reader->given_out = NULL;
}

void ctf_reader_close(struct ctf_reader *reader)
{
	if (!reader)
		return;
	read_paths_fini(&reader->roots);
	read_paths_fini(&reader->found);
	read_merge_fini(&reader->merge);
	free_given_out(reader);
	while (reader->complaints) {
		struct complaint *next = reader->complaints->next;

		free(reader->complaints);
		reader->complaints = next;
	}
	while (reader->traces) {
		struct read_trace *next = reader->traces->next;

		read_trace_free(reader->traces);
		reader->traces = next;
	}
	free(reader);
}

static const struct ctf_item *next_complaint(struct ctf_reader *reader)
{
	struct complaint *complaint = reader->complaints;

	reader->complaints = complaint->next;
	reader->given_out = complaint;
	reader->item = (struct ctf_item){
		.kind = CTF_ITEM_DAMAGE,
		.path = "",
		.damage = { .code = complaint->error.code, .text = complaint->error.text },
	};
	return &reader->item;
}

/* Of all but events. */
static void count(struct ctf_reader_totals *totals, const struct ctf_item *item)
{
	if (item->kind == CTF_ITEM_DAMAGE) {
		totals->damages++;
		return;
	}
	totals->lost_events += item->lost.events;
	totals->lost_packets += item->lost.packets;
}

static bool is_wanted(const struct ctf_reader *reader, const struct ctf_item *item)
{
	uint64_t begin_ns = reader->is_disordered ? reader->disordered_begin_ns : reader->begin_ns;

	if (item->time_ns >= begin_ns || item->kind == CTF_ITEM_DAMAGE)
		return true;
	return item->kind == CTF_ITEM_LOST && item->lost.end_ns >= begin_ns;
}

/* What is later than the end is the last that there is; damage of later items is not met then. */
static int next_wanted(struct ctf_reader *reader, const struct ctf_item **ret_item)
{
	int rc = reader->is_elsewhere ? ctf_reader_seek(reader, reader->begin_ns) : 0;

	if (rc)
		return rc;
	do {
		rc = read_merge_next(&reader->merge, ret_item);
	} while (rc > 0 && !is_wanted(reader, *ret_item));
	return rc > 0 && (*ret_item)->time_ns > reader->end_ns ? 0 : rc;
}

int ctf_reader_next(struct ctf_reader *reader, const struct ctf_item **ret_item)
{
	int rc = 1;

	if (reader->given_out)
		free_given_out(reader);
	if (reader->complaints)
		*ret_item = next_complaint(reader);
	else
		rc = next_wanted(reader, ret_item);
	if (rc <= 0)
		return rc;
	if ((*ret_item)->kind == CTF_ITEM_EVENT)
		reader->totals.events += !(*ret_item)->event.is_writer;
	else
		count(&reader->totals, *ret_item);
	return rc;
}

void ctf_reader_skip_fields(struct ctf_reader *reader)
{
	read_merge_skip_fields(&reader->merge);
}

void ctf_reader_set_range(struct ctf_reader *reader, uint64_t begin_ns, uint64_t end_ns)
{
	reader->begin_ns = begin_ns;
	reader->end_ns = end_ns;
	reader->is_elsewhere = true;
}

int ctf_reader_seek(struct ctf_reader *reader, uint64_t time_ns)
{
	int rc = 0;

	for (size_t i = 0; i < reader->merge.added && !rc; i++)
		rc = read_stream_seek(reader->merge.streams[i], time_ns);
	read_merge_restart(&reader->merge);
	reader->begin_ns = time_ns;
	reader->is_elsewhere = rc;
	return rc;
}

void ctf_reader_watch_order(struct ctf_reader *reader, uint64_t begin_ns)
{
	for (size_t i = 0; i < reader->merge.added; i++)
		read_stream_watch_order(reader->merge.streams[i], &reader->is_disordered);
	reader->disordered_begin_ns = begin_ns;
}

bool ctf_reader_is_disordered(const struct ctf_reader *reader)
{
	return reader->is_disordered;
}

bool ctf_reader_check_indexes(struct ctf_reader *reader)
{
	bool are_right = true;

	for (size_t i = 0; i < reader->merge.added && are_right; i++)
		are_right = read_stream_check_index(reader->merge.streams[i]);
	reader->is_elsewhere = true;
	return are_right;
}

int ctf_reader_go(struct ctf_reader *reader, size_t stream, const struct ctf_place *place)
{
	if (stream >= reader->merge.added)
		return 0;
	return read_stream_go(reader->merge.streams[stream], place);
}

int ctf_reader_find_last(struct ctf_reader *reader, uint64_t *ret_time_ns)
{
	bool is_found = false;
	uint64_t last_ns = 0, time_ns;
	int rc = 0;

	for (size_t i = 0; i < reader->merge.added && rc >= 0; i++) {
		rc = read_stream_find_last(reader->merge.streams[i], &time_ns);
		is_found |= rc > 0;
		if (rc > 0 && time_ns > last_ns)
			last_ns = time_ns;
	}
	reader->is_elsewhere = true;
	if (is_found)
		*ret_time_ns = last_ns;
	return rc < 0 ? rc : is_found;
}

const struct read_trace *ctf_reader_traces(const struct ctf_reader *reader)
{
	return reader->traces;
}

const struct read_stream *ctf_reader_stream(const struct ctf_reader *reader, size_t index)
{
	return index < reader->merge.added ? reader->merge.streams[index] : NULL;
}

void ctf_reader_select_stream(struct ctf_reader *reader, size_t index, bool is_wanted)
{
	if (index < reader->merge.added)
		read_stream_select(reader->merge.streams[index], is_wanted);
}

struct ctf_reader_totals ctf_reader_totals(const struct ctf_reader *reader)
{
	return reader->totals;
}

void ctf_reader_set_memory(struct ctf_reader *reader, uint64_t bytes)
{
	reader->merge.windows_bytes = bytes;
}

uint64_t ctf_reader_done_bytes(const struct ctf_reader *reader)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < reader->merge.added; i++)
		bytes += read_stream_done_bytes(reader->merge.streams[i]);
	return bytes;
}

const char *ctf_event_env(const struct ctf_event *event, const char *name)
{
	return event->trace ? read_trace_env(event->trace, name) : NULL;
}

const char *ctf_reader_env(const struct ctf_reader *reader, const char *name)
{
	const char *value = NULL;

	for (const struct read_trace *trace = reader->traces; trace && !value; trace = trace->next)
		value = read_trace_env(trace, name);
	return value;
}
