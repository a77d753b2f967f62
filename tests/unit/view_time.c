/* SPDX-License-Identifier: MIT */
/* view_time.c - instants of a trace as people write them (cli/view/time.c) */
#include "tests/test.h"

#include "cli/duration.c"
#include "cli/view/time.c"

#define S 1000000000ull

/* 2026-11-30 12:00:00 UTC */
#define NOON (1796040000ull * S)

static uint64_t resolved(const char *text, uint64_t begin_ns)
{
	struct view_time time;

	assert_int_equal(view_time_parse(text, &time), 0);
	return view_time_resolve(&time, begin_ns);
}

static void a_time_of_day_is_the_nearest_to_the_begin(void **state)
{
	(void)state;
	assert_int_equal(resolved("12:00:00", NOON + 5), NOON);
	assert_int_equal(resolved("12:00", NOON - 5), NOON);
	assert_int_equal(resolved("12:00:00.5", NOON), NOON + S / 2);
	assert_int_equal(resolved("00:01:00", NOON + 43199 * S), NOON + 43260 * S);
	assert_int_equal(resolved("23:59:00", NOON + 43201 * S), NOON + 43140 * S);
}

static void a_date_is_local_or_utc(void **state)
{
	(void)state;
	setenv("TZ", "Asia/Tokyo", 1);
	tzset();
	assert_int_equal(resolved("2026-11-30 21:00:00.000000001", 0), NOON + 1);
	assert_int_equal(resolved("2026-11-30T12:00:00Z", 0), NOON);
	assert_int_equal(resolved("2026-11-30 21:00", 0), NOON);
	assert_int_equal(resolved("2026-11-30", 0), NOON - 21 * 3600 * S);
	assert_int_equal(resolved("21:00", NOON), NOON);
	setenv("TZ", "UTC", 1);
	tzset();
}

static void seconds_are_of_1970_or_of_the_begin(void **state)
{
	(void)state;
	assert_int_equal(resolved("@1796040000", 7), NOON);
	assert_int_equal(resolved("@1796040000.000000001", 7), NOON + 1);
	assert_int_equal(resolved("+1.5", NOON), NOON + 3 * S / 2);
	assert_int_equal(resolved("+0", NOON), NOON);
	assert_int_equal(resolved("+200ms", NOON), NOON + S / 5);
	assert_int_equal(resolved("+3m", NOON), NOON + 180 * S);
	assert_int_equal(resolved("+9223372036", UINT64_MAX - 5), UINT64_MAX);
}

static void everything_else_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"noon",
		"12",
		"24:00:00",
		"12:60",
		"12:00:00.",
		"12:00:00x",
		"@",
		"@-1",
		"@1.",
		"@1.0000000001",
		"@9223372037",
		"+",
		"+-1",
		"+1x",
		"2026-13-01",
		"2026-11-30 1",
		"2026-11-30 12:00 Z",
		"1e3",
		"12:00:00.1.2",
		"@ 1",
		"+ 1",
		"1969-12-31 12:00",
	};
	struct view_time time;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (view_time_parse(texts[i], &time) != -EINVAL)
			fail_msg("'%s' was taken", texts[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_time_of_day_is_the_nearest_to_the_begin),
		cmocka_unit_test(a_date_is_local_or_utc),
		cmocka_unit_test(seconds_are_of_1970_or_of_the_begin),
		cmocka_unit_test(everything_else_is_refused),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
