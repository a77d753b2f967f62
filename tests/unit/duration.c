/* SPDX-License-Identifier: MIT */
/* duration.c - times as people write them (cli/duration.c) */
#include "tests/test.h"

#include <errno.h>
#include <string.h>

#include "cli/duration.c"

static void numbers_with_units_are_taken(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} cases[] = {
		{ "10s", 10000000000ull },
		{ "500ms", 500000000 },
		{ "2m", 120000000000ull },
		{ "1h", 3600000000000ull },
		{ "250us", 250000 },
		{ "1.5s", 1500000000 },
		{ "7", 7000 },
		{ "0s", 0 },
		{ "0.000000001s", 1 },
		{ "0.0000000019s", 1 },
		{ "5124095h", 18446742000000000000ull },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t ns = 1;

		assert_int_equal(duration_parse(cases[i].text, &ns), 0);
		assert_int_equal(ns, cases[i].ns);
	}
}

static void everything_else_is_refused(void **state)
{
	static const char *const texts[] = { "",    "s",   "10x", "-1s", " 1s",  "1 s",
					     "1.s", ".5s", "1s ", "+1s", "1e3s", "0x1s" };
	uint64_t ns;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(duration_parse(texts[i], &ns), -EINVAL);
	assert_int_equal(duration_parse("5124096h", &ns), -ERANGE);
	assert_int_equal(duration_parse("99999999999999999999s", &ns), -ERANGE);
}

static void text_of_a_duration_is_parsed_to_the_same(void **state)
{
	static const uint64_t values[] = { 0,          1000,           1500000,
					   2000000000, 90000000000ull, 7200000000000ull };

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		uint64_t ns = 1;

		assert_int_equal(duration_parse(duration_text(values[i]).text, &ns), 0);
		assert_int_equal(ns, values[i]);
	}
	assert_string_equal(duration_text(90000000000ull).text, "90s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_with_units_are_taken),
		cmocka_unit_test(everything_else_is_refused),
		cmocka_unit_test(text_of_a_duration_is_parsed_to_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
