/* SPDX-License-Identifier: MIT */
/* cmd-complete.c - tacho complete: what the completion of shells asks. */
#include "cmd.h"
#include "complete.h"

static int run(const struct command *self, const char **arguments)
{
	(void)self;
	complete_print(arguments);
	return STATUS_DONE;
}

static const struct poptOption options[] = {
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_complete = {
	.name = "complete",
	.arguments = "-- WORD..",
	.summary =
		"Print what may follow the words of a command line: for the completion of shells",
	.options = options,
	.arguments_max = ARGUMENTS_ANY,
	.is_hidden = true,
	.run = run,
};
