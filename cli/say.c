/* SPDX-License-Identifier: MIT */
/* say.c - see say.h */
#include "say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "progress.h"
#include "text.h"

static const char *const colours[] = {
	[SAY_PLAIN] = "",
	[SAY_WARNING] = "\033[33m",
	[SAY_ERROR] = "\033[31m",
	[SAY_GOOD] = "\033[32m",
};

bool say_is_coloured(FILE *out)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (no_color && *no_color)
		return false;
	return term && strcmp(term, "dumb") && isatty(fileno(out));
}

const char *say_begin(FILE *out, enum say_kind kind)
{
	return say_is_coloured(out) ? colours[kind] : "";
}

const char *say_end(FILE *out, enum say_kind kind)
{
	return kind != SAY_PLAIN && say_is_coloured(out) ? "\033[0m" : "";
}

static void say_list(enum say_kind kind, const char *fmt, va_list args)
{
	char line[sizeof(struct visible_text)];

	progress_clear();
	vsnprintf(line, sizeof(line), fmt, args);
	fprintf(stderr, "%stacho: %s%s\n", say_begin(stderr, kind), visible(line).text,
		say_end(stderr, kind));
}

void say(enum say_kind kind, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say_list(kind, fmt, args);
	va_end(args);
}

int fail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say_list(SAY_ERROR, fmt, args);
	va_end(args);
	return STATUS_FAILED;
}

int fail_with(const struct tacho_error *error)
{
	return fail("%s", error->text);
}

const char *output_failure(int err)
{
	return err == EBADF ? "the standard output is closed" : strerror(err);
}
