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
#include "find.h"
#include "options.h"
#include "program.h"
#include "say.h"

/* clang-format off: one a line */
const struct command *const commands[] = {
	&cmd_record,
	&cmd_view,
	&cmd_stats,
	&cmd_info,
	&cmd_export,
	&cmd_cut,
	&cmd_repair,
	&cmd_merge,
	&cmd_create,
	&cmd_set_session,
	&cmd_enable_event,
	&cmd_disable_event,
	&cmd_enable_channel,
	&cmd_disable_channel,
	&cmd_add_context,
	&cmd_track,
	&cmd_untrack,
	&cmd_add_trigger,
	&cmd_remove_trigger,
	&cmd_list_triggers,
	&cmd_start,
	&cmd_stop,
	&cmd_snapshot_record,
	&cmd_snapshot_add_output,
	&cmd_snapshot_del_output,
	&cmd_snapshot_list_output,
	&cmd_rotate,
	&cmd_enable_rotation,
	&cmd_disable_rotation,
	&cmd_clear,
	&cmd_destroy,
	&cmd_save,
	&cmd_load,
	&cmd_list,
	&cmd_status,
	&cmd_recover,
	&cmd_regenerate_metadata,
	&cmd_regenerate_statedump,
	&cmd_doctor,
	&cmd_help,
	&cmd_version,
	&cmd_complete,
	NULL,
};
/* clang-format on */

/* `tacho --help record` and `tacho --help` are `tacho help`. */
static const char *without_dashes(const char *word)
{
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return cmd_help.name;
	return word;
}

static int run(int argc, const char **argv)
{
	int words;
	const struct command *command = find_command(argv, &words);

	if (!command)
		return find_say_unknown(argv);
	return options_run(command, argc - words + 1, argv + words - 1);
}

/* A full disk is a failure, a reader like head(1) that has enough is none. */
static int flushed(int status)
{
	if (!fflush(stdout) || errno == EPIPE || status != STATUS_DONE)
		return status;
	return fail("cannot write the output: %s", output_failure(errno));
}

/*
 * Where the caller closed a standard descriptor, the next file opened would get its number, and
 * what is printed would go into it. A recorded program finds it closed all the same. What stands
 * in for the standard output cannot be written: results that nobody gets are a failure.
 */
static void hold_standard_descriptors(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int access = fd == STDOUT_FILENO ? O_RDONLY : O_RDWR;

		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", access | O_CLOEXEC);
	}
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
