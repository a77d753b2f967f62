/* SPDX-License-Identifier: MIT */
/* lex.c - see lex.h */
#include "lex.h"

#include <errno.h>
#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool lex_is_identifier(const char *text)
{
	if (!is_name_start(*text))
		return false;
	while (is_name_start(*text) || is_digit(*text))
		text++;
	return !*text;
}

char lex_identifier_char(char c)
{
	return is_name_start(c) || is_digit(c) ? c : '_';
}

const char *lex_shown_name(const char *name)
{
	return name + (*name == '_');
}

static int digit_value(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

void lex_fail(struct read_lex *lex, int code, const char *what)
{
	if (!lex->error)
		lex->error = error_set(lex->e, code, "line %u: %s", lex->token.line, what);
	lex->token.kind = TOKEN_END;
	lex->at = lex->end;
}

/* How a comment begins that says where an event is in its program. */
#define SOURCE_BYTES_MAX 4096
#define SOURCE           "/* source: \""

static bool starts_with(const struct read_lex *lex, const char *text)
{
	size_t bytes = strlen(text);

	return (size_t)(lex->end - lex->at) >= bytes && !memcmp(lex->at, text, bytes);
}

static void skip_block_comment(struct read_lex *lex)
{
	if (starts_with(lex, SOURCE))
		lex->source = lex->at + strlen(SOURCE);
	for (lex->at += 2; lex->at < lex->end && !starts_with(lex, "*/"); lex->at++)
		lex->line += *lex->at == '\n';
	lex->at += lex->at < lex->end ? 2 : 0;
}

static void skip_line(struct read_lex *lex)
{
	while (lex->at < lex->end && *lex->at != '\n')
		lex->at++;
}

static void skip_blanks(struct read_lex *lex)
{
	while (lex->at < lex->end) {
		if (starts_with(lex, "/*")) {
			skip_block_comment(lex);
		} else if (starts_with(lex, "//")) {
			skip_line(lex);
		} else if (strchr(" \t\r\n\v\f", *lex->at)) {
			/* strchr() finds the 0 byte too: between tokens it is a blank as well. */
			lex->line += *lex->at == '\n';
			lex->at++;
		} else {
			return;
		}
	}
}

/* The file as it was before it was escaped, a colon, and the line. Return: its bytes, or 0. */
static size_t unescape_source(const char *at, const char *end, char *to, size_t room)
{
	size_t used = 0;

	for (; at < end && *at != '"' && used + 1 < room; at++) {
		if (*at == '\\' && at + 1 < end)
			at++;
		to[used++] = *at;
	}
	if (at < end)
		at++; /* the quotation mark; a colon follows */
	if (at == end || *at != ':')
		return 0;
	do
		to[used++] = *at++;
	while (at < end && is_digit(*at) && used < room);
	return used;
}

const char *lex_take_source(struct read_lex *lex)
{
	const char *source = lex->source;
	char text[SOURCE_BYTES_MAX];
	size_t bytes = source ? unescape_source(source, lex->end, text, sizeof(text)) : 0;

	lex->source = NULL;
	return bytes ? read_arena_text(lex->arena, text, bytes) : NULL;
}

static void take_text(struct read_lex *lex, enum token_kind kind, const char *text, size_t bytes)
{
	lex->token.kind = kind;
	lex->token.text = read_arena_text(lex->arena, text, bytes);
	if (!lex->token.text)
		lex_fail(lex, -ENOMEM, "the metadata is too large");
}

static void lex_name(struct read_lex *lex)
{
	const char *start = lex->at;

	while (lex->at < lex->end && (is_name_start(*lex->at) || is_digit(*lex->at)))
		lex->at++;
	take_text(lex, TOKEN_NAME, start, (size_t)(lex->at - start));
}

static unsigned int number_base(struct read_lex *lex)
{
	if (starts_with(lex, "0x") || starts_with(lex, "0X")) {
		lex->at += 2;
		return 16;
	}
	return *lex->at == '0' ? 8 : 10;
}

static void lex_number(struct read_lex *lex)
{
	unsigned int base = number_base(lex);
	uint64_t number = 0;

	for (; lex->at < lex->end && (unsigned int)digit_value(*lex->at) < base; lex->at++) {
		if (__builtin_mul_overflow(number, (uint64_t)base, &number) ||
		    __builtin_add_overflow(number, (uint64_t)digit_value(*lex->at), &number)) {
			lex_fail(lex, -EINVAL, "a number that does not fit 64 bits");
			return;
		}
	}
	while (lex->at < lex->end && strchr("uUlL", *lex->at) && *lex->at)
		lex->at++;
	lex->token.kind = TOKEN_NUMBER;
	lex->token.number = number;
}

/* The end of the string that starts behind a quotation mark, or NULL. */
static const char *string_end(const struct read_lex *lex)
{
	for (const char *p = lex->at; p < lex->end && *p != '\n'; p++) {
		if (*p == '"')
			return p;
		p += *p == '\\';
	}
	return NULL;
}

/* The character that the escape at *@p stands for; *@p moves to its last byte. */
static char unescape(const char **p, const char *end)
{
	static const char escapes[] = "a\ab\bf\fn\nr\rt\tv\v";
	unsigned int value = 0;
	int digits = 0;

	for (const char *e = escapes; *e; e += 2) {
		if (**p == *e)
			return e[1];
	}
	if (**p == 'x') {
		while (digits < 2 && *p + 1 < end && digit_value((*p)[1]) < 16) {
			value = value * 16 + (unsigned int)digit_value(*++*p);
			digits++;
		}
		return (char)value;
	}
	if (digit_value(**p) >= 8)
		return **p;
	for (; digits < 3 && *p < end && digit_value(**p) < 8; ++*p, digits++)
		value = value * 8 + (unsigned int)digit_value(**p);
	--*p;
	return (char)value;
}

static void lex_string(struct read_lex *lex)
{
	const char *end, *from;
	char *to;

	lex->at++;
	end = string_end(lex);
	if (!end) {
		lex_fail(lex, -EINVAL, "a string without an end");
		return;
	}
	from = lex->at;
	take_text(lex, TOKEN_STRING, from, (size_t)(end - from));
	if (lex->error)
		return;
	to = (char *)lex->token.text;
	for (; from < end; from++) {
		if (*from == '\\' && from + 1 < end) {
			from++;
			*to++ = unescape(&from, end);
		} else {
			*to++ = *from;
		}
	}
	*to = 0;
	lex->at = end + 1;
}

static void take_mark(struct read_lex *lex, int mark, int bytes)
{
	lex->token.kind = TOKEN_MARK;
	lex->token.mark = mark;
	lex->at += bytes;
}

static void lex_mark(struct read_lex *lex)
{
	if (starts_with(lex, ":="))
		take_mark(lex, MARK_ASSIGN_TYPE, 2);
	else if (starts_with(lex, "..."))
		take_mark(lex, MARK_RANGE, 3);
	else if (strchr("{}[]<>();:,.=*-+", *lex->at))
		take_mark(lex, *lex->at, 1);
	else
		lex_fail(lex, -EINVAL, "a character that TSDL does not know");
}

void lex_advance(struct read_lex *lex)
{
	skip_blanks(lex);
	lex->token.line = lex->line;
	if (lex->at >= lex->end)
		lex->token.kind = TOKEN_END;
	else if (is_name_start(*lex->at))
		lex_name(lex);
	else if (is_digit(*lex->at))
		lex_number(lex);
	else if (*lex->at == '"')
		lex_string(lex);
	else
		lex_mark(lex);
}

void lex_init(struct read_lex *lex, const char *text, size_t bytes, struct read_arena *arena,
	      struct tacho_error *e)
{
	*lex = (struct read_lex){
		.at = text,
		.end = text + bytes,
		.arena = arena,
		.line = 1,
		.e = e,
	};
	lex_advance(lex);
}

bool lex_is_mark(const struct read_lex *lex, int mark)
{
	return lex->token.kind == TOKEN_MARK && lex->token.mark == mark;
}

bool lex_is_name(const struct read_lex *lex, const char *name)
{
	return lex->token.kind == TOKEN_NAME && !strcmp(lex->token.text, name);
}

bool lex_take_mark(struct read_lex *lex, int mark)
{
	if (!lex_is_mark(lex, mark))
		return false;
	lex_advance(lex);
	return true;
}

bool lex_take_name(struct read_lex *lex, const char *name)
{
	if (!lex_is_name(lex, name))
		return false;
	lex_advance(lex);
	return true;
}

void lex_expect(struct read_lex *lex, int mark)
{
	char what[] = "'?' expected";

	if (lex_take_mark(lex, mark))
		return;
	what[1] = (char)mark;
	lex_fail(lex, -EINVAL, mark == MARK_ASSIGN_TYPE ? "':=' expected" : what);
}

const char *lex_expect_name(struct read_lex *lex)
{
	const char *name = lex->token.text;

	if (lex->token.kind != TOKEN_NAME) {
		lex_fail(lex, -EINVAL, "a name expected");
		return NULL;
	}
	lex_advance(lex);
	return lex->error ? NULL : name;
}
