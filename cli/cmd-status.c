/* SPDX-License-Identifier: MIT */
/* cmd-status.c - tacho status: everything about one session. */
#include "cmd.h"
#include "pick.h"
#include "show.h"

static struct {
	int json;
} asked;

static int show(struct picked *picked)
{
	const struct show_wish wish = { .json = asked.json };

	return show_session(picked, &wish);
}

static int run(const struct command *self, const char **arguments)
{
	return (asked.json ? with_session_json : with_session)(self, arguments[0], show);
}

static const struct poptOption options[] = {
	{ "json", 0, POPT_ARG_NONE, &asked.json, 0, "Print one JSON object", NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_status = {
	.name = "status",
	.arguments = "[SESSION]",
	.summary = "Show everything about a session: buffers, rules, what was lost",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
