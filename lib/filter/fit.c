/* SPDX-License-Identifier: MIT */
/* fit.c - see fit.h. Part of libtacho. */
#include "filter/fit.h"

#include "filter/value.h"

/* The kind of what an operation puts on the stack. */
static uint32_t kind_put(const struct tacho_filter_op *op, filter_kind_fn kind, const void *data)
{
	switch (op->opcode) {
	case TACHO_FILTER_FIELD:
	case TACHO_FILTER_CONTEXT:
		return kind(data, op->opcode, op->operand);
	case TACHO_FILTER_DOUBLE:
		return FILTER_DOUBLE;
	case TACHO_FILTER_STRING:
		return FILTER_STRING;
	case TACHO_FILTER_PATTERN:
		return FILTER_PATTERN;
	default:
		return FILTER_SIGNED;
	}
}

/* What && and || jump with is an integer, as is what they are to find there, so the operations are
 * looked at one after the other. */
bool filter_fits(const struct tacho_filter *filter, filter_kind_fn kind_of, const void *data,
		 bool *ret_has_doubles)
{
	const struct tacho_filter_op *op = tacho_filter_ops(filter);
	uint32_t kind[TACHO_FILTER_DEPTH_MAX + 1] = { 0 };
	bool has_doubles = false;

	for (; op->opcode != TACHO_FILTER_END; op++) {
		uint32_t *end = &kind[op->depth], *result = end;

		if (op->opcode <= TACHO_FILTER_CONTEXT) {
			*result = kind_put(op, kind_of, data);
		} else if (op->opcode >= TACHO_FILTER_ADD &&
			   op->opcode <= TACHO_FILTER_GREATER_EQUAL) {
			result = end - 2;
			*result = value_kind_of_binary(op->opcode, end[-2], end[-1]);
		} else {
			result = end - 1;
			*result = value_kind_of_unary(op->opcode, end[-1]);
		}
		if (*result == FILTER_NOTHING)
			return false;
		has_doubles = has_doubles || *result == FILTER_DOUBLE;
	}
	*ret_has_doubles = has_doubles;
	return value_kind_of_unary(TACHO_FILTER_TRUTH, kind[0]) != FILTER_NOTHING;
}
