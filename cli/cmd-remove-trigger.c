/* SPDX-License-Identifier: MIT */
/* cmd-remove-trigger.c - tacho remove-trigger: what was to be done is done no more. */
#include <stdio.h>

#include "cmd.h"
#include "pick.h"
#include "say.h"
#include "text.h"

static struct {
	const char *session;
	const char **names;
} asked;

static int remove_all(struct picked *picked)
{
	struct tacho_error error;
	int status = STATUS_DONE;

	for (const char **name = asked.names; *name; name++) {
		if (session_remove_trigger(picked->session, *name, &error))
			status = fail_with(&error);
		else
			printf("Trigger '%s' removed.\n", visible(*name).text);
	}
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	asked.names = arguments;
	return with_session(self, asked.session, remove_all);
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0,
	  "Of this session (else the current one)", "SESSION" },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_remove_trigger = {
	.name = "remove-trigger",
	.arguments = "TRIGGER..",
	.summary = "Remove triggers from a session",
	.options = options,
	.arguments_max = ARGUMENTS_ANY,
	.needs = "the name of a trigger (see: tacho list-triggers)",
	.run = run,
};
