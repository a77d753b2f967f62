/* SPDX-License-Identifier: MIT */
/* error.c - see error.h */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

int error_set(struct tacho_error *e, int code, const char *fmt, ...)
{
	va_list args;

	if (!e)
		return code;
	e->code = code;
	va_start(args, fmt);
	vsnprintf(e->text, sizeof(e->text), fmt, args);
	va_end(args);
	return code;
}
