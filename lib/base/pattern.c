/* SPDX-License-Identifier: MIT */
#include "base/pattern.h"

/* One pattern element at @p: how many bytes it is; *ret_star, or the byte it stands for. */
static size_t element(const char *p, size_t left, bool *ret_star, char *ret_byte)
{
	*ret_star = *p == '*';
	*ret_byte = *p;
	if (*p != '\\' || left < 2 || (p[1] != '*' && p[1] != '\\'))
		return 1;
	*ret_byte = p[1];
	return 2;
}

/*
 * The greedy algorithm with one point of return: a later star makes every earlier one's choice
 * irrelevant, so only the last star ever needs to take one byte more.
 */
bool pattern_is_match(const char *pattern, size_t pattern_max, const char *text)
{
	size_t p = 0, t = 0, after_star = 0, star_text = 0;
	bool had_star = false, star;
	char byte;

	for (;;) {
		bool at_end = p >= pattern_max || !pattern[p];

		if (at_end && !text[t])
			return true;
		if (!at_end) {
			size_t n = element(pattern + p, pattern_max - p, &star, &byte);

			if (star) {
				p += n;
				had_star = true;
				after_star = p;
				star_text = t;
				continue;
			}
			if (text[t] && text[t] == byte) {
				p += n;
				t++;
				continue;
			}
		}
		if (!had_star || !text[star_text])
			return false;
		t = ++star_text;
		p = after_star;
	}
}
