/* SPDX-License-Identifier: MIT */
/* cmd-destroy.c - tacho destroy: end sessions and give back their memory. */
#include <stdio.h>

#include "cmd.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "text.h"
#include "traces.h"

static struct {
	int all;
	int discard;
} asked;

static int end_session(struct session *session, struct tacho_error *error)
{
	return asked.discard ? session_discard(session, error) : session_destroy(session, error);
}

/* @trace: "" of a flight recorder, whose snapshots are where they were made. */
static void print_destroyed(const char *name, const char *trace)
{
	const char *what = "";

	if (trace[0])
		what = trace_is_in(trace) ? "; its trace is in " : "; nothing was recorded";
	printf("Session '%s' is destroyed%s%s.\n", visible(name).text, what,
	       trace[0] && trace_is_in(trace) ? visible(trace).text : "");
}

/* Takes the session out of @picked, if it is gone. */
static int destroy(struct picked *picked)
{
	char name[TACHO_SESSION_NAME_BYTES];
	char trace[TACHO_PATH_BYTES];
	const struct tacho_session *file = session_file(picked->session);
	struct tacho_error error;

	snprintf(name, sizeof(name), "%s", file->name);
	snprintf(trace, sizeof(trace), "%s", file->streaming ? file->output : "");
	if (end_session(picked->session, &error))
		return fail_with(&error);
	picked->session = NULL;
	print_destroyed(name, trace);
	return STATUS_DONE;
}

static int destroy_named(const struct command *self, struct picked *picked, const char *name)
{
	int status = pick_session(self, &picked->runtime, name, &picked->session);

	if (!status)
		status = destroy(picked);
	session_close(picked->session);
	picked->session = NULL;
	return status;
}

static int destroy_all(const struct command *self, struct picked *picked)
{
	struct tacho_error error;
	int status = STATUS_DONE;
	char **names;

	if (session_names(&picked->runtime, &names, &error) < 0)
		return fail_with(&error);
	for (char **name = names; *name; name++)
		if (destroy_named(self, picked, *name))
			status = STATUS_FAILED;
	if (!names[0])
		puts("There is no session.");
	session_names_free(names);
	return status;
}

static int run_all(const struct command *self, const char *name)
{
	struct picked picked = { 0 };
	int status;

	if (name)
		return wrong_use(self, "--all leaves no room for '%s'", name);
	status = pick_runtime(&picked.runtime);
	if (status)
		return status;
	picked.is_open = true;
	status = destroy_all(self, &picked);
	pick_close(&picked);
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	if (asked.all)
		return run_all(self, arguments[0]);
	return with_session(self, arguments[0], destroy);
}

static const struct poptOption options[] = {
	{ "all", 'a', POPT_ARG_NONE, &asked.all, 0, "All sessions", NULL },
	{ "discard", 0, POPT_ARG_NONE, &asked.discard, 0,
	  "Give up what is not in the trace yet: where there is no room for it", NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_destroy = {
	.name = "destroy",
	.arguments = "[SESSION]",
	.summary = "End a session and give back its memory; traces stay",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
