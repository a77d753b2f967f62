/* SPDX-License-Identifier: MIT */
/* names.c - see names.h */
#include "session/names.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/escape.h"

int name_escape(const char *what, const char *name, size_t max,
		char ret_escaped[NAME_ESCAPED_BYTES], struct tacho_error *error)
{
	size_t bytes = strlen(name);
	size_t escaped = escape_bytes(name);

	if (!bytes)
		return error_set(error, -EINVAL, "the name of a %s cannot be empty", what);
	if (bytes > max)
		return error_set(error, -ENAMETOOLONG,
				 "the name of the %s has %zu bytes, at most %zu are possible; "
				 "choose a shorter one",
				 what, bytes, max);
	if (escaped > NAME_ESCAPED_MAX)
		return error_set(error, -ENAMETOOLONG,
				 "the name of the %s has %zu bytes as the name of a file, at most "
				 "%d are possible; choose a shorter one",
				 what, escaped, NAME_ESCAPED_MAX);
	return escape_name(ret_escaped, NAME_ESCAPED_BYTES, name);
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int name_unescape(const char *escaped, char *ret_name, size_t size)
{
	size_t length = 0;

	if (!*escaped || *escaped == '.')
		return -EINVAL;
	for (const char *p = escaped; *p; p++, length++) {
		char c = *p;

		if (length + 1 >= size)
			return -EINVAL;
		if (c == '%') {
			if (digit(p[1]) < 0 || digit(p[2]) < 0)
				return -EINVAL;
			c = (char)(digit(p[1]) << 4 | digit(p[2]));
			p += 2;
		}
		if (!c)
			return -EINVAL;
		ret_name[length] = c;
	}
	ret_name[length] = '\0';
	return 0;
}
