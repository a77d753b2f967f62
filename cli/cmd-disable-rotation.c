/* SPDX-License-Identifier: MIT */
/* cmd-disable-rotation.c - tacho disable-rotation: take back what enable-rotation said. */
#include <stdio.h>

#include "cmd.h"
#include "duration.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "text.h"

static struct {
	const char *session;
	int timer;
	int size;
} asked;

static int disable(struct picked *picked)
{
	const struct tacho_session *file = session_file(picked->session);
	uint64_t every_ns = asked.timer ? 0 : file->rotate_every_ns;
	uint64_t every_bytes = asked.size ? 0 : file->rotate_every_bytes;
	struct tacho_error error;

	if (session_schedule_rotation(picked->session, every_ns, every_bytes, &error))
		return fail_with(&error);
	printf("Session '%s' is ", visible(picked_name(picked)).text);
	if (every_ns)
		printf("still rotated every %s.\n", duration_text(every_ns).text);
	else if (every_bytes)
		printf("still rotated at %s.\n", bytes_text(every_bytes).text);
	else
		printf("not rotated by itself.\n");
	return STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	(void)arguments;
	if (!asked.timer && !asked.size)
		return wrong_use(self, "what is to be disabled is missing: --timer or --size");
	return with_session(self, asked.session, disable);
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0, "The session", "SESSION" },
	{ "timer", 0, POPT_ARG_NONE, &asked.timer, 0, "Do not rotate by time", NULL },
	{ "size", 0, POPT_ARG_NONE, &asked.size, 0, "Do not rotate by size", NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_disable_rotation = {
	.name = "disable-rotation",
	.arguments = "",
	.summary = "Do not archive by itself what a session records",
	.options = options,
	.arguments_max = 0,
	.run = run,
};
