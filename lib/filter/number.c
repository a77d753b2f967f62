/* SPDX-License-Identifier: MIT */
/* number.c - integers and floats, as in C. */
#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/lex.h"

static bool is_hex_digit(char c)
{
	return isxdigit((unsigned char)c);
}

static bool has_prefix(const char *word, char letter)
{
	return word[0] == '0' && tolower((unsigned char)word[1]) == letter;
}

/* All that could belong to a number, so that `12ab` is one wrong number and not two words. */
static size_t word_bytes(const char *word)
{
	char exponent = has_prefix(word, 'x') ? 'p' : 'e';
	size_t n = 0;

	while (is_of_name(word[n]) || word[n] == '.' ||
	       (n && (word[n] == '+' || word[n] == '-') &&
		tolower((unsigned char)word[n - 1]) == exponent))
		n++;
	return n;
}

static bool is_float(const char *word, size_t bytes)
{
	bool is_hex = has_prefix(word, 'x');

	for (size_t i = 0; i < bytes; i++) {
		if (word[i] == '.' || tolower((unsigned char)word[i]) == (is_hex ? 'p' : 'e'))
			return true;
	}
	return false;
}

/* ---- floats ---- */

/* strtod() of the user's locale may want a comma. */
static double read_double(const char *word, char **ret_end)
{
	locale_t c_locale = newlocale(LC_ALL_MASK, "C", NULL);
	double real;

	if (!c_locale) {
		*ret_end = (char *)(uintptr_t)word;
		return 0;
	}
	real = strtod_l(word, ret_end, c_locale);
	freelocale(c_locale);
	return real;
}

static int lex_float(const char *text, struct token *token, struct filter_complaint *reterr)
{
	const char *word = text + token->at;
	char *end;

	token->kind = TOKEN_DOUBLE;
	token->real = read_double(word, &end);
	if (end != word && end < word + token->bytes && strchr("fFlL", *end)) {
		if (strchr("fF", *end))
			token->real = (float)token->real;
		end++;
	}
	if (end != word + token->bytes)
		return complain(reterr, token->at, "'%.*s' is no number", (int)token->bytes, word);
	if (!isfinite(token->real))
		return complain(reterr, token->at, "'%.*s' is too large", (int)token->bytes, word);
	return 0;
}

/* ---- integers ---- */

static unsigned int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	return is_hex_digit(c) ? (unsigned int)(tolower((unsigned char)c) - 'a' + 10) : 99;
}

static size_t find_base(const char *word, unsigned int *ret_base)
{
	*ret_base = 10;
	if (has_prefix(word, 'x'))
		*ret_base = 16;
	else if (has_prefix(word, 'b'))
		*ret_base = 2;
	else if (word[0] == '0')
		*ret_base = 8;
	return *ret_base == 16 || *ret_base == 2 ? 2 : 0;
}

/* Return: how many digits; 0 also if they are too many. */
static size_t read_digits(const char *word, unsigned int base, uint64_t *ret_value, bool *ret_over)
{
	size_t n = 0;

	*ret_value = 0;
	*ret_over = false;
	for (; digit_of(word[n]) < base; n++) {
		if (__builtin_mul_overflow(*ret_value, (uint64_t)base, ret_value) ||
		    __builtin_add_overflow(*ret_value, (uint64_t)digit_of(word[n]), ret_value))
			*ret_over = true;
	}
	return n;
}

static bool is_suffix(const char *word, size_t bytes, bool *ret_unsigned)
{
	static const char *const suffixes[] = { "", "u", "l", "ul", "lu", "ll", "ull", "llu" };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (strlen(suffixes[i]) == bytes && !strncasecmp(suffixes[i], word, bytes)) {
			*ret_unsigned = strchr(suffixes[i], 'u') != NULL;
			return true;
		}
	}
	return false;
}

static int lex_integer(const char *text, struct token *token, struct filter_complaint *reterr)
{
	const char *word = text + token->at;
	unsigned int base;
	size_t at = find_base(word, &base), n;
	bool is_over;

	n = read_digits(word + at, base, &token->word, &is_over);
	token->kind = TOKEN_INTEGER;
	if (!n || at + n > token->bytes ||
	    !is_suffix(word + at + n, token->bytes - at - n, &token->is_unsigned))
		return complain(reterr, token->at, "'%.*s' is no number", (int)token->bytes, word);
	if (is_over)
		return complain(reterr, token->at,
				"'%.*s' has more than 64 bits; write a float, '%.*s.0'",
				(int)token->bytes, word, (int)(at + n), word);
	token->is_unsigned |= token->word > INT64_MAX;
	return 0;
}

int lex_number(const char *text, struct token *token, struct filter_complaint *reterr)
{
	const char *word = text + token->at;

	token->bytes = word_bytes(word);
	if (token->bytes > 200)
		return complain(reterr, token->at, "this number is too long");
	return is_float(word, token->bytes) ? lex_float(text, token, reterr) :
					      lex_integer(text, token, reterr);
}
