/* SPDX-License-Identifier: MIT */
/*
 * main.c - the command `tacho`: finds the subcommand and hands over to it.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "options.h"
#include "program.h"
#include "say.h"
#include "suggest.h"

const struct command *const commands[] = {
	&cmd_record,        &cmd_view,  &cmd_create, &cmd_enable_event,
	&cmd_disable_event, &cmd_start, &cmd_stop,   &cmd_snapshot_record,
	&cmd_destroy,       &cmd_list,  &cmd_status, &cmd_doctor,
	&cmd_help,          NULL,
};

/* How many of the words at @argv name @command: 0 if they do not. */
static int words_matched(const struct command *command, const char *const *argv)
{
	const char *second = strchr(command->name, ' ');
	size_t first_length = second ? (size_t)(second - command->name) : strlen(command->name);

	if (strlen(argv[0]) != first_length || strncmp(argv[0], command->name, first_length))
		return 0;
	if (!second)
		return 1;
	if (argv[1] && !strcmp(argv[1], second + 1))
		return 2;
	return !argv[1] || argv[1][0] == '-' ? 1 : 0; /* there is but one that begins so */
}

static int no_such_command(const char *const *argv)
{
	struct suggestion s = suggestion_for(argv[0]);
	const char *nearest;

	for (int i = 0; commands[i]; i++)
		suggestion_consider(&s, commands[i]->name);
	suggestion_consider(&s, "snapshot");
	if (!strcmp(argv[0], "snapshot"))
		s.nearest = cmd_snapshot_record.name, s.distance = 0;
	nearest = suggestion_word(&s);
	if (!strcmp(argv[0], "snapshot") && argv[1])
		say(SAY_ERROR, "there is no command '%s %s'", argv[0], argv[1]);
	else if (argv[0][0] == '-')
		say(SAY_ERROR, "there is no option %s before a command", argv[0]);
	else
		say(SAY_ERROR, "there is no command '%s'", argv[0]);
	if (nearest)
		say(SAY_PLAIN, "did you mean: tacho %s", nearest);
	else
		say(SAY_PLAIN, "the commands there are: tacho help");
	return STATUS_WRONG_USE;
}

/* `tacho --help record` and `tacho --help` are `tacho help`. */
static const char *without_dashes(const char *word)
{
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return cmd_help.name;
	return word;
}

static int run(int argc, const char **argv)
{
	for (int i = 0; commands[i]; i++) {
		int words = words_matched(commands[i], argv);

		if (words)
			return options_run(commands[i], argc - words + 1, argv + words - 1);
	}
	return no_such_command(argv);
}

/* A full disk is a failure, a reader like head(1) that has enough is none. */
static int flushed(int status)
{
	if (fflush(stdout) && errno != EPIPE && status == STATUS_DONE)
		return fail("cannot write the output: %s", strerror(errno));
	return status;
}

/*
 * Where the caller closed a standard descriptor, the next file opened would get its number, and
 * what is printed would go into it. A recorded program finds it closed all the same.
 */
static void hold_standard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	const char **words = (const char **)argv;

	hold_standard_descriptors();
	program_ignore_limits();
	setlocale(LC_CTYPE, "");
	if (argc < 2) {
		say(SAY_ERROR, "a command is missing");
		say(SAY_PLAIN,
		    "record a program: tacho record -- PROGRAM; all commands: tacho help");
		return STATUS_WRONG_USE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("tacho " TACHO_VERSION);
		return flushed(STATUS_DONE);
	}
	words[1] = without_dashes(argv[1]);
	return flushed(run(argc - 1, words + 1));
}
