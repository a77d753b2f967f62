/* SPDX-License-Identifier: MIT */
/*
 * build.h - a program while it is put together. Functions return 0, or -E2BIG when it has become too
 * long; the reason is in `full`.
 */
#ifndef TACHO_FILTER_BUILD_H
#define TACHO_FILTER_BUILD_H

#include <stddef.h>
#include <stdint.h>

#include "format/filter.h"

struct filter_builder {
	struct tacho_filter_op op[TACHO_FILTER_OPS_MAX];
	uint64_t word[TACHO_FILTER_WORDS_MAX];
	struct tacho_filter_field field[TACHO_FILTER_FIELDS_MAX];
	char pool[TACHO_FILTER_BYTES_MAX];
	uint32_t op_count;
	uint32_t word_count;
	uint32_t field_count;
	uint32_t pool_bytes;
	uint32_t depth;
	const char *full; /* what there is too much of */
};

/* build_op() - an operation without an operand, of any number of values */
int build_op(struct filter_builder *b, uint32_t opcode);
/* build_word() - SIGNED, UNSIGNED, DOUBLE */
int build_word(struct filter_builder *b, uint32_t opcode, uint64_t word);
/* build_field() - `name`, or element @element of it */
int build_field(struct filter_builder *b, const char *name, size_t bytes, uint32_t element);
int build_context(struct filter_builder *b, uint32_t context);

/* build_byte() - one more byte for the next build_text() */
int build_byte(struct filter_builder *b, char byte);
/* build_text() - STRING or PATTERN: the bytes since pool_bytes was @at */
int build_text(struct filter_builder *b, uint32_t opcode, uint32_t at);

/* build_jump() - AND, OR, to nowhere yet. build_land(): to what is built next. */
int build_jump(struct filter_builder *b, uint32_t opcode, uint32_t *ret_jump);
void build_land(struct filter_builder *b, uint32_t jump);

/* build_end() - the END, and all in one block for free(). Return: 0, -E2BIG or -ENOMEM. */
int build_end(struct filter_builder *b, struct tacho_filter **ret_filter);

#endif
