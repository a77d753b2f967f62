/* SPDX-License-Identifier: MIT */
/* cmd-destroy.c - tacho destroy: end sessions and give back their memory. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cmd.h"
#include "ended.h"
#include "options.h"
#include "loss.h"
#include "pick.h"
#include "say.h"
#include "text.h"
#include "traces.h"

#define NS_PER_S UINT64_C(1000000000)

static struct {
	int all;
	int glob;
	int discard;
	int no_wait;
} asked;

/* What is left of a session for the last words about it. */
struct last {
	char name[TACHO_SESSION_NAME_BYTES];
	/* Of its trace; of a flight recorder's snapshots, or "". */
	char place[TACHO_PATH_BYTES];
	bool is_streaming;
	uint64_t bytes; /* that were recorded; of a flight recorder, it may have held something */
	uint64_t lost;
	char *snapshot; /* .. its newest one; NULL: there is none */
};

/* Of this session, and not of one before that had its name. */
static char *newest_snapshot(const struct tacho_session *file)
{
	struct stat st;
	char *dir;

	if (file->streaming || trace_of_session(file->name, &dir))
		return NULL;
	if (!stat(dir, &st) &&
	    (uint64_t)st.st_mtim.tv_sec >= file->clock_at_create.realtime_ns / NS_PER_S)
		return dir;
	free(dir);
	return NULL;
}

static void remember(struct session *session, struct last *ret_last)
{
	const struct tacho_session *file = session_file(session);
	struct session_stats stats;

	snprintf(ret_last->name, sizeof(ret_last->name), "%s", file->name);
	snprintf(ret_last->place, sizeof(ret_last->place), "%s",
		 file->streaming || !file->snapshot_output[0] ? file->output :
								file->snapshot_output);
	ret_last->is_streaming = file->streaming;
	ret_last->snapshot = newest_snapshot(file);
	if (session_stats(session, &stats, NULL))
		stats = (struct session_stats){ 0 };
	ret_last->bytes = stats.bytes;
	ret_last->lost = loss_total(stats.lost);
}

static void print_recorder(const struct last *last)
{
	char *home = traces_home();

	printf("Session '%s' is destroyed", visible(last->name).text);
	if (last->snapshot)
		printf("; its newest snapshot is in %s", visible(last->snapshot).text);
	else if (last->bytes)
		printf(", and what its buffers held is gone: no snapshot of it is in %s; one is "
		       "made by tacho snapshot record",
		       visible(last->place[0] ? last->place : home).text);
	puts(".");
	free(home);
}

/* The trace cannot say it: nobody has counted what it does not have. */
static void print_given_up(const struct last *last)
{
	printf("It had recorded %s; what of it the trace did not have yet is given up.\n",
	       bytes_text(last->bytes).text);
	if (last->lost)
		printf("%s event%s had been lost before.\n", count_text(last->lost).text,
		       last->lost == 1 ? "" : "s");
}

static void print_destroyed(const struct last *last)
{
	bool has_trace = trace_is_in(last->place);

	if (!last->is_streaming) {
		print_recorder(last);
		return;
	}
	if (has_trace)
		printf("Session '%s' is destroyed; its trace is in %s.\n", visible(last->name).text,
		       visible(last->place).text);
	else
		printf("Session '%s' is destroyed%s.\n", visible(last->name).text,
		       last->bytes ? "" : "; nothing was recorded");
	if (asked.discard && last->bytes)
		print_given_up(last);
}

/* One that records, or was stopped without waiting, has its summary yet to come. */
static int complete(struct picked *picked)
{
	const struct tacho_session *file = session_file(picked->session);
	struct ended ended;
	int status;

	if (file->state != TACHO_SESSION_ACTIVE && !file->drain_pid)
		return STATUS_DONE;
	status = ended_stop(picked, &ended);
	if (status)
		return status;
	ended_print(picked, &ended);
	ended_say_lost(picked, &ended);
	return STATUS_DONE;
}

static int end_session(struct session *session, struct tacho_error *error)
{
	return asked.discard ? session_discard(session, error) : session_destroy(session, error);
}

/* Takes the session out of @picked, if it is gone. */
static int destroy(struct picked *picked)
{
	struct tacho_error error;
	struct last last;
	int status = asked.discard ? STATUS_DONE : complete(picked);

	if (status)
		return status;
	remember(picked->session, &last);
	if (end_session(picked->session, &error)) {
		status = fail_with(&error);
	} else {
		picked->session = NULL;
		print_destroyed(&last);
	}
	free(last.snapshot);
	return status;
}

static int destroy_later(struct picked *picked)
{
	struct tacho_error error;

	if (session_destroy_later(picked->session, &error))
		return fail_with(&error);
	printf("Session '%s' is stopped, and will be gone when its trace is complete.\n",
	       visible(picked_name(picked)).text);
	return STATUS_DONE;
}

static int destroy_picked(struct picked *picked)
{
	return asked.no_wait && !asked.discard ? destroy_later(picked) : destroy(picked);
}

static int destroy_meant(const struct command *self, const char *name)
{
	if (asked.all)
		return with_all_sessions(self, destroy_picked);
	if (asked.glob)
		return with_sessions(self, name, destroy_picked);
	return with_session(self, name, destroy_picked);
}

static int run(const struct command *self, const char **arguments)
{
	int status;

	if (asked.all && arguments[0])
		return wrong_use(self, "--all leaves no room for '%s'", arguments[0]);
	if (asked.glob && !arguments[0])
		return wrong_use(self, "--glob needs a pattern of names, like 'web-*'");
	status = destroy_meant(self, arguments[0]);
	for (int i = 1; arguments[0] && arguments[i]; i++) {
		int other = destroy_meant(self, arguments[i]);

		status = status ? status : other;
	}
	return status;
}

static const struct poptOption options[] = {
	{ "all", 'a', POPT_ARG_NONE, &asked.all, 0, "All sessions", NULL },
	{ "glob", 'g', POPT_ARG_NONE, &asked.glob, 0,
	  "SESSION is a pattern of names, in which * stands for anything", NULL },
	{ "no-wait", 'n', POPT_ARG_NONE, &asked.no_wait, 0,
	  "Return at once: the trace is completed in the background, then the session goes", NULL },
	{ "discard", 0, POPT_ARG_NONE, &asked.discard, 0,
	  "Give up what is not in the trace yet: where there is no room for it", NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_destroy = {
	.name = "destroy",
	.arguments = "[SESSION..]",
	.summary = "End sessions and give back their memory; traces stay",
	.options = options,
	.arguments_max = ARGUMENTS_ANY,
	.run = run,
};
