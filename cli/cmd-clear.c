/* SPDX-License-Identifier: MIT */
/* cmd-clear.c - tacho clear: drop what sessions recorded so far. */
#include <stdio.h>

#include "cmd.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "text.h"

static struct {
	int all;
} asked;

static int clear(struct picked *picked)
{
	const struct tacho_session *file = session_file(picked->session);
	struct tacho_error error;

	if (session_clear(picked->session, &error))
		return fail_with(&error);
	printf("Session '%s' is empty%s.\n", visible(file->name).text,
	       file->state == TACHO_SESSION_ACTIVE ? "; it goes on recording" : "");
	return STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	if (asked.all && arguments[0])
		return wrong_use(self, "--all leaves no room for '%s'", arguments[0]);
	return asked.all ? with_all_sessions(self, clear) : with_session(self, arguments[0], clear);
}

static const struct poptOption options[] = {
	{ "all", 'a', POPT_ARG_NONE, &asked.all, 0, "All sessions", NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_clear = {
	.name = "clear",
	.arguments = "[SESSION]",
	.summary = "Drop what a session recorded so far; it may go on recording",
	.examples =
		"Of a streaming session, its trace; of a flight recorder, what is in the buffers.\n"
		"Chunks that were archived by tacho rotate stay, and so do snapshots.\n",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
