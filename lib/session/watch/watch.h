/* SPDX-License-Identifier: MIT */
/*
 * watch.h - the watcher: one process per session, as long as the session has a trigger that is armed
 * (base/rule.h). It sleeps until a trigger is hit, and does what the trigger asks for. How programs
 * tell it is in format/trigger.h.
 *
 *      add-trigger, start --> watch_begin --fork--> tacho-watch: watch_run()
 *                                                       |  hit: snapshot, rotate, start, stop, run
 *                                                       |  every 100 ms: are buffers full, is
 *                                                       |  something lost: that counts as a hit
 *      remove-trigger, stop, destroy: watch_wake -----> |  no trigger is armed: ends
 *
 * It may be killed at any time, and the next tool starts another: a hit is handled when its actions
 * were done, and not before, so none is forgotten; those that were being done are done again.
 *
 * Its life is the flock on sessions/NAME/watch. It ends below the session lock, and is begun below
 * it: so whoever finds it alive there, after arming a trigger, knows that it will see the trigger.
 *
 *      watch_process.c   the process, and how tools start and wake it
 *      watch.c           the loop: which hits are acted upon
 *      watch_look.c      conditions that nobody tells of, and that have to be looked at
 *      watch_act.c       the actions
 */
#ifndef TACHO_SESSION_WATCH_WATCH_H
#define TACHO_SESSION_WATCH_WATCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "session/session.h"
#include "session/rules/triggers.h"

/* watch_begin() - below the session lock: have a watcher, if a trigger is armed */
int watch_begin(struct session *session, struct tacho_error *error);

/* watch_wake() - what it goes by has changed. */
void watch_wake(const struct session *session);

/* watch_wait() - until it has ended, of a session that is dead; not longer than a second */
void watch_wait(const struct session *session);

/* ---- the inside ---- */

/* A trigger as it was in the session file when that was last read. */
struct watched {
	struct tacho_trigger trigger;
	char *name;
	char *command;
	char *session;
	bool is_armed;
	pid_t running; /* its command, which has not ended; 0: none */
};

struct watch {
	struct session *session;
	struct tacho_triggers *triggers;
	uint32_t generation; /* of the session file when it was read; odd: never */
	struct watched watched[TACHO_TRIGGERS_MAX];
	uint64_t look_ns; /* CLOCK_MONOTONIC when conditions are to be looked at */
};

/* What one firing came to. */
struct watch_result {
	int failed; /* actions */
	char text[TACHO_TRIGGER_RESULT_BYTES];
};

/* watch_run() - until no trigger is armed, or the session is dead or gone. Return: 0. */
int watch_run(struct watch *watch);

/* watch_store() - write the progress of @w into the session file, if it is still there */
void watch_store(struct watch *watch, struct watched *w);

/* watch_look() - count a hit of each trigger whose condition has come about. Return: is there any
 * that has to be looked at? */
bool watch_look(struct watch *watch);

/* watch_lost_so_far() - by a channel's rings; UINT32_MAX: all */
uint64_t watch_lost_so_far(const struct session *session, uint32_t channel);

/* watch_act() - do what the trigger asks for; @reason: that a program gave, or "" */
void watch_act(struct watch *watch, struct watched *w, const char *reason,
	       struct watch_result *ret_result);

/* watch_reap() - a command that has ended; 0 or negative: none */
pid_t watch_reap(int *ret_status);

/* watch_note_status() - how the command of the last time ended */
void watch_note_status(struct tacho_trigger *trigger, int status);

#endif
