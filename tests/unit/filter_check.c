/* SPDX-License-Identifier: MIT */
/*
 * Programs as a hostile session file may hold them: what is not right is not run.
 */
#include "tests/unit/filter_fixture.h"

#include <errno.h>

#define EXPRESSION "i8 == -8 && (string == \"*log\" || words[0] + 0.5 > $ctx.vpid)"

/* A program in memory of its own, to be spoiled. */
static struct tacho_filter *copied(const struct tacho_filter *filter)
{
	struct tacho_filter *copy = malloc(filter->bytes);

	assert_non_null(copy);
	return memcpy(copy, filter, filter->bytes);
}

static struct tacho_filter_op *op_of(struct tacho_filter *filter, uint32_t opcode)
{
	struct tacho_filter_op *op = (struct tacho_filter_op *)(filter + 1);

	for (uint32_t i = 0; i < filter->op_count; i++) {
		if (op[i].opcode == opcode)
			return &op[i];
	}
	fail_msg("no operation %u", opcode);
	return NULL;
}

static struct tacho_filter_field *field_of(struct tacho_filter *filter, uint32_t i)
{
	return (struct tacho_filter_field *)(uintptr_t)&tacho_filter_fields(filter)[i];
}

typedef void (*spoil_fn)(struct tacho_filter *filter);

static void expect_refused(struct filter_fixture *f, spoil_fn spoil)
{
	struct tacho_filter *filter = compiled(f, EXPRESSION), *copy = copied(filter);

	assert_int_equal(filter_check(copy, filter->bytes), 0);
	spoil(copy);
	assert_int_equal(filter_check(copy, filter->bytes), -EBADMSG);
	free(copy);
	free(filter);
}

#define SPOILED(name, statement)                                                                   \
	static void name(struct tacho_filter *filter)                                              \
	{                                                                                          \
		statement;                                                                         \
	}

SPOILED(other_magic, filter->magic++)
SPOILED(other_version, filter->version++)
SPOILED(larger, filter->bytes += 8)
SPOILED(smaller, filter->bytes -= 8)
SPOILED(larger_pool, filter->pool_bytes += 8)
SPOILED(smaller_pool, filter->pool_bytes = 1)
SPOILED(endless_pool, filter->pool_bytes = UINT32_MAX)
SPOILED(no_operations, filter->op_count = 0)
SPOILED(more_operations, filter->op_count++)
SPOILED(more_words, filter->word_count++)
SPOILED(more_fields, filter->field_count++)

static void a_head_that_is_not_right_is_refused(void **state)
{
	static const spoil_fn spoils[] = {
		other_magic,  other_version, larger,          smaller,    larger_pool, smaller_pool,
		endless_pool, no_operations, more_operations, more_words, more_fields,
	};

	for (size_t i = 0; i < sizeof(spoils) / sizeof(spoils[0]); i++)
		expect_refused(*state, spoils[i]);
}

SPOILED(word_outside, op_of(filter, TACHO_FILTER_SIGNED)->operand = filter->word_count)
SPOILED(double_outside, op_of(filter, TACHO_FILTER_DOUBLE)->operand = UINT32_MAX)
SPOILED(field_outside, op_of(filter, TACHO_FILTER_FIELD)->operand = filter->field_count)
SPOILED(text_outside, op_of(filter, TACHO_FILTER_PATTERN)->operand = filter->pool_bytes - 3)
SPOILED(text_far_outside, op_of(filter, TACHO_FILTER_PATTERN)->operand = UINT32_MAX)
SPOILED(text_too_long, op_of(filter, TACHO_FILTER_PATTERN)->extra = UINT16_MAX)
SPOILED(context_unknown, op_of(filter, TACHO_FILTER_CONTEXT)->operand = TACHO_CONTEXT_FIXED_COUNT)
SPOILED(context_far, op_of(filter, TACHO_FILTER_CONTEXT)->operand = UINT32_MAX)
SPOILED(name_outside, field_of(filter, 0)->name_at = filter->pool_bytes)
SPOILED(name_far_outside, field_of(filter, 0)->name_at = UINT32_MAX)
SPOILED(name_empty, field_of(filter, 1)->name_bytes = 0)
SPOILED(name_too_long, field_of(filter, 1)->name_bytes = TACHO_NAME_MAX + 1)

static void an_operand_outside_is_refused(void **state)
{
	static const spoil_fn spoils[] = {
		word_outside,     double_outside,   field_outside,   text_outside,
		text_far_outside, text_too_long,    context_unknown, context_far,
		name_outside,     name_far_outside, name_empty,      name_too_long,
	};

	for (size_t i = 0; i < sizeof(spoils) / sizeof(spoils[0]); i++)
		expect_refused(*state, spoils[i]);
}

SPOILED(unknown_opcode, op_of(filter, TACHO_FILTER_ADD)->opcode = TACHO_FILTER_OPCODE_MAX + 1)
SPOILED(no_opcode, op_of(filter, TACHO_FILTER_ADD)->opcode = 0)
SPOILED(deeper, op_of(filter, TACHO_FILTER_ADD)->depth++)
SPOILED(less_deep, op_of(filter, TACHO_FILTER_ADD)->depth--)
SPOILED(binary_for_unary, op_of(filter, TACHO_FILTER_FIELD)->opcode = TACHO_FILTER_ADD)
SPOILED(unary_for_binary, op_of(filter, TACHO_FILTER_EQUAL)->opcode = TACHO_FILTER_NOT)
SPOILED(no_end, op_of(filter, TACHO_FILTER_END)->opcode = TACHO_FILTER_TRUTH)
SPOILED(early_end, op_of(filter, TACHO_FILTER_AND)->opcode = TACHO_FILTER_END)
SPOILED(jump_back, op_of(filter, TACHO_FILTER_AND)->operand = 0)
SPOILED(jump_outside, op_of(filter, TACHO_FILTER_AND)->operand = filter->op_count)
SPOILED(jump_far, op_of(filter, TACHO_FILTER_OR)->operand = UINT32_MAX)
SPOILED(jump_to_other_depth, op_of(filter, TACHO_FILTER_AND)->operand--)

static void jump_to_itself(struct tacho_filter *filter)
{
	struct tacho_filter_op *op = op_of(filter, TACHO_FILTER_AND);

	op->operand = (uint32_t)(op - tacho_filter_ops(filter));
}

static void a_step_that_is_not_right_is_refused(void **state)
{
	static const spoil_fn spoils[] = {
		unknown_opcode,      no_opcode,        deeper,       less_deep,
		binary_for_unary,    unary_for_binary, no_end,       early_end,
		jump_back,           jump_to_itself,   jump_outside, jump_far,
		jump_to_other_depth,
	};

	for (size_t i = 0; i < sizeof(spoils) / sizeof(spoils[0]); i++)
		expect_refused(*state, spoils[i]);
}

/* ---- the stack ---- */

/* A program of @puts numbers, as many additions as make one of them, and the end. */
static int check_depth(uint32_t puts)
{
	struct {
		struct tacho_filter head;
		struct tacho_filter_op op[64];
		uint64_t word;
	} f = { .head = { .magic = TACHO_FILTER_MAGIC, .version = TACHO_FILTER_VERSION } };
	uint32_t n = 0, depth = 0;

	while (depth < puts)
		f.op[n++] = (struct tacho_filter_op){ TACHO_FILTER_SIGNED, (uint8_t)depth++, 0, 0 };
	while (depth > 1)
		f.op[n++] = (struct tacho_filter_op){ TACHO_FILTER_ADD, (uint8_t)depth--, 0, 0 };
	f.op[n++] = (struct tacho_filter_op){ TACHO_FILTER_END, 1, 0, 0 };
	f.head.op_count = (uint16_t)n;
	f.head.word_count = 1;
	f.head.bytes = (uint32_t)tacho_filter_bytes(&f.head);
	return filter_check(&f.head, f.head.bytes);
}

static void the_stack_has_a_limit(void **state)
{
	(void)state;
	assert_int_equal(check_depth(1), 0);
	assert_int_equal(check_depth(TACHO_FILTER_DEPTH_MAX), 0);
	assert_int_equal(check_depth(TACHO_FILTER_DEPTH_MAX + 1), -EBADMSG);
	assert_int_equal(check_depth(0), -EBADMSG);
}

static void a_program_that_is_cut_is_refused(void **state)
{
	struct tacho_filter *filter = compiled(*state, EXPRESSION);
	size_t bytes = filter->bytes;

	for (size_t cut = 0; cut < bytes; cut++) {
		/* Exactly as long, so that a tool that watches memory sees what is read behind it. */
		struct tacho_filter *part = malloc(cut ? cut : 1);

		assert_non_null(part);
		memcpy(part, filter, cut);
		assert_int_equal(filter_check(part, cut), -EBADMSG);
		if (cut >= sizeof(*part)) {
			part->bytes = (uint32_t)cut;
			assert_int_equal(filter_check(part, cut), -EBADMSG);
		}
		free(part);
	}
	free(filter);
}

/* What passes may be nonsense, but it runs, and ends. */
static void any_changed_bit_is_refused_or_harmless(void **state)
{
	struct filter_fixture *f = *state;
	struct tacho_filter *filter = compiled(f, EXPRESSION);
	uint32_t passed = 0;

	for (size_t bit = 0; bit < 8u * filter->bytes; bit++) {
		struct tacho_filter *copy = copied(filter);
		const struct filter_linked *l;

		((unsigned char *)copy)[bit / 8] ^= (unsigned char)(1 << bit % 8);
		if (!filter_check(copy, filter->bytes)) {
			l = linked(f, copy);
			if (l)
				filter_run_parts(l, f->parts, f->part_count, some_context, NULL);
			passed++;
		}
		free(copy);
	}
	assert_true(passed && passed < 8u * filter->bytes);
	free(filter);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, filter_set_up, filter_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_head_that_is_not_right_is_refused),
		CASE(an_operand_outside_is_refused),
		CASE(a_step_that_is_not_right_is_refused),
		CASE(the_stack_has_a_limit),
		CASE(a_program_that_is_cut_is_refused),
		CASE(any_changed_bit_is_refused_or_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
