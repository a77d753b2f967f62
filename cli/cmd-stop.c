/* SPDX-License-Identifier: MIT */
/* cmd-stop.c - tacho stop: stop recording, complete the trace, say what was lost. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "loss.h"
#include "pick.h"
#include "say.h"
#include "tally.h"
#include "text.h"
#include "wants.h"

static struct {
	int fail_on_loss;
} asked;

static void print_stopped(const struct tacho_session *file, const struct session_stats *stats)
{
	struct tally tally = { 0 };
	char *word = shell_word(file->streaming ? file->output : file->name);

	if (file->streaming)
		tally = tally_trace(file->output, stats->bytes);
	printf("Session '%s' is stopped: %s%s.\n", visible(file->name).text,
	       tally_text(&tally, stats->bytes).text,
	       loss_total(stats->lost) || stats->unrecorded ? "" : ", nothing lost");
	if (file->streaming)
		printf("Trace: %s\nNext:  tacho view %s\n", file->output, word);
	else
		printf("Next:  tacho snapshot record %s\n", word);
	free(word);
}

static int stop(struct picked *picked)
{
	const struct tacho_session *file = session_file(picked->session);
	struct session_stats stats;
	struct tacho_error error;

	if (session_stop(picked->session, &error) || session_stats(picked->session, &stats, &error))
		return fail_with(&error);
	print_stopped(file, &stats);
	fflush(stdout);
	loss_say(stats.lost, session_buffer_bytes(file));
	loss_say_unrecorded(&stats);
	return asked.fail_on_loss && loss_total(stats.lost) ? STATUS_FAILED : STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	return with_session(self, arguments[0], stop);
}

static const struct poptOption options[] = {
	{ "fail-on-loss", 0, POPT_ARG_NONE, &asked.fail_on_loss, 0,
	  "Exit with status 1 if an event was lost", NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_stop = {
	.name = "stop",
	.arguments = "[SESSION]",
	.summary = "Stop recording; says what was lost",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
