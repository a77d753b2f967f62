/* SPDX-License-Identifier: MIT */
/*
 * lex.h - the words of a filter expression.
 */
#ifndef TACHO_FILTER_LEX_H
#define TACHO_FILTER_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/filter.h"

enum token_kind {
	TOKEN_END = 0,
	TOKEN_NAME,    /* a.b */
	TOKEN_CONTEXT, /* $ctx.name; with its counter's name, $ctx.perf:thread:cycles */
	TOKEN_INTEGER, /* also a character */
	TOKEN_DOUBLE,
	TOKEN_STRING,
	TOKEN_OPEN,
	TOKEN_CLOSE,
	TOKEN_OPEN_INDEX,
	TOKEN_CLOSE_INDEX,
	TOKEN_OPERATOR,
};

/* What an operator may be; the parser knows from where it stands which it is. */
enum token_sign {
	SIGN_PLUS,
	SIGN_MINUS,
	SIGN_TILDE,
	SIGN_NOT,
	SIGN_STAR,
	SIGN_SLASH,
	SIGN_PERCENT,
	SIGN_LEFT,
	SIGN_RIGHT,
	SIGN_LESS,
	SIGN_LESS_EQUAL,
	SIGN_GREATER,
	SIGN_GREATER_EQUAL,
	SIGN_EQUAL,
	SIGN_UNEQUAL,
	SIGN_AND,
	SIGN_XOR,
	SIGN_OR,
	SIGN_LOGICAL_AND,
	SIGN_LOGICAL_OR,
	SIGN_COUNT,
};

struct token {
	enum token_kind kind;
	size_t at;    /* byte of the text */
	size_t bytes; /* a string's with its quotes */
	enum token_sign sign;
	union {
		uint64_t word;
		double real;
	};
	bool is_unsigned; /* TOKEN_INTEGER */
};

/* ASCII, whatever the locale says */
static inline bool is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool is_of_name(char c)
{
	return is_name_start(c) || (c >= '0' && c <= '9');
}

/* complain() - Return: -EINVAL */
int complain(struct filter_complaint *complaint, size_t at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * lex_next() - the word at or behind byte @at
 * Return: 0; -EINVAL, with @reterr filled.
 */
int lex_next(const char *text, size_t at, struct token *ret_token, struct filter_complaint *reterr);

/* sign_text() - as it is written */
const char *sign_text(enum token_sign sign);

/* lex_number() - of number.c: a word that begins like a number */
int lex_number(const char *text, struct token *token, struct filter_complaint *reterr);

/*
 * lex_character() - of literal.c: one character within quotes
 * @at: moves behind it
 * @ret_star: it is a star that stands for anything
 */
int lex_character(const char *text, size_t *at, unsigned char *ret_byte, bool *ret_star,
		  struct filter_complaint *reterr);

#endif
