/* SPDX-License-Identifier: MIT */
/* cmd-version.c - tacho version: which one this is. */
#include <stdio.h>

#include "cmd.h"
#include "json.h"

static struct {
	int json;
} asked;

static int run(const struct command *self, const char **arguments)
{
	json_object *root;

	(void)self;
	(void)arguments;
	if (!asked.json) {
		puts("tacho " TACHO_VERSION);
		return STATUS_DONE;
	}
	root = json_object_new_object();
	json_add_text(root, "version", TACHO_VERSION);
	return json_print(root);
}

static const struct poptOption options[] = {
	{ "json", 0, POPT_ARG_NONE, &asked.json, 0, "Print one JSON object", NULL },
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
