/* SPDX-License-Identifier: MIT */
/*
 * run.c - run a program that filter_check() has found right: the depths that stand in it are those
 * of the stack, so they are its index. Part of libtacho.
 */
#include "filter/filter.h"
#include "filter/value.h"

struct machine {
	struct filter_source *source;
	const uint64_t *words;
	const char *pool;
	uint32_t steps;
	struct filter_value stack[TACHO_FILTER_DEPTH_MAX];
};

/* What puts a constant on the stack has the number of its kind. */
TACHO_STATIC_ASSERT(TACHO_FILTER_SIGNED == (int)FILTER_SIGNED &&
			    TACHO_FILTER_UNSIGNED == (int)FILTER_UNSIGNED &&
			    TACHO_FILTER_DOUBLE == (int)FILTER_DOUBLE &&
			    TACHO_FILTER_STRING == (int)FILTER_STRING &&
			    TACHO_FILTER_PATTERN == (int)FILTER_PATTERN,
		    "opcodes of constants are their kinds");

static int put_constant(const struct machine *m, const struct tacho_filter_op *op,
			struct filter_value *to)
{
	to->kind = op->opcode;
	if (op->opcode <= TACHO_FILTER_DOUBLE) {
		to->word = m->words[op->operand];
		return 0;
	}
	to->text = m->pool + op->operand;
	to->bytes = op->extra;
	return 0;
}

static int put_context(const struct machine *m, uint32_t context, struct filter_value *to)
{
	struct filter_source *source = m->source;

	return source->context ? source->context(source->context_data, context, to) : -1;
}

static int put(const struct machine *m, const struct tacho_filter_op *op, struct filter_value *to)
{
	if (op->opcode <= TACHO_FILTER_PATTERN)
		return put_constant(m, op, to);
	if (op->opcode == TACHO_FILTER_FIELD)
		return m->source->field(m->source, op->operand, to);
	return put_context(m, op->operand, to);
}

/* AND and OR: is @value what decides? Then it is 0 or 1 now. Return: 1, 0 or negative. */
static int decide(uint32_t opcode, struct filter_value *value)
{
	int is_true = value_is_true(value);

	if (is_true < 0)
		return is_true;
	if (is_true != (opcode == TACHO_FILTER_OR))
		return 0;
	value->word = (uint64_t)is_true;
	value->kind = FILTER_SIGNED;
	return 1;
}

/* One operation. Return: the number of the next; negative: it cannot be done. */
static int step(struct machine *m, const struct tacho_filter_op *op, int at)
{
	struct filter_value *end = &m->stack[op->depth]; /* the first place that is free */
	int ret;

	if (op->opcode <= TACHO_FILTER_CONTEXT)
		ret = put(m, op, end);
	else if (op->opcode <= TACHO_FILTER_TRUTH)
		ret = value_unary(op->opcode, end - 1);
	else if (op->opcode <= TACHO_FILTER_GREATER_EQUAL)
		ret = value_binary(op->opcode, end - 2, end - 1, &m->steps);
	else
		ret = decide(op->opcode, end - 1);
	if (ret < 0)
		return ret;
	return ret ? (int)op->operand : at + 1;
}

bool filter_run(const struct tacho_filter *filter, struct filter_source *source)
{
	const struct tacho_filter_op *ops = tacho_filter_ops(filter);
	struct machine m;
	int at = 0;

	/* The stack is written before it is read, so it is not cleared. */
	m.source = source;
	m.words = tacho_filter_words(filter);
	m.pool = tacho_filter_pool(filter);
	m.steps = FILTER_STEPS_MAX;
	do {
		at = step(&m, &ops[at], at);
	} while (at >= 0 && ops[at].opcode != TACHO_FILTER_END);
	return at >= 0 && value_is_true(m.stack) > 0;
}
