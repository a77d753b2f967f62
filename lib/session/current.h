/* SPDX-License-Identifier: MIT */
/*
 * current.h - the current session: the one that is meant where a command names none.
 *
 *      RUNTIME/current -> sessions/NAME        NAME escaped, as the directory's
 *
 * A symbolic link, so that it changes in one step and `ls -l` shows it. A link that leads nowhere is
 * no current session: so it needs no lock, and a session that ends takes nothing with it.
 */
#ifndef TACHO_SESSION_CURRENT_H
#define TACHO_SESSION_CURRENT_H

#include "session/session.h"

/* current_set() - from now on it is @session. */
int current_set(struct runtime *runtime, const struct session *session, struct tacho_error *error);

/* current_clear() - if it is @session, there is none any more. */
void current_clear(struct runtime *runtime, const struct session *session);

/*
 * current_get() - its name
 *
 * Return: 0; -ENOENT: there is none.
 */
int current_get(struct runtime *runtime, char ret_name[TACHO_SESSION_NAME_BYTES]);

#endif
