/* SPDX-License-Identifier: MIT */
/*
 * detached.h - work for a session that outlives the tool which starts it: the drain, the watcher.
 *
 *      tool                      between                  new process
 *      flock, pipe, fork ------> setsid, fork ----------> begin()
 *      waitpid           <------ exit                     writes the result to the pipe
 *      reads the result  <------------------------------- closes it; run() until it ends
 *
 * The lock is taken before the fork and inherited, so that there is no moment without it. The
 * process between makes the new one nobody's child: no tool has to wait for it, or finds it by
 * waiting for something else.
 */
#ifndef TACHO_SESSION_DETACHED_H
#define TACHO_SESSION_DETACHED_H

#include "session/session.h"

struct detached {
	const char *what; /* "drain": for messages */
	const char *name; /* "tacho-drain": what ps(1) shows, followed by the session's name */
	/* Of the new process, which has no other files open than the session's directory, the
	 * runtime directory and the lock. What it returns is told to the tool. */
	int (*begin)(struct session *session, void **ret_work, struct tacho_error *error);
	/* Return: 0 if all was done. */
	int (*run)(void *work);
};

/*
 * detached_spawn() - start it
 * @lock_fd: the flock that is its sign of life; the new process has it for all its life
 *
 * Return: what begin() returned; or a negative errno.
 */
int detached_spawn(struct session *session, const struct detached *what, int lock_fd,
		   struct tacho_error *error);

#endif
