/* SPDX-License-Identifier: MIT */
/*
 * trigger_wants.h - what the words behind `tacho add-trigger` ask for. Their order matters, as with
 * lttng: what follows --condition TYPE is about the condition, what follows --action TYPE about that
 * action, until the next of the two.
 *
 *	--name crash --condition event-rule-matches --name 'app:crash'
 *	|            |                              of the condition: a pattern
 *	of the trigger
 *	             --action snapshot-session box --rate-policy once-after:3 --action run 'mail me'
 *	                                       |                                           |
 *	                                       arguments of the action before them
 */
#ifndef TACHO_CLI_TRIGGER_WANTS_H
#define TACHO_CLI_TRIGGER_WANTS_H

#include "cmd.h"
#include "session/session.h"

enum trigger_word {
	TRIGGER_ARGUMENT = 0, /* no option */
	TRIGGER_SESSION = 's',
	TRIGGER_NAME = 256,
	TRIGGER_CONDITION,
	TRIGGER_TYPE,
	TRIGGER_EXCLUDE,
	TRIGGER_LEVEL,
	TRIGGER_FILTER,
	TRIGGER_EXECUTABLE,
	TRIGGER_PID,
	TRIGGER_CHANNEL,
	TRIGGER_ACTION,
	TRIGGER_RATE,
	TRIGGER_INTERVAL,
};

#define TRIGGER_EXCLUDES_MAX 64

struct trigger_wants {
	struct trigger_options options; /* borrows from the words, and from here */
	const char *session;            /* -s */
	const char *action_session;     /* that actions name */
	const char *rate;
	const char *exclude[TRIGGER_EXCLUDES_MAX + 1];
	int exclude_count;
	enum { IN_TRIGGER, IN_CONDITION, IN_ACTION } place;
	bool has_condition;
	bool has_value;  /* the condition's argument */
	uint32_t action; /* the last one */
};

/* trigger_take() - the next word: an option with its value, or an argument. Return: exit status;
 * what is wrong was said. */
int trigger_take(const struct command *self, struct trigger_wants *wants, int option,
		 const char *value);

/* trigger_complete() - after the last word. Return: exit status. */
int trigger_complete(const struct command *self, struct trigger_wants *wants);

#endif
