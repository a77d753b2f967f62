/* SPDX-License-Identifier: MIT */
/* cmd-version.c - tacho version: which one this is. */
#include <stdio.h>

#include "cmd.h"

static int run(const struct command *self, const char **arguments)
{
	(void)self;
	(void)arguments;
	puts("tacho " TACHO_VERSION);
	return STATUS_DONE;
}

static const struct poptOption options[] = {
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_version = {
	.name = "version",
	.arguments = "",
	.summary = "Show which version of tacho this is",
	.options = options,
	.arguments_max = 0,
	.run = run,
};
