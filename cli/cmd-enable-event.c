/* SPDX-License-Identifier: MIT */
/* cmd-enable-event.c - tacho enable-event: add rules to a session. */
#include <stdio.h>

#include "cmd.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "wants.h"
#include "text.h"

static struct {
	const char *session;
	const char *channel;
	const char *level_at_least;
	const char *level_only;
} asked;

static int enable(const struct picked *picked, const struct rule_options *rule)
{
	struct tacho_error error;

	if (session_enable_event(picked->session, rule, &error))
		return fail_with(&error);
	printf("Session '%s' records '%s'.\n", visible(picked_name(picked)).text,
	       visible(rule->pattern).text);
	return STATUS_DONE;
}

static int check(const struct command *self, const char **patterns, struct rule_options *ret_rule)
{
	int status = wants_level(self, asked.level_at_least, asked.level_only, ret_rule);

	for (; !status && *patterns; patterns++)
		status = wants_pattern(self, *patterns);
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	struct rule_options rule = { .channel = asked.channel };
	struct picked picked;
	int status = check(self, arguments, &rule);

	if (status)
		return status;
	status = pick(self, asked.session, &picked);
	for (; !status && *arguments; arguments++) {
		rule.pattern = *arguments;
		status = enable(&picked, &rule);
	}
	pick_close(&picked);
	return status;
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0,
	  "Of this session (may be left out when there is just one)", "SESSION" },
	{ "channel", 'c', POPT_ARG_STRING, &asked.channel, 0,
	  "Record to this channel (else: the session's first)", "CHANNEL" },
	{ "loglevel", 0, POPT_ARG_STRING, &asked.level_at_least, 0,
	  "Only events as grave as this, or graver", "LEVEL" },
	{ "loglevel-only", 0, POPT_ARG_STRING, &asked.level_only, 0, "Only events of this level",
	  "LEVEL" },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_enable_event = {
	.name = "enable-event",
	.arguments = "PATTERN..",
	.summary = "Record events that match, in running programs and in those to come",
	.examples = "A pattern is matched against provider:name; * stands for anything, \\* for a "
		    "star.\n"
		    "\n"
		    "  tacho enable-event 'shop:*'\n"
		    "  tacho enable-event -s box --loglevel warning '*'\n",
	.options = options,
	.arguments_max = ARGUMENTS_ANY,
	.needs = "a pattern",
	.run = run,
};
