/* SPDX-License-Identifier: MIT */
/*
 * mirror.h - keep a user's session like root's.
 *
 * A session of root that reaches the programs of other users (users.h) has a mirror in the runtime
 * directory of each of them: a session of the user's own, of the same name, which records what
 * root's does, into the user's part of root's trace. A mirror is made, and made alike, each time
 * that root's session was changed: so whatever a change was, and whichever one a mirror has missed,
 * there is one way to bring it up to date.
 *
 *      model (root's)                 mirror (the user's)
 *      channels                 -->   rings of the same form
 *      contexts, rules, text,   -->   the same
 *      trackers, counters
 *      state                    -->   started, stopped
 *      triggers, rotation             not: they are root's, and act on root's session
 *
 * A user can do with the mirror what they like: it is their memory, and their part of the trace.
 */
#ifndef TACHO_SESSION_USERS_MIRROR_H
#define TACHO_SESSION_USERS_MIRROR_H

#include "session/session.h"

/*
 * session_mirror() - make the mirror, or make it alike again
 * @runtime: of the user, visited (users.h), with the directory of the trace as working directory
 * @model: which the caller trusts; mapped as long as the mirror is open
 *
 * Return: 0; -EEXIST: the user has a session of this name of their own; or what making and changing
 * a session gave.
 */
int session_mirror(struct runtime *runtime, const struct tacho_session *model,
		   struct session **ret_session, struct tacho_error *error);

/* session_mirror_open() - the mirror of @model; -ENOENT, without words, if there is none. */
int session_mirror_open(struct runtime *runtime, const struct tacho_session *model,
			struct session **ret_session);

#endif
