/* SPDX-License-Identifier: MIT */
/* cmd-stop.c - tacho stop: stop recording, complete the trace, say what was lost. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "loss.h"
#include "pick.h"
#include "say.h"
#include "tally.h"
#include "text.h"
#include "traces.h"

static struct {
	int fail_on_loss;
} asked;

static void print_next(const struct tacho_session *file, bool has_trace)
{
	char *word = has_trace ? shell_word(file->output) : shell_operand(file->name);

	if (has_trace)
		printf("Trace: %s\nNext:  tacho view %s\n", visible(file->output).text, word);
	else if (file->streaming)
		printf("Next:  tacho start %s\n", word);
	else
		printf("Next:  tacho snapshot record %s\n", word);
	free(word);
}

static void print_stopped(const struct tacho_session *file, const struct session_stats *stats,
			  const struct tally *tally)
{
	bool has_trace = file->streaming && trace_is_in(file->output);

	if (file->streaming && !has_trace)
		printf("Session '%s' is stopped; it never recorded.\n", visible(file->name).text);
	else
		printf("Session '%s' is stopped: %s%s.\n", visible(file->name).text,
		       tally_text(tally, stats->bytes).text,
		       loss_is_none(stats) ? ", nothing lost" : "");
	print_next(file, has_trace);
	fflush(stdout);
}

static void say_lost(const struct picked *picked, const struct session_stats *stats,
		     const struct tally *tally)
{
	struct loss loss;

	loss_init(&picked->runtime, session_file(picked->session), &loss);
	memcpy(loss.lost, stats->lost, sizeof(loss.lost));
	loss.recorded_events = tally->events;
	loss.recorded_bytes = stats->bytes;
	loss_say(&loss);
	loss_fini(&loss);
	loss_say_unrecorded(stats);
	loss_say_damaged(stats->damaged);
}

static int stop(struct picked *picked)
{
	const struct tacho_session *file = session_file(picked->session);
	struct session_stats stats;
	struct tacho_error error;
	struct tally tally = { 0 };

	if (session_stop(picked->session, &error) || session_stats(picked->session, &stats, &error))
		return fail_with(&error);
	if (file->streaming)
		tally = tally_trace(file->output, stats.bytes);
	print_stopped(file, &stats, &tally);
	say_lost(picked, &stats, &tally);
	return asked.fail_on_loss && !loss_is_none(&stats) ? STATUS_FAILED : STATUS_DONE;
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
