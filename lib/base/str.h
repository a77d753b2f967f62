/* SPDX-License-Identifier: MIT */
/*
 * str.h - strings in buffers of fixed size: whole or not at all, never cut.
 */
#ifndef TACHO_BASE_STR_H
#define TACHO_BASE_STR_H

#include <stddef.h>

/* str_copy() - copy @text into @ret_text. Return: 0, or -ENAMETOOLONG if it does not fit. */
int str_copy(char *ret_text, size_t size, const char *text);

/* str_print() - snprintf() that fails, -ENAMETOOLONG, instead of cutting. */
int str_print(char *ret_text, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* str_array_free() - free a NULL-terminated array of strings and the strings. Takes NULL. */
void str_array_free(char **array);

#endif
