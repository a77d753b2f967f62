/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * filter.h - a compiled filter expression: which events of a rule are recorded.
 *
 * A tool compiles the text (lib/filter/compile.c) and puts the result into a session's file
 * (tacho_rule.filter in session.h). A traced program copies it, checks the copy
 * (lib/filter/check.c) and runs it before it records an event. It is one block without pointers:
 *
 *      struct tacho_filter
 *      +-----------------------------+
 *      | magic .. pool_bytes         |  32 bytes
 *      +-----------------------------+
 *      | tacho_filter_op             |  x op_count: the program
 *      +-----------------------------+
 *      | 64-bit words                |  x word_count: integers, and the bits of doubles
 *      +-----------------------------+
 *      | tacho_filter_field          |  x field_count: the fields it reads
 *      +-----------------------------+
 *      | pool                        |  pool_bytes: names and strings, without 0 bytes behind them
 *      +-----------------------------+
 *      filled up with 0 bytes to a multiple of 8: `bytes`
 *
 * THE MACHINE has a stack of TACHO_FILTER_DEPTH_MAX values. A value is a signed or unsigned 64-bit
 * integer, a double, a string, or a pattern (a string in which `*` stands for anything). Each
 * operation says how many values are on the stack before it, so one look at each is enough to know
 * that none takes what is not there. JUMPS GO FORWARD ONLY: a program ends after op_count
 * operations at the latest. What cannot be done (a type that does not fit, a division by zero, an
 * element that is not there) ends it: false.
 *
 *      "total > 100 && customer == "a*""          depth
 *        0  FIELD      0  (total)                 0
 *        1  SIGNED     0  (100)                   1
 *        2  GREATER                               2
 *        3  AND        to 8                       1
 *        4  FIELD      1  (customer)              0
 *        5  PATTERN    "a*"                       1
 *        6  EQUAL                                 2
 *        7  TRUTH                                 1
 *        8  END                                   1
 *
 * Integers are in the byte order of the machine. Hostile to the traced program, as all that comes
 * from shared memory.
 */
#ifndef TACHO_FORMAT_FILTER_H
#define TACHO_FORMAT_FILTER_H

#include "port.h"
#include "record.h"

#define TACHO_FILTER_MAGIC      0x746c6966u
#define TACHO_FILTER_VERSION    1
#define TACHO_FILTER_DEPTH_MAX  16
#define TACHO_FILTER_OPS_MAX    1024
#define TACHO_FILTER_WORDS_MAX  256
#define TACHO_FILTER_FIELDS_MAX 64
#define TACHO_FILTER_BYTES_MAX  16384

enum tacho_filter_opcode {
	/* put a value on the stack; operand: */
	TACHO_FILTER_SIGNED = 1,   /* which word */
	TACHO_FILTER_UNSIGNED = 2, /* the same */
	TACHO_FILTER_DOUBLE = 3,   /* the same */
	TACHO_FILTER_STRING = 4,   /* where in the pool it starts, and extra: its bytes */
	TACHO_FILTER_PATTERN = 5,  /* the same; `\*` is a star, `\\` a backslash */
	TACHO_FILTER_FIELD = 6,    /* which field */
	TACHO_FILTER_CONTEXT = 7,  /* enum tacho_context */
	/* take the last value, put another */
	TACHO_FILTER_PLUS = 8,
	TACHO_FILTER_MINUS = 9,
	TACHO_FILTER_COMPLEMENT = 10, /* ~ */
	TACHO_FILTER_NOT = 11,        /* ! */
	TACHO_FILTER_TRUTH = 12,      /* 0 or 1 */
	/* take the last two, put one */
	TACHO_FILTER_ADD = 13,
	TACHO_FILTER_SUBTRACT = 14,
	TACHO_FILTER_MULTIPLY = 15,
	TACHO_FILTER_DIVIDE = 16,
	TACHO_FILTER_REMAINDER = 17,
	TACHO_FILTER_LEFT = 18,
	TACHO_FILTER_RIGHT = 19,
	TACHO_FILTER_BIT_AND = 20,
	TACHO_FILTER_BIT_XOR = 21,
	TACHO_FILTER_BIT_OR = 22,
	TACHO_FILTER_EQUAL = 23,
	TACHO_FILTER_UNEQUAL = 24,
	TACHO_FILTER_LESS = 25,
	TACHO_FILTER_LESS_EQUAL = 26,
	TACHO_FILTER_GREATER = 27,
	TACHO_FILTER_GREATER_EQUAL = 28,
	/* take the last value; operand: the number of an operation further down */
	TACHO_FILTER_AND = 29, /* it is false: put 0 and go there */
	TACHO_FILTER_OR = 30,  /* it is true: put 1 and go there */
	/* take the only value: the result. The last operation, and only that */
	TACHO_FILTER_END = 31,
	TACHO_FILTER_OPCODE_MAX = 31,
};

struct tacho_filter_op {
	uint8_t opcode;   /* enum tacho_filter_opcode */
	uint8_t depth;    /* values on the stack before it */
	uint16_t extra;   /* 0 where the opcode does not say */
	uint32_t operand; /* the same */
};

/* A field: `name`, or with an element `name[element]`. */
struct tacho_filter_field {
	uint32_t name_at;    /* in the pool; a.b is a name with a dot in it */
	uint32_t name_bytes; /* 1 to TACHO_NAME_MAX */
	uint32_t element;    /* TACHO_FILTER_WHOLE: none */
	uint32_t reserved;
};
#define TACHO_FILTER_WHOLE UINT32_MAX

struct tacho_filter {
	uint32_t magic;
	uint32_t version;
	uint32_t bytes; /* the whole, a multiple of 8 */
	uint32_t pool_bytes;
	uint16_t op_count;
	uint16_t word_count;
	uint16_t field_count;
	uint16_t reserved[5];
};
TACHO_STATIC_ASSERT(sizeof(struct tacho_filter_op) == 8, "layout of struct tacho_filter_op");
TACHO_STATIC_ASSERT(sizeof(struct tacho_filter_field) == 16, "layout of struct tacho_filter_field");
TACHO_STATIC_ASSERT(sizeof(struct tacho_filter) == 32, "layout of struct tacho_filter");

static inline const struct tacho_filter_op *tacho_filter_ops(const struct tacho_filter *filter)
{
	return (const struct tacho_filter_op *)(filter + 1);
}

static inline const uint64_t *tacho_filter_words(const struct tacho_filter *filter)
{
	return (const uint64_t *)(const void *)(tacho_filter_ops(filter) + filter->op_count);
}

static inline const struct tacho_filter_field *tacho_filter_fields(
	const struct tacho_filter *filter)
{
	return (const struct tacho_filter_field *)(const void *)(tacho_filter_words(filter) +
								 filter->word_count);
}

static inline const char *tacho_filter_pool(const struct tacho_filter *filter)
{
	return (const char *)(const void *)(tacho_filter_fields(filter) + filter->field_count);
}

/* How many bytes its parts need. */
static inline uint64_t tacho_filter_bytes(const struct tacho_filter *filter)
{
	uint64_t bytes = sizeof(*filter) + 8ull * filter->op_count + 8ull * filter->word_count +
			 16ull * filter->field_count + filter->pool_bytes;

	return (bytes + 7) / 8 * 8;
}

#endif
