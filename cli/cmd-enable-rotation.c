/* SPDX-License-Identifier: MIT */
/* cmd-enable-rotation.c - tacho enable-rotation: archive chunks by time or by size. */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "duration.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "text.h"
#include "wants.h"

#define TIMER_DOUBTFUL_NS 1000000

static struct {
	const char *session;
	const char *timer;
	const char *size;
	uint64_t every_ns;
	uint64_t every_bytes;
} asked;

/* What is not named stays as it was. */
static int enable(struct picked *picked)
{
	const struct tacho_session *file = session_file(picked->session);
	struct tacho_error error;

	if (!asked.timer)
		asked.every_ns = file->rotate_every_ns;
	if (!asked.size)
		asked.every_bytes = file->rotate_every_bytes;
	if (session_schedule_rotation(picked->session, asked.every_ns, asked.every_bytes, &error))
		return fail_with(&error);
	printf("Session '%s' is rotated", visible(picked_name(picked)).text);
	if (asked.every_ns)
		printf(" every %s", duration_text(asked.every_ns).text);
	if (asked.every_bytes)
		printf("%s at %s", asked.every_ns ? ", and" : "",
		       bytes_text(asked.every_bytes).text);
	puts(".");
	return STATUS_DONE;
}

/* Whoever writes a number alone thinks of seconds, seldom of its unit, which lttng's scripts rely on. */
static void doubt_timer(void)
{
	if (strspn(asked.timer, "0123456789") == strlen(asked.timer) &&
	    asked.every_ns < TIMER_DOUBTFUL_NS)
		say(SAY_WARNING,
		    "--timer %s is %s, a number alone means microseconds; did you mean %ss?",
		    asked.timer, duration_text(asked.every_ns).text, asked.timer);
}

static int run(const struct command *self, const char **arguments)
{
	int status = STATUS_DONE;

	(void)arguments;
	if (!asked.timer && !asked.size)
		return wrong_use(self, "a time or a size is missing: --timer or --size");
	if (asked.timer)
		status = wants_duration(self, "--timer", asked.timer, 1000, &asked.every_ns);
	if (!status && asked.timer)
		doubt_timer();
	if (!status && asked.size)
		status = wants_size(self, "--size", asked.size, &asked.every_bytes);
	return status ? status : with_session(self, asked.session, enable);
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0, "The session", "SESSION" },
	{ "timer", 0, POPT_ARG_STRING, &asked.timer, 0,
	  "Rotate so often: 10s, 5m, 1h; a number alone means microseconds", "TIME" },
	{ "size", 0, POPT_ARG_STRING, &asked.size, 0,
	  "Rotate as soon as the current chunk has so many bytes: 100M", "BYTES" },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_enable_rotation = {
	.name = "enable-rotation",
	.arguments = "",
	.summary = "Archive what a session records by itself: by time, by size",
	.examples = "  tacho enable-rotation --timer 1h --size 1G\n",
	.options = options,
	.arguments_max = 0,
	.run = run,
};
