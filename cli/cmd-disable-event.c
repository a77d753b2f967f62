/* SPDX-License-Identifier: MIT */
/* cmd-disable-event.c - tacho disable-event: take rules out of a session. */
#include <stdio.h>

#include "cmd.h"
#include "pick.h"
#include "say.h"
#include "text.h"

static struct {
	const char *session;
} asked;

static int run(const struct command *self, const char **arguments)
{
	struct tacho_error error;
	struct picked picked;
	int status = pick(self, asked.session, &picked);

	for (; !status && *arguments; arguments++) {
		if (session_disable_event(picked.session, *arguments, &error))
			status = fail_with(&error);
		else
			printf("Session '%s' no longer records '%s'.\n",
			       visible(picked_name(&picked)).text, visible(*arguments).text);
	}
	pick_close(&picked);
	return status;
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0,
	  "Of this session (may be left out when there is just one)", "SESSION" },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_disable_event = {
	.name = "disable-event",
	.arguments = "PATTERN..",
	.summary = "Take back what enable-event asked for",
	.examples = "PATTERN is exactly one that was enabled; tacho status shows them.\n",
	.options = options,
	.arguments_max = ARGUMENTS_ANY,
	.needs = "a pattern",
	.run = run,
};
