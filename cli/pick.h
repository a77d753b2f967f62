/* SPDX-License-Identifier: MIT */
/*
 * pick.h - the session that a command is about.
 */
#ifndef TACHO_CLI_PICK_H
#define TACHO_CLI_PICK_H

#include "cmd.h"
#include "session/session.h"

/*
 * pick_runtime() - open the runtime directory, and replace drains that were killed
 * pick_session() - open the session @name; NULL: the current one, else the only one there is
 *
 * They say what went wrong themselves.
 *
 * Return: an exit status; STATUS_DONE only when the output is set.
 */
int pick_runtime(struct runtime *ret_runtime);
int pick_session(const struct command *command, struct runtime *runtime, const char *name,
		 struct session **ret_session);

/* Both at once. To be undone with pick_close(), also after a failure. */
struct picked {
	struct runtime runtime;
	struct session *session;
	bool is_open;
};
int pick(const struct command *command, const char *name, struct picked *ret_picked);
void pick_close(struct picked *picked);

/*
 * with_session() - pick a session, do something with it, and let go of it
 * @work: returns the exit status
 */
int with_session(const struct command *command, const char *name,
		 int (*work)(struct picked *picked));

/* picked_name() - what the session is called. */
const char *picked_name(const struct picked *picked);

#endif
