/* SPDX-License-Identifier: MIT */
/*
 * drain.h - the loop that writes a streaming session's trace while it is recorded. Who runs it
 * holds the flock on sessions/NAME/drain: a process of its own (drain_process.c), or the tool that
 * stops the session, where that process was killed.
 *
 *      session_start --> drain_spawn --fork--> tacho-drain: drain_run()
 *      a program completes a sub-buffer - wakes -> |  copies all that are complete,
 *                                                  |  every 25 to 200 ms: the open ones
 *      session_stop ---- drain_stop = 1, wakes --> |  all that is left, the final metadata
 *            |                                     |  drain_pid = 0
 *            +-- waits for the flock <-------------+  exit
 *
 * drain_pid is not 0 from the first byte to the last: where nobody holds the flock and it is not
 * 0, a drain was killed, and the next tool starts another.
 */
#ifndef TACHO_SESSION_DRAIN_DRAIN_H
#define TACHO_SESSION_DRAIN_DRAIN_H

#include "session/session.h"

/*
 * drain_lock() - become the drain
 * @wait: for the one there is, until it ends
 *
 * Return: a descriptor that holds the lock; -EWOULDBLOCK: there is another; or another negative
 * errno.
 */
int drain_lock(const struct session *session, bool wait);

struct drain;

/* drain_open() - open rings and trace; what is in the trace already is not written again. */
int drain_open(struct session *session, struct drain **ret_drain, struct tacho_error *error);
void drain_close(struct drain *drain);

/*
 * drain_run() - copy until drain_stop is set and all is written, or the session is dead
 *
 * Trouble with writing is noted in the session's TROUBLE_FILE and tried again, until drain_stop is
 * set: then it is the result. Signals to end (SIGTERM, SIGINT, SIGHUP), which the caller must have
 * blocked, end it early, after all was written once; so does the end of the session's
 * file, by rm(1) or by damage.
 */
int drain_run(struct drain *drain, struct tacho_error *error);

/* drain_answer() - do what was asked for while there was no drain: what is recorded from now on is not
 * cleared away with it. Where that fails, drain_run() tries again. */
void drain_answer(struct drain *drain);

/* drain_settle() - bring to its end what a rotation or clear left (rotation_settle()). Under the drain
 * lock, where no drain is to be. */
int drain_settle(struct session *session, struct tacho_error *error);

/* drain_end_chunk() - archive the trace of a session that is stopped, or remove it (rotation.h). */
int drain_end_chunk(struct drain *drain, bool is_clear, struct tacho_error *error);

/* drain_clear_rings() - of a flight recorder: snapshots from now on begin here. Under the drain lock. */
int drain_clear_rings(struct session *session, struct tacho_error *error);

/*
 * drain_check_halted() - to be called now and then by who waits for a drain: is it worth it?
 * @halted_polls: 0 at first; how often it was found halted, one after the other
 *
 * Return: 0; or -EBUSY, with what to do, if it has stood still for DRAIN_HALTED_POLLS calls.
 */
#define DRAIN_HALTED_POLLS 300
int drain_check_halted(const struct session *session, uint32_t *halted_polls,
		       struct tacho_error *error);

/*
 * drain_begin() - have a drain that goes on until the next stop
 *
 * Under the session lock. One that was told to stop is waited for: it may have looked for the last
 * time. Return: 0, or a negative errno; then drain_stop is set.
 */
int drain_begin(struct session *session, struct tacho_error *error);

/*
 * drain_end() - after drain_stop was set: wait until all is written; write it here if the drain was
 * killed. Return: 0; or what kept the trace from being complete.
 */
int drain_end(struct session *session, struct tacho_error *error);

/* drain_is_needed() - is there something to do for a drain, with nobody doing it? */
bool drain_is_needed(const struct session *session);

#endif
