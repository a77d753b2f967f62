/* SPDX-License-Identifier: MIT */
/*
 * ended.h - stop a session and say what came of it: how much it recorded, and what was lost.
 */
#ifndef TACHO_CLI_ENDED_H
#define TACHO_CLI_ENDED_H

#include "pick.h"
#include "tally.h"

struct ended {
	struct session_stats stats;
	struct tally tally;
	bool has_trace; /* the session is streaming, and something was written */
};

/* ended_stop() - stop it, wait until its trace is complete, and count. Return: exit status. */
int ended_stop(struct picked *picked, struct ended *ret_ended);

/* ended_print() - "Session 'web' is stopped: 1,234 events, 5.6 MiB, nothing lost." */
void ended_print(const struct picked *picked, const struct ended *ended);

/* ended_is_empty() - is there no event in the trace, nor was one lost? */
bool ended_is_empty(const struct ended *ended);

/* ended_say_lost() - what was lost and why, and what helps; nothing if nothing was. */
void ended_say_lost(const struct picked *picked, const struct ended *ended);

#endif
