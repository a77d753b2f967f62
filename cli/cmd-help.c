/* SPDX-License-Identifier: MIT */
/* cmd-help.c - tacho help: the list of commands, or one command's page; where that cannot be shown,
 * its help. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "catalogue.h"
#include "cmd.h"
#include "find.h"
#include "options.h"
#include "page.h"

static struct {
	int json;
} asked;

static void print_line(const struct command *command)
{
	printf("  %-20s  %s\n", command->name, command->summary);
}

static void print_commands(void)
{
	puts("Usage: tacho COMMAND [OPTION..] [ARGUMENT..]\n"
	     "\n"
	     "Records what programs do, at the cost of reading the clock, and shows it.\n");
	for (int i = 0; commands[i]; i++)
		if (!commands[i]->is_hidden)
			print_line(commands[i]);
	puts("\n"
	     "Begin with:  tacho record -- PROGRAM      (any program: tacho record --malloc -- "
	     "sort FILE)\n"
	     "             tacho view\n"
	     "\n"
	     "More: tacho help COMMAND, man tacho; tacho --version");
}

/* What there is behind the first word of commands of two. */
static void print_group(const char *word)
{
	size_t length = strlen(word);

	for (int i = 0; commands[i]; i++)
		if (!strncmp(commands[i]->name, word, length) && commands[i]->name[length] == ' ')
			print_line(commands[i]);
	printf("\nMore: tacho help %s WORD\n", word);
}

static int print_one(const char **words)
{
	int count;
	const struct command *command = find_command(words, &count);

	if (!command && !words[1] && find_is_group(words[0])) {
		print_group(words[0]);
		return STATUS_DONE;
	}
	if (!command || words[count])
		return find_say_unknown(words);
	if (!isatty(STDOUT_FILENO) || !page_show(command))
		options_print_help(command);
	return STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	if (asked.json && arguments[0])
		return wrong_use(self, "--json leaves no room for '%s'", arguments[0]);
	if (asked.json)
		return catalogue_print_json();
	if (arguments[0])
		return print_one(arguments);
	print_commands();
	return STATUS_DONE;
}

static const struct poptOption options[] = {
	{ "json", 0, POPT_ARG_NONE, &asked.json, 0,
	  "Print all commands with their options as one JSON object", NULL },
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
