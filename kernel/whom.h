/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * whom.h - of which threads a recorder records: a bit for each id that a thread can have.
 *
 * Nobody has asked: `threads` is NULL, and no event looks at more than that. Else:
 *
 *	recorded     what this thread does is recorded
 *	inherits     what it starts is recorded, and inherits
 *	spared       it is not recorded, whatever else is asked for
 *
 * Who writes: a tool, below tracepoints_lock(); and the tracepoint of fork, for the id of a thread that does
 * not run yet. It writes only what is not so already, since all CPUs read these lines. An id that
 * is used again was given its bits by that same tracepoint: nothing is done when a thread ends.
 */
#ifndef TACHO_KERNEL_WHOM_H
#define TACHO_KERNEL_WHOM_H

#include <linux/bitops.h>
#include <linux/types.h>

#include <asm/page.h>
#include <linux/threads.h> /* needs PAGE_SIZE */

#include "format/module.h"

struct tracepoint;

struct whom_threads {
	bool are_others_recorded; /* all that were not named */
	unsigned long recorded[BITS_TO_LONGS(PID_MAX_LIMIT)];
	unsigned long inherits[BITS_TO_LONGS(PID_MAX_LIMIT)];
	unsigned long spared[BITS_TO_LONGS(PID_MAX_LIMIT)];
};

struct whom {
	struct whom_threads *threads;
	struct tracepoint *fork; /* whose probe is there while `threads` is */
};

static __always_inline bool whom_has(const struct whom_threads *threads, s32 tid)
{
	return (u32)tid < PID_MAX_LIMIT && test_bit(tid, threads->recorded);
}

/* whom_change() - below tracepoints_lock(). Return: 0, or a negative errno of format/module.h. */
int whom_change(struct whom *whom, const struct tacho_module_whom *change);
/* whom_fini() - no event of the recorder is called any more */
void whom_fini(struct whom *whom);

#endif
