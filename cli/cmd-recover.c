/* SPDX-License-Identifier: MIT */
/* cmd-recover.c - tacho recover: make a trace of what dead programs, drains and machines left. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cmd.h"
#include "loss.h"
#include "options.h"
#include "say.h"
#include "session/recover/recover.h"
#include "tally.h"
#include "text.h"
#include "wants.h"

static struct {
	const char *output;
	int all;
} asked;

static void say_note(void *arg, const char *text)
{
	(void)arg;
	say(SAY_WARNING, "%s", visible(text).text);
}

static void print_next(const struct recover_result *result)
{
	char *word = shell_word(result->path);

	if (result->drained[0])
		printf("What was written before is in its own trace: %s\n",
		       visible(result->drained).text);
	if (result->events)
		printf("Next:  tacho view %s\n", word);
	free(word);
}

static void print_result(const struct recover_result *result)
{
	struct tally tally = { .is_counted = true, .events = result->events };
	uint64_t lost = loss_total(result->lost);

	printf("Recovered from session '%s': %s\n"
	       "Trace: %s\n",
	       visible(result->name).text, tally_text(&tally, result->bytes).text,
	       visible(result->path).text);
	print_next(result);
	fflush(stdout);
	if (lost)
		say(SAY_WARNING, "lost %s event%s while it recorded", count_text(lost).text,
		    lost == 1 ? "" : "s");
	if (result->damaged)
		say(SAY_WARNING,
		    "%s part%s of its buffers %s damaged, and not, or not wholly, in "
		    "the trace",
		    count_text(result->damaged).text, result->damaged == 1 ? "" : "s",
		    result->damaged == 1 ? "is" : "are");
}

/* Return: exit status. */
static int recover(const char *dir, const char *output)
{
	struct recover_options options = {
		.output = output,
		.all = asked.all,
		.note = say_note,
	};
	struct recover_result result;
	struct tacho_error error;

	if (recover_session(dir, &options, &result, &error))
		return fail_with(&error);
	print_result(&result);
	return STATUS_DONE;
}

/* Each in a directory of its own, called like its own. One that fails does not keep the others. */
static int recover_several(char **dirs)
{
	int worst = STATUS_DONE;

	for (char **dir = dirs; *dir; dir++) {
		char *output = xasprintf("%s/%s", asked.output, strrchr(*dir, '/') + 1);
		int status = recover(*dir, output);

		if (status > worst)
			worst = status;
		free(output);
	}
	return worst;
}

static int run(const struct command *self, const char **arguments)
{
	int status = wants_directory(self, asked.output, &asked.output);
	struct tacho_error error;
	char **dirs;

	if (status)
		return status;
	if (!asked.output)
		return wrong_use(self, "where the trace is to go is missing: --output DIR");
	if (recover_find(arguments[0], &dirs, &error))
		return fail_with(&error);
	status = dirs[1] ? recover_several(dirs) : recover(dirs[0], asked.output);
	str_array_free(dirs);
	return status;
}

static const struct poptOption options[] = {
	{ "output", 'o', POPT_ARG_STRING, &asked.output, 0,
	  "Write the trace to this new or empty directory; of several sessions, to directories in "
	  "it",
	  "DIR" },
	{ "all", 'a', POPT_ARG_NONE, &asked.all, 0,
	  "Also what the session's own trace has already, as far as it is still there", NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_recover = {
	.name = "recover",
	.arguments = "[DIR|SESSION]",
	.summary = "Make a trace of what dead programs, drains and machines left behind",
	.examples =
		"DIR is a runtime directory, or one that --shm-path made, also of a machine that\n"
		"was switched off, or a copy of it.\n",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
