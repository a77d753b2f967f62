/* SPDX-License-Identifier: MIT */
/*
 * What filter expressions say of a record: each operator, each type of field.
 */
#include "tests/unit/filter_fixture.h"

static void every_type_of_field_has_its_value(void **state)
{
	static const struct expectation table[] = {
		{ "i8 == -8", true },
		{ "i16 == -1600", true },
		{ "i32 == -320000", true },
		{ "i64 == -9223372036854775808", true },
		{ "i64 == -0x8000000000000000", true },
		{ "u8 == 200", true },
		{ "u16 == 60000", true },
		{ "u32 == 4000000000", true },
		{ "u64 == 18446744073709551615", true },
		{ "u64 == 0xffffffffffffffff", true },
		{ "yes == 1 && yes && yes == true && yes != false", true },
		{ "letter == 'x' && letter == 120", true },
		{ "pointer == 0xffff800000000010", true },
		{ "hex == 0xff7", true },
		{ "single == 0.1f", true },
		{ "single == 0.1", false },
		{ "real == 2.5", true },
		{ "string == \"/var/log/a\\*b.log\"", true },
		{ "behind == 77", true },
		{ "text == \"gr\xc3\xbc\xc3\x9f"
		  "e\\0x\"",
		  true },
		{ "text == \"gr\xc3\xbc\xc3\x9f"
		  "e\"",
		  false },
		{ "bytes == \"\\x01\\x02\\xff\"", true },
		{ "shorts[0] == -1 && shorts[1] == 300 && shorts[2] == -32768", true },
		{ "floats[0] == 0.1f && floats[1] == 2", true },
		{ "letters == \"ab\"", true },
		{ "letters[3] == 'c' && letters[2] == 0", true },
		{ "words[0] == 1 && words[1] == 18446744073709551615 && words[2] == 1u << 63",
		  true },
		{ "reals[0] == -0.5 && reals[1] > 1e308", true },
		{ "name == \"anna\" && name[1] == 'n'", true },
		{ "empty == \"\"", true },
		{ "string[0] == '/' && text[2] == 0xc3 && bytes[2] == 255", true },
		{ "order.id == 12", true },
		{ "order_2eid == 12", true },
		{ "a_20b == 13", true },
		{ "last == 14", true },
	};

	EXPECT(*state, table);
}

static void contexts_have_their_values(void **state)
{
	static const struct expectation table[] = {
		{ "$ctx.vpid == 5", true },
		{ "$ctx.vpid != 5", false },
		{ "$ctx.procname == \"sh*\"", true },
		{ "$ctx.procname == \"ship\"", false },
		{ "$ctx.perf:thread:cpu-cycles == 0x8000000000000000", true },
		/* This one nobody can tell. */
		{ "$ctx.vtid == 1", false },
		{ "$ctx.vtid != 1", false },
		{ "!$ctx.vtid", false },
		{ "$ctx.vpid == 5 || $ctx.vtid", true },
	};

	EXPECT(*state, table);
}

static void elements_that_are_not_there_make_it_false(void **state)
{
	static const struct expectation table[] = {
		{ "words[2]", true },
		{ "words[3] == 0", false },
		{ "words[3] != 0", false },
		{ "!words[3]", false },
		{ "words[4294967294] == 0", false },
		{ "nothing[0] == 0", false },
		{ "name[4] != 1", false },
		{ "string[16] == 0", false },
		{ "text[9] == 0", false },
		/* Of an array it is known before. */
		{ "shorts[2] < 0", true },
		{ "shorts[3] == 0", false },
		{ "1 || shorts[3]", false },
		/* Evaluation does not get there. */
		{ "1 || words[3]", true },
		{ "words[3] || 1", false },
	};

	EXPECT(*state, table);
}

static void what_the_event_does_not_have_makes_it_false(void **state)
{
	static const struct expectation table[] = {
		{ "missing == 1", false },
		{ "missing != 1", false },
		{ "!missing", false },
		{ "!(missing == 1)", false },
		{ "1 || missing", false },
		{ "missing || 1", false },
		{ "i8 == -8 && !(0 && missing)", false },
		{ "i == 1 || i88 == 1 || order == 1 || order.i == 1 || order.id.x == 1", false },
		{ "i8[0] == -8", false },
		{ "real[0]", false },
		{ "words == 1", false },
		{ "words == \"1\"", false },
		{ "shorts", false },
	};

	EXPECT(*state, table);
}

static void types_that_do_not_fit_make_it_false(void **state)
{
	static const struct expectation table[] = {
		{ "string == 5", false },
		{ "string != 5", false },
		{ "i8 == \"5\"", false },
		{ "i8 != \"5\"", false },
		{ "1 || i8 != \"5\"", false },
		{ "string < 5", false },
		{ "string", false },
		{ "!string", false },
		{ "1 || string", false },
		{ "string + 1", false },
		{ "-string == 1", false },
		{ "+string == \"*\"", false },
		{ "real & 1", false },
		{ "real % 2 == 0", false },
		{ "~real", false },
		{ "1 << single", false },
		{ "string < text", false },
		{ "string == words", false },
	};

	EXPECT(*state, table);
}

static void comparisons_are_of_numbers(void **state)
{
	static const struct expectation table[] = {
		{ "1 < 2", true },
		{ "2 < 2", false },
		{ "3 < 2", false },
		{ "1 <= 2", true },
		{ "2 <= 2", true },
		{ "3 <= 2", false },
		{ "1 > 2", false },
		{ "2 > 2", false },
		{ "3 > 2", true },
		{ "1 >= 2", false },
		{ "2 >= 2", true },
		{ "3 >= 2", true },
		{ "1 == 2", false },
		{ "2 == 2", true },
		{ "1 != 2", true },
		{ "2 != 2", false },
		{ "-1 < 1u", true },
		{ "-1 < u64", true },
		{ "-1 == u64", false },
		{ "u64 > i64", true },
		{ "i64 < -1", true },
		{ "i64 < u64", true },
		{ "i8 < u8", true },
		{ "u32 > i32", true },
		{ "1 < 1.5", true },
		{ "1.5 < 2", true },
		{ "2 == 2.0", true },
		{ "-1 < 0.5", true },
		{ "u64 == 18446744073709551616.0", true },
		{ "real > 2", true },
		{ "real >= 2.5", true },
		{ "real < single", false },
		{ "single != single", false },
		{ "i64 == -9223372036854775808.0", true },
	};

	EXPECT(*state, table);
}

static void what_is_not_a_number_equals_nothing(void **state)
{
	static const struct expectation table[] = {
		{ "0.0 / 0.0 == 0.0 / 0.0", false },
		{ "0.0 / 0.0 != 0.0 / 0.0", true },
		{ "0.0 / 0.0 < 1", false },
		{ "0.0 / 0.0 <= 1", false },
		{ "0.0 / 0.0 > 1", false },
		{ "0.0 / 0.0 >= 1", false },
		{ "0.0 / 0.0 != 1", true },
		{ "0.0 / 0.0", true },
		{ "!(0.0 / 0.0)", false },
		{ "1.0 / 0 > 1e308", true },
		{ "-1.0 / 0 < -1e308", true },
		{ "0.0 == -0.0", true },
		{ "-0.0", false },
		{ "reals[1] - reals[1] == 0", false },
	};

	EXPECT(*state, table);
}

static void arithmetic_is_exact_where_it_fits(void **state)
{
	static const struct expectation table[] = {
		{ "1 + 2 == 3 && 1 - 2 == -1 && 3 * -4 == -12", true },
		{ "7 / 2 == 3 && -7 / 2 == -3 && 7 / -2 == -3 && -7 / -2 == 3", true },
		{ "7 % 2 == 1 && -7 % 2 == -1 && 7 % -2 == 1 && -7 % -2 == -1", true },
		{ "u8 - 201 == -1", true },
		{ "words[0] - 2 == -1", true },
		{ "words[0] - 2 < 0", true },
		{ "9223372036854775807 + 1 == 9223372036854775808", true },
		{ "u64 + i64 == 9223372036854775807", true },
		{ "i64 / -1 == 9223372036854775808", true },
		{ "i64 % -1 == 0", true },
		{ "-i64 == 9223372036854775808", true },
		{ "-9223372036854775808u == i64", true },
		{ "i64 * -1 == 9223372036854775808", true },
		{ "4294967296 * 2147483648 == 9223372036854775808", true },
		{ "4294967296 * -2147483648 == i64", true },
		{ "0 * -1 == 0 && -1 * 0 == 0", true },
		{ "2.5 + 1 == 3.5 && 1 - 0.5 == 0.5 && 2 * 1.5 == 3 && 1 / 2.0 == 0.5", true },
		{ "-real == -2.5 && +real == 2.5 && +i8 == -8 && -i8 == 8", true },
	};

	EXPECT(*state, table);
}

static void what_does_not_fit_wraps(void **state)
{
	static const struct expectation table[] = {
		{ "u64 + 1 == 0", true },   { "u64 * 2 == 18446744073709551614", true },
		{ "u64 * u64 == 1", true }, { "i64 - 1 == 9223372036854775807", true },
		{ "i64 + i64 == 0", true }, { "-u64 == 1", true },
		{ "u64 / -1 == 1", true },  { "4294967296 * 4294967296 == 0", true },
	};

	EXPECT(*state, table);
}

static void a_division_by_zero_is_false(void **state)
{
	static const struct expectation table[] = {
		{ "1 / 0 == 0", false }, { "1 / 0 != 0", false }, { "!(1 / 0)", false },
		{ "1 % 0 == 0", false }, { "1 % 0 != 0", false }, { "i8 / (i8 + 8)", false },
		{ "1 || 1 / 0", true },  { "0 && 1 / 0", false }, { "u64 / 0u == 0", false },
	};

	EXPECT(*state, table);
}

static void bits_are_those_of_two_s_complement(void **state)
{
	static const struct expectation table[] = {
		{ "(12 & 10) == 8 && (12 | 10) == 14 && (12 ^ 10) == 6", true },
		{ "~0 == -1 && ~5 == -6", true },
		{ "~0u == 18446744073709551615", true },
		{ "~u64 == 0", true },
		{ "(i8 & 0xff) == 0xf8", true },
		{ "(i8 & 0xffffffffffffffff) == 0xfffffffffffffff8", true },
		{ "(pointer & 0xffff000000000000) == 0xffff000000000000", true },
		{ "(i8 | 0u) == 18446744073709551608", true },
		{ "1 << 4 == 16 && 256 >> 4 == 16", true },
		{ "-256 >> 4 == -16", true },
		{ "u64 >> 63 == 1", true },
		{ "1u << 63 == 9223372036854775808", true },
		{ "1 << 63 == i64", true },
		{ "u64 << 1 == 18446744073709551614", true },
		{ "1 << 64 == 0", false },
		{ "1 << 64 != 0", false },
		{ "1 >> 64 == 0", false },
		{ "1 << -1 != 7", false },
		{ "1 << 0 == 1", true },
		{ "(hex & 0xff0) == 0xff0", true },
	};

	EXPECT(*state, table);
}

static void logic_looks_at_what_it_needs(void **state)
{
	static const struct expectation table[] = {
		{ "1", true },
		{ "0", false },
		{ "-1", true },
		{ "0.1", true },
		{ "0.0", false },
		{ "!0", true },
		{ "!1", false },
		{ "!!5 == 1", true },
		{ "!0.5", false },
		{ "1 && 1", true },
		{ "1 && 0", false },
		{ "0 && 1", false },
		{ "0 || 0", false },
		{ "0 || 1", true },
		{ "1 || 0", true },
		{ "(5 && 7) == 1", true },
		{ "(0 || 7) == 1", true },
		{ "(7 || 0) == 1", true },
		{ "(0 && 7) == 0", true },
		{ "1 && 2.5 && \"a\" == \"a\"", true },
		{ "0 || 0 || 0 || 3", true },
		{ "1 && 1 && 1 && 0", false },
		{ "(1 || 0) && (0 || 1)", true },
		{ "1 + (1 && 0 || 1) * 2 == 3", true },
	};

	EXPECT(*state, table);
}

static void operators_bind_as_in_c(void **state)
{
	static const struct expectation table[] = {
		{ "1 + 2 * 3 == 7", true },
		{ "(1 + 2) * 3 == 9", true },
		{ "10 - 4 - 3 == 3", true },
		{ "100 / 10 / 5 == 2", true },
		{ "1 << 1 + 1 == 4", true },
		{ "1 << 2 << 3 == 32", true },
		{ "1 < 2 == 2 > 1", true },
		{ "2 & 2 == 2", false },
		{ "(2 & 2) == 2", true },
		{ "1 | 6 ^ 2 & 3", true },
		{ "(1 | 6 ^ 2 & 3) == 5", true },
		{ "(4 | 1 == 1) == 5", true },
		{ "0 || 1 && 0", false },
		{ "1 || 1 && 0", true },
		{ "!0 == 1 && !(0 == 1)", true },
		{ "-1 + 2 == 1", true },
		{ "~1 & 3", true },
		{ "- - 1 == 1 && -+-1 == 1 && !~-1 == 1", true },
		{ "3 > 2 > 1", false },
	};

	EXPECT(*state, table);
}

static void stars_match_anything(void **state)
{
	static const struct expectation table[] = {
		{ "string == \"*\"", true },
		{ "empty == \"*\"", true },
		{ "empty == \"?*\"", false },
		{ "string == \"/var/*\"", true },
		{ "\"/var/*\" == string", true },
		{ "string != \"/var/*\"", false },
		{ "string == \"*.log\"", true },
		{ "string == \"*.lo\"", false },
		{ "string == \"*log*log\"", true },
		{ "string == \"*log*log*log\"", false },
		{ "string == \"/*/*/*\"", true },
		{ "string == \"/*/*/*/*\"", false },
		{ "string == \"*a\\*b*\"", true },
		{ "string == \"*a\\x2ab*\"", true },
		{ "string == \"*a\\*\\*b*\"", false },
		{ "string == \"**/**a**.log**\"", true },
		{ "string == \"/var/log/a\\*b.log*\"", true },
		{ "string == \"/var/log/a*b.log\"", true },
		{ "text == \"gr*e*x\"", true },
		{ "text == \"gr*e\"", false },
		{ "bytes == \"\\1*\\377\"", true },
		{ "\"a\\\\b\" == \"a\\\\b\" && \"a\\\\b\" == \"a\\\\*\"", true },
		{ "name == \"*n*n*\"", true },
		{ "name == \"*n*n*n*\"", false },
		{ "letters == \"a*\" && letters != \"a*c\"", true },
		{ "string == string && string != text && name == name", true },
		{ "\"abc\" == \"abc\" && \"abc\" != \"abd\" && \"ab\" != \"abc\"", true },
		{ "\"\" == \"\"", true },
	};

	EXPECT(*state, table);
}

/* ---- the limit of a pattern's steps ---- */

static void a_pattern_that_takes_too_long_is_false(void **state)
{
	static const struct event_field field = { "t", TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), 0 };
	const struct event_desc desc = {
		.provider = "", .name = "", .file = "", .field_count = 1, .fields = &field
	};
	struct filter_fixture *f = *state;
	uint32_t bytes = 1 << 20;
	char *text = malloc(bytes);
	struct tacho_part parts[] = { { &bytes, 4, 0 }, { text, bytes, 0 } };

	assert_non_null(text);
	memset(text, 'a', bytes);
	assert_true(event_desc_build(&desc, f->desc, sizeof(f->desc)) > 0);
	memcpy(f->parts, parts, sizeof(parts));
	f->part_count = 2;
	assert_true(is_match(f, "t == \"*a\""));
	assert_false(is_match(f, "t == \"*aaaaaaaaaaaaaaaab*\""));
	assert_false(is_match(f, "t != \"*aaaaaaaaaaaaaaaab*\""));
	/* What is searched by its first character costs nothing until that is met. */
	text[bytes - 1] = 'x';
	assert_true(is_match(f, "t == \"*x\""));
	free(text);
}

/* ---- integers against wider ones ---- */

static uint64_t state_of_random = 88172645463325252ull;

static uint64_t random_word(void)
{
	state_of_random ^= state_of_random << 13;
	state_of_random ^= state_of_random >> 7;
	state_of_random ^= state_of_random << 17;
	return state_of_random;
}

/* Often near the ends of the ranges. */
static uint64_t random_operand(void)
{
	static const uint64_t ends[] = { 0, 1ull << 63, UINT64_MAX, 1ull << 32, INT64_MAX };
	uint64_t r = random_word();

	if (r & 1)
		return ends[(r >> 8) % 5] + (r >> 20) % 5 - 2;
	return random_word() >> (r >> 8) % 64;
}

struct pair {
	uint64_t word[2];
	uint32_t is_signed[2];
};

typedef __int128 wide;

static wide wide_of(const struct pair *p, int i)
{
	return p->is_signed[i] ? (wide)(int64_t)p->word[i] : (wide)p->word[i];
}

/* Return: whether it is more than even these have. */
static bool exact_result(wide a, wide b, char sign, wide *ret_result)
{
	if (sign == '*')
		return __builtin_mul_overflow(a, b, ret_result);
	if (sign == '+')
		*ret_result = a + b;
	else if (sign == '-')
		*ret_result = a - b;
	else
		*ret_result = sign == '/' ? a / b : a % b;
	return false;
}

/* Return: is there a result? */
static bool expected_result(const struct pair *p, char sign, wide *ret_result)
{
	wide a = wide_of(p, 0), b = wide_of(p, 1);
	uint64_t low;

	if ((sign == '/' || sign == '%') && !b)
		return false;
	if (!exact_result(a, b, sign, ret_result) && *ret_result >= INT64_MIN &&
	    *ret_result <= (wide)UINT64_MAX)
		return true;
	low = (uint64_t)(unsigned __int128)*ret_result;
	*ret_result = p->is_signed[0] && p->is_signed[1] ? (wide)(int64_t)low : (wide)low;
	return true;
}

static void build_pair(struct filter_fixture *f, struct pair *p)
{
	struct event_field fields[3];
	struct event_desc desc = {
		.provider = "", .name = "", .file = "", .field_count = 3, .fields = fields
	};

	for (int i = 0; i < 2; i++)
		fields[i] = (struct event_field){
			i ? "b" : "a", p->is_signed[i] ? SIGNED_INTEGER(8) : UNSIGNED_INTEGER(8), 0
		};
	fields[2] = (struct event_field){ "c", UNSIGNED_INTEGER(8), 0 };
	assert_true(event_desc_build(&desc, f->desc, sizeof(f->desc)) > 0);
}

static void compare_with_wide(struct filter_fixture *f, struct pair *p, char sign)
{
	bool is_negative;
	uint64_t operands[3];
	char text[64];
	wide result = 0;
	bool is_defined = expected_result(p, sign, &result);

	is_negative = result < 0;
	memcpy(operands, p->word, sizeof(p->word));
	operands[2] = (uint64_t)(is_negative ? -result : result);
	f->parts[0] = (struct tacho_part){ operands, sizeof(operands), 0 };
	f->part_count = 1;
	snprintf(text, sizeof(text), "(a %c b) == %cc", sign, is_negative ? '-' : '+');
	if (is_match(f, text) != is_defined)
		fail_msg("%c: %llx %u, %llx %u", sign, (unsigned long long)p->word[0],
			 p->is_signed[0], (unsigned long long)p->word[1], p->is_signed[1]);
}

static void integers_are_as_those_of_128_bits(void **state)
{
	static const char signs[] = "+-*/%";

	for (int i = 0; i < 20000; i++) {
		struct pair p = { { random_operand(), random_operand() },
				  { random_word() >> 9 & 1, random_word() >> 9 & 1 } };

		build_pair(*state, &p);
		compare_with_wide(*state, &p, signs[i % 5]);
	}
}

static void order_is_that_of_128_bits(void **state)
{
	static const char *const texts[] = { "a < b", "a == b", "a > b" };
	struct filter_fixture *f = *state;

	for (int i = 0; i < 20000; i++) {
		struct pair p = { { random_operand(), random_operand() },
				  { random_word() >> 9 & 1, random_word() >> 9 & 1 } };
		wide a = wide_of(&p, 0), b = wide_of(&p, 1);
		int order = a < b ? 0 : a > b ? 2 : 1;

		build_pair(f, &p);
		f->parts[0] = (struct tacho_part){ p.word, sizeof(p.word), 0 };
		f->part_count = 1;
		for (int k = 0; k < 3; k++)
			assert_int_equal(is_match(f, texts[k]), k == order);
	}
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, filter_set_up, filter_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(every_type_of_field_has_its_value),
		CASE(contexts_have_their_values),
		CASE(elements_that_are_not_there_make_it_false),
		CASE(what_the_event_does_not_have_makes_it_false),
		CASE(types_that_do_not_fit_make_it_false),
		CASE(comparisons_are_of_numbers),
		CASE(what_is_not_a_number_equals_nothing),
		CASE(arithmetic_is_exact_where_it_fits),
		CASE(what_does_not_fit_wraps),
		CASE(a_division_by_zero_is_false),
		CASE(bits_are_those_of_two_s_complement),
		CASE(logic_looks_at_what_it_needs),
		CASE(operators_bind_as_in_c),
		CASE(stars_match_anything),
		CASE(a_pattern_that_takes_too_long_is_false),
		CASE(integers_are_as_those_of_128_bits),
		CASE(order_is_that_of_128_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
