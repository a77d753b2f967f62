/* SPDX-License-Identifier: MIT */
/*
 * drain_chunk.c - the drain changes from one chunk of its trace to the next: it is asked to, or it
 * is time. What makes a chunk, and what happens to a drain that is killed in between, is told in
 * doc/design/rotation.md.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/drain/drain.h"
#include "session/drain/drain_private.h"
#include "session/drain/rotation.h"
#include "session/rules/apply.h"
#include "session/state.h"

/* Until a chunk is tried again that could not be ended. Copying goes on. */
#define RETRY_NS 200000000ull

static int open_output(struct drain *drain, struct tacho_error *error)
{
	struct tacho_session *file = drain->session->file;
	const uint8_t *uuid = drain->cuts ? drain->cuts->uuid : NULL;
	int ret = trace_output_open(drain->session, session_output(drain->session), uuid,
				    &drain->output, error);

	if (ret)
		return ret;
	drain->output.carrier = &file->drain_carrier;
	drain->output.damaged = &file->drain_damaged;
	drain->output.is_limited = true;
	drain->limits = (struct limits){ 0 };
	return trace_output_prepare(&drain->output, error);
}

static int close_chunk(struct drain *drain, struct tacho_error *error)
{
	int ret = ring_set_begin(&drain->set, NULL, error);

	trace_output_close(&drain->output);
	return ret;
}

static void set_cuts(struct drain *drain, struct ring_cuts *cuts)
{
	ring_set_begin(&drain->set, cuts, NULL);
	free(drain->cuts);
	drain->cuts = cuts;
	drain->scheduled_ns = monotonic_ns();
}

int drain_chunk_open(struct drain *drain, struct tacho_error *error)
{
	struct ring_cuts *cuts;
	int ret = rotation_settle(drain->session, &cuts, error);

	if (ret)
		return ret;
	set_cuts(drain, cuts);
	ret = open_output(drain, error);
	if (ret)
		trace_output_close(&drain->output);
	return ret;
}

static void drop_rings(struct drain *drain)
{
	ring_set_count_losses(&drain->set);
	for (uint32_t i = 0; i < drain->set.copy_count; i++)
		ring_copy_drop(&drain->set.copies[i], &drain->output);
}

/* Where each ring is now. */
static struct ring_cuts *cut_rings(struct drain *drain, bool is_clear)
{
	const struct ring_set *set = &drain->set;
	bool is_told = is_clear || tacho_load_relaxed(drain->output.carrier);
	struct ring_cuts *next =
		rotation_prepare(drain->session, drain->cuts, set->copy_count, is_clear);

	if (!next)
		return NULL;
	next->unattributed_base = drain->cuts ? drain->cuts->unattributed_base : 0;
	if (is_told && set->lost_unattributed > next->unattributed_base)
		next->unattributed_base = set->lost_unattributed;
	for (uint32_t i = 0; i < set->copy_count; i++)
		next->cut[i] = ring_copy_cut(&set->copies[i], is_told);
	return next;
}

int drain_chunk_end(struct drain *drain, bool is_clear, struct tacho_error *error)
{
	struct ring_cuts *next;
	int ret, closed;

	ret = is_clear ? drain_pump_away(drain, error) : drain_copy_rest(drain, error);
	if (ret)
		return ret;
	if (is_clear)
		drop_rings(drain);
	apply_dump(drain->session, false); /* who is not told has no dump in the next chunk */
	next = cut_rings(drain, is_clear);
	closed = close_chunk(drain, is_clear || !next ? NULL : error);
	if (!next)
		return error_set(error, -ENOMEM, "no memory for the next chunk of the trace");
	if (is_clear || !closed) /* a trace that goes need not be complete */
		closed = rotation_commit(drain->session, next, error);
	free(next);
	return closed;
}

int drain_settle(struct session *session, struct tacho_error *error)
{
	struct ring_cuts *cuts;
	int ret = rotation_settle(session, &cuts, error);

	if (ret)
		return ret;
	free(cuts);
	ctf_trace_remove_unused(session_output(session), geteuid());
	return 0;
}

int drain_end_chunk(struct drain *drain, bool is_clear, struct tacho_error *error)
{
	int ret = drain_chunk_end(drain, is_clear, error);

	return ret ? ret : drain_settle(drain->session, error);
}

int drain_clear_rings(struct session *session, struct tacho_error *error)
{
	struct drain drain = { .session = session };
	struct ring_cuts *next = NULL;
	int ret = kernel_pump_once(session, error);

	if (!ret)
		ret = ring_set_open(session, &drain.set, error);
	if (!ret)
		ret = trace_output_open_events(session, &drain.output, error);
	if (!ret) {
		drop_rings(&drain);
		apply_dump(session, false);
		next = cut_rings(&drain, true);
		ret = next ? ring_cuts_save(session->dir_fd, CLEARED_FILE, next) : -ENOMEM;
		if (ret)
			error_set(error, ret, "cannot clear the session '%s': %s",
				  session->file->name, strerror(-ret));
		trace_output_close(&drain.output);
	}
	free(next);
	ring_set_close(&drain.set, NULL);
	return ret;
}

static int change_chunk(struct drain *drain, bool is_clear, struct tacho_error *error)
{
	int ret = drain_chunk_end(drain, is_clear, error);
	int opened = 0;

	if (!drain->output.trace)
		opened = drain_chunk_open(drain, ret ? NULL : error);
	return ret ? ret : opened;
}

static uint64_t chunk_bytes(const struct drain *drain)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < drain->set.copy_count; i++) {
		if (drain->set.copies[i].stream)
			bytes += ctf_stream_bytes(drain->set.copies[i].stream);
	}
	return bytes;
}

/* A chunk in which nothing is stays as it is. */
static bool is_time(struct drain *drain, uint64_t every_ns)
{
	uint64_t now_ns = monotonic_ns();

	if (every_ns != drain->every_ns)
		drain->scheduled_ns = now_ns;
	drain->every_ns = every_ns;
	return every_ns && now_ns - drain->scheduled_ns >= every_ns && chunk_bytes(drain);
}

static bool is_rotation_wanted(const struct drain *drain)
{
	const struct tacho_session *file = drain->session->file;

	return tacho_load_acquire(&file->rotate_wanted) != file->rotate_done;
}

static bool is_clear_wanted(const struct drain *drain)
{
	const struct tacho_session *file = drain->session->file;

	return tacho_load_acquire(&file->clear_wanted) != file->clear_done;
}

bool drain_has_wishes(const struct drain *drain)
{
	return is_rotation_wanted(drain) || is_clear_wanted(drain);
}

uint64_t drain_chunk_limit(const struct drain *drain, uint64_t ns)
{
	uint64_t due_ns = drain->scheduled_ns + drain->every_ns, now_ns = monotonic_ns();

	return drain->every_ns && now_ns < due_ns && due_ns - now_ns < ns ? due_ns - now_ns : ns;
}

static bool is_rotation_due(struct drain *drain)
{
	const struct tacho_session *file = drain->session->file;
	uint64_t every_bytes = tacho_load_relaxed(&file->rotate_every_bytes);

	return is_rotation_wanted(drain) ||
	       is_time(drain, tacho_load_relaxed(&file->rotate_every_ns)) ||
	       (every_bytes && chunk_bytes(drain) >= every_bytes);
}

static int answer_wishes(struct drain *drain, struct tacho_error *error)
{
	int ret = 0;

	if (is_clear_wanted(drain))
		ret = change_chunk(drain, true, error);
	if (!ret && is_rotation_due(drain))
		ret = change_chunk(drain, false, error);
	drain->retry_ns = ret ? monotonic_ns() + RETRY_NS : 0;
	return ret;
}

int drain_chunk_step(struct drain *drain, struct tacho_error *error)
{
	if (!drain->output.trace)
		return drain_chunk_open(drain, error);
	return drain->retry_ns && monotonic_ns() < drain->retry_ns ? -EAGAIN :
								     answer_wishes(drain, error);
}

void drain_answer(struct drain *drain)
{
	drain_chunk_step(drain, NULL);
}
