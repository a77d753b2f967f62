/* SPDX-License-Identifier: MIT */
/* cmd-start.c - tacho start: begin to record. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "pick.h"
#include "say.h"
#include "text.h"

/* A session without rules records nothing: hardly what was meant. */
static bool has_rules(const struct tacho_session *file)
{
	for (unsigned int i = 0; i < TACHO_RULES_MAX; i++)
		if (file->rule[i].enabled == TACHO_RULE_ENABLED && !file->rule[i].trigger)
			return true;
	return false;
}

static void say_no_rules(const char *name)
{
	char *word = shell_word(name);

	say(SAY_WARNING, "no event is enabled in it yet; all of them: tacho enable-event -s %s '*'",
	    word);
	free(word);
}

static int start(struct picked *picked)
{
	struct tacho_error error;

	if (session_start(picked->session, &error))
		return fail_with(&error);
	printf("Session '%s' is recording.\n", visible(picked_name(picked)).text);
	fflush(stdout);
	if (!has_rules(session_file(picked->session)))
		say_no_rules(picked_name(picked));
	return STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	return with_session(self, arguments[0], start);
}

static const struct poptOption options[] = {
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_start = {
	.name = "start",
	.arguments = "[SESSION]",
	.summary = "Begin to record, or go on after a stop",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
