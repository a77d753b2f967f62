/* SPDX-License-Identifier: MIT */
/* cmd-untrack.c - tacho untrack: no longer record of these processes. */
#include "cmd.h"
#include "domain.h"
#include "tracked.h"

static int run(const struct command *self, const char **arguments)
{
	static const struct tracked_work work = { false, session_untrack_all, session_untrack };

	(void)arguments;
	return tracked_run(self, &work);
}

static const struct poptOption options[] = {
	TRACKED_ENTRIES,
	{ "all", 'a', POPT_ARG_NONE, &tracked_asked.all, 0,
	  "Of each kind that is named, without values, all: nothing is recorded", NULL },
	DOMAIN_ENTRIES_WITHOUT_PYTHON,
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_untrack = {
	.name = "untrack",
	.arguments = "",
	.summary = "Take back what track asked for",
	.examples =
		"  tacho untrack --vpid 4711\n"
		"  tacho untrack --all --vpid     none is left; then add some with tacho track\n"
		"  tacho track --all --vpid       all again\n",
	.options = options,
	.arguments_max = 0,
	.run = run,
};
