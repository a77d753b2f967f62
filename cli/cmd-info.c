/* SPDX-License-Identifier: MIT */
/*
 * cmd-info.c - tacho info: what a trace is, where it comes from, and what is in it.
 */
#include <stdlib.h>

#include "cmd.h"
#include "info.h"
#include "options.h"
#include "text.h"
#include "view/find.h"

static struct {
	int json;
} asked;

static int gather(const struct command *self, const char *named, char **ret_dir,
		  struct info *ret_info)
{
	*ret_dir = view_find(self, named);
	return *ret_dir ? info_gather(*ret_dir, ret_info) : STATUS_FAILED;
}

static int print(const struct info *infos, size_t count)
{
	uint64_t damages = 0;

	if (asked.json)
		info_print_json(infos, count);
	else
		info_print_text(infos, count);
	for (size_t i = 0; i < count; i++)
		damages += info_damages(&infos[i]);
	return damages ? STATUS_FAILED : STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	static const char *newest[] = { NULL, NULL };
	size_t count = 0, room = 1;
	struct info *infos;
	int status = STATUS_DONE;
	char **dirs;

	while (arguments[count])
		count++;
	if (!count)
		arguments = newest;
	room = count ? count : 1;
	infos = xcalloc(room, sizeof(*infos));
	dirs = xcalloc(room, sizeof(*dirs));
	for (size_t i = 0; i < room && !status; i++)
		status = gather(self, arguments[i], &dirs[i], &infos[i]);
	if (!status)
		status = print(infos, room);
	for (size_t i = 0; i < room; i++) {
		info_fini(&infos[i]);
		free(dirs[i]);
	}
	free(infos);
	free(dirs);
	return status;
}

static const struct poptOption options[] = {
	{ "json", 0, POPT_ARG_NONE, &asked.json, 0, "JSON, with all there is to say", NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_info = {
	.name = "info",
	.arguments = "[DIR|SESSION|last]..",
	.summary = "What a trace is, where it comes from and what is in it",
	.examples = "  tacho info\n"
		    "  tacho info web /traces/other-host\n"
		    "  tacho info --json | jq '.traces[].damages[]'\n",
	.options = options,
	.arguments_max = ARGUMENTS_ANY,
	.run = run,
};
