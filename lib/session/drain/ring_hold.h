/* SPDX-License-Identifier: MIT */
/*
 * ring_hold.h - what a ring holds, in memory of our own, while its writers go on.
 *
 *      ring   . . . . [ 4 | 5 | 6 | 7 | 8.. )            pass 1 copies 4 to 8; 4 is lost meanwhile
 *      held           ( 5   6   7   8..     )
 *      ring           . . . [ 7 | 8 | 9 | 10 | 11.. )    pass 2 copies the rest of 8 to 11
 *      held           ( 5   6   7   8   9   10  11.. )   more than the ring has: what was copied
 *                                                        cannot be lost any more
 *
 * A writer at full speed comes round faster than its ring is written to a disk, and whoever copies
 * may be off the CPU for whole time slices. So the oldest sub-buffers are likely to be overwritten
 * before they are copied; those which follow, which are copied meanwhile, take their place. Only
 * what was overwritten behind something that is held makes a gap: then all before it is given up.
 * A gap comes about only if a whole ring was written between two passes.
 *
 * A ring at rest need not be copied twice: of its complete sub-buffers only the places are noted, and
 * they are written to the trace from there (LIGHT). That is for rings in which nothing was recorded
 * for so long that a writer who begins just then and overwrites one is a rare bad luck: a thread that
 * lost its CPU to us rests as well, but not for long. Where a light ring moves before it is settled, it
 * is copied after all.
 *
 * Read with pread(2): a ring file that someone makes shorter is an error and not a signal.
 */
#ifndef TACHO_SESSION_DRAIN_RING_HOLD_H
#define TACHO_SESSION_DRAIN_RING_HOLD_H

#include "ring/rings.h"

struct ring_hold {
	const struct rings *rings;
	uint32_t cpu;
	uint32_t place_count;
	char *memory;            /* place_count sub-buffers; number k is at place k % place_count */
	struct ring_view *views; /* the same; content in memory, or of 0 bytes: damaged */
	uint64_t first;          /* first to end - 1 are held */
	uint64_t end;
	bool is_settled; /* the last pass brought nothing new */
	bool is_light;   /* complete sub-buffers are still in the ring; to be set before the first pass */
};

void ring_hold_init(struct ring_hold *hold, const struct rings *rings, uint32_t cpu);
void ring_hold_fini(struct ring_hold *hold);

/* ring_hold_pass() - copy what is new since the last pass. Return: 0; -ENOMEM; another negative
 * errno: the ring cannot be read. */
int ring_hold_pass(struct ring_hold *hold);

/* ring_hold_copy() - from now on also of complete sub-buffers */
void ring_hold_copy(struct ring_hold *hold);

/*
 * ring_hold_missing() - how many sub-buffers are missing to what the ring can hold, of those that
 * end before @end_ts
 *
 * It can hold all but one: while one is filled, the others are older. Where it never had so many
 * from number @floor on, nothing is missing.
 */
uint64_t ring_hold_missing(const struct ring_hold *hold, uint64_t end_ts, uint64_t floor);

/* ring_hold_get() - one that is held, first <= @number < end. */
const struct ring_view *ring_hold_get(const struct ring_hold *hold, uint64_t number);

#endif
