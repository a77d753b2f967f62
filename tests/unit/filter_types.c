/* SPDX-License-Identifier: MIT */
/*
 * Each operator between each two types of integers, with the values at the ends of their ranges,
 * against a model with 128 bits.
 */
#include "tests/unit/filter_fixture.h"

typedef __int128 wide;

struct integer_type {
	const char *name;
	uint32_t type;
};

static const struct integer_type types[] = {
	{ "i8", SIGNED_INTEGER(1) },
	{ "i16", SIGNED_INTEGER(2) },
	{ "i32", SIGNED_INTEGER(4) },
	{ "i64", SIGNED_INTEGER(8) },
	{ "u8", UNSIGNED_INTEGER(1) },
	{ "u16", UNSIGNED_INTEGER(2) },
	{ "u32", UNSIGNED_INTEGER(4) },
	{ "u64", UNSIGNED_INTEGER(8) },
	{ "bool", TACHO_TYPE(TACHO_KIND_INTEGER, 1, TACHO_FLAG_BOOL) },
	{ "char", TACHO_TYPE(TACHO_KIND_INTEGER, 1, TACHO_FLAG_CHAR | TACHO_FLAG_SIGNED) },
	{ "hex", TACHO_TYPE(TACHO_KIND_INTEGER, 4, TACHO_FLAG_HEX) },
	{ "pointer", TACHO_TYPE(TACHO_KIND_INTEGER, 8, TACHO_FLAG_HEX | TACHO_FLAG_POINTER) },
	{ "net", TACHO_TYPE(TACHO_KIND_INTEGER, 4, TACHO_FLAG_NETWORK | TACHO_FLAG_SIGNED) },
};
#define TYPES (sizeof(types) / sizeof(types[0]))

/* Bits of 64, cut to the type. */
static const uint64_t values[] = {
	0, 1, 2, 0x55, 63, 0x7f7f7f7f7f7f7f7f, 0x8080808080808080, 1ull << 63, INT64_MAX, UINT64_MAX
};
#define VALUES (sizeof(values) / sizeof(values[0]))

static const char *const operators[] = { "+",  "-",  "*",  "/", "%",  "&", "|",  "^",  "<<",
					 ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||" };
#define OPERATORS (sizeof(operators) / sizeof(operators[0]))

/* ---- the model ---- */

struct number {
	wide value;
	bool is_unsigned;
};

static struct number number_of(const struct integer_type *type, uint64_t bits)
{
	uint32_t bytes = TACHO_TYPE_BYTES(type->type), unused = 64 - 8 * bytes;
	bool is_signed = TACHO_TYPE_FLAGS(type->type) & TACHO_FLAG_SIGNED;

	if (is_signed)
		return (struct number){ (int64_t)(bits << unused) >> unused, false };
	return (struct number){ bits << unused >> unused, bytes == 8 };
}

static wide wrapped(wide value, bool is_unsigned)
{
	uint64_t low = (uint64_t)(unsigned __int128)value;

	return is_unsigned ? (wide)low : (wide)(int64_t)low;
}

/* Return: whether there is a result. */
static bool arithmetic(char sign, struct number a, struct number b, wide *ret_result)
{
	bool is_unsigned = a.is_unsigned || b.is_unsigned, is_over = false;

	if ((sign == '/' || sign == '%') && !b.value)
		return false;
	switch (sign) {
	case '+':
		*ret_result = a.value + b.value;
		break;
	case '-':
		*ret_result = a.value - b.value;
		break;
	case '*':
		is_over = __builtin_mul_overflow(a.value, b.value, ret_result);
		break;
	case '/':
		*ret_result = a.value / b.value;
		break;
	case '%':
		*ret_result = a.value % b.value;
		break;
	}
	if (is_over || *ret_result < INT64_MIN || *ret_result > (wide)UINT64_MAX)
		*ret_result = wrapped(*ret_result, is_unsigned);
	return true;
}

static bool bits(const char *sign, struct number a, struct number b, wide *ret_result)
{
	uint64_t x = (uint64_t)a.value, y = (uint64_t)b.value;
	bool is_unsigned = a.is_unsigned || b.is_unsigned;

	if (sign[0] == '&')
		*ret_result = wrapped(x & y, is_unsigned);
	else if (sign[0] == '|')
		*ret_result = wrapped(x | y, is_unsigned);
	else if (sign[0] == '^')
		*ret_result = wrapped(x ^ y, is_unsigned);
	else if (b.value < 0 || b.value > 63)
		return false;
	else if (sign[0] == '<')
		*ret_result = wrapped(x << y, a.is_unsigned);
	else
		*ret_result = a.value >> y;
	return true;
}

static bool truth(const char *sign, wide a, wide b)
{
	if (!strcmp(sign, "=="))
		return a == b;
	if (!strcmp(sign, "!="))
		return a != b;
	if (!strcmp(sign, "<"))
		return a < b;
	if (!strcmp(sign, "<="))
		return a <= b;
	if (!strcmp(sign, ">"))
		return a > b;
	if (!strcmp(sign, ">="))
		return a >= b;
	return !strcmp(sign, "&&") ? a && b : a || b;
}

static bool model(const char *sign, struct number a, struct number b, wide *ret_result)
{
	if (!sign[1] && strchr("+-*/%", sign[0]))
		return arithmetic(sign[0], a, b, ret_result);
	if ((!sign[1] && strchr("&|^", sign[0])) || !strcmp(sign, "<<") || !strcmp(sign, ">>"))
		return bits(sign, a, b, ret_result);
	*ret_result = truth(sign, a.value, b.value);
	return true;
}

/* ---- all of them ---- */

/* The bytes of a value as they stand in a payload. */
static void put_value(const struct integer_type *type, uint64_t bits_of_value, char *to)
{
	uint32_t bytes = TACHO_TYPE_BYTES(type->type);

	if (TACHO_TYPE_FLAGS(type->type) & TACHO_FLAG_NETWORK)
		bits_of_value = __builtin_bswap64(bits_of_value << (64 - 8 * bytes));
	for (uint32_t i = 0; i < bytes; i++)
		to[TACHO_BIG_ENDIAN ? bytes - 1 - i : i] = (char)(bits_of_value >> 8 * i);
}

struct pair {
	const struct integer_type *type[2];
	const struct filter_linked *filter;
	const char *sign;
};

/* The expression is (a SIGN b) == c, where c is the size of the expected result and `negative`
 * says that it is below 0. */
static void check_values(const struct pair *p, uint64_t x, uint64_t y)
{
	struct number a = number_of(p->type[0], x), b = number_of(p->type[1], y);
	uint32_t bytes[2] = { TACHO_TYPE_BYTES(p->type[0]->type),
			      TACHO_TYPE_BYTES(p->type[1]->type) };
	wide result = 0;
	bool is_defined = model(p->sign, a, b, &result);
	uint64_t expected[2] = { (uint64_t)(result < 0 ? -result : result), result < 0 };
	char payload[32];
	struct tacho_part part = { payload, bytes[0] + bytes[1] + 16, 0 };

	put_value(p->type[0], x, payload);
	put_value(p->type[1], y, payload + bytes[0]);
	memcpy(payload + bytes[0] + bytes[1], expected, 16);
	if (filter_run_parts(p->filter, &part, 1, NULL, NULL) != is_defined)
		fail_msg("%s %llx %s %s %llx", p->type[0]->name, (unsigned long long)x, p->sign,
			 p->type[1]->name, (unsigned long long)y);
}

static void check_pair(struct filter_fixture *f, struct pair *p)
{
	const struct event_field fields[] = {
		{ "a", p->type[0]->type, 0 },
		{ "b", p->type[1]->type, 0 },
		{ "c", UNSIGNED_INTEGER(8), 0 },
		{ "negative", UNSIGNED_INTEGER(8), 0 },
	};
	const struct event_desc desc = {
		.provider = "", .name = "", .file = "", .field_count = 4, .fields = fields
	};
	struct tacho_filter *filter;
	char text[80];

	snprintf(text, sizeof(text), "negative && (a %s b) == -c || !negative && (a %s b) == c",
		 p->sign, p->sign);
	assert_true(event_desc_build(&desc, f->desc, sizeof(f->desc)) > 0);
	filter = compiled(f, text);
	p->filter = linked(f, filter);
	assert_non_null(p->filter);
	for (size_t x = 0; x < VALUES; x++) {
		for (size_t y = 0; y < VALUES; y++)
			check_values(p, values[x], values[y]);
	}
	free(filter);
}

static void operators_are_those_of_the_model_for_all_types(void **state)
{
	for (size_t i = 0; i < TYPES * TYPES * OPERATORS; i++) {
		struct pair p = {
			.type = { &types[i % TYPES], &types[i / TYPES % TYPES] },
			.sign = operators[i / TYPES / TYPES],
		};

		check_pair(*state, &p);
	}
}

/* ---- doubles ---- */

static const double reals[] = { 0,      -0.0,     1,   -1, 0.5,     1e300,
				-1e300, INFINITY, NAN, 3,  1.0 / 3, 4294967296.0 };
#define REALS (sizeof(reals) / sizeof(reals[0]))

static double real_result(char sign, double a, double b)
{
	switch (sign) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	default:
		return a / b;
	}
}

static bool real_truth(const char *sign, double a, double b)
{
	switch (sign[0]) {
	case '=':
		return a == b;
	case '!':
		return a != b;
	case '<':
		return sign[1] ? a <= b : a < b;
	case '>':
		return sign[1] ? a >= b : a > b;
	case '&':
		return a != 0 && b != 0;
	default:
		return a != 0 || b != 0;
	}
}

/* Both expressions are true where it is right: a result that is no number equals nothing. */
static bool run_reals(struct filter_fixture *f, const char *text, const void *data, uint32_t bytes)
{
	f->parts[0] = (struct tacho_part){ data, bytes, 0 };
	f->part_count = 1;
	return is_match(f, text);
}

static void check_reals(struct filter_fixture *f, const char *sign, double a, double b)
{
	bool is_arithmetic = strchr("+-*/", sign[0]) != NULL;
	double result = is_arithmetic ? real_result(sign[0], a, b) : real_truth(sign, a, b);
	double data[3] = { a, b, result };
	char text[64];

	snprintf(text, sizeof(text), result == result ? "(a %s b) == c" : "(a %s b) != (a %s b)",
		 sign, sign);
	if (!run_reals(f, text, data, sizeof(data)))
		fail_msg("%g %s %g", a, sign, b);
}

static void doubles_are_those_of_c(void **state)
{
	static const struct event_field fields[] = {
		{ "a", TACHO_TYPE(TACHO_KIND_FLOAT, 8, 0), 0 },
		{ "b", TACHO_TYPE(TACHO_KIND_FLOAT, 8, 0), 0 },
		{ "c", TACHO_TYPE(TACHO_KIND_FLOAT, 8, 0), 0 },
	};
	static const struct event_desc desc = {
		.provider = "", .name = "", .file = "", .field_count = 3, .fields = fields
	};
	static const char *const signs[] = { "+", "-",  "*", "/",  "==", "!=",
					     "<", "<=", ">", ">=", "&&", "||" };
	struct filter_fixture *f = *state;

	assert_true(event_desc_build(&desc, f->desc, sizeof(f->desc)) > 0);
	for (size_t i = 0; i < REALS * REALS * 12; i++)
		check_reals(f, signs[i / REALS / REALS], reals[i % REALS],
			    reals[i / REALS % REALS]);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, filter_set_up, filter_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(operators_are_those_of_the_model_for_all_types),
		CASE(doubles_are_those_of_c),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
