/* SPDX-License-Identifier: MIT */
/* cmd-regenerate.c - tacho regenerate: write again what else was written at the begin of a trace. */
#include <errno.h>
#include <stdio.h>

#include "cmd.h"
#include "pick.h"
#include "say.h"
#include "text.h"

static struct {
	const char *session;
} asked;

static int metadata(struct picked *picked)
{
	struct tacho_error error;
	bool is_now;

	if (session_regenerate_metadata(picked->session, &is_now, &error))
		return fail_with(&error);
	printf("Session '%s': the time of day is taken as it is set now%s.\n",
	       visible(picked_name(picked)).text,
	       is_now ? ", in all of its trace" :
			", in what is written from now on: no trace is being written");
	return STATUS_DONE;
}

static int statedump(struct picked *picked)
{
	const struct visible_text name = visible(picked_name(picked));
	struct tacho_error error;
	int ret = session_regenerate_statedump(picked->session, &error);

	if (!ret)
		printf("Session '%s': each program says again what it has loaded, before its next "
		       "event.\n",
		       name.text);
	else if (ret == -ENOMSG)
		printf("Nothing is to be done for session '%s': it is stopped, or has no rule "
		       "'lttng_ust_statedump:*', nor 'lttng_statedump_*' of the kernel.\n",
		       name.text);
	else
		return fail_with(&error);
	return STATUS_DONE;
}

static int run_metadata(const struct command *self, const char **arguments)
{
	(void)arguments;
	return with_session(self, asked.session, metadata);
}

static int run_statedump(const struct command *self, const char **arguments)
{
	(void)arguments;
	return with_session(self, asked.session, statedump);
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0, "Of this session (else: the current)",
	  "SESSION" },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_regenerate_metadata = {
	.name = "regenerate metadata",
	.arguments = "",
	.summary = "Write a trace's metadata again, with the time of day as it is set now",
	.examples = "A trace goes on with the time that there was when the session was made. If "
		    "that was\n"
		    "wrong, and has been set since, all events get the right one by this.\n",
	.options = options,
	.arguments_max = 0,
	.run = run_metadata,
};

const struct command cmd_regenerate_statedump = {
	.name = "regenerate statedump",
	.arguments = "",
	.summary = "Have programs record again what they have loaded where",
	.examples = "tacho enable-event 'lttng_ust_statedump:*'\n"
		    "tacho regenerate statedump\n",
	.options = options,
	.arguments_max = 0,
	.run = run_statedump,
};
