/* SPDX-License-Identifier: MIT */
/* cmd-help.c - tacho help: the list of commands, or one command's help. */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "options.h"
#include "suggest.h"

static void print_commands(void)
{
	puts("Usage: tacho COMMAND [OPTION..] [ARGUMENT..]\n"
	     "\n"
	     "Records what programs do, at the cost of reading the clock, and shows it.\n");
	for (int i = 0; commands[i]; i++)
		printf("  %-16s %s\n", commands[i]->name, commands[i]->summary);
	puts("\n"
	     "Begin with:  tacho record -- PROGRAM      (any program: tacho record --malloc -- "
	     "sort FILE)\n"
	     "             tacho view\n"
	     "\n"
	     "More: tacho help COMMAND, man tacho; tacho --version");
}

/* "snapshot record" comes as two words. */
static bool is_named(const struct command *command, const char **words)
{
	char name[64];

	if (words[1])
		snprintf(name, sizeof(name), "%s %s", words[0], words[1]);
	else
		snprintf(name, sizeof(name), "%s", words[0]);
	return !strcmp(name, command->name);
}

static int run(const struct command *self, const char **arguments)
{
	struct suggestion s;

	if (!arguments[0]) {
		print_commands();
		return STATUS_DONE;
	}
	s = suggestion_for(arguments[0]);
	for (int i = 0; commands[i]; i++) {
		suggestion_consider(&s, commands[i]->name);
		if (!is_named(commands[i], arguments))
			continue;
		options_print_help(commands[i]);
		return STATUS_DONE;
	}
	if (!strcmp(arguments[0], "snapshot") && !arguments[1]) {
		options_print_help(&cmd_snapshot_record);
		return STATUS_DONE;
	}
	if (suggestion_word(&s))
		return wrong_use(self, "there is no command '%s'; did you mean %s?", arguments[0],
				 suggestion_word(&s));
	return wrong_use(self, "there is no command '%s'", arguments[0]);
}

static const struct poptOption options[] = {
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_help = {
	.name = "help",
	.arguments = "[COMMAND]",
	.summary = "Show what commands there are, or the help of one",
	.options = options,
	.arguments_max = 2,
	.run = run,
};
