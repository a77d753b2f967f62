/* SPDX-License-Identifier: MIT */
/* cmd-snapshot-record.c - tacho snapshot record: write what the buffers hold now to a trace. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "loss.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "tally.h"
#include "text.h"
#include "wants.h"

static struct {
	const char *session;
	const char *output;
	const char *name;
	const char *max_size;
	const char *last;
	uint64_t max_bytes;
	uint64_t last_ns;
} asked;

/* Of a session that was never started, that is all there is to be said. */
static void print_next(const struct picked *picked, const char *path, const struct tally *tally)
{
	bool is_empty = tally->is_counted && !tally->events;
	bool is_stopped = session_file(picked->session)->state == TACHO_SESSION_STOPPED;
	char *word = is_empty ? shell_operand(picked_name(picked)) : shell_word(path);

	if (is_empty && is_stopped)
		printf("No event is in it: the session does not record.\n"
		       "Next:  tacho start %s\n",
		       word);
	else if (is_empty)
		printf("No event is in it; what the programs that run can record: tacho list\n");
	else
		printf("Next:  tacho view %s\n", word);
	free(word);
}

static void print_taken(const struct picked *picked, const struct snapshot_result *result)
{
	struct tally tally = tally_trace(result->path, result->bytes);

	printf("Snapshot: %s\n"
	       "Trace: %s\n",
	       tally_text(&tally, result->bytes).text, result->path);
	print_next(picked, result->path, &tally);
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
	struct snapshot_options options = {
		.output = asked.output,
		.name = asked.name,
		.max_bytes = asked.max_bytes,
		.last_ns = asked.last_ns,
	};
	struct snapshot_result result;
	struct tacho_error error;

	if (session_snapshot(picked->session, &options, &result, &error))
		return fail_with(&error);
	print_taken(picked, &result);
	return STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	const char *session = asked.session ? asked.session : arguments[0];
	int status = wants_directory(self, asked.output, &asked.output);

	if (!status && arguments[0] && wants_is_url(arguments[0]))
		return wrong_use(self, "'%s' is no session: where it goes is said by --output DIR",
				 arguments[0]);
	if (!status && asked.session && arguments[0])
		return wrong_use(self, "there are two sessions: '%s' and '%s'", asked.session,
				 arguments[0]);
	if (!status && asked.max_size)
		status = wants_size(self, "--max-size", asked.max_size, &asked.max_bytes);
	if (!status && asked.last)
		status = wants_duration(self, "--last", asked.last, 1000000000, &asked.last_ns);
	return status ? status : with_session(self, session, take);
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0, "The session", "SESSION" },
	{ "output", 'o', POPT_ARG_STRING, &asked.output, 0,
	  "Write the trace to this new or empty directory (else: a new one in the place of "
	  "add-output, in the directory of the flight recorder, beside the trace of a streaming "
	  "session, or in ~/tacho-traces)",
	  "DIR" },
	{ "name", 'n', POPT_ARG_STRING, &asked.name, 0,
	  "What the name of a new directory begins with (else: snapshot)", "NAME" },
	{ "max-size", 'm', POPT_ARG_STRING, &asked.max_size, 0,
	  "Leave out the oldest events, so that the others fit into so many bytes", "BYTES" },
	{ "last", 0, POPT_ARG_STRING, &asked.last, 0,
	  "Only the last so much time: 5s, 200ms; may begin somewhat earlier", "TIME" },
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
