/* SPDX-License-Identifier: MIT */
/*
 * snapshot.c - copy what the rings hold now; see session.h.
 *
 * First it is noted, for all rings, what there is; then that is copied, the oldest of each ring
 * first, since it is the next to be overwritten. So the trace ends, on all CPUs, at about the
 * moment of the call.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "session/paths.h"
#include "session/ring_copy.h"
#include "session/state.h"

/* Below the directory that the user chose for a flight recorder; beside the trace of a streaming
 * session, of which it must not become a part. */
static int snapshot_prefix(const struct session *session, char *ret_prefix,
			   struct tacho_error *error)
{
	const struct tacho_session *file = session->file;
	char base[TACHO_PATH_BYTES];
	int ret;

	if (file->output[0])
		ret = str_copy(base, sizeof(base), file->output);
	else
		ret = trace_default_prefix(session->escaped, base, error);
	if (ret)
		return ret;
	ret = str_print(ret_prefix, TACHO_PATH_BYTES, "%s%ssnapshot", base,
			file->output[0] && !file->streaming ? "/" : "-");
	return ret ? error_set(error, ret, "the path of the snapshot is too long") : 0;
}

static int make_snapshot_dir(const struct session *session, const char *output, char *ret_path,
			     bool *ret_made, struct tacho_error *error)
{
	char prefix[TACHO_PATH_BYTES];
	int ret;

	if (output) {
		ret = trace_absolute_path(output, ret_path, error);
		return ret ? ret : trace_make_dir(ret_path, ret_made, error);
	}
	ret = snapshot_prefix(session, prefix, error);
	if (!ret)
		ret = trace_make_dated(prefix, ret_path, error);
	*ret_made = !ret;
	return ret;
}

/* A ring that is overwritten faster than its parts are copied has moved on as a whole by then: so
 * often it is looked at again. */
#define RANGE_TRIES 8

struct copied {
	uint64_t packets;
	uint64_t overwritten;
};

static int copy_range(struct ring_copy *copy, struct trace_output *output,
		      const struct ring_range *range, struct copied *ret_copied,
		      struct tacho_error *error)
{
	int ret = 0;

	*ret_copied = (struct copied){ 0 };
	for (uint64_t number = range->oldest; !ret && number < range->end; number++) {
		ret = ring_copy_put(copy, output, number, COPY_SNAPSHOT, error);
		if (!ret)
			ret_copied->packets++;
		if (ret == -ESTALE)
			ret_copied->overwritten++;
		else if (ring_copy_is_skipped(ret))
			ring_copy_note_damage(copy, output, number);
		if (ring_copy_is_skipped(ret))
			ret = 0;
	}
	return ret;
}

static int copy_ring(struct ring_copy *copy, struct trace_output *output, struct ring_range range,
		     struct snapshot_result *result, struct tacho_error *error)
{
	struct copied copied;
	int ret = copy_range(copy, output, &range, &copied, error);

	for (int i = 1; !ret && !copied.packets && copied.overwritten && i < RANGE_TRIES; i++) {
		range = ring_range(copy->rings, copy->cpu);
		ret = copy_range(copy, output, &range, &copied, error);
	}
	result->packets += copied.packets;
	result->overwritten_while_copying += copied.overwritten;
	return ret;
}

/* All that takes time is done before it is decided what the snapshot holds. */
static int prepare(struct ring_set *set, struct trace_output *output, struct tacho_error *error)
{
	int ret = trace_output_prepare(output, error);

	for (uint32_t i = 0; !ret && i < set->copy_count; i++)
		ret = ring_copy_resume(&set->copies[i], output, error);
	return ret;
}

static int copy_rings(struct ring_set *set, struct trace_output *output,
		      struct snapshot_result *result, struct tacho_error *error)
{
	struct ring_range *range = calloc(set->copy_count + 1u, sizeof(*range));
	int ret;

	if (!range)
		return error_set(error, -ENOMEM, "no memory for a snapshot");
	ret = prepare(set, output, error);
	for (uint32_t i = 0; i < set->copy_count; i++)
		range[i] = ring_range(set->copies[i].rings, set->copies[i].cpu);
	for (uint32_t i = 0; !ret && i < set->copy_count; i++) {
		/* A ring whose first record has come since prepare() has no stream: not this time. */
		if (set->copies[i].stream)
			ret = copy_ring(&set->copies[i], output, range[i], result, error);
		result->bytes += set->copies[i].bytes;
	}
	free(range);
	return ret;
}

static int copy_session(const struct session *session, struct snapshot_result *result,
			struct tacho_error *error)
{
	struct trace_output output;
	struct ring_set set;
	int ret = ring_set_open(session, &set, error);
	int closed;

	if (ret)
		return ret;
	ret = trace_output_open(session, result->path, &output, error);
	if (!ret) {
		ret = copy_rings(&set, &output, result, error);
		if (!ret)
			ret = trace_output_finish(&output, error);
	}
	result->damaged = output.own_damaged;
	closed = ring_set_close(&set, ret ? NULL : error);
	if (output.trace)
		trace_output_close(&output);
	return ret ? ret : closed;
}

int session_snapshot(struct session *session, const char *output,
		     struct snapshot_result *ret_result, struct tacho_error *error)
{
	struct snapshot_result result = { 0 };
	bool made = false;
	int ret = make_snapshot_dir(session, output, result.path, &made, error);

	if (!ret)
		ret = copy_session(session, &result, error);
	if (!ret)
		*ret_result = result;
	else if (made)
		rmdir(result.path); /* unless something is in it */
	return ret;
}
