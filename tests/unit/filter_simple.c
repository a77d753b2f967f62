/* SPDX-License-Identifier: MIT */
/*
 * Which filters become tests (filter/simple.h), and that these say what the filter says: also where a
 * constant is at the edge of what the field can be, or beyond.
 */
#include "tests/unit/filter_fixture.h"

static void comparisons_with_constants_are_simple(void **state)
{
	static const struct {
		const char *text;
		uint32_t tests;
	} table[] = {
		{ "i32 > -400000", 1 },
		{ "-400000 < i32", 1 },
		{ "u64 == 18446744073709551615", 1 },
		{ "real <= 2.5", 1 },
		{ "real != 3", 1 },
		{ "string == \"/var*\"", 1 },
		{ "string != \"/var/log\"", 1 },
		{ "behind == 77 && i8 < 0", 2 },
		{ "i8 < 0 && u8 > 100 && string == \"/*\" && behind", 4 },
		{ "i8 < 0 && (u8 > 100 && string == \"/*\")", 3 },
		{ "i8 < 0 || u8 > 100", 2 },
		{ "i8 < 0 || u8 > 100 || u16 == 1 || u32 == 5", 4 },
		{ "(i8 < 0 && u8 > 100) || u16 == 1", 3 },
		{ "(i8 < 0 || u8 > 100) && u16 == 1", 4 },
		{ "(i8 < 0 || u8 > 100) && (u16 == 1 || u32 == 5)", 8 },
		{ "(i8 < 0 || u8 > 100 || i8 == 3) && (u16 == 1 || u32 == 5 || i64 == 0)", 0 },
		{ "!(i8 < 0)", 1 },
		{ "!!(i8 < 0)", 1 },
		{ "!i8 && !!u8", 2 },
		{ "!(i8 < 0 && u8 > 100)", 0 },
		{ "!(i8 < 0 || u8 > 100)", 0 },
		{ "(i8 < 0 && u8 > 100) == 1", 0 },
		{ "real", 1 },
		{ "string", 0 },
		{ "u8 & 4", 1 },
		{ "(u8 & 4) == 4 && !(i8 & 1)", 2 },
		{ "u32 % 10 == 3", 1 },
		{ "3 == u32 % 10", 1 },
		{ "i32 % 7 < -2", 1 },
		{ "i32 % -7 < -2", 0 },
		{ "i32 % 0 == 0", 0 },
		{ "i8 & -2", 0 },
		{ "4 & u8", 0 },
		{ "u32 % 10 & 4", 0 },
		{ "real & 4", 0 },
		{ "i8 + 1 < 0", 0 },
		{ "i8 == i16", 0 },
		{ "single > 0", 0 },
		{ "i32 > 2.5", 0 },
		{ "string == \"*log\"", 0 },
		{ "string == \"a string of more than 32 bytes, all of them\"", 0 },
		{ "last == 14", 0 }, /* behind sequences */
		{ "text == \"x\"", 0 },
		{ "$ctx.vpid == 5", 0 },
		{ "1", 0 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (simple_tests(*state, table[i].text) != table[i].tests)
			fail_msg("'%s' has %u tests", table[i].text,
				 simple_tests(*state, table[i].text));
	}
}

static void expect_simple(struct filter_fixture *f, const char *field, const char *operator,
			  const char * constant)
{
	char text[128];

	snprintf(text, sizeof(text), "%s %s %s", field, operator, constant);
	if (!simple_tests(f, text))
		fail_msg("'%s' has no test", text);
	snprintf(text, sizeof(text), "%s %s %s", constant, operator, field);
	if (!simple_tests(f, text))
		fail_msg("'%s' has no test", text);
}

/* run_simple() compares each answer with the machine's. */
static void tests_say_what_the_filter_says(void **state)
{
	static const char *const fields[] = { "i8",  "i16", "i32", "i64",    "u8",      "u16",
					      "u32", "u64", "yes", "letter", "pointer", "behind" };
	static const char *const operators[] = { "==", "!=", "<", "<=", ">", ">=" };
	static const char *const constants[] = {
		"0",
		"1",
		"-1",
		"-8",
		"-7",
		"-9",
		"77",
		"200",
		"60000",
		"-320000",
		"4000000000",
		"9223372036854775807",
		"9223372036854775808",
		"18446744073709551615",
		"18446744073709551614",
		"-9223372036854775807",
		"0u",
		"0xffff800000000010",
	};

	for (size_t f = 0; f < sizeof(fields) / sizeof(fields[0]); f++) {
		for (size_t o = 0; o < sizeof(operators) / sizeof(operators[0]); o++) {
			for (size_t c = 0; c < sizeof(constants) / sizeof(constants[0]); c++)
				expect_simple(*state, fields[f], operators[o], constants[c]);
		}
	}
}

static void expect_tests(struct filter_fixture *f, const char *format, const char *field,
			 const char *constant)
{
	char text[128];

	snprintf(text, sizeof(text), format, field, constant);
	if (!simple_tests(f, text))
		fail_msg("'%s' has no test", text);
}

/* run_simple() compares each answer with the machine's. */
static void bits_and_remainders_are_those_of_the_filter(void **state)
{
	static const char *const fields[] = { "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64" };
	static const char *const formats[] = {
		"%s %% %s",           "!(%s %% %s)",      "%s %% %s == -1", "%s %% %s > 2u",
		"%s %% %s != 4",      "(%s & %s) >= 0",   "%s & %s",        "(%s & %s) == 16",
		"(%s & %s) > -1",     "-1 < %s %% %s",    "0 < (%s & %s)",  "!(%s & %s) || u8 == 1",
		"u8 && !(%s %% %s)",  "!u8 || (%s & %s)",
	};
	static const char *const constants[] = { "1", "2", "7", "10", "255", "65536",
						 "9223372036854775807" };

	for (size_t f = 0; f < sizeof(fields) / sizeof(fields[0]); f++)
		for (size_t t = 0; t < sizeof(formats) / sizeof(formats[0]); t++)
			for (size_t c = 0; c < sizeof(constants) / sizeof(constants[0]); c++)
				expect_tests(*state, formats[t], fields[f], constants[c]);
}

static void groups_say_what_the_filter_says(void **state)
{
	static const char *const part[] = { "i8 < 0", "u8 > 100", "!u16", "string == \"/*\"" };
	static const char *const formats[] = { "%s || %s", "%s && %s", "(%s) || !(%s)",
					       "u32 && (%s || %s)", "(%s && %s) || i8 == 3" };

	for (size_t a = 0; a < sizeof(part) / sizeof(part[0]); a++)
		for (size_t b = 0; b < sizeof(part) / sizeof(part[0]); b++)
			for (size_t t = 0; t < sizeof(formats) / sizeof(formats[0]); t++)
				expect_tests(*state, formats[t], part[a], part[b]);
}

static void doubles_are_in_their_order(void **state)
{
	static const double values[] = { 0.0,     -0.0,     2.5,       -2.5, 1e308, 5e-324,
					 -5e-324, INFINITY, -INFINITY, NAN,  -NAN };
	static const char *const constants[] = { "0.0", "0", "1", "2.5", "5e-324", "1e308", "-1" };
	static const char *const operators[] = { "==", "!=", "<", "<=", ">", ">=" };
	struct filter_fixture *f = *state;

	for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
		/* The last of the numbers before the first string. */
		memcpy((char *)(uintptr_t)f->parts[0].data + f->parts[0].bytes - 8, &values[v], 8);
		for (size_t o = 0; o < sizeof(operators) / sizeof(operators[0]); o++) {
			for (size_t c = 0; c < sizeof(constants) / sizeof(constants[0]); c++)
				expect_simple(f, "real", operators[o], constants[c]);
		}
	}
}

/* As an event that was put together by other rules than event-pack.h's. */
static void tests_cannot_tell_where_parts_are_others(void **state)
{
	struct filter_fixture *f = *state;
	struct tacho_filter *filter = compiled(f, "behind == 77");
	struct filter_test test;

	assert_int_equal(filter_simplify(linked(f, filter), &test, 1), 1);
	assert_int_equal(filter_test_run(&test, f->parts, f->part_count), 1);
	assert_true(filter_test_run(&test, f->parts, 2) < 0);
	assert_true(filter_test_run(&test, f->parts, 0) < 0);
	f->parts[0].bytes--;
	assert_true(filter_test_run(&test, f->parts, f->part_count) < 0);
	f->parts[0].bytes++;
	f->parts[1].is_string = 0;
	assert_true(filter_test_run(&test, f->parts, f->part_count) < 0);
	free(filter);
}

static void a_word_is_tested_in_its_register(void **state)
{
	const struct filter_test test = { .kind = FILTER_TEST_SIGNED,
					  .bytes = 2,
					  .is_wanted = 1,
					  .at = 2,
					  .low = (uint64_t)-5,
					  .span = 3 };

	(void)state;
	if (TACHO_BIG_ENDIAN)
		return;
	assert_int_equal(filter_test_word(&test, 0xfffb1234u, 4), 1);
	assert_int_equal(filter_test_word(&test, 0xfffe1234u, 4), 1);
	assert_int_equal(filter_test_word(&test, 0xffff1234u, 4), 0);
	assert_int_equal(filter_test_word(&test, 0x00011234u, 4), 0);
	assert_true(filter_test_word(&test, 0xfffb1234u, 3) < 0);
}

/* What lies in a list may be half of one thing and half of another. */
static void nonsense_does_no_harm(void **state)
{
	struct filter_fixture *f = *state;
	struct filter_test test;
	uint32_t seed = 1;

	for (int i = 0; i < 200000; i++) {
		for (size_t at = 0; at < sizeof(test); at++) {
			seed = seed * 1664525 + 1013904223;
			((unsigned char *)&test)[at] =
				(unsigned char)(seed >> 24) >> (seed >> 20 & 7);
		}
		filter_test_run(&test, f->parts, f->part_count);
		filter_test_word(&test, seed, seed & 7);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(comparisons_with_constants_are_simple,
						filter_set_up, filter_tear_down),
		cmocka_unit_test_setup_teardown(tests_say_what_the_filter_says, filter_set_up,
						filter_tear_down),
		cmocka_unit_test_setup_teardown(doubles_are_in_their_order, filter_set_up,
						filter_tear_down),
		cmocka_unit_test_setup_teardown(bits_and_remainders_are_those_of_the_filter,
						filter_set_up, filter_tear_down),
		cmocka_unit_test_setup_teardown(groups_say_what_the_filter_says, filter_set_up,
						filter_tear_down),
		cmocka_unit_test_setup_teardown(tests_cannot_tell_where_parts_are_others,
						filter_set_up, filter_tear_down),
		cmocka_unit_test(a_word_is_tested_in_its_register),
		cmocka_unit_test_setup_teardown(nonsense_does_no_harm, filter_set_up,
						filter_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
