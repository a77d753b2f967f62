/* SPDX-License-Identifier: MIT */
/*
 * snapshot.c - copy what the rings hold now; see session.h.
 *
 *
 *      end = now; copy what is new of each ring to memory (ring_hold.h); of a ring at rest only look
 *                 where it is
 *      again, until each ring is held as deep as it is
 *      write what is held, up to the time `end`, to the trace
 *
 * So the trace ends on all CPUs at the same instant: it has all that was committed before, and
 * nothing that is later. What a record tells to have happened before is in it as well.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctf/write/clock.h"
#include "ctf/write/packet.h"
#include "session/drain/ring_copy.h"
#include "session/drain/ring_hold.h"
#include "session/drain/rotation.h"
#include "session/drain/snapshot_output.h"
#include "session/kernel/pump.h"
#include "session/kernel/state_dump.h"
#include "session/state.h"
#include "session/users/mirrors.h"

/* Writers that are faster than the copy in all of them: then it is taken as far as it came. */
#define PASSES_MAX 256

/* A ring in which nothing was recorded for so long is at rest. */
#define REST_SECONDS 0.1

/* A snapshot on its way. */
struct shot {
	const struct session *session;
	const struct snapshot_options *options;
	struct ring_set set;
	struct trace_output output;
	struct ring_hold *holds; /* of each ring */
	uint64_t begin_ts;       /* packets that end before are left out */
};

static uint64_t missing(const struct shot *shot)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < shot->set.copy_count; i++)
		count += ring_hold_missing(&shot->holds[i], shot->output.end_ts,
					   shot->set.copies[i].cut.subbuf);
	return count;
}

static int pass(struct shot *shot, struct tacho_error *error)
{
	struct tacho_clock_tuple now;
	int ret = ctf_clock_sample(shot->session->file->clock_kind, &now);

	shot->output.end_ts = now.counter;
	for (uint32_t i = 0; !ret && i < shot->set.copy_count; i++)
		ret = ring_hold_pass(&shot->holds[i]);
	return ret ? error_set(error, ret, "cannot copy the buffers of session '%s': %s",
			       shot->session->file->name, strerror(-ret)) :
		     0;
}

/* In place, what has to be looked through, for events that nobody can read, might go away meanwhile. */
static void init_holds(struct shot *shot)
{
	for (uint32_t i = 0; i < shot->set.copy_count; i++) {
		ring_hold_init(&shot->holds[i], shot->set.copies[i].rings, shot->set.copies[i].cpu);
		shot->holds[i].is_light = !shot->output.events.malformed_count;
	}
}

static bool is_at_rest(struct shot *shot, uint32_t i)
{
	const struct ring_hold *hold = &shot->holds[i];
	double rest_ticks = REST_SECONDS * (double)shot->session->file->counter_hz;
	uint64_t last_ts;

	if (hold->first == hold->end)
		return true;
	last_ts = ring_copy_last_ts(&shot->set.copies[i], &shot->output,
				    ring_hold_get(hold, hold->end - 1));
	return last_ts && last_ts < shot->output.end_ts &&
	       (double)(shot->output.end_ts - last_ts) > rest_ticks;
}

static void copy_busy_rings(struct shot *shot)
{
	for (uint32_t i = 0; i < shot->set.copy_count; i++) {
		if (!is_at_rest(shot, i))
			ring_hold_copy(&shot->holds[i]);
	}
}

static int hold_all(struct shot *shot, struct snapshot_result *result, struct tacho_error *error)
{
	int ret;

	shot->holds = calloc(shot->set.copy_count + 1u, sizeof(*shot->holds));
	if (!shot->holds)
		return error_set(error, -ENOMEM, "no memory for a snapshot");
	init_holds(shot);
	ret = pass(shot, error);
	copy_busy_rings(shot);
	if (!ret)
		ret = pass(shot, error);
	for (int i = 2; !ret && missing(shot) && i < PASSES_MAX; i++)
		ret = pass(shot, error);
	result->overwritten_while_copying = missing(shot);
	ring_set_count_losses(&shot->set);
	return ret;
}

/* ---- what of it is written ---- */

static bool is_wanted(const struct shot *shot, const struct ring_copy *copy,
		      const struct ring_view *view)
{
	return view->number >= copy->cut.subbuf && view->begin_ts <= shot->output.end_ts &&
	       view->end_ts >= shot->begin_ts;
}

static void drop_unwanted(struct shot *shot)
{
	for (uint32_t i = 0; i < shot->set.copy_count; i++) {
		struct ring_hold *hold = &shot->holds[i];

		while (hold->first < hold->end &&
		       !is_wanted(shot, &shot->set.copies[i], ring_hold_get(hold, hold->first)))
			hold->first++;
	}
}

/* What it will take in the trace: of a sub-buffer in which the trace ends a part, of one that is later
 * nothing. */
static uint64_t packet_bytes(struct shot *shot, uint32_t i, uint64_t number)
{
	struct ring_copy *copy = &shot->set.copies[i];
	const struct ring_view *view = ring_hold_get(&shot->holds[i], number);
	uint64_t bytes = 0;

	if (view->content_bytes && is_wanted(shot, copy, view))
		bytes = ring_copy_view_bytes(copy, &shot->output, view);
	return bytes ? ctf_packet_extent(bytes) : 0;
}

static uint64_t sum_packets(struct shot *shot)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < shot->set.copy_count; i++) {
		const struct ring_hold *hold = &shot->holds[i];

		for (uint64_t number = hold->first; number < hold->end; number++)
			sum += packet_bytes(shot, i, number);
	}
	return sum;
}

/* The ring whose first packet is the oldest of all; there is one. */
static uint32_t find_oldest(const struct shot *shot)
{
	uint64_t begin_ts = UINT64_MAX;
	uint32_t oldest = 0;

	for (uint32_t i = 0; i < shot->set.copy_count; i++) {
		const struct ring_hold *hold = &shot->holds[i];

		if (hold->first == hold->end ||
		    ring_hold_get(hold, hold->first)->begin_ts >= begin_ts)
			continue;
		oldest = i;
		begin_ts = ring_hold_get(hold, hold->first)->begin_ts;
	}
	return oldest;
}

static int fit_into(struct shot *shot, uint64_t max_bytes, struct tacho_error *error)
{
	uint64_t sum = sum_packets(shot);
	uint64_t least = sum;

	if (!sum)
		return 0;
	while (sum > max_bytes) {
		uint32_t i = find_oldest(shot);
		uint64_t bytes = packet_bytes(shot, i, shot->holds[i].first++);

		least = bytes ? bytes : least;
		sum -= bytes;
	}
	return sum ? 0 :
		     error_set(error, -EFBIG,
			       "a snapshot of at most %llu bytes would be empty: the newest packet "
			       "alone has %llu; give it that many at least (--max-size)",
			       (unsigned long long)max_bytes, (unsigned long long)least);
}

static int choose(struct shot *shot, struct tacho_error *error)
{
	const struct snapshot_options *options = shot->options;
	uint64_t max_bytes = options->max_bytes;
	double ticks = (double)options->last_ns * (double)shot->session->file->counter_hz / 1e9;
	int ret;

	if (options->last_ns && ticks < (double)shot->output.end_ts)
		shot->begin_ts = shot->output.end_ts - (uint64_t)ticks;
	drop_unwanted(shot);
	if (!max_bytes)
		return 0;
	ret = trace_output_prepare(&shot->output, error);
	return ret ? ret : fit_into(shot, max_bytes, error);
}

/* ---- writing ---- */

static int put_subbuf(struct shot *shot, uint32_t i, uint64_t number,
		      struct snapshot_result *result, struct tacho_error *error)
{
	struct ring_copy *copy = &shot->set.copies[i];
	const struct ring_view *view = ring_hold_get(&shot->holds[i], number);
	bool is_in_place = shot->holds[i].is_light && !view->is_open;
	int ret = -EBADMSG;

	if (view->content_bytes) {
		if (!is_wanted(shot, copy, view))
			return 0;
		ret = is_in_place ? ring_copy_put_in_place(copy, &shot->output, view, error) :
				    ring_copy_put_view(copy, &shot->output, view, error);
	}
	if (is_in_place && ret == -ESTALE) {
		result->overwritten_while_copying++;
		return 0;
	}
	result->packets += !ret;
	if (!ring_copy_is_skipped(ret))
		return ret;
	ring_copy_note_damage(copy, &shot->output, number);
	return 0;
}

static int put_ring(struct shot *shot, uint32_t i, struct snapshot_result *result,
		    struct tacho_error *error)
{
	const struct ring_hold *hold = &shot->holds[i];
	int ret = 0;

	if (hold->first < hold->end)
		ret = ring_copy_resume(&shot->set.copies[i], &shot->output, error);
	for (uint64_t number = hold->first; !ret && number < hold->end; number++)
		ret = put_subbuf(shot, i, number, result, error);
	result->bytes += shot->set.copies[i].bytes;
	return ret;
}

/* All that takes time is done before it is decided what the snapshot holds. */
static int copy_rings(struct shot *shot, struct snapshot_result *result, struct tacho_error *error)
{
	int ret = trace_output_prepare(&shot->output, error);

	if (!ret)
		ret = hold_all(shot, result, error);
	if (!ret)
		ret = choose(shot, error);
	for (uint32_t i = 0; !ret && i < shot->set.copy_count; i++)
		ret = put_ring(shot, i, result, error);
	for (uint32_t i = 0; shot->holds && i < shot->set.copy_count; i++)
		ring_hold_fini(&shot->holds[i]);
	free(shot->holds);
	return ret ? ret : trace_output_finish(&shot->output, error);
}

static int copy_session(const struct session *session, const struct snapshot_options *options,
			struct snapshot_result *result, struct tacho_error *error)
{
	struct shot shot = { .session = session, .options = options };
	struct ring_cuts *cleared = NULL;
	int ret, closed;

	kernel_state_dump(session, false);
	ret = kernel_pump_once(session, error);
	if (!ret)
		ret = ring_set_open(session, &shot.set, error);
	if (ret)
		return ret;
	if (!ring_cuts_load(session->dir_fd, CLEARED_FILE, &cleared))
		ring_set_begin(&shot.set, cleared, NULL);
	ret = trace_output_open(session, result->path, NULL, &shot.output, error);
	if (!ret)
		ret = copy_rings(&shot, result, error);
	result->damaged = shot.output.own_damaged;
	closed = ring_set_close(&shot.set, ret ? NULL : error);
	if (shot.output.trace)
		trace_output_close(&shot.output);
	free(cleared);
	return ret ? ret : closed;
}

int session_snapshot(struct session *session, const struct snapshot_options *options,
		     struct snapshot_result *ret_result, struct tacho_error *error)
{
	struct snapshot_options wanted = { 0 };
	struct snapshot_result result = { 0 };
	bool made = false;
	int ret;

	if (options)
		wanted = *options;
	if (!wanted.max_bytes)
		wanted.max_bytes = session->file->snapshot_max_bytes;
	ret = snapshot_make_dir(session, &wanted, result.path, &made, error);
	if (!ret)
		ret = copy_session(session, &wanted, &result, error);
	if (!ret)
		mirrors_snapshot(session, &wanted, &result);
	if (!ret)
		*ret_result = result;
	else if (made)
		rmdir(result.path); /* unless something is in it */
	return ret;
}
