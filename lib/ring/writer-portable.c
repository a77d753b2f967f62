/* SPDX-License-Identifier: MIT */
/*
 * writer-portable.c - the writer where there are no restartable sequences: old kernels,
 * emulators, valgrind, other C libraries, clocks that cannot be read in a section.
 *
 * Whoever holds a ring's owner word does what an rseq section would do, and with the same commit:
 * one store of head. An owner killed half-way therefore leaves only an owner word behind, which
 * the next writer takes over once it finds that the thread is gone.
 *
 *      states of owner:   0 --ring_own--> namespace<<32|tid --ring_disown--> 0
 *                                             |  thread dead
 *                                             +--ring_own by another of the namespace--> its own
 *
 *      own:A     owner = me                                    (acquire)
 *      own:B     owner = 0                                     (release)
 *      pairs:    own:B with own:A: one owner's stores before the next one's
 *
 * An owner writes state_head before the rest of the state, and all of it before the head; so what the
 * next one finds in it is whole, or of no head. tests/model/own.pml looks at every interleaving.
 *
 * An owner whose id was given to another thread, or in whose pid namespace nobody looks any more, keeps
 * the ring until the session ends: that costs one ring of many, and only time to find the next one.
 *
 * FORK. A child of the owner, of a fork() in a signal handler that came below it, goes on from there as
 * its parent does, but does not own the ring. The tracer takes it away from the child before the handler
 * returns (tracer/process.c).
 *
 * Progress: nobody waits. A writer that finds the ring owned tries another one.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ring/writer.h"

static bool is_dead(uint64_t owner)
{
	int saved = errno;
	bool dead = syscall(SYS_tkill, (pid_t)owner, 0) && errno == ESRCH;

	errno = saved;
	return dead;
}

/* Of another namespace than ours it cannot be known. */
static bool is_to_be_asked_for(uint64_t owner, uint64_t me)
{
	return owner != me && owner >> 32 && owner >> 32 == me >> 32;
}

bool ring_own(struct tacho_ring *ring, uint64_t me, bool may_call)
{
	uint64_t found = 0;

	/* own:A pairs with own:B */
	if (tacho_cmpxchg_acq_rel(&ring->owner, &found, me))
		return true;
	if (!may_call || !is_to_be_asked_for(found, me) || !is_dead(found))
		return false;
	return tacho_cmpxchg_acq_rel(&ring->owner, &found, me);
}

void ring_disown(struct tacho_ring *ring)
{
	/* own:B pairs with own:A */
	tacho_store_release(&ring->owner, 0);
}

static char *put_string(char *to, const char *from, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++) {
		char c = tacho_load_relaxed(&from[i]);

		to[i] = c ? c : '?';
	}
	to[bytes] = 0;
	return to + bytes + 1;
}

static void put_parts(const struct ring_append *append)
{
	char *to = append->dest;

	memcpy(to, append->prefix, append->prefix_bytes);
	to += append->prefix_bytes;
	for (uint32_t i = 0; i < append->part_count; i++) {
		const struct tacho_part *part = &append->parts[i];

		if (part->is_string) {
			to = put_string(to, part->data, part->bytes);
			continue;
		}
		memcpy(to, part->data, part->bytes);
		to += part->bytes;
	}
}

static void put_timestamps(const struct ring_append *append, uint64_t now)
{
	uint32_t word = tacho_header_word(now, append->mark);

	if (append->mark != RING_EXTENDED) {
		memcpy(append->dest, &word, sizeof(word));
		return;
	}
	memcpy(append->ts_at[0], &now, sizeof(now));
	if (append->ts_at[1])
		memcpy(append->ts_at[1], &now, sizeof(now));
}

static void write_table(const struct ring_append *append, uint64_t now)
{
	struct tacho_subbuf *closing = append->closing, *opening = append->opening;

	if (closing) {
		tacho_store_relaxed(&closing->end_ts, now);
		tacho_store_relaxed(&closing->content_end, append->expected_head);
		for (int i = 0; i < TACHO_LOST_REASONS; i++)
			tacho_store_relaxed(&closing->lost_before_close[i],
					    tacho_load_relaxed(&append->ring->lost[i]));
	}
	tacho_store_relaxed(&opening->begin_ts, now);
	tacho_store_relaxed(&opening->subbuf_number, append->opening_number);
}

/* An odd number is of a change that is not over. */
static bool has_other_rules(const struct ring_append *append)
{
	return (tacho_load_acquire(append->rules) ^ append->rules_number) & ~1u;
}

enum ring_result ring_append_owned(struct ring_append *append, uint64_t now,
				   const struct ring_writer *writer)
{
	struct tacho_ring *ring = append->ring;

	if (tacho_load_relaxed(append->live) != append->live_tag)
		return RING_GONE;
	if (append->mark != RING_EXTENDED &&
	    (uint32_t)(now >> TACHO_WINDOW_SHIFT) != append->window)
		return RING_NEW_WINDOW;
	if (has_other_rules(append))
		return RING_OTHER_RULES;
	if (append->is_switch)
		tacho_store_relaxed(&ring->opened, append->opened);
	/* open:B pairs with read:C: opened before the bytes that overwrite */
	tacho_fence_release();
	put_parts(append);
	put_timestamps(append, now);
	if (append->is_switch)
		write_table(append, now);
	if (has_other_rules(append))
		return RING_OTHER_RULES;
	append->ret_ts = now;
	/* state:A before the rest: an owner that is killed here leaves a state of no head. */
	tacho_store_relaxed(&ring->state_head, append->new_head);
	tacho_fence_release();
	tacho_store_relaxed(&ring->state_ts, now);
	tacho_store_relaxed(&ring->state_writer, writer->owner);
	tacho_store_relaxed(&ring->state_name, writer->name);
	/* write:B and open:F, pair with read:A */
	tacho_store_release(&ring->head, append->new_head);
	return RING_DONE;
}
