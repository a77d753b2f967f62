/* SPDX-License-Identifier: MIT */
/* value.c - see value.h. Part of libtacho. */
#include "filter/value.h"

#include <string.h>

#include "filter/glob.h"

#define SIGN_BIT (1ull << 63)

static bool is_integer(uint32_t kind)
{
	return kind == FILTER_SIGNED || kind == FILTER_UNSIGNED;
}

static bool is_number(uint32_t kind)
{
	return is_integer(kind) || kind == FILTER_DOUBLE;
}

static bool is_text(uint32_t kind)
{
	return kind == FILTER_STRING || kind == FILTER_PATTERN;
}

/* ---- kinds ---- */

static uint32_t kind_of_integer_unary(uint32_t a)
{
	return is_integer(a) || a == FILTER_ANY ? FILTER_SIGNED : FILTER_NOTHING;
}

uint32_t value_kind_of_unary(uint32_t opcode, uint32_t a)
{
	bool may_be_number = is_number(a) || a == FILTER_ANY;

	switch (opcode) {
	case TACHO_FILTER_COMPLEMENT:
		return kind_of_integer_unary(a);
	case TACHO_FILTER_PLUS:
	case TACHO_FILTER_MINUS:
		return may_be_number ? a : FILTER_NOTHING;
	default:
		return may_be_number ? FILTER_SIGNED : FILTER_NOTHING;
	}
}

static uint32_t kind_of_arithmetic(uint32_t a, uint32_t b)
{
	if (is_text(a) || is_text(b))
		return FILTER_NOTHING;
	if (a == FILTER_DOUBLE || b == FILTER_DOUBLE)
		return FILTER_DOUBLE;
	return a == FILTER_ANY || b == FILTER_ANY ? FILTER_ANY : FILTER_SIGNED;
}

static uint32_t kind_of_equality(uint32_t a, uint32_t b)
{
	bool fits = a == FILTER_ANY || b == FILTER_ANY || is_text(a) == is_text(b);

	if (a == FILTER_PATTERN && b == FILTER_PATTERN)
		return FILTER_NOTHING;
	return fits ? FILTER_SIGNED : FILTER_NOTHING;
}

uint32_t value_kind_of_binary(uint32_t opcode, uint32_t a, uint32_t b)
{
	switch (opcode) {
	case TACHO_FILTER_ADD:
	case TACHO_FILTER_SUBTRACT:
	case TACHO_FILTER_MULTIPLY:
	case TACHO_FILTER_DIVIDE:
		return kind_of_arithmetic(a, b);
	case TACHO_FILTER_EQUAL:
	case TACHO_FILTER_UNEQUAL:
		return kind_of_equality(a, b);
	case TACHO_FILTER_LESS:
	case TACHO_FILTER_LESS_EQUAL:
	case TACHO_FILTER_GREATER:
	case TACHO_FILTER_GREATER_EQUAL:
		return is_text(a) || is_text(b) ? FILTER_NOTHING : FILTER_SIGNED;
	default:
		return kind_of_integer_unary(a) && kind_of_integer_unary(b) ? FILTER_SIGNED :
									      FILTER_NOTHING;
	}
}

/* ---- integers ---- */

/* An integer and its sign: `high` is -1 below 0, and else 0 as long as it fits 64 bits. */
struct wide {
	int64_t high;
	uint64_t low;
};

static struct wide widen(const struct filter_value *value)
{
	bool is_negative = value->kind == FILTER_SIGNED && (value->word & SIGN_BIT);

	return (struct wide){ is_negative ? -1 : 0, value->word };
}

static uint64_t magnitude(struct wide w)
{
	return w.high < 0 ? -w.low : w.low;
}

static void set_integer(struct filter_value *value, uint64_t word, bool is_unsigned)
{
	value->word = word;
	value->kind = is_unsigned ? FILTER_UNSIGNED : FILTER_SIGNED;
}

static void set_truth(struct filter_value *value, bool is_true)
{
	set_integer(value, is_true, false);
}

/* The exact result, where it has 64 bits. */
static void settle(struct filter_value *value, struct wide w, bool was_unsigned)
{
	bool fits_signed = w.high == -1 && (w.low & SIGN_BIT);
	bool needs_unsigned = w.high == 0 && (w.low & SIGN_BIT);

	set_integer(value, w.low, needs_unsigned || (was_unsigned && !fits_signed));
}

static struct wide add(struct wide a, struct wide b)
{
	uint64_t low = a.low + b.low;

	return (struct wide){ a.high + b.high + (low < a.low), low };
}

static struct wide subtract(struct wide a, struct wide b)
{
	return (struct wide){ a.high - b.high - (a.low < b.low), a.low - b.low };
}

static struct wide multiply(struct wide a, struct wide b)
{
	bool is_negative = (a.high < 0) != (b.high < 0);
	uint64_t size;

	/* Neither a number of 64 bits nor a negative one: only the low bits remain. */
	if (__builtin_mul_overflow(magnitude(a), magnitude(b), &size))
		return (struct wide){ 1, a.low * b.low };
	return (struct wide){ is_negative && size ? -1 : 0, a.low * b.low };
}

static struct wide with_sign(uint64_t size, bool is_negative)
{
	if (!is_negative || !size)
		return (struct wide){ 0, size };
	return (struct wide){ -1, -size };
}

static int divide(uint32_t opcode, struct wide *a, struct wide b)
{
	if (!b.low)
		return -1;
	if (opcode == TACHO_FILTER_DIVIDE)
		*a = with_sign(magnitude(*a) / magnitude(b), (a->high < 0) != (b.high < 0));
	else
		*a = with_sign(magnitude(*a) % magnitude(b), a->high < 0);
	return 0;
}

static int integer_arithmetic(uint32_t opcode, struct filter_value *a, const struct filter_value *b)
{
	bool was_unsigned = a->kind == FILTER_UNSIGNED || b->kind == FILTER_UNSIGNED;
	struct wide left = widen(a), right = widen(b);

	switch (opcode) {
	case TACHO_FILTER_ADD:
		left = add(left, right);
		break;
	case TACHO_FILTER_SUBTRACT:
		left = subtract(left, right);
		break;
	case TACHO_FILTER_MULTIPLY:
		left = multiply(left, right);
		break;
	default:
		if (divide(opcode, &left, right))
			return -1;
	}
	settle(a, left, was_unsigned);
	return 0;
}

static int shift(uint32_t opcode, struct filter_value *a, const struct filter_value *b)
{
	uint64_t count = b->word; /* a negative one is a large one here */

	if (count > 63)
		return -1;
	if (opcode == TACHO_FILTER_LEFT)
		a->word <<= count;
	else if (a->kind == FILTER_SIGNED)
		a->word = (uint64_t)((int64_t)a->word >> count);
	else
		a->word >>= count;
	return 0;
}

static int bitwise(uint32_t opcode, struct filter_value *a, const struct filter_value *b)
{
	bool is_unsigned = a->kind == FILTER_UNSIGNED || b->kind == FILTER_UNSIGNED;

	switch (opcode) {
	case TACHO_FILTER_BIT_AND:
		set_integer(a, a->word & b->word, is_unsigned);
		return 0;
	case TACHO_FILTER_BIT_XOR:
		set_integer(a, a->word ^ b->word, is_unsigned);
		return 0;
	case TACHO_FILTER_BIT_OR:
		set_integer(a, a->word | b->word, is_unsigned);
		return 0;
	default:
		return shift(opcode, a, b);
	}
}

/* ---- doubles ---- */

static double as_double(const struct filter_value *value)
{
	if (value->kind == FILTER_DOUBLE)
		return value->real;
	return value->kind == FILTER_SIGNED ? (double)(int64_t)value->word : (double)value->word;
}

static void set_double(struct filter_value *value, double real)
{
	value->real = real;
	value->kind = FILTER_DOUBLE;
}

static int double_arithmetic(uint32_t opcode, struct filter_value *a, const struct filter_value *b)
{
	double left = as_double(a), right = as_double(b);

	switch (opcode) {
	case TACHO_FILTER_ADD:
		set_double(a, left + right);
		return 0;
	case TACHO_FILTER_SUBTRACT:
		set_double(a, left - right);
		return 0;
	case TACHO_FILTER_MULTIPLY:
		set_double(a, left * right);
		return 0;
	case TACHO_FILTER_DIVIDE:
		set_double(a, left / right);
		return 0;
	}
	return -1;
}

static int arithmetic(uint32_t opcode, struct filter_value *a, const struct filter_value *b)
{
	if (is_integer(a->kind) && is_integer(b->kind))
		return integer_arithmetic(opcode, a, b);
	if (is_number(a->kind) && is_number(b->kind))
		return double_arithmetic(opcode, a, b);
	return -1;
}

/* ---- comparisons ---- */

enum order { BELOW = 1, SAME = 2, ABOVE = 4, UNORDERED = 8 };

static enum order order_of_integers(const struct filter_value *a, const struct filter_value *b)
{
	bool a_is_negative = a->kind == FILTER_SIGNED && (a->word & SIGN_BIT);
	bool b_is_negative = b->kind == FILTER_SIGNED && (b->word & SIGN_BIT);

	if (a_is_negative != b_is_negative)
		return a_is_negative ? BELOW : ABOVE;
	/* Of one sign, two's complement keeps the order. */
	if (a->word == b->word)
		return SAME;
	return a->word < b->word ? BELOW : ABOVE;
}

static enum order order_of_doubles(double left, double right)
{
	if (left == right)
		return SAME;
	if (left < right)
		return BELOW;
	return left > right ? ABOVE : UNORDERED;
}

static enum order order_of_strings(const struct filter_value *a, const struct filter_value *b,
				   uint32_t *steps)
{
	const struct filter_value *pattern = a->kind == FILTER_PATTERN ? a : b;
	const struct filter_value *text = pattern == a ? b : a;
	bool is_same;

	if (pattern->kind == FILTER_PATTERN)
		is_same = glob_is_match(pattern->text, pattern->bytes, text->text, text->bytes,
					steps);
	else
		is_same = a->bytes == b->bytes && !memcmp(a->text, b->text, a->bytes);
	return is_same ? SAME : UNORDERED;
}

static const uint8_t wanted_order[] = {
	[TACHO_FILTER_EQUAL] = SAME,    [TACHO_FILTER_UNEQUAL] = BELOW | ABOVE | UNORDERED,
	[TACHO_FILTER_LESS] = BELOW,    [TACHO_FILTER_LESS_EQUAL] = BELOW | SAME,
	[TACHO_FILTER_GREATER] = ABOVE, [TACHO_FILTER_GREATER_EQUAL] = ABOVE | SAME,
};

static int compare_strings(uint32_t opcode, struct filter_value *a, const struct filter_value *b,
			   uint32_t *steps)
{
	bool can_be = is_text(a->kind) && is_text(b->kind) &&
		      (a->kind != FILTER_PATTERN || b->kind != FILTER_PATTERN) &&
		      opcode <= TACHO_FILTER_UNEQUAL;
	enum order order;

	if (!can_be)
		return -1;
	order = order_of_strings(a, b, steps);
	if (!*steps)
		return -1;
	set_truth(a, wanted_order[opcode] & order);
	return 0;
}

static int compare(uint32_t opcode, struct filter_value *a, const struct filter_value *b,
		   uint32_t *steps)
{
	enum order order;

	if (is_integer(a->kind) && is_integer(b->kind))
		order = order_of_integers(a, b);
	else if (is_number(a->kind) && is_number(b->kind))
		order = order_of_doubles(as_double(a), as_double(b));
	else
		return compare_strings(opcode, a, b, steps);
	set_truth(a, wanted_order[opcode] & order);
	return 0;
}

/* ---- operators ---- */

int value_binary(uint32_t opcode, struct filter_value *a, const struct filter_value *b,
		 uint32_t *steps)
{
	if (opcode >= TACHO_FILTER_EQUAL)
		return compare(opcode, a, b, steps);
	if (opcode <= TACHO_FILTER_REMAINDER)
		return arithmetic(opcode, a, b);
	if (!is_integer(a->kind) || !is_integer(b->kind))
		return -1;
	return bitwise(opcode, a, b);
}

int value_is_true(const struct filter_value *value)
{
	if (is_integer(value->kind))
		return value->word != 0;
	if (value->kind == FILTER_DOUBLE)
		return value->real != 0;
	return -1;
}

static int negate(struct filter_value *a)
{
	const struct wide zero = { 0, 0 };

	if (a->kind == FILTER_DOUBLE)
		a->real = -a->real;
	else if (is_integer(a->kind))
		settle(a, subtract(zero, widen(a)), a->kind == FILTER_UNSIGNED);
	else
		return -1;
	return 0;
}

static int complement(struct filter_value *a)
{
	if (!is_integer(a->kind))
		return -1;
	a->word = ~a->word;
	return 0;
}

int value_unary(uint32_t opcode, struct filter_value *a)
{
	int is_true;

	switch (opcode) {
	case TACHO_FILTER_PLUS:
		return is_number(a->kind) ? 0 : -1;
	case TACHO_FILTER_MINUS:
		return negate(a);
	case TACHO_FILTER_COMPLEMENT:
		return complement(a);
	}
	is_true = value_is_true(a);
	if (is_true >= 0)
		set_truth(a, is_true == (opcode == TACHO_FILTER_TRUTH));
	return is_true < 0 ? is_true : 0;
}
