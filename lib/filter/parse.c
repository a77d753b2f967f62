/* SPDX-License-Identifier: MIT */
/*
 * parse.c - see parse.h. Operators are parsed by precedence:
 *
 *	parse_binary(level)  =  parse_unary, then for each operator of this level or a stronger one:
 *	                        parse_binary(its level + 1), and the operator is built
 */
#include "filter/parse.h"

#include <errno.h>
#include <string.h>

#include "base/context.h"
#include "filter/lex.h"
#include "filter/value.h"

/* Parentheses and unary operators within each other: each takes some of our stack. */
#define NESTING_MAX 64

struct parser {
	struct filter_parser *p;
	struct token token; /* the one to look at */
	unsigned int nesting;
};

/* What is known of a value that the operations built so far leave behind. */
struct operand {
	uint32_t kind;      /* enum filter_kind or FILTER_ANY */
	bool is_truth;      /* 0 or 1 */
	bool is_comparison; /* not in parentheses */
};

struct binary {
	uint32_t opcode;
	unsigned int level; /* of precedence; 0: is no binary operator */
};

#define LEVEL_BITS_FIRST 3
#define LEVEL_BITS_LAST  5

static const struct binary binaries[SIGN_COUNT] = {
	[SIGN_LOGICAL_OR] = { TACHO_FILTER_OR, 1 },
	[SIGN_LOGICAL_AND] = { TACHO_FILTER_AND, 2 },
	[SIGN_OR] = { TACHO_FILTER_BIT_OR, 3 },
	[SIGN_XOR] = { TACHO_FILTER_BIT_XOR, 4 },
	[SIGN_AND] = { TACHO_FILTER_BIT_AND, 5 },
	[SIGN_EQUAL] = { TACHO_FILTER_EQUAL, 6 },
	[SIGN_UNEQUAL] = { TACHO_FILTER_UNEQUAL, 6 },
	[SIGN_LESS] = { TACHO_FILTER_LESS, 7 },
	[SIGN_LESS_EQUAL] = { TACHO_FILTER_LESS_EQUAL, 7 },
	[SIGN_GREATER] = { TACHO_FILTER_GREATER, 7 },
	[SIGN_GREATER_EQUAL] = { TACHO_FILTER_GREATER_EQUAL, 7 },
	[SIGN_LEFT] = { TACHO_FILTER_LEFT, 8 },
	[SIGN_RIGHT] = { TACHO_FILTER_RIGHT, 8 },
	[SIGN_PLUS] = { TACHO_FILTER_ADD, 9 },
	[SIGN_MINUS] = { TACHO_FILTER_SUBTRACT, 9 },
	[SIGN_STAR] = { TACHO_FILTER_MULTIPLY, 10 },
	[SIGN_SLASH] = { TACHO_FILTER_DIVIDE, 10 },
	[SIGN_PERCENT] = { TACHO_FILTER_REMAINDER, 10 },
};

static const uint32_t unaries[SIGN_COUNT] = {
	[SIGN_PLUS] = TACHO_FILTER_PLUS,
	[SIGN_MINUS] = TACHO_FILTER_MINUS,
	[SIGN_TILDE] = TACHO_FILTER_COMPLEMENT,
	[SIGN_NOT] = TACHO_FILTER_NOT,
};

static int parse_binary(struct parser *parser, unsigned int level, struct operand *ret_operand);

/* ---- errors ---- */

#define EXPECT_OPERAND  "expected a field, a context ($ctx.vpid), a number, a string or '('"
#define EXPECT_OPERATOR "expected an operator (&& || == != < <= > >= & ^ | << >> + - * / %)"

static int next(struct parser *parser)
{
	const struct token *token = &parser->token;

	return lex_next(parser->p->text, token->at + token->bytes, &parser->token,
			parser->p->error);
}

/* The word at hand is not what it has to be. */
static int expected(struct parser *parser, const char *what)
{
	const struct token *token = &parser->token;

	if (token->kind == TOKEN_END)
		return complain(parser->p->error, token->at, "%s, but the expression ends here",
				what);
	return complain(parser->p->error, token->at, "%s, not '%.*s'", what,
			token->bytes > 40 ? 40 : (int)token->bytes, parser->p->text + token->at);
}

/* Something could not be built: there is too much of it. */
static int too_much(struct parser *parser, size_t at, int err)
{
	if (err)
		complain(parser->p->error, at, "%s", parser->p->builder->full);
	return err;
}

static bool is_text(uint32_t kind)
{
	return kind == FILTER_STRING || kind == FILTER_PATTERN;
}

/* An operator does not take what it would get. */
static int does_not_fit(struct parser *parser, const struct token *sign, uint32_t opcode,
			uint32_t a, uint32_t b)
{
	struct filter_complaint *error = parser->p->error;
	const char *name = sign_text(sign->sign);

	if (opcode == TACHO_FILTER_EQUAL || opcode == TACHO_FILTER_UNEQUAL) {
		if (is_text(a) && is_text(b))
			return complain(error, sign->at,
					"only one of two strings can have a '*' that stands for "
					"anything; a star that is meant is \\*");
		return complain(error, sign->at, "a number and a string are never equal");
	}
	if (!is_text(a) && !is_text(b))
		return complain(error, sign->at, "'%s' works on bits, so it takes integers only",
				name);
	if (opcode >= TACHO_FILTER_LESS && opcode <= TACHO_FILTER_GREATER_EQUAL)
		return complain(error, sign->at,
				"strings have no order: '%s' takes numbers; for "
				"strings there are == and !=",
				name);
	if (opcode == TACHO_FILTER_NOT || opcode > TACHO_FILTER_GREATER_EQUAL)
		return complain(error, sign->at,
				"a string is neither true nor false; compare it, as in name == "
				"\"a*\"");
	return complain(error, sign->at, "'%s' takes numbers, not strings", name);
}

/* ---- operands ---- */

static int parse_index(struct parser *parser, uint32_t *ret_element)
{
	int err = next(parser);

	if (err)
		return err;
	if (parser->token.kind != TOKEN_INTEGER)
		return expected(parser, "an index has to be a constant integer");
	if (parser->token.word >= TACHO_FILTER_WHOLE)
		return complain(parser->p->error, parser->token.at, "nothing has so many elements");
	*ret_element = (uint32_t)parser->token.word;
	err = next(parser);
	if (err)
		return err;
	if (parser->token.kind != TOKEN_CLOSE_INDEX)
		return expected(parser, "expected ']'");
	if (parser->p->text[parser->token.at + 1] == '.')
		return complain(parser->p->error, parser->token.at + 1,
				"elements are numbers; they have no fields");
	err = next(parser);
	if (!err && parser->token.kind == TOKEN_OPEN_INDEX)
		return complain(parser->p->error, parser->token.at,
				"elements are numbers; they have no elements");
	return err;
}

static bool is_word(const struct parser *parser, const struct token *token, const char *word)
{
	return token->bytes == strlen(word) &&
	       !memcmp(parser->p->text + token->at, word, token->bytes);
}

static int parse_field(struct parser *parser, struct operand *ret_operand)
{
	struct token name = parser->token;
	uint32_t element = TACHO_FILTER_WHOLE;
	bool is_true = is_word(parser, &name, "true");
	int err = next(parser);

	if (!err && parser->token.kind == TOKEN_OPEN_INDEX)
		err = parse_index(parser, &element);
	else if (!err && (is_true || is_word(parser, &name, "false"))) {
		*ret_operand = (struct operand){ FILTER_SIGNED, true, false };
		return too_much(parser, name.at,
				build_word(parser->p->builder, TACHO_FILTER_SIGNED, is_true));
	}
	if (err)
		return err;
	*ret_operand = (struct operand){ .kind = FILTER_ANY };
	return too_much(
		parser, name.at,
		build_field(parser->p->builder, parser->p->text + name.at, name.bytes, element));
}

static int find_context(const struct parser *parser, const char *name)
{
	const struct filter_parser *p = parser->p;

	if (!strncmp(name, "perf:", 5))
		return p->perf ? p->perf(p->perf_data, name) : -ENOENT;
	for (unsigned int i = 0; i < TACHO_CONTEXT_FIXED_COUNT; i++) {
		if (!strcmp(context_field(i)->name, name))
			return (int)i;
	}
	return -ENOENT;
}

static int no_such_context(struct parser *parser, const char *name)
{
	if (!strncmp(name, "perf:", 5))
		return complain(parser->p->error, parser->token.at,
				"the session does not count '%s'; add it as a context first, with "
				"tacho add-context -t %s",
				name, name);
	return complain(parser->p->error, parser->token.at,
			"there is no context '%s'; tacho add-context --list shows which there are",
			name);
}

static int parse_context(struct parser *parser, struct operand *ret_operand)
{
	const struct token *token = &parser->token;
	char name[TACHO_NAME_MAX + 1] = { 0 };
	size_t prefix = strlen("$ctx.");
	int number, err;

	memcpy(name, parser->p->text + token->at + prefix, token->bytes - prefix);
	number = find_context(parser, name);
	if (number < 0)
		return no_such_context(parser, name);
	*ret_operand = (struct operand){
		.kind = number == TACHO_CONTEXT_PROCNAME ? FILTER_STRING : FILTER_SIGNED,
	};
	err = build_context(parser->p->builder, (uint32_t)number);
	return err ? too_much(parser, token->at, err) : next(parser);
}

static int parse_number(struct parser *parser, struct operand *ret_operand)
{
	const struct token *token = &parser->token;
	uint32_t opcode = TACHO_FILTER_DOUBLE;
	int err;

	*ret_operand = (struct operand){ .kind = FILTER_DOUBLE };
	if (token->kind == TOKEN_INTEGER) {
		ret_operand->kind = FILTER_SIGNED;
		opcode = token->is_unsigned ? TACHO_FILTER_UNSIGNED : TACHO_FILTER_SIGNED;
	}
	err = build_word(parser->p->builder, opcode, token->word);
	return err ? too_much(parser, token->at, err) : next(parser);
}

/* Is there a star that stands for anything in the string at hand? */
static bool has_star(const struct parser *parser)
{
	size_t at = parser->token.at + 1, end = at + parser->token.bytes - 2;
	unsigned char byte;
	bool is_star = false;

	while (at < end && !is_star)
		lex_character(parser->p->text, &at, &byte, &is_star, parser->p->error);
	return is_star;
}

/* In a pattern, what would be taken for something else has a backslash before it. */
static int put_character(struct filter_builder *b, unsigned char byte, bool is_star,
			 bool in_pattern)
{
	int err = 0;

	if (in_pattern && !is_star && (byte == '*' || byte == '\\'))
		err = build_byte(b, '\\');
	return err ? err : build_byte(b, (char)byte);
}

static int parse_string(struct parser *parser, struct operand *ret_operand)
{
	struct filter_builder *b = parser->p->builder;
	size_t at = parser->token.at + 1, end = at + parser->token.bytes - 2;
	uint32_t pool_at = b->pool_bytes;
	bool in_pattern = has_star(parser);
	int err = 0;

	while (!err && at < end) {
		unsigned char byte = 0;
		bool is_star;

		lex_character(parser->p->text, &at, &byte, &is_star, parser->p->error);
		err = put_character(b, byte, is_star, in_pattern);
	}
	*ret_operand = (struct operand){ .kind = in_pattern ? FILTER_PATTERN : FILTER_STRING };
	if (!err)
		err = build_text(b, in_pattern ? TACHO_FILTER_PATTERN : TACHO_FILTER_STRING,
				 pool_at);
	return err ? too_much(parser, parser->token.at, err) : next(parser);
}

static int deeper(struct parser *parser)
{
	if (++parser->nesting <= NESTING_MAX)
		return 0;
	complain(parser->p->error, parser->token.at,
		 "parentheses and operators are nested too deeply here");
	return -E2BIG;
}

static int parse_parentheses(struct parser *parser, struct operand *ret_operand)
{
	size_t open_at = parser->token.at;
	int err = deeper(parser);

	if (!err)
		err = next(parser);
	if (!err)
		err = parse_binary(parser, 1, ret_operand);
	if (err)
		return err;
	ret_operand->is_comparison = false;
	if (parser->token.kind == TOKEN_END)
		return complain(parser->p->error, open_at, "this '(' is not closed");
	if (parser->token.kind != TOKEN_CLOSE)
		return expected(parser, EXPECT_OPERATOR " or ')'");
	parser->nesting--;
	return next(parser);
}

static int parse_primary(struct parser *parser, struct operand *ret_operand)
{
	switch (parser->token.kind) {
	case TOKEN_NAME:
		return parse_field(parser, ret_operand);
	case TOKEN_CONTEXT:
		return parse_context(parser, ret_operand);
	case TOKEN_INTEGER:
	case TOKEN_DOUBLE:
		return parse_number(parser, ret_operand);
	case TOKEN_STRING:
		return parse_string(parser, ret_operand);
	case TOKEN_OPEN:
		return parse_parentheses(parser, ret_operand);
	default:
		return expected(parser, EXPECT_OPERAND);
	}
}

/* ---- operators ---- */

static int parse_unary(struct parser *parser, struct operand *ret_operand)
{
	struct token sign = parser->token;
	uint32_t opcode = sign.kind == TOKEN_OPERATOR ? unaries[sign.sign] : 0, kind;
	int err;

	if (!opcode)
		return parse_primary(parser, ret_operand);
	err = deeper(parser);
	if (!err)
		err = next(parser);
	if (!err)
		err = parse_unary(parser, ret_operand);
	if (err)
		return err;
	parser->nesting--;
	kind = value_kind_of_unary(opcode, ret_operand->kind);
	if (kind == FILTER_NOTHING)
		return does_not_fit(parser, &sign, opcode, ret_operand->kind, ret_operand->kind);
	*ret_operand = (struct operand){ kind, opcode == TACHO_FILTER_NOT, false };
	return too_much(parser, sign.at, build_op(parser->p->builder, opcode));
}

/* LTTng has the bits before the comparison, C behind it. Who wrote for LTTng should know. */
static void warn_of_precedence(struct parser *parser, const struct token *sign,
			       const struct operand *a, const struct operand *b)
{
	const char *name = sign_text(sign->sign);

	if (!(a->is_comparison || b->is_comparison) || parser->p->warning->what[0])
		return;
	complain(parser->p->warning, sign->at,
		 "comparisons bind stronger than '%s', as in C and other than in LTTng; "
		 "parentheses show which is meant: (a %s b) == c, or a %s (b == c)",
		 name, name, name);
}

/* The operator's right side, and the operator. */
static int parse_right(struct parser *parser, const struct token *sign, struct operand *operand)
{
	const struct binary *binary = &binaries[sign->sign];
	bool is_bits = binary->level >= LEVEL_BITS_FIRST && binary->level <= LEVEL_BITS_LAST;
	bool is_comparison = binary->opcode >= TACHO_FILTER_EQUAL;
	struct operand right;
	uint32_t kind;
	int err = parse_binary(parser, binary->level + 1, &right);

	if (err)
		return err;
	if (is_bits)
		warn_of_precedence(parser, sign, operand, &right);
	kind = value_kind_of_binary(binary->opcode, operand->kind, right.kind);
	if (kind == FILTER_NOTHING)
		return does_not_fit(parser, sign, binary->opcode, operand->kind, right.kind);
	*operand = (struct operand){ kind, is_comparison, is_comparison };
	return too_much(parser, sign->at, build_op(parser->p->builder, binary->opcode));
}

static int check_truth(struct parser *parser, const struct token *sign,
		       const struct operand *operand)
{
	if (is_text(operand->kind))
		return does_not_fit(parser, sign, TACHO_FILTER_AND, operand->kind, operand->kind);
	return 0;
}

/* && and ||: the right side is jumped over where the left one decides. */
static int parse_logical_right(struct parser *parser, const struct token *sign,
			       struct operand *operand)
{
	struct filter_builder *b = parser->p->builder;
	const struct binary *binary = &binaries[sign->sign];
	struct operand right;
	uint32_t jump = 0;
	int err = check_truth(parser, sign, operand);

	if (!err)
		err = too_much(parser, sign->at, build_jump(b, binary->opcode, &jump));
	if (!err)
		err = parse_binary(parser, binary->level + 1, &right);
	if (!err)
		err = check_truth(parser, sign, &right);
	if (!err && !right.is_truth)
		err = too_much(parser, sign->at, build_op(b, TACHO_FILTER_TRUTH));
	if (err)
		return err;
	build_land(b, jump);
	*operand = (struct operand){ FILTER_SIGNED, true, false };
	return 0;
}

static int parse_binary(struct parser *parser, unsigned int level, struct operand *ret_operand)
{
	int err = parse_unary(parser, ret_operand);

	while (!err && parser->token.kind == TOKEN_OPERATOR &&
	       binaries[parser->token.sign].level >= level) {
		struct token sign = parser->token;
		bool is_logical = sign.sign == SIGN_LOGICAL_AND || sign.sign == SIGN_LOGICAL_OR;

		err = next(parser);
		if (!err)
			err = is_logical ? parse_logical_right(parser, &sign, ret_operand) :
					   parse_right(parser, &sign, ret_operand);
	}
	return err;
}

int parse(struct filter_parser *p)
{
	struct parser parser = { .p = p };
	struct operand operand;
	int err = next(&parser);

	if (!err && parser.token.kind == TOKEN_END)
		return expected(&parser, EXPECT_OPERAND);
	if (!err)
		err = parse_binary(&parser, 1, &operand);
	if (err)
		return err;
	if (parser.token.kind == TOKEN_CLOSE)
		return complain(p->error, parser.token.at, "no '(' belongs to this ')'");
	if (parser.token.kind != TOKEN_END)
		return expected(&parser, EXPECT_OPERATOR " or the end");
	if (is_text(operand.kind))
		return complain(p->error, 0,
				"a string is neither true nor false; compare it, as in name == "
				"\"a*\"");
	return 0;
}
