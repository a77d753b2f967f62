/* SPDX-License-Identifier: MIT */
/* emit-wait.c - blocking channels: see emit.h */
#include "tracer/clock.h"
#include "tracer/emit.h"
#include "tracer/sys.h"

/* A drain that dies wakes nobody, and a session that is stopped or destroyed does not either. */
#define SLICE_NS 10000000u

void emit_see_futex(struct target *t, uint32_t cpu)
{
	if (t->ring.mode == TACHO_MODE_BLOCK)
		t->futex_seen = tacho_load_acquire(&ring_of_cpu(&t->ring, cpu)->release_futex);
}

static bool is_past(struct target *t, uint64_t now)
{
	uint64_t timeout = t->ring.block_timeout_ns;

	if (!t->deadline)
		t->deadline = timeout > UINT64_MAX - now ? UINT64_MAX : now + timeout;
	return now >= t->deadline;
}

/* Of a session that goes meanwhile the word may be unmapped, and another thing be there: then the
 * wait is shorter, or a slice long. */
static void wait_outside(struct target *t, uint32_t cpu, uint64_t slice)
{
	struct emission *e = t->emission;
	uint32_t *word = &ring_of_cpu(&t->ring, cpu)->release_futex;

	grace_leave(e->section);
	sys_futex_wait(word, t->futex_seen, slice);
	e->section = grace_enter();
	e->was_away = true;
}

enum emit_wait emit_wait(struct target *t, uint32_t cpu)
{
	const struct tacho_session *session = t->emission->attachment->session;
	uint64_t slice = SLICE_NS, now;

	if (t->ring.mode != TACHO_MODE_BLOCK ||
	    tacho_load_relaxed(&session->state) != TACHO_SESSION_ACTIVE)
		return EMIT_WAIT_OVER;
	now = clock_monotonic_ns();
	if (is_past(t, now))
		return EMIT_WAIT_OVER;
	if (t->deadline - now < slice)
		slice = t->deadline - now;
	wait_outside(t, cpu, slice);
	return emit_is_there(t->emission) ? EMIT_WAIT_AGAIN : EMIT_WAIT_GONE;
}
