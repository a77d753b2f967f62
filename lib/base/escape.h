/* SPDX-License-Identifier: MIT */
/*
 * escape.h - names of sessions and channels as names of files (format/runtime.h): '/', '%', control
 * characters and a first '.' become %XX. Tools and traced programs must agree on it, so it is here.
 */
#ifndef TACHO_BASE_ESCAPE_H
#define TACHO_BASE_ESCAPE_H

#include <stddef.h>

/*
 * escape_name() - write @name to @to, escaped
 * Return: 0; -1 if @to_bytes do not suffice, the 0 byte included.
 */
int escape_name(char *to, size_t to_bytes, const char *name);

/* escape_bytes() - how long @name is when escaped, without its 0 byte */
size_t escape_bytes(const char *name);

#endif
