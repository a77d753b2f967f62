/* SPDX-License-Identifier: MIT */
/* glob.c - see glob.h. Part of libtacho. */
#include "filter/glob.h"

#include <string.h>

/* The element of a pattern at @at. Return: its bytes; 0: the pattern ends here. */
static uint32_t element(const char *pattern, uint32_t bytes, uint32_t at, bool *ret_star,
			char *ret_byte)
{
	if (at >= bytes)
		return 0;
	*ret_star = pattern[at] == '*';
	*ret_byte = pattern[at];
	if (pattern[at] != '\\' || bytes - at < 2)
		return 1;
	*ret_byte = pattern[at + 1];
	return 2;
}

/* Where behind a star it is worth to go on: where the element behind it is. */
static uint32_t next_start(const char *text, uint32_t bytes, uint32_t from, char byte)
{
	const char *found = from < bytes ? memchr(text + from, byte, bytes - from) : NULL;

	return found ? (uint32_t)(found - text) : bytes;
}

/*
 * Only the last star that was met can ever need to take more: an earlier one took as little as
 * possible, which leaves the most to those behind it.
 */
bool glob_is_match(const char *pattern, uint32_t pattern_bytes, const char *text,
		   uint32_t text_bytes, uint32_t *steps)
{
	uint32_t p = 0, t = 0, after_star = 0, star_end = 0;
	bool had_star = false, star = false;

	for (; *steps; --*steps) {
		char byte = 0;
		uint32_t n = element(pattern, pattern_bytes, p, &star, &byte);

		if (!n && t == text_bytes)
			return true;
		if (n && star) {
			had_star = true;
			p += n;
			after_star = p;
			star_end = t;
			continue;
		}
		if (n && t < text_bytes && text[t] == byte) {
			p += n;
			t++;
			continue;
		}
		if (!had_star || star_end >= text_bytes)
			return false;
		n = element(pattern, pattern_bytes, after_star, &star, &byte);
		if (!n)
			return true;
		t = star_end =
			star ? star_end + 1 : next_start(text, text_bytes, star_end + 1, byte);
		p = after_star;
	}
	return false;
}
