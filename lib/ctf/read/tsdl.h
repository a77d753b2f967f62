/* SPDX-License-Identifier: MIT */
/*
 * tsdl.h - parse TSDL, the metadata of CTF 1.8.
 *
 * Recursive descent, one function per rule. All functions may be called after an error: they find
 * TOKEN_END and come to their end at once (lex.h). Attributes and blocks that are not known
 * are read over, as the specification asks for.
 *
 * tsdl.c has the blocks (trace, env, clock, stream, event), tsdl_types.c the types.
 */
#ifndef TACHO_CTF_READ_TSDL_H
#define TACHO_CTF_READ_TSDL_H

#include "lex.h"
#include "types.h"

#define TSDL_DEPTH_MAX 64
#define TSDL_NAMES_MAX 16384 /* named types that are visible at the same time */

/* A named type: "struct foo", or "foo" for an alias. */
struct tsdl_name {
	struct tsdl_name *next;
	const char *key;
	struct read_type *type;
};

/* Where the names of a block or body begin. */
struct tsdl_scope {
	struct tsdl_name *outer;
	uint32_t count;
};

struct tsdl {
	struct read_lex lex;
	struct read_metadata *metadata;
	struct tsdl_name *names; /* the innermost and newest first */
	uint32_t name_count;
	struct tsdl_scope scope; /* the innermost */
	uint32_t depth;
	bool has_trace; /* there was a block of this kind */
	bool has_env;
};

enum tsdl_value_kind {
	TSDL_NUMBER,
	TSDL_STRING,
	TSDL_NAME, /* a path: "clock.monotonic.value" */
	TSDL_TYPE,
};

/* One `name = value;` or `name := type;` of a block. */
struct tsdl_attribute {
	const char *name; /* a path: "packet.header" */
	enum tsdl_value_kind kind;
	uint64_t number;
	bool is_negative; /* number is in two's complement then */
	const char *text;
	struct read_type *type;
};

typedef void (*tsdl_attribute_fn)(struct tsdl *p, void *object, const struct tsdl_attribute *a);

/*
 * tsdl_parse() - parse a metadata text
 * @metadata: zeroed; filled as far as the text is right, also on failure
 *
 * Return: 0, -EINVAL (@e has the line), or -ENOMEM.
 */
int tsdl_parse(const char *text, size_t bytes, struct read_metadata *metadata,
	       struct tacho_error *e);

/* Between the files of the parser. */

/* tsdl_block() - parse `{ ... }`, calling @fn for each attribute */
void tsdl_block(struct tsdl *p, tsdl_attribute_fn fn, void *object);
/* tsdl_path() - a dotted path as one text; NULL after an error */
const char *tsdl_path(struct tsdl *p);
/* tsdl_number() - an integer constant with its sign */
uint64_t tsdl_number(struct tsdl *p, bool *ret_is_negative);
void *tsdl_alloc(struct tsdl *p, size_t bytes);
/* tsdl_odd() - note what is read over, though other readers stop at it */
void tsdl_odd(struct tsdl *p, const char *what);
/* tsdl_enter() - one level deeper; false, with an error, if that is too deep */
bool tsdl_enter(struct tsdl *p);
void tsdl_leave(struct tsdl *p);

/* tsdl_scope_begin() - names from now on are forgotten at the end. Return: what the end is given. */
struct tsdl_scope tsdl_scope_begin(struct tsdl *p);
void tsdl_scope_end(struct tsdl *p, struct tsdl_scope before);

/* tsdl_type() - a type, as it stands right of `:=`; NULL after an error */
struct read_type *tsdl_type(struct tsdl *p);
/* tsdl_declaration() - typealias, typedef, struct, .. if there is one; false if not */
bool tsdl_declaration(struct tsdl *p);
bool tsdl_is_true(struct tsdl *p, const struct tsdl_attribute *a);
enum read_order tsdl_order(struct tsdl *p, const struct tsdl_attribute *a);

#endif
