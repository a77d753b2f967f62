/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * trigger.h - sessions/NAME/triggers: how traced programs tell that a trigger was hit, and that there
 * is work for the drain. What a trigger is stands in the session file (session.h).
 *
 *      0      128     256
 *      +------+-------+--------+-------+-- .. --+--------+
 *      | head | hit 0 | hit 1  | hit 2 |        | hit 30 |      one page
 *      +------+-------+--------+-------+-- .. --+--------+
 *       watcher        traced programs
 *       drain
 *
 * A hit is an event that matches a rule of the trigger (tacho_rule.trigger), or tacho_snapshot().
 * Hits are counted, and wake the session's watcher (lib/session/watch/watch.h) if it sleeps; no program
 * ever waits for it. Of those that come while nobody watches, the number is kept, and the next
 * watcher finds them: it compares `hit_count` with tacho_trigger.handled.
 *
 *      a program                                the watcher
 *      hit:A  hit_count + 1                     watch:A  watch_sleeps = 1
 *      hit:B  --- full fence ---                watch:B  --- full fence ---
 *      hit:C  watch_sleeps? then 0 by           watch:C  any hit_count that is not handled?
 *             exchange, futex wake                       then watch_sleeps = 0, and no sleep
 *                                               watch:D  futex wait while watch_sleeps is 1
 *
 *      pairs: hit:B with watch:B: whichever comes second sees what the other wrote, so a hit is seen
 *      before the sleep or ends it. hit:A (release) with watch:C (acquire): who sees the hit sees
 *      what the program recorded before it.
 *
 * The drain of a streaming session sleeps in the same way, doc/design/drain.md tells why: whoever
 * completes a sub-buffer wakes it.
 *
 *      a program, a tool                        the drain
 *      call:A  a record in a new sub-buffer,    doze:A  drain_sleeps = 1
 *              or a wish of a tool
 *      call:B  --- full fence ---               doze:B  --- full fence ---
 *      call:C  drain_sleeps? then 0 by          doze:C  a sub-buffer or a wish that it has not seen?
 *              exchange, futex wake                     then drain_sleeps = 0, and no sleep
 *                                               doze:D  futex wait while drain_sleeps is 1, with an end
 *
 *      pairs: call:B with doze:B, as above.
 *
 * A program that might be killed for a system call leaves out call:C and hit:C, and sets drain_uncalled
 * or watch_uncalled instead. The drain sets it back to 0, and sleeps only shortly for a while; the
 * watcher, which looks once in a second anyway, does so ten times from then on.
 */
#ifndef TACHO_FORMAT_TRIGGER_H
#define TACHO_FORMAT_TRIGGER_H

#include "port.h"
#include "session.h"

#define TACHO_TRIGGERS_FILE    "triggers"
#define TACHO_TRIGGERS_MAGIC   0x73726567676972ull
#define TACHO_TRIGGERS_VERSION 3
#define TACHO_REASON_BYTES     96

enum tacho_reason_state {
	TACHO_REASON_NONE = 0,
	TACHO_REASON_BEING_WRITTEN = 1, /* by whoever changed it from NONE; it may have died since */
	TACHO_REASON_THERE = 2,         /* release; the watcher makes it NONE again */
};

/* On lines of its own: programs that hit different triggers do not disturb each other. */
struct tacho_trigger_hits {
	uint64_t hit_count;
	uint32_t reason_state; /* enum tacho_reason_state */
	uint32_t reserved;
	char reason[TACHO_REASON_BYTES]; /* what the first that asked since then gave as its reason */
	uint64_t pad[2];
};
TACHO_STATIC_ASSERT(sizeof(struct tacho_trigger_hits) == TACHO_LINE_BYTES, "hits have their line");

struct tacho_triggers {
	uint64_t magic;
	uint32_t version;
	uint32_t watch_sleeps; /* 1: the watcher sleeps, or is about to; a futex */
	uint64_t instance;     /* tacho_session.instance */
	uint32_t watch_uncalled; /* 1: a program has hit that cannot wake it */
	uint32_t pad_head;
	uint64_t pad0[4];
	uint32_t drain_sleeps;   /* 1: the drain sleeps, or is about to; a futex */
	uint32_t drain_uncalled; /* 1: a program records that cannot wake it */
	uint64_t pad1[7];
	struct tacho_trigger_hits hit[TACHO_TRIGGERS_MAX];
};
#define TACHO_TRIGGERS_BYTES 4096
TACHO_STATIC_ASSERT(sizeof(struct tacho_triggers) == TACHO_TRIGGERS_BYTES, "triggers fill a page");

#endif
