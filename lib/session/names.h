/* SPDX-License-Identifier: MIT */
/*
 * names.h - names of sessions and channels as names of files (format/runtime.h).
 *
 * Any bytes are a name, but for the empty name. In the file's name '/', '%', control characters
 * and a first '.' become %XX; so the name can be told from the file, and hidden files are free for
 * our own purposes.
 */
#ifndef TACHO_SESSION_NAMES_H
#define TACHO_SESSION_NAMES_H

#include <stddef.h>

#include "base/error.h"

/* A file system takes 255 bytes; the rest is for suffixes and for dates in names of traces. */
#define NAME_ESCAPED_MAX   200
#define NAME_ESCAPED_BYTES (NAME_ESCAPED_MAX + 1)

/*
 * name_escape() - a name as the name of a file
 * @what: "session" or "channel", for messages
 * @max:  the most bytes that the name itself may have
 *
 * Return: 0; -EINVAL for the empty name; -ENAMETOOLONG.
 */
int name_escape(const char *what, const char *name, size_t max,
		char ret_escaped[NAME_ESCAPED_BYTES], struct tacho_error *error);

/* name_unescape() - the opposite. Return: 0, or -EINVAL for what name_escape() never gives. */
int name_unescape(const char *escaped, char *ret_name, size_t size);

#endif
