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

/* with_session_json() - the same for who prints JSON: where there is no session, an empty object */
int with_session_json(const struct command *command, const char *name,
		      int (*work)(struct picked *picked));

/*
 * with_sessions() - the same with all sessions whose names match
 * @pattern: NULL: all; then it is no failure if there is none
 *
 * @work may close the session and set it to NULL.
 */
int with_sessions(const struct command *command, const char *pattern,
		  int (*work)(struct picked *picked));
int with_all_sessions(const struct command *command, int (*work)(struct picked *picked));

/*
 * pick_presume() - from now on, in this process, @name is meant where no session is named, whatever
 *                  the current one is; and a session that is made does not become the current one
 * pick_is_presumed() - was it called?
 */
void pick_presume(const char *name);
bool pick_is_presumed(void);

/* picked_name() - what the session is called. */
const char *picked_name(const struct picked *picked);

#endif
