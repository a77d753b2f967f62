/* SPDX-License-Identifier: MIT */
/* cmd-snapshot-record.c - tacho snapshot record: write what the buffers hold now to a trace. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "loss.h"
#include "pick.h"
#include "say.h"
#include "tally.h"
#include "text.h"

static struct {
	const char *output;
} asked;

static void print_taken(const struct snapshot_result *result)
{
	struct tally tally = tally_trace(result->path, result->bytes);
	char *word = shell_word(result->path);

	printf("Snapshot: %s\n"
	       "Trace: %s\n"
	       "Next:  tacho view %s\n",
	       tally_text(&tally, result->bytes).text, result->path, word);
	free(word);
	fflush(stdout);
	if (result->overwritten_while_copying)
		say(SAY_WARNING,
		    "%s parts of the buffers were overwritten while they were copied, "
		    "the oldest ones; what helps: a larger --buffer",
		    count_text(result->overwritten_while_copying).text);
	loss_say_damaged(result->damaged);
}

static int take(struct picked *picked)
{
	struct snapshot_options options = { .output = asked.output };
	struct snapshot_result result;
	struct tacho_error error;

	if (session_snapshot(picked->session, &options, &result, &error))
		return fail_with(&error);
	print_taken(&result);
	return STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	return with_session(self, arguments[0], take);
}

static const struct poptOption options[] = {
	{ "output", 'o', POPT_ARG_STRING, &asked.output, 0,
	  "Write the trace to this new or empty directory (else: a new one in the directory of the "
	  "flight recorder, beside the trace of a streaming session, or in ~/tacho-traces)",
	  "DIR" },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_snapshot_record = {
	.name = "snapshot record",
	.arguments = "[SESSION]",
	.summary = "Write what a session's buffers hold now to a trace",
	.examples = "Works with any session, running or stopped; programs do not notice.\n"
		    "tacho snapshot is the same.\n",
	.options = options,
	.arguments_max = 1,
	.stands_alone = true,
	.run = run,
};
