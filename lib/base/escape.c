/* SPDX-License-Identifier: MIT */
#include "base/escape.h"

#include <stdbool.h>

static bool must_escape(unsigned char c, bool is_first)
{
	return c == '/' || c == '%' || c < 0x20 || c == 0x7f || (c == '.' && is_first);
}

size_t escape_bytes(const char *name)
{
	size_t bytes = 0;

	for (size_t i = 0; name[i]; i++)
		bytes += must_escape((unsigned char)name[i], i == 0) ? 3 : 1;
	return bytes;
}

int escape_name(char *to, size_t to_bytes, const char *name)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t at = 0;

	for (size_t i = 0; name[i]; i++) {
		unsigned char c = (unsigned char)name[i];
		bool escape = must_escape(c, i == 0);

		if (at + (escape ? 3 : 1) >= to_bytes)
			return -1;
		if (!escape) {
			to[at++] = (char)c;
			continue;
		}
		to[at++] = '%';
		to[at++] = digits[c >> 4];
		to[at++] = digits[c & 15];
	}
	to[at] = 0;
	return 0;
}
