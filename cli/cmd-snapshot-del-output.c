/* SPDX-License-Identifier: MIT */
/* cmd-snapshot-del-output.c - tacho snapshot del-output: take back add-output. */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "text.h"

static struct {
	const char *session;
} asked;

static int del(struct picked *picked)
{
	struct tacho_error error;

	if (session_del_snapshot_output(picked->session, &error))
		return fail_with(&error);
	printf("Snapshots of session '%s' go where they do by default.\n",
	       visible(picked_name(picked)).text);
	return STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	const char *which = arguments[0];

	if (which && strcmp(which, "1") && strcmp(which, "snapshot-1"))
		return wrong_use(self, "a session has one output, with the number 1, and no '%s'",
				 which);
	return with_session(self, asked.session, del);
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0, "The session", "SESSION" },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_snapshot_del_output = {
	.name = "snapshot del-output",
	.arguments = "[1]",
	.summary = "Let the snapshots of a session go where they do by default",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
