/* SPDX-License-Identifier: MIT */
/* str.c - see str.h */
#include "base/str.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int str_copy(char *ret_text, size_t size, const char *text)
{
	size_t bytes = strlen(text) + 1;

	if (bytes > size)
		return -ENAMETOOLONG;
	memcpy(ret_text, text, bytes);
	return 0;
}

int str_print(char *ret_text, size_t size, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(ret_text, size, fmt, args);
	va_end(args);
	return n >= 0 && (size_t)n < size ? 0 : -ENAMETOOLONG;
}

void str_array_free(char **array)
{
	if (!array)
		return;
	for (char **s = array; *s; s++)
		free(*s);
	free(array);
}
