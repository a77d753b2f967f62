/* SPDX-License-Identifier: MIT */
/* cmd-rotate.c - tacho rotate: archive what a session has recorded so far. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "pick.h"
#include "say.h"
#include "text.h"

static struct {
	int no_wait;
} asked;

static int rotate(struct picked *picked)
{
	char path[TACHO_PATH_BYTES];
	struct tacho_error error;
	char *word;

	if (session_rotate(picked->session, !asked.no_wait, path, &error))
		return fail_with(&error);
	if (!*path) {
		printf("Session '%s' is being rotated.\n", visible(picked_name(picked)).text);
		return STATUS_DONE;
	}
	word = shell_word(path);
	printf("Session '%s' is rotated.\n"
	       "Chunk: %s\n"
	       "Next:  tacho view %s\n",
	       visible(picked_name(picked)).text, visible(path).text, word);
	free(word);
	return STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	return with_session(self, arguments[0], rotate);
}

static const struct poptOption options[] = {
	{ "no-wait", 'n', POPT_ARG_NONE, &asked.no_wait, 0,
	  "Do not wait until the chunk is complete, and do not print where it is", NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_rotate = {
	.name = "rotate",
	.arguments = "[SESSION]",
	.summary = "Archive what a session has recorded so far",
	.examples = "The archived chunk is a complete trace: move it, view it, remove it. What is "
		    "recorded\n"
		    "from then on goes to the next one.\n",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
