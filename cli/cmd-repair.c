/* SPDX-License-Identifier: MIT */
/*
 * cmd-repair.c - tacho repair: what is whole of a damaged trace, as a trace that others read.
 */
#include <stdlib.h>

#include "cmd.h"
#include "new_trace.h"
#include "options.h"
#include "say.h"
#include "text.h"
#include "view/find.h"

static struct {
	const char *output, *format;
} asked;

static int repair(const struct command *self, const char *dir)
{
	struct edit_request request = {
		.inputs = &dir,
		.input_count = 1,
		.output = asked.output,
		.is_repair = true,
	};
	struct edit_totals totals;
	int status = new_trace_make(self, &request, asked.format, &totals);

	if (status)
		return status;
	if (totals.repairs)
		say(SAY_PLAIN, "mended in %s place%s; %s is as it was",
		    count_text(totals.repairs).text, totals.repairs == 1 ? "" : "s", dir);
	else if (!totals.damages)
		say(SAY_GOOD, "there was nothing to mend");
	return STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	int status;
	char *dir;

	if (!asked.output)
		return wrong_use(self, "say where the new trace is to be: -o DIR");
	dir = view_find(self, arguments[0]);
	status = dir ? repair(self, dir) : STATUS_FAILED;
	free(dir);
	return status;
}

static const struct poptOption options[] = {
	NEW_TRACE_OPTIONS(asked.output, asked.format),
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_repair = {
	.name = "repair",
	.arguments = "[DIR|SESSION|last]",
	.summary = "Make a sound trace of what is whole of a damaged one",
	.examples = "  tacho repair -o /tmp/sound /traces/after-the-crash\n",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
