/* SPDX-License-Identifier: MIT */
/* cmd-track.c - tacho track: record of these processes only. */
#include "cmd.h"
#include "domain.h"
#include "tracked.h"

static int run(const struct command *self, const char **arguments)
{
	static const struct tracked_work work = { true, session_track_all, session_track };

	(void)arguments;
	return tracked_run(self, &work);
}

static const struct poptOption options[] = {
	TRACKED_ENTRIES,
	{ "all", 'a', POPT_ARG_NONE, &tracked_asked.all, 0,
	  "Of each kind that is named, without values, all", NULL },
	DOMAIN_ENTRIES_WITHOUT_PYTHON,
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_track = {
	.name = "track",
	.arguments = "",
	.summary = "Record of these processes only",
	.examples =
		"At first, processes of every kind are recorded. The first values that are named "
		"of a kind\n"
		"are all that is recorded of it; more can be added. Processes must fit in each "
		"kind.\n"
		"\n"
		"  tacho track --vpid 4711,4712\n"
		"  tacho track --exec 'shop*' --vuid www-data\n"
		"  tacho track --all --vpid\n",
	.options = options,
	.arguments_max = 0,
	.run = run,
};
