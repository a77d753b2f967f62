/* SPDX-License-Identifier: MIT */
/* literal.c - what stands within quotes: C's escapes, and stars. */
#include <stdlib.h>
#include <string.h>

#include "filter/lex.h"

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/* At most @count_max digits. Return: how many. */
static size_t digits(const char *text, int base, size_t count_max, unsigned int *ret_value)
{
	size_t count = 0;

	*ret_value = 0;
	while (count < count_max && digit_value(text[count]) < base)
		*ret_value =
			*ret_value * (unsigned int)base + (unsigned int)digit_value(text[count++]);
	return count;
}

static int numeric_escape(const char *text, size_t *at, unsigned char *ret_byte,
			  struct filter_complaint *reterr)
{
	bool is_hex = text[*at + 1] == 'x';
	size_t begin = *at, first = is_hex ? begin + 2 : begin + 1;
	unsigned int value;
	size_t count = digits(text + first, is_hex ? 16 : 8, is_hex ? 2 : 3, &value);

	if (!count)
		return complain(reterr, begin, "\\x needs one or two hexadecimal digits");
	if (value > 255)
		return complain(reterr, begin, "the largest byte is \\377");
	*ret_byte = (unsigned char)value;
	*at = first + count;
	return 0;
}

static int escape(const char *text, size_t *at, unsigned char *ret_byte,
		  struct filter_complaint *reterr)
{
	static const char names[] = "abfnrtv\\'\"?*", bytes[] = "\a\b\f\n\r\t\v\\'\"?*";
	char c = text[*at + 1];
	const char *found = c ? strchr(names, c) : NULL;

	if (c == 'x' || (c >= '0' && c <= '7'))
		return numeric_escape(text, at, ret_byte, reterr);
	if (!found)
		return complain(
			reterr, *at,
			"there is no such escape; there are \\a \\b \\f \\n \\r \\t \\v \\\\ "
			"\\' \\\" \\? \\* \\xHH and \\OOO");
	*ret_byte = (unsigned char)bytes[found - names];
	*at += 2;
	return 0;
}

int lex_character(const char *text, size_t *at, unsigned char *ret_byte, bool *ret_star,
		  struct filter_complaint *reterr)
{
	*ret_star = text[*at] == '*';
	if (text[*at] == '\\')
		return escape(text, at, ret_byte, reterr);
	*ret_byte = (unsigned char)text[*at];
	++*at;
	return 0;
}
