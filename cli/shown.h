/* SPDX-License-Identifier: MIT */
/*
 * shown.h - what show.c has found out about a session, for those who print it.
 */
#ifndef TACHO_CLI_SHOWN_H
#define TACHO_CLI_SHOWN_H

#include "look.h"

/* Large, as it holds a copy of the session's file. */
struct shown {
	const struct runtime *runtime;
	struct tacho_session file;
	struct session_stats stats;
	uint64_t trigger_hits[TACHO_TRIGGERS_MAX];
	bool watch_alive;
	uint32_t only; /* index of the one channel that is wanted; UINT32_MAX: all */
};

static inline bool is_channel_shown(const struct shown *shown, uint32_t index)
{
	return shown->only == UINT32_MAX || shown->only == index;
}

/* Those of triggers are shown with them. */
static inline bool is_rule_shown(const struct shown *shown, const struct tacho_rule *rule)
{
	return rule->enabled != TACHO_RULE_FREE && !rule->trigger &&
	       is_channel_shown(shown, rule->channel);
}

const char *shown_channel_name(const struct shown *shown, uint32_t index);

/* show_text(), show_json() - Return: exit status. */
int show_text(const struct shown *shown);
int show_json(const struct shown *shown);

#endif
