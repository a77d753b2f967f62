/* SPDX-License-Identifier: MIT */
/* note.c - see note.h */
#include "session/recover/note.h"

#include <stdarg.h>
#include <stdio.h>

void note(const struct recover_options *options, const char *fmt, ...)
{
	char text[TACHO_ERROR_TEXT_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (options->note)
		options->note(options->note_arg, text);
}
