/* SPDX-License-Identifier: MIT */
/* new_trace.c - see new_trace.h */
#include "new_trace.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "progress.h"
#include "say.h"
#include "text.h"
#include "wants.h"

static volatile sig_atomic_t stopped_by;

static void stop(int signal)
{
	stopped_by = signal;
}

static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* A second one ends it at once. But for SIGPIPE, which comes with each line that nobody reads. */
static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = stop };

	sigaction(SIGPIPE, &action, NULL);
	action.sa_flags = (int)SA_RESETHAND;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
}

static void end_by_signal(int signal_number)
{
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void show_progress(void *data, uint64_t done, uint64_t total)
{
	(void)data;
	progress_show(done, total);
}

static bool is_stopped(void *data)
{
	(void)data;
	return stopped_by;
}

static void note(void *data, const char *text)
{
	char *shown;

	(void)data;
	if (stopped_by)
		return;
	shown = printable(text);
	say(SAY_WARNING, "%s", shown);
	free(shown);
}

static void say_sum(const struct edit_request *request, const struct edit_totals *totals)
{
	char *word = shell_operand(request->output);

	say(SAY_GOOD, "wrote %s event%s, %s, in %s packet%s", count_text(totals->events).text,
	    totals->events == 1 ? "" : "s", bytes_text(totals->bytes).text,
	    count_text(totals->packets).text, totals->packets == 1 ? "" : "s");
	if (totals->lost_events || totals->lost_packets)
		say(SAY_WARNING, "in this time %s events and %s packets were lost",
		    count_text(totals->lost_events).text, count_text(totals->lost_packets).text);
	say(SAY_PLAIN, "next:  tacho view %s", word);
	free(word);
}

static int take_format(const struct command *self, const char *format, struct edit_request *request)
{
	static const enum edit_format formats[] = { EDIT_AS_IS, EDIT_CTF1, EDIT_CTF2 };
	uint32_t major = 0;
	int status = wants_format(self, format, &major);

	request->format = formats[major];
	return status;
}

int new_trace_make(const struct command *self, struct edit_request *request, const char *format,
		   struct edit_totals *ret_totals)
{
	struct tacho_error error;
	int rc = take_format(self, format, request);

	if (rc)
		return rc;

	if (!request->output)
		return wrong_use(self, "say where the new trace is to be: -o DIR");
	request->note = note;
	request->is_stopped = is_stopped;
	request->progress = show_progress;
	catch_signals();
	progress_begin("writing", false);
	rc = edit_run(request, &error, ret_totals);
	progress_end();
	if (rc == -EINTR && stopped_by)
		end_by_signal(stopped_by);
	if (rc)
		return fail_with(&error);
	say_sum(request, ret_totals);
	return STATUS_DONE;
}
