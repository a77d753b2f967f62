/* SPDX-License-Identifier: MIT */
/*
 * lex.h - the words of TSDL, the language of CTF 1.8's metadata.
 *
 * The first error sticks: from then on there are only TOKEN_END tokens, so that whoever reads
 * tokens until one of them needs no other check to come to an end.
 */
#ifndef TACHO_CTF_READ_LEX_H
#define TACHO_CTF_READ_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "base/error.h"

enum token_kind {
	TOKEN_END,
	TOKEN_NAME,   /* identifiers and keywords; text */
	TOKEN_NUMBER, /* number */
	TOKEN_STRING, /* text, without quotes and escapes */
	TOKEN_MARK,   /* mark: a character or one of these */
};

enum {
	MARK_ASSIGN_TYPE = 256, /* := */
	MARK_RANGE,             /* ... */
};

struct token {
	enum token_kind kind;
	int mark;
	uint64_t number;
	const char *text; /* in the arena */
	uint32_t line;
};

struct read_lex {
	const char *at;
	const char *end;
	struct read_arena *arena;
	struct token token; /* the one that is looked at */
	const char *source; /* lex_take_source() */
	uint32_t line;
	int error;
	struct tacho_error *e;
};

/* lex_is_identifier() - could it be the name of a field in TSDL? Words of the language could. */
bool lex_is_identifier(const char *text);
/* lex_identifier_char() - @c, or '_' if an identifier cannot have it */
char lex_identifier_char(char c);
/* lex_shown_name() - as readers of CTF 1.8 show it: without one underscore at the beginning */
const char *lex_shown_name(const char *name);

/* Looks at the first token. @e may be NULL. */
void lex_init(struct read_lex *lex, const char *text, size_t bytes, struct read_arena *arena,
	      struct tacho_error *e);
void lex_advance(struct read_lex *lex);
/*
 * lex_take_source() - where the event that follows is in its program, as a comment of Tacho's says
 * right before it:
 *
 *	source: "shop.c":42
 *
 * Return: "shop.c:42", in the arena; NULL: there was no such comment.
 */
const char *lex_take_source(struct read_lex *lex);
/* lex_fail() - record an error at the current line, unless there is one already */
void lex_fail(struct read_lex *lex, int code, const char *what);

bool lex_is_mark(const struct read_lex *lex, int mark);
bool lex_is_name(const struct read_lex *lex, const char *name);
/* Take the mark or name if it is the next token. */
bool lex_take_mark(struct read_lex *lex, int mark);
bool lex_take_name(struct read_lex *lex, const char *name);
/* The same, but it is an error if it is not. */
void lex_expect(struct read_lex *lex, int mark);
/* Take a name of any kind; NULL after an error. */
const char *lex_expect_name(struct read_lex *lex);

#endif
