/* SPDX-License-Identifier: MIT */
/*
 * A compiled filter as a hostile session file may hold it: what passes the check runs and ends.
 *
 * Each input is tried as it is, with the numbers of its head made right, and with its operations
 * made right as far as that goes: so that what is behind each check is reached.
 */
#include "filter_event.h"

const unsigned long fuzz_random_runs = 1000000;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void try(const struct tacho_filter *filter, size_t bytes)
{
	if (!filter_check(filter, bytes))
		event_run(filter);
}

/* As many operations, words and fields as there is room for. */
static void mend_head(struct tacho_filter *filter, size_t bytes)
{
	size_t left = bytes - sizeof(*filter);

	filter->magic = TACHO_FILTER_MAGIC;
	filter->version = TACHO_FILTER_VERSION;
	filter->bytes = (uint32_t)bytes;
	filter->op_count %= left / 8 + 1;
	left -= 8u * filter->op_count;
	filter->word_count %= left / 8 + 1;
	left -= 8u * filter->word_count;
	filter->field_count %= left / 16 + 1;
	left -= 16u * filter->field_count;
	filter->pool_bytes = (uint32_t)left;
}

static void mend_fields(struct tacho_filter *filter)
{
	struct tacho_filter_field *field = (void *)(uintptr_t)tacho_filter_fields(filter);

	for (uint32_t i = 0; i < filter->field_count && filter->pool_bytes; i++) {
		field[i].name_at %= filter->pool_bytes;
		field[i].name_bytes = 1;
	}
}

static uint32_t limited(uint32_t value, uint32_t limit)
{
	return limit ? value % limit : 0;
}

static void mend_operand(const struct tacho_filter *filter, struct tacho_filter_op *op, uint32_t at)
{
	switch (op->opcode) {
	case TACHO_FILTER_SIGNED:
	case TACHO_FILTER_UNSIGNED:
	case TACHO_FILTER_DOUBLE:
		op->operand = limited(op->operand, filter->word_count);
		break;
	case TACHO_FILTER_STRING:
	case TACHO_FILTER_PATTERN:
		op->operand = limited(op->operand, filter->pool_bytes);
		op->extra = (uint16_t)limited(op->extra, filter->pool_bytes - op->operand + 1);
		break;
	case TACHO_FILTER_FIELD:
		op->operand = limited(op->operand, filter->field_count);
		break;
	case TACHO_FILTER_CONTEXT:
		op->operand = limited(op->operand, 20);
		break;
	case TACHO_FILTER_AND:
	case TACHO_FILTER_OR:
		op->operand = at + 1 + limited(op->operand, filter->op_count - at);
		break;
	}
}

static uint32_t taken(uint32_t opcode)
{
	if (opcode <= TACHO_FILTER_CONTEXT)
		return 0;
	return opcode >= TACHO_FILTER_ADD && opcode <= TACHO_FILTER_GREATER_EQUAL ? 2 : 1;
}

/* An opcode that can be here, with @left operations to come. */
static void mend_opcode(struct tacho_filter_op *op, uint32_t depth, uint32_t left)
{
	op->opcode = (uint8_t)(1 + op->opcode % TACHO_FILTER_OR);
	if (depth < taken(op->opcode) || (depth == 1 && left == 1 && op->opcode > 28))
		op->opcode = TACHO_FILTER_SIGNED;
	/* One value is to be left at the end. */
	if (depth >= TACHO_FILTER_DEPTH_MAX || depth > left)
		op->opcode = TACHO_FILTER_EQUAL;
}

static void mend_ops(struct tacho_filter *filter)
{
	struct tacho_filter_op *op = (struct tacho_filter_op *)(filter + 1);
	uint32_t depth = 0, left = filter->op_count;

	for (uint32_t i = 0; left; i++, op++) {
		left--;
		if (left)
			mend_opcode(op, depth, left);
		else
			op->opcode = TACHO_FILTER_END;
		op->depth = (uint8_t)depth;
		mend_operand(filter, op, i);
		depth -= taken(op->opcode);
		depth += op->opcode < TACHO_FILTER_AND;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	size_t whole = bytes / 8 * 8;
	struct tacho_filter *filter;

	if (bytes < sizeof(*filter))
		return 0;
	filter = block(data, whole);
	try(filter, whole);
	mend_head(filter, whole);
	try(filter, whole);
	mend_fields(filter);
	mend_ops(filter);
	try(filter, whole);
	free(filter);
	return 0;
}
