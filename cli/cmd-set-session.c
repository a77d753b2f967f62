/* SPDX-License-Identifier: MIT */
/* cmd-set-session.c - tacho set-session: choose the session that commands mean which name none. */
#include <stdio.h>

#include "cmd.h"
#include "pick.h"
#include "say.h"
#include "session/current.h"
#include "text.h"

static int choose(struct picked *picked)
{
	struct tacho_error error;

	if (current_set(&picked->runtime, picked->session, &error))
		return fail_with(&error);
	printf("Session '%s' is the current one: commands that name none mean it.\n",
	       visible(picked_name(picked)).text);
	return STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	return with_session(self, arguments[0], choose);
}

static const struct poptOption options[] = {
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_set_session = {
	.name = "set-session",
	.arguments = "SESSION",
	.summary = "Choose the session that is meant where a command names none",
	.examples = "tacho create chooses the session it makes; tacho list marks the chosen one.\n",
	.options = options,
	.arguments_max = 1,
	.needs = "the name of a session",
	.run = run,
};
