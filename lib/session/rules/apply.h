/* SPDX-License-Identifier: MIT */
/*
 * apply.h - tell running programs what a session records now.
 */
#ifndef TACHO_SESSION_RULES_APPLY_H
#define TACHO_SESSION_RULES_APPLY_H

#include "session/session.h"

/*
 * apply_rules() - set the session's bit in the state word of each event that it records, and clear
 * it in all others
 *
 * Events that are recorded are marked stale as well, so that programs look up where they go.
 * Called after rules or state were written, below the session lock; or when the session is dead,
 * so that nobody writes them any more.
 *
 * Return: 0, or a negative errno: not all programs were told.
 */
int apply_rules(struct session *session);

/* apply_change() - the same, with words. What was changed stays so; to repeat the change tells the
 * programs again. */
int apply_change(struct session *session, struct tacho_error *error);

/*
 * apply_dump() - have each program that the session records say again what it has loaded, just before
 *                its next event; doc/design/state-dump.md; and tell the system's state among the
 *                kernel's events
 * @is_drained: kernel_state_dump()
 *
 * Needs no lock. Return: 0, or a negative errno: not all programs were told; -ENOMSG: the session does
 * not ask for that.
 */
int apply_dump(struct session *session, bool is_drained);

#endif
