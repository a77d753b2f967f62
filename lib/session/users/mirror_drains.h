/* SPDX-License-Identifier: MIT */
/*
 * mirror_drains.h - the drains of the mirrors of root's session (mirrors.h), so that the trace of all
 * is complete when `stop` returns. Those that are reached are waited for as any drain is. One whose
 * container has gone cannot be reached any more; it ends by itself, soon after root's session has
 * stopped, and until then it is waited for here.
 *
 * They are noted in a text file of root's session, one a line: its pid and start time, which each
 * user's process has told. Nothing is done to these processes.
 */
#ifndef TACHO_SESSION_USERS_MIRROR_DRAINS_H
#define TACHO_SESSION_USERS_MIRROR_DRAINS_H

#include "session/session.h"

struct mirror_drain {
	int64_t pid; /* 0: none */
	uint64_t start_time;
};

/* mirror_drains_note() - unless it is noted already */
void mirror_drains_note(const struct session *session, struct mirror_drain drain);

/* mirror_drains_wait() - until all have ended, at most three seconds. Return: true if they have. */
bool mirror_drains_wait(const struct session *session);

#endif
