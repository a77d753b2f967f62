/* SPDX-License-Identifier: MIT */
/* cmd-disable-channel.c - tacho disable-channel: record nothing more into channels. */
#include <stdio.h>

#include "cmd.h"
#include "domain.h"
#include "lists.h"
#include "pick.h"
#include "say.h"
#include "text.h"

static struct {
	const char *session;
	enum tacho_domain domain;
} asked;

static int disable(struct picked *picked, const char *name)
{
	struct tacho_error error;

	if (session_disable_channel(picked->session, asked.domain, name, &error))
		return fail_with(&error);
	printf("Channel '%s' of session '%s' is disabled.\n", visible(name).text,
	       visible(picked_name(picked)).text);
	return STATUS_DONE;
}

static int disable_all(const struct command *self, char *const *names)
{
	struct picked picked;
	int status = pick(self, asked.session, &picked);

	for (; !status && *names; names++)
		status = disable(&picked, *names);
	pick_close(&picked);
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	char **names = list_of_words(arguments);
	int status = wants_domain(self, &asked.domain);

	if (!status)
		status = disable_all(self, names);
	list_free(names);
	return status;
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0, "Of this session (else: the current)",
	  "SESSION" },
	DOMAIN_ENTRIES,
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_disable_channel = {
	.name = "disable-channel",
	.arguments = "CHANNEL[,CHANNEL]..",
	.summary = "Record nothing more into a channel, until it is enabled again",
	.examples = "What it holds stays, and is written to the trace. Its rules stay as well.\n",
	.options = options,
	.arguments_max = ARGUMENTS_ANY,
	.needs = "the name of a channel",
	.run = run,
};
