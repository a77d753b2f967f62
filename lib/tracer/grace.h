/* SPDX-License-Identifier: MIT */
/*
 * grace.h - when may be given back what other threads may still look at?
 *
 * A thread looks at attachments, their channels, routes and filters only within a SECTION, from
 * grace_enter() to grace_leave(). What is taken out of where threads find it (retired) waits in a
 * list, the LIMBO, until each section that was open then has ended. Nobody waits for that: who
 * retires something, and who leaves a section in which it did, looks whether the time has come for
 * what lies there. (The fast path needs no section: writer-x86_64.S is restarted by membarrier(2),
 * see tracer.h.)
 *
 *	struct grace_section section = grace_enter();
 *	a = attached[slot];               good, with all that it leads to, until
 *	grace_leave(section);
 *
 * HOW IT IS KNOWN. Sections are counted, at both ends, in LANES, one for each CPU, so that threads
 * do not disturb each other; and in two PARITIES:
 *
 *	lane 0   entered[0] left[0] entered[1] left[1]       a line each
 *	lane 1   ...
 *
 *	sequence    its lowest bit is the parity that new sections enter. It goes up by one
 *	            whenever the other parity is found empty: as many have left as have entered.
 *
 * New sections keep away from the parity that is looked at, so it becomes empty sooner or later,
 * however busy the program is. What was retired at sequence s is given back from s + 3 on: the step
 * to s + 1 may be of someone who looked before; those to s + 2 and s + 3 saw either parity empty.
 *
 *	enter:A  entered[parity] + 1                  retire:A  it is taken out (by the caller)
 *	enter:B  --- full fence ---                   retire:B  --- full fence ---
 *	enter:C  loads, by the caller                 retire:C  since = sequence
 *
 *	leave:A  left[parity] + 1      (release)      poll:A  s = sequence              (acquire)
 *	                                              poll:B  --- full fence ---
 *	                                              poll:C  sum of left[]             (acquire)
 *	                                              poll:D  sum of entered[], the same? then
 *	                                              poll:E  sequence = s + 1, if it still is s
 *
 *	pairs:  enter:B with poll:B and retire:B: a section that poll:D does not count entered after
 *	        what was retired was out of the way, for who finds s + 1 in poll:A comes after retire:C
 *	        that found s.
 *	        leave:A with poll:C: who counts a leave counts its entry in poll:D, which comes after;
 *	        and what is given back is no more looked at.
 *
 * SECTIONS THAT NEVER END, of a thread that was killed in the middle or left a signal handler by
 * longjmp(): nothing is given back any more, and what is retired from then on stays; LIMBO_MAX items
 * in the list, the others only counted. Everything goes on working.
 *
 * FORK. The lanes are in memory that fork() wipes, since the child has none of the threads that
 * are counted. Each counter has, in its high half, the EPOCH: how often that happened. A section
 * that was entered before a fork, by the thread that forked in a signal handler, finds another epoch
 * when it leaves, and counts nothing. That it is open the child cannot know, so there nothing is given
 * back any more (is_off).
 *
 * Context: any thread, any signal handler, nested as deep as they like. Wait-free, but for the
 * compare-and-exchange of a lane that other threads of the same CPU use, and lock-free for the list.
 */
#ifndef TACHO_TRACER_GRACE_H
#define TACHO_TRACER_GRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "format/port.h"

#define GRACE_LANES     64
#define GRACE_LIMBO_MAX 4096

/* Epoch in the high half, the number in the low one. */
struct grace_count {
	uint64_t entered;
	uint64_t left;
};

struct grace_lane {
	struct grace_count parity[2];
	uint8_t pad[TACHO_LINE_BYTES - 2 * sizeof(struct grace_count)];
};

/* The beginning of whatever can be retired. */
struct retired {
	struct retired *next;
	uint64_t since; /* the sequence */
	void (*give_back)(struct retired *retired);
};

struct grace {
	uint64_t sequence;
	struct retired *limbo;
	uint64_t swept; /* the sequence when the limbo was last gone through */
	uint32_t limbo_count;
	uint32_t kept_count; /* retired, and never given back */
	uint32_t epoch;
	bool is_off;
};

struct grace_section {
	uint32_t epoch;
	uint16_t lane;
	uint16_t parity;
};

struct grace_section grace_enter(void);
void grace_leave(struct grace_section section);

/* grace_retire() - nobody finds it any more; @give_back is called when nobody looks at it any more */
void grace_retire(struct retired *retired, void (*give_back)(struct retired *retired));
/* grace_poll() - give back what can be given back now */
void grace_poll(void);
/* grace_reset() - in a child of fork() */
void grace_reset(void);

#endif
