/* SPDX-License-Identifier: MIT */
/* cmd-stop.c - tacho stop: stop recording, complete the trace, say what was lost. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "ended.h"
#include "loss.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "text.h"

static struct {
	int fail_on_loss;
	int no_wait;
} asked;

static void print_next(const struct tacho_session *file, const struct ended *ended)
{
	bool has_trace = ended->has_trace;
	char *word = has_trace ? shell_word(file->output) : shell_operand(file->name);

	if (has_trace)
		printf("Trace: %s\n", visible(file->output).text);
	if (has_trace && ended_is_empty(ended))
		printf("No event is in it; what the programs that run can record: tacho list\n");
	else if (has_trace)
		printf("Next:  tacho view %s\n", word);
	else if (file->streaming)
		printf("Next:  tacho start %s\n", word);
	else
		printf("Next:  tacho snapshot record %s\n", word);
	free(word);
}

/* What was lost is known when the trace is complete. */
static int stop_only(struct picked *picked)
{
	struct tacho_error error;
	char *word;

	if (session_stop_begin(picked->session, &error))
		return fail_with(&error);
	word = shell_operand(picked_name(picked));
	printf("Session '%s' is stopped; its trace may still be growing.\n"
	       "Next:  tacho stop %s\n",
	       visible(picked_name(picked)).text, word);
	free(word);
	return STATUS_DONE;
}

static int stop(struct picked *picked)
{
	struct ended ended;
	int status = ended_stop(picked, &ended);

	if (status)
		return status;
	ended_print(picked, &ended);
	print_next(session_file(picked->session), &ended);
	ended_say_lost(picked, &ended);
	return asked.fail_on_loss && !loss_is_none(&ended.stats) ? STATUS_FAILED : STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	if (asked.no_wait && asked.fail_on_loss)
		return wrong_use(self, "--no-wait and --fail-on-loss exclude each other: what was "
				       "lost is known at the end");
	return with_session(self, arguments[0], asked.no_wait ? stop_only : stop);
}

static const struct poptOption options[] = {
	{ "no-wait", 'n', POPT_ARG_NONE, &asked.no_wait, 0,
	  "Return at once: the trace is completed in the background", NULL },
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
