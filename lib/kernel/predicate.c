/* SPDX-License-Identifier: MIT */
/*
 * predicate.c - see predicate.h. The program of a filter is run with what is known before there is an
 * event: constants are computed, and what depends on fields becomes text. && and || are jumps in it;
 * each waits with its left side until what it jumps to is reached, where its right side is the value
 * on top.
 */
#include "kernel/predicate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/str.h"
#include "filter/fit.h"
#include "filter/value.h"
#include "kernel/names.h"
#include "kernel/recipe.h"

enum node_kind {
	NODE_CONSTANT,
	NODE_OPERAND,
	NODE_BITS,      /* operand & constant */
	NODE_CONDITION,
};

struct node {
	enum node_kind kind;
	struct filter_value constant;
	const struct kernel_operand *operand;
	struct kernel_condition condition;
};

/* An && or || whose right side is not known yet. */
struct waiting {
	uint32_t opcode;
	uint32_t until; /* the operation that comes behind it */
	struct kernel_condition left;
};

struct translation {
	const struct tacho_filter *filter;
	struct tacho_error *error;
	struct kernel_operand field[TACHO_FILTER_FIELDS_MAX];
	struct node stack[TACHO_FILTER_DEPTH_MAX + 1];
	uint32_t waiting_count;
	struct waiting waiting[TACHO_FILTER_OPS_MAX];
};

/* ---- operands ---- */

static void describe_field(const char *system, const struct kernel_field *kernel_field,
			   struct kernel_operand *operand)
{
	bool is_syscall = !strcmp(system, KERNEL_SYSCALLS);
	struct kernel_field field = *kernel_field;

	if (is_syscall)
		kernel_field_narrow(&field);
	str_copy(operand->name, sizeof(operand->name), field.name);
	operand->is_signed = field.is_signed;
	operand->bytes = field.bytes;
	operand->bias = kernel_field_bias(system, field.name);
	operand->as_text = "";
	if (kernel_field_is_text(&field)) {
		operand->kind = KERNEL_OPERAND_TEXT;
	} else if (field.count || field.place != KERNEL_IN_PLACE || field.bytes > 8) {
		operand->kind = KERNEL_OPERAND_OTHER;
	} else if (is_syscall && strcmp(field.name, "ret")) {
		operand->kind = KERNEL_OPERAND_ARGUMENT;
		operand->as_text = ".ustring";
		operand->is_text_too = strstr(field.type, "char *");
	}
}

/* Return: false: the event has none of this name. */
static bool find_field(const struct translation *t, uint32_t number, const char *system,
		       const struct kernel_format *format, struct kernel_operand *ret_operand)
{
	const struct tacho_filter_field *wanted = &tacho_filter_fields(t->filter)[number];
	const char *name = tacho_filter_pool(t->filter) + wanted->name_at;

	for (uint32_t i = 0; i < format->field_count; i++) {
		const struct kernel_field *field = &format->field[i];
		const char *public_name = kernel_name_field(system, field->name);

		if (!public_name || strlen(public_name) != wanted->name_bytes ||
		    memcmp(public_name, name, wanted->name_bytes))
			continue;
		describe_field(system, field, ret_operand);
		return true;
	}
	return false;
}

static int check_whole(const struct translation *t, uint32_t number)
{
	const struct tacho_filter_field *field = &tacho_filter_fields(t->filter)[number];

	if (field->element == TACHO_FILTER_WHOLE)
		return 0;
	return error_set(t->error, -ENOTSUP,
			 "the kernel's filters cannot look at elements of fields, as in '%.*s[%u]'",
			 (int)field->name_bytes, tacho_filter_pool(t->filter) + field->name_at,
			 field->element);
}

/* Upper case, since events have fields of the other. */
static const struct {
	uint32_t context;
	struct kernel_operand operand;
} contexts[] = {
	{ TACHO_CONTEXT_VTID,
	  { .name = "common_pid", .as_text = "", .is_signed = true, .bytes = 4 } },
	{ TACHO_CONTEXT_CPU_ID,
	  { .name = "CPU", .as_text = "", .is_signed = true, .bytes = 4, .has_no_bits = true } },
	{ TACHO_CONTEXT_PROCNAME,
	  { .name = "COMM", .as_text = "", .kind = KERNEL_OPERAND_TEXT } },
};

static const struct kernel_operand *find_context(uint32_t context)
{
	for (size_t i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++)
		if (contexts[i].context == context)
			return &contexts[i].operand;
	return NULL;
}

static int check_context(const struct translation *t, uint32_t context)
{
	if (find_context(context))
		return 0;
	if (context == TACHO_CONTEXT_VPID)
		return error_set(t->error, -ENOTSUP,
				 "the kernel's filters know threads, but not processes: there is "
				 "$ctx.vtid; of one process all is recorded after: tacho track --vpid "
				 "PID");
	return error_set(t->error, -ENOTSUP,
			 "the kernel's filters know the contexts vtid, procname and cpu_id, but no "
			 "others");
}

static int check_operands(const struct translation *t)
{
	const struct tacho_filter_op *op = tacho_filter_ops(t->filter);
	int ret = 0;

	for (; !ret && op->opcode != TACHO_FILTER_END; op++) {
		if (op->opcode == TACHO_FILTER_FIELD)
			ret = check_whole(t, op->operand);
		else if (op->opcode == TACHO_FILTER_CONTEXT)
			ret = check_context(t, op->operand);
	}
	return ret;
}

/* Of what may be both it is a string only where it meets one, which filter_fits() is not told. */
static uint32_t kind_of(const void *data, uint32_t opcode, uint32_t number)
{
	const struct translation *t = data;
	const struct kernel_operand *operand = opcode == TACHO_FILTER_FIELD ? &t->field[number] :
									      find_context(number);

	if (operand->kind == KERNEL_OPERAND_OTHER)
		return FILTER_NOTHING;
	if (operand->is_text_too)
		return FILTER_ANY;
	return operand->kind == KERNEL_OPERAND_TEXT ? FILTER_STRING : FILTER_SIGNED;
}

/* ---- operations ---- */

static int cannot_compute(const struct translation *t)
{
	return error_set(t->error, -ENOTSUP,
			 "the kernel's filters compare a field with a constant, and cannot compute "
			 "with fields, or compare two of them");
}

static int put_constant(const struct translation *t, const struct tacho_filter_op *op,
			struct node *to)
{
	*to = (struct node){ .kind = NODE_CONSTANT, .constant = { .kind = op->opcode } };
	if (op->opcode <= TACHO_FILTER_DOUBLE) {
		to->constant.word = tacho_filter_words(t->filter)[op->operand];
		return 0;
	}
	to->constant.text = tacho_filter_pool(t->filter) + op->operand;
	to->constant.bytes = op->extra;
	return 0;
}

static int put(const struct translation *t, const struct tacho_filter_op *op, struct node *to)
{
	if (op->opcode <= TACHO_FILTER_PATTERN)
		return put_constant(t, op, to);
	*to = (struct node){ .kind = NODE_OPERAND };
	to->operand = op->opcode == TACHO_FILTER_FIELD ? &t->field[op->operand] :
							 find_context(op->operand);
	return 0;
}

static int compare(const struct translation *t, struct node *node, uint32_t opcode,
		   const struct filter_value *constant)
{
	int ret = -EINVAL;

	if (node->kind == NODE_OPERAND)
		ret = kernel_condition_compare(node->operand, opcode, constant, &node->condition,
					       t->error);
	else if (node->kind == NODE_BITS)
		ret = kernel_condition_compare_bits(node->operand, node->constant.word, opcode,
						    constant, &node->condition, t->error);
	else
		return cannot_compute(t);
	node->kind = NODE_CONDITION;
	return ret;
}

/* What it is as a condition: a number is one, where it is not 0. */
static int make_condition(const struct translation *t, struct node *node)
{
	const struct filter_value zero = { .kind = FILTER_SIGNED };

	if (node->kind == NODE_CONDITION)
		return 0;
	if (node->kind != NODE_CONSTANT)
		return compare(t, node, TACHO_FILTER_UNEQUAL, &zero);
	node->kind = NODE_CONDITION;
	node->condition.verdict = value_is_true(&node->constant) > 0 ? KERNEL_ALWAYS : KERNEL_NEVER;
	return 0;
}

static int run_unary(const struct translation *t, uint32_t opcode, struct node *node)
{
	int ret;

	if (node->kind == NODE_CONSTANT)
		return value_unary(opcode, &node->constant) ? cannot_compute(t) : 0;
	if (opcode != TACHO_FILTER_NOT && opcode != TACHO_FILTER_TRUTH)
		return opcode == TACHO_FILTER_PLUS ? 0 : cannot_compute(t);
	ret = make_condition(t, node);
	return !ret && opcode == TACHO_FILTER_NOT ? kernel_condition_not(&node->condition, t->error) :
						    ret;
}

/* `3 < field` is `field > 3`. */
static uint32_t turn(uint32_t opcode)
{
	static const uint32_t turned[] = {
		TACHO_FILTER_EQUAL, TACHO_FILTER_UNEQUAL, TACHO_FILTER_GREATER,
		TACHO_FILTER_GREATER_EQUAL, TACHO_FILTER_LESS, TACHO_FILTER_LESS_EQUAL,
	};

	return opcode < TACHO_FILTER_EQUAL ? opcode : turned[opcode - TACHO_FILTER_EQUAL];
}

static int take_bits(const struct translation *t, struct node *node,
		     const struct filter_value *mask)
{
	if (node->kind != NODE_OPERAND || mask->kind == FILTER_DOUBLE)
		return cannot_compute(t);
	node->kind = NODE_BITS;
	node->constant = *mask;
	return 0;
}

static int run_binary(const struct translation *t, uint32_t opcode, struct node *a, struct node *b)
{
	uint32_t steps = FILTER_STEPS_MAX;

	if (a->kind == NODE_CONSTANT && b->kind == NODE_CONSTANT)
		return value_binary(opcode, &a->constant, &b->constant, &steps) ? cannot_compute(t) : 0;
	if (a->kind == NODE_CONSTANT) {
		struct node other = *a;

		*a = *b;
		*b = other;
		opcode = turn(opcode);
	}
	if (b->kind != NODE_CONSTANT)
		return cannot_compute(t);
	if (opcode == TACHO_FILTER_BIT_AND)
		return take_bits(t, a, &b->constant);
	return opcode >= TACHO_FILTER_EQUAL ? compare(t, a, opcode, &b->constant) :
					      cannot_compute(t);
}

static int wait_for_right(struct translation *t, const struct tacho_filter_op *op, struct node *left)
{
	int ret = make_condition(t, left);

	if (ret)
		return ret;
	t->waiting[t->waiting_count++] = (struct waiting){ op->opcode, op->operand, left->condition };
	*left = (struct node){ .kind = NODE_CONSTANT };
	return 0;
}

/* Both sides are known: @right becomes the whole. */
static int join_right(struct translation *t, struct node *right)
{
	struct waiting *waiting = &t->waiting[t->waiting_count - 1];
	int ret = make_condition(t, right);

	if (!ret)
		ret = kernel_condition_join(&waiting->left, waiting->opcode, &right->condition,
					    t->error);
	if (ret)
		return ret;
	right->condition = waiting->left;
	t->waiting_count--;
	return 0;
}

static int step(struct translation *t, const struct tacho_filter_op *op)
{
	struct node *end = &t->stack[op->depth];

	if (op->opcode <= TACHO_FILTER_CONTEXT)
		return put(t, op, end);
	if (op->opcode <= TACHO_FILTER_TRUTH)
		return run_unary(t, op->opcode, end - 1);
	if (op->opcode <= TACHO_FILTER_GREATER_EQUAL)
		return run_binary(t, op->opcode, end - 2, end - 1);
	return wait_for_right(t, op, end - 1);
}

static int run(struct translation *t)
{
	const struct tacho_filter_op *ops = tacho_filter_ops(t->filter);
	int ret = 0;

	for (uint32_t i = 0; !ret; i++) {
		struct node *top = ops[i].depth ? &t->stack[ops[i].depth - 1] : NULL;

		while (!ret && t->waiting_count && t->waiting[t->waiting_count - 1].until == i)
			ret = join_right(t, top);
		if (!ret && ops[i].opcode == TACHO_FILTER_END)
			return make_condition(t, top);
		if (!ret)
			ret = step(t, &ops[i]);
	}
	return ret;
}

static void translation_free(struct translation *t)
{
	for (size_t i = 0; i <= TACHO_FILTER_DEPTH_MAX; i++)
		kernel_condition_end(&t->stack[i].condition);
	for (uint32_t i = 0; i < t->waiting_count; i++)
		kernel_condition_end(&t->waiting[i].left);
	free(t);
}

static int translate(struct translation *t, struct kernel_condition *ret_condition)
{
	bool has_doubles;
	int ret = check_operands(t);

	if (ret || !filter_fits(t->filter, kind_of, t, &has_doubles))
		return ret;
	ret = run(t);
	if (ret)
		return ret;
	*ret_condition = t->stack[0].condition;
	t->stack[0].condition = (struct kernel_condition){ KERNEL_NEVER, NULL };
	return 0;
}

/* Return: does the event have them all? */
static bool find_fields(struct translation *t, const char *system, const struct kernel_format *format,
			char ret_lacks[TACHO_NAME_MAX + 1])
{
	for (uint32_t i = 0; i < t->filter->field_count; i++) {
		const struct tacho_filter_field *field = &tacho_filter_fields(t->filter)[i];

		if (find_field(t, i, system, format, &t->field[i]))
			continue;
		memcpy(ret_lacks, tacho_filter_pool(t->filter) + field->name_at, field->name_bytes);
		ret_lacks[field->name_bytes] = 0;
		return false;
	}
	*ret_lacks = 0;
	return true;
}

int kernel_predicate_make(const struct tacho_filter *filter, const char *system,
			  const struct kernel_format *format, struct kernel_condition *ret_condition,
			  char ret_lacks[TACHO_NAME_MAX + 1], struct tacho_error *error)
{
	struct translation *t = calloc(1, sizeof(*t));
	int ret = 0;

	if (!t)
		return error_set(error, -ENOMEM, "no memory for a filter");
	t->filter = filter;
	t->error = error;
	ret_condition->verdict = KERNEL_NEVER;
	if (find_fields(t, system, format, ret_lacks))
		ret = translate(t, ret_condition);
	translation_free(t);
	return ret;
}
