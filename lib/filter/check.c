/* SPDX-License-Identifier: MIT */
/*
 * check.c - may this program be run? Afterwards every index in it is in range, it ends, and no
 * operation takes from the stack what is not there. What kinds the values have is left to run.c,
 * which looks at each. Part of libtacho.
 */
#include <errno.h>

#include "base/context.h"
#include "filter/filter.h"

static bool is_in_pool(const struct tacho_filter *filter, uint64_t at, uint64_t bytes)
{
	return at + bytes <= filter->pool_bytes;
}

static bool head_is_right(const struct tacho_filter *filter, size_t bytes)
{
	return filter->magic == TACHO_FILTER_MAGIC && filter->version == TACHO_FILTER_VERSION &&
	       filter->bytes == bytes && tacho_filter_bytes(filter) == bytes && filter->op_count &&
	       filter->op_count <= TACHO_FILTER_OPS_MAX &&
	       filter->word_count <= TACHO_FILTER_WORDS_MAX &&
	       filter->field_count <= TACHO_FILTER_FIELDS_MAX;
}

static bool fields_are_right(const struct tacho_filter *filter)
{
	const struct tacho_filter_field *field = tacho_filter_fields(filter);

	for (uint32_t i = 0; i < filter->field_count; i++, field++) {
		if (!field->name_bytes || field->name_bytes > TACHO_NAME_MAX ||
		    !is_in_pool(filter, field->name_at, field->name_bytes))
			return false;
	}
	return true;
}

static bool is_context(uint32_t number)
{
	return number < CONTEXTS_MAX && contexts_are_known(1ull << number);
}

/* The operand of what puts a value on the stack. */
static bool operand_is_right(const struct tacho_filter *filter, const struct tacho_filter_op *op)
{
	switch (op->opcode) {
	case TACHO_FILTER_SIGNED:
	case TACHO_FILTER_UNSIGNED:
	case TACHO_FILTER_DOUBLE:
		return op->operand < filter->word_count;
	case TACHO_FILTER_STRING:
	case TACHO_FILTER_PATTERN:
		return is_in_pool(filter, op->operand, op->extra);
	case TACHO_FILTER_FIELD:
		return op->operand < filter->field_count;
	case TACHO_FILTER_CONTEXT:
		return is_context(op->operand);
	}
	return false;
}

/* How many values an opcode takes and puts. Return: false if there is no such opcode. */
static bool stack_effect(uint32_t opcode, uint32_t *ret_taken, uint32_t *ret_put)
{
	*ret_put = 1;
	if (opcode >= TACHO_FILTER_SIGNED && opcode <= TACHO_FILTER_CONTEXT)
		*ret_taken = 0;
	else if (opcode >= TACHO_FILTER_PLUS && opcode <= TACHO_FILTER_TRUTH)
		*ret_taken = 1;
	else if (opcode >= TACHO_FILTER_ADD && opcode <= TACHO_FILTER_GREATER_EQUAL)
		*ret_taken = 2;
	else if (opcode == TACHO_FILTER_AND || opcode == TACHO_FILTER_OR) {
		*ret_taken = 1;
		*ret_put = 0;
	} else {
		return false;
	}
	return true;
}

/* It goes forward, to where the value that it puts is expected. */
static bool jump_is_right(const struct tacho_filter *filter, uint32_t at)
{
	const struct tacho_filter_op *ops = tacho_filter_ops(filter);
	uint32_t to = ops[at].operand;

	return to > at && to < filter->op_count && ops[to].depth == ops[at].depth;
}

static bool op_is_right(const struct tacho_filter *filter, uint32_t at)
{
	const struct tacho_filter_op *op = &tacho_filter_ops(filter)[at];
	bool is_last = at + 1 == filter->op_count;
	uint32_t taken, put;

	if (is_last)
		return op->opcode == TACHO_FILTER_END && op->depth == 1;
	if (!stack_effect(op->opcode, &taken, &put) || op->depth < taken ||
	    op->depth - taken + 1 > TACHO_FILTER_DEPTH_MAX ||
	    op[1].depth != op->depth - taken + put)
		return false;
	if (!taken)
		return operand_is_right(filter, op);
	return put || jump_is_right(filter, at);
}

int filter_check(const struct tacho_filter *filter, size_t bytes)
{
	if (bytes < sizeof(*filter) || bytes > TACHO_FILTER_BYTES_MAX ||
	    !head_is_right(filter, bytes) || !fields_are_right(filter) ||
	    tacho_filter_ops(filter)->depth)
		return -EBADMSG;
	for (uint32_t i = 0; i < filter->op_count; i++) {
		if (!op_is_right(filter, i))
			return -EBADMSG;
	}
	return 0;
}
