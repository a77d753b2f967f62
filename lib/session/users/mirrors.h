/* SPDX-License-Identifier: MIT */
/*
 * mirrors.h - root's session and its mirrors (mirror.h) in the runtime directories of all users.
 *
 * session_unlock() calls mirrors_follow() after any change of a session, so nobody else needs to
 * think of them. What other users' programs recorded is added to what root asks about.
 *
 * A child that visits a user has root's session mapped, for reading; so has the drain that it starts,
 * which ends by itself when root's session does not record any more: a container may have gone
 * together with all ways to its runtime directory.
 *
 * All of these do nothing unless the caller is root, in the usual runtime directory, and the session
 * one that records everybody.
 */
#ifndef TACHO_SESSION_USERS_MIRRORS_H
#define TACHO_SESSION_USERS_MIRRORS_H

#include "session/session.h"

/* mirrors_follow() - make all mirrors like the session is now; gone, if it is dead. What goes wrong
 * is noted in @session (session_users_trouble()). */
void mirrors_follow(struct session *session);

/* mirrors_add_stats() - add what the mirrors did. */
void mirrors_add_stats(struct session *session, struct session_stats *stats);

/* mirrors_snapshot() - write what their rings hold into the snapshot in @result->path, and add it to
 * @result. */
void mirrors_snapshot(struct session *session, const struct snapshot_options *options,
		      struct snapshot_result *result);

#endif
