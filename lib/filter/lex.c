/* SPDX-License-Identifier: MIT */
/* lex.c - see lex.h */
#include "filter/lex.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int complain(struct filter_complaint *complaint, size_t at, const char *fmt, ...)
{
	va_list args;

	complaint->at = at;
	va_start(args, fmt);
	vsnprintf(complaint->what, sizeof(complaint->what), fmt, args);
	va_end(args);
	return -EINVAL;
}

/* ---- names ---- */

/* a, or a.b: a dot is of the name where another name is behind it. */
static size_t name_bytes(const char *name)
{
	size_t n = 0;

	do {
		if (n)
			n++;
		while (is_of_name(name[n]))
			n++;
	} while (name[n] == '.' && is_name_start(name[n + 1]));
	return n;
}

static int lex_name(const char *text, struct token *token, struct filter_complaint *reterr)
{
	token->kind = TOKEN_NAME;
	token->bytes = name_bytes(text + token->at);
	if (text[token->at + token->bytes] == '.')
		return complain(reterr, token->at + token->bytes,
				"behind a dot the rest of the field's name is expected");
	if (token->bytes > TACHO_NAME_MAX)
		return complain(reterr, token->at, "no field has a name of more than %d bytes",
				TACHO_NAME_MAX);
	return 0;
}

/* A hardware counter's name has colons and hyphens in it. */
static size_t context_bytes_of(const char *name)
{
	bool is_perf = !strncmp(name, "perf:", 5);
	size_t n = 0;

	while (is_of_name(name[n]) || (is_perf && name[n] && strchr(":-", name[n])))
		n++;
	return n;
}

static int lex_dollar(const char *text, struct token *token, struct filter_complaint *reterr)
{
	const char *word = text + token->at;

	if (!strncmp(word, "$app.", 5))
		return complain(
			reterr, token->at,
			"there are no contexts of applications here; give the event a field "
			"with the value, and name that");
	if (strncmp(word, "$ctx.", 5))
		return complain(reterr, token->at,
				"behind '$' only a context is possible, as in "
				"$ctx.vpid");
	token->kind = TOKEN_CONTEXT;
	token->bytes = 5 + context_bytes_of(word + 5);
	if (token->bytes == 5 || token->bytes > TACHO_NAME_MAX)
		return complain(reterr, token->at,
				"behind '$ctx.' the name of a context is "
				"expected, as in $ctx.vpid");
	return 0;
}

/* ---- quotes ---- */

static int lex_string(const char *text, struct token *token, struct filter_complaint *reterr)
{
	size_t at = token->at + 1;
	unsigned char byte;
	bool is_star;

	token->kind = TOKEN_STRING;
	while (text[at] && text[at] != '"') {
		if (lex_character(text, &at, &byte, &is_star, reterr))
			return -EINVAL;
	}
	if (!text[at])
		return complain(reterr, token->at, "this string has no end; a '\"' is missing");
	token->bytes = at + 1 - token->at;
	return 0;
}

/* Which sign a character of more than 7 bits has depends on the machine and the type: of these
 * only the number is clear. */
static int lex_quoted(const char *text, struct token *token, struct filter_complaint *reterr)
{
	size_t at = token->at + 1;
	unsigned char byte = 0;
	bool is_star;

	if (!text[at] || text[at] == '\'')
		return complain(reterr, token->at, "within '' exactly one character is expected");
	if (lex_character(text, &at, &byte, &is_star, reterr))
		return -EINVAL;
	if (byte > 127)
		return complain(reterr, token->at,
				"within '' only ASCII is possible; write a number");
	if (text[at] != '\'')
		return complain(reterr, token->at,
				"within '' exactly one character is expected; "
				"strings are in \"\"");
	token->kind = TOKEN_INTEGER;
	token->word = byte;
	token->bytes = at + 1 - token->at;
	return 0;
}

/* ---- signs ---- */

static const char *const signs[SIGN_COUNT] = {
	[SIGN_PLUS] = "+",
	[SIGN_MINUS] = "-",
	[SIGN_TILDE] = "~",
	[SIGN_NOT] = "!",
	[SIGN_STAR] = "*",
	[SIGN_SLASH] = "/",
	[SIGN_PERCENT] = "%",
	[SIGN_LEFT] = "<<",
	[SIGN_RIGHT] = ">>",
	[SIGN_LESS] = "<",
	[SIGN_LESS_EQUAL] = "<=",
	[SIGN_GREATER] = ">",
	[SIGN_GREATER_EQUAL] = ">=",
	[SIGN_EQUAL] = "==",
	[SIGN_UNEQUAL] = "!=",
	[SIGN_AND] = "&",
	[SIGN_XOR] = "^",
	[SIGN_OR] = "|",
	[SIGN_LOGICAL_AND] = "&&",
	[SIGN_LOGICAL_OR] = "||",
};

const char *sign_text(enum token_sign sign)
{
	return signs[sign];
}

/* The longest sign that stands here. */
static bool lex_sign(const char *text, struct token *token)
{
	token->bytes = 0;
	for (int i = 0; i < SIGN_COUNT; i++) {
		size_t n = strlen(signs[i]);

		if (n > token->bytes && !strncmp(text + token->at, signs[i], n)) {
			token->kind = TOKEN_OPERATOR;
			token->sign = (enum token_sign)i;
			token->bytes = n;
		}
	}
	return token->bytes;
}

static bool lex_bracket(char c, struct token *token)
{
	static const char brackets[] = "()[]";
	const char *found = c ? strchr(brackets, c) : NULL;

	if (!found)
		return false;
	token->kind = (enum token_kind)(TOKEN_OPEN + (found - brackets));
	token->bytes = 1;
	return true;
}

static int refuse(const char *text, size_t at, struct filter_complaint *reterr)
{
	unsigned char c = (unsigned char)text[at];

	if (c == '=')
		return complain(reterr, at, "'=' does not compare; '==' does");
	if (c < ' ' || c > '~')
		return complain(reterr, at, "the byte 0x%02x is possible only within a string", c);
	return complain(reterr, at, "'%c' has no meaning here", c);
}

int lex_next(const char *text, size_t at, struct token *ret_token, struct filter_complaint *reterr)
{
	struct token *token = ret_token;

	while (text[at] && strchr(" \t\n\r\f\v", text[at]))
		at++;
	*token = (struct token){ .kind = TOKEN_END, .at = at };
	if (!text[at])
		return 0;
	if (is_name_start(text[at]))
		return lex_name(text, token, reterr);
	if (isdigit((unsigned char)text[at]) ||
	    (text[at] == '.' && isdigit((unsigned char)text[at + 1])))
		return lex_number(text, token, reterr);
	if (text[at] == '$')
		return lex_dollar(text, token, reterr);
	if (text[at] == '"')
		return lex_string(text, token, reterr);
	if (text[at] == '\'')
		return lex_quoted(text, token, reterr);
	if (lex_sign(text, token) || lex_bracket(text[at], token))
		return 0;
	return refuse(text, at, reterr);
}
