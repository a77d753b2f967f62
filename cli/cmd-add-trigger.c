/* SPDX-License-Identifier: MIT */
/* cmd-add-trigger.c - tacho add-trigger: have something done when something happens. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "text.h"
#include "trigger_names.h"
#include "trigger_wants.h"

static struct trigger_wants wants;

static int in_order(const struct command *self, int option, const char *value)
{
	return trigger_take(self, &wants, option, value);
}

static void print_next(const struct picked *picked)
{
	char *word = shell_operand(picked_name(picked));

	if (session_file(picked->session)->state != TACHO_SESSION_ACTIVE &&
	    !(wants.options.actions & TACHO_ACTIONS_WHEN_STOPPED))
		printf("It is watched while the session records: tacho start %s\n", word);
	free(word);
}

static int add(struct picked *picked)
{
	char name[TACHO_TRIGGER_NAME_BYTES];
	struct tacho_error error;

	if (wants.action_session && strcmp(wants.action_session, picked_name(picked)))
		wants.options.session = wants.action_session;
	if (session_add_trigger(picked->session, &wants.options, name, &error))
		return fail_with(&error);
	printf("Session '%s' has the trigger '%s': %s.\n", visible(picked_name(picked)).text,
	       visible(name).text, trigger_condition(wants.options.condition));
	print_next(picked);
	return STATUS_DONE;
}

/* A trigger lives in the session that it is about, unless another is named, or one is being loaded
 * of a file. */
static const char *home_of_trigger(void)
{
	if (wants.session || pick_is_presumed())
		return wants.session;
	return wants.action_session;
}

static int run(const struct command *self, const char **arguments)
{
	int status = trigger_complete(self, &wants);

	(void)arguments;
	return status ? status : with_session(self, home_of_trigger(), add);
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, NULL, TRIGGER_SESSION,
	  "The session that has the trigger (else the one that the actions name, or the current "
	  "one)",
	  "SESSION" },
	{ "name", 0, POPT_ARG_STRING, NULL, TRIGGER_NAME,
	  "Before --condition: what the trigger is called; behind --condition event-rule-matches: "
	  "a "
	  "pattern of events, * for any characters",
	  "NAME|PATTERN" },
	{ "condition", 0, POPT_ARG_STRING, NULL, TRIGGER_CONDITION,
	  "When: event-rule-matches, channel-usage-over RATIO, channel-usage-under RATIO, "
	  "events-lost, "
	  "session-size-over SIZE, or snapshot-request",
	  "CONDITION" },
	{ "type", 0, POPT_ARG_STRING, NULL, TRIGGER_TYPE,
	  "Of an event: this, which is so anyway", "user:tracepoint" },
	{ "exclude-name", 0, POPT_ARG_STRING, NULL, TRIGGER_EXCLUDE,
	  "Of an event: not one whose name matches this pattern (repeatable)", "PATTERN" },
	{ "log-level", 0, POPT_ARG_STRING, NULL, TRIGGER_LEVEL,
	  "Of an event: LEVEL for only this one, LEVEL.. for as grave or graver", "LEVEL" },
	{ "filter", 'f', POPT_ARG_STRING, NULL, TRIGGER_FILTER,
	  "Of an event: only where this is true of its fields (man tacho-filter)", "EXPRESSION" },
	{ "exec", 0, POPT_ARG_STRING, NULL, TRIGGER_EXECUTABLE,
	  "Of an event: of programs with this name, or path if it has a /", "PATTERN" },
	{ "pid", 0, POPT_ARG_STRING, NULL, TRIGGER_PID, "Of an event: of this process", "PID" },
	{ "channel", 'c', POPT_ARG_STRING, NULL, TRIGGER_CHANNEL,
	  "Of channel-usage-over, channel-usage-under, events-lost: this channel (else any)",
	  "CHANNEL" },
	{ "action", 0, POPT_ARG_STRING, NULL, TRIGGER_ACTION,
	  "What (repeatable): snapshot-session [SESSION], rotate-session [SESSION], start-session "
	  "[SESSION], stop-session [SESSION], or run COMMAND; always in this order",
	  "ACTION" },
	{ "rate-policy", 0, POPT_ARG_STRING, NULL, TRIGGER_RATE,
	  "How often: every:COUNT (at each COUNTth time) or once-after:COUNT (only then)",
	  "POLICY" },
	{ "interval", 0, POPT_ARG_STRING, NULL, TRIGGER_INTERVAL,
	  "Not again before this time has passed: 10s, 500ms, 2m", "TIME" },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_add_trigger = {
	.name = "add-trigger",
	.arguments = "--condition CONDITION .. --action ACTION ..",
	.summary = "Have a snapshot taken or a command run when something happens",
	.examples = "tacho add-trigger --condition event-rule-matches --name 'app:crash' \\\n"
		    "  --action snapshot-session\n"
		    "tacho add-trigger --name full --condition channel-usage-over 90% \\\n"
		    "  --action run 'logger \"$TACHO_SESSION: buffers are nearly full\"' "
		    "--interval 1m\n",
	.options = options,
	.arguments_max = ARGUMENTS_ANY,
	.in_order = in_order,
	.run = run,
};
