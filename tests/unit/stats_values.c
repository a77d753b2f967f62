/* SPDX-License-Identifier: MIT */
/* stats_values.c - what many numbers are like (cli/stats/values.c) */
#include "tests/test.h"

#include <math.h>

#include "cli/stats/values.c"
#include "cli/text.c"

static void no_numbers_are_all_zero(void **state)
{
	struct stats_values *values = stats_values_new();
	struct stats_summary summary = stats_values_summary(values);
	struct stats_row rows[2 * STATS_ROWS_MAX + 1];

	(void)state;
	assert_int_equal(summary.count, 0);
	assert_true(summary.min == 0 && summary.max == 0 && summary.mean == 0);
	assert_true(summary.deviation == 0);
	assert_int_equal(stats_values_rows(values, rows), 0);
	stats_values_free(values);
}

static void what_is_not_finite_is_only_counted(void **state)
{
	struct stats_values *values = stats_values_new();
	struct stats_summary summary;

	(void)state;
	stats_values_add(values, NAN);
	stats_values_add(values, INFINITY);
	stats_values_add(values, 2);
	stats_values_add(values, -INFINITY);
	summary = stats_values_summary(values);
	assert_int_equal(summary.count, 1);
	assert_int_equal(summary.not_finite, 3);
	assert_true(summary.min == 2 && summary.max == 2 && summary.mean == 2);
	stats_values_free(values);
}

static void percentiles_are_of_the_nearest_rank(void **state)
{
	struct stats_values *values = stats_values_new();

	(void)state;
	for (int i = 1000; i; i--)
		stats_values_add(values, i);
	assert_true(stats_values_percentile(values, 1) == 1);
	assert_true(stats_values_percentile(values, 500) == 500);
	assert_true(stats_values_percentile(values, 999) == 999);
	assert_true(stats_values_percentile(values, 1000) == 1000);
	stats_values_add(values, 0); /* also after one was asked for */
	assert_true(stats_values_percentile(values, 1) == 1);
	assert_true(stats_values_percentile(values, 500) == 500);
	stats_values_free(values);
}

static void percentiles_of_many_are_within_a_256th(void **state)
{
	static const unsigned int asked[] = { 1, 10, 250, 500, 900, 999, 1000 };
	struct stats_values *values = stats_values_new();
	const int count = 3 * STATS_EXACT_MAX;

	(void)state;
	for (int i = 0; i < count; i++) /* half of them negative, from 0.125 on */
		stats_values_add(values, (i - count / 2) * 0.125);
	assert_false(stats_values_summary(values).is_exact);
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		uint64_t rank = ((uint64_t)count * asked[i] + 999) / 1000;
		double expected = ((double)rank - 1 - count / 2) * 0.125;
		double actual = stats_values_percentile(values, asked[i]);

		assert_true(fabs(actual - expected) <= fabs(expected) / 256);
	}
	stats_values_free(values);
}

static void zeros_among_many_are_0(void **state)
{
	struct stats_values *values = stats_values_new();

	(void)state;
	for (int i = 0; i <= STATS_EXACT_MAX; i++)
		stats_values_add(values, i % 2);
	assert_false(stats_values_summary(values).is_exact);
	assert_true(stats_values_percentile(values, 500) == 0);
	assert_true(fabs(stats_values_percentile(values, 900) - 1) <= 1.0 / 256);
	stats_values_free(values);
}

static void the_limit_of_exactness_is_exact(void **state)
{
	struct stats_values *values = stats_values_new();

	(void)state;
	for (int i = 0; i < STATS_EXACT_MAX; i++)
		stats_values_add(values, i);
	assert_true(stats_values_summary(values).is_exact);
	assert_true(stats_values_percentile(values, 1000) == STATS_EXACT_MAX - 1);
	stats_values_add(values, 1e6);
	assert_false(stats_values_summary(values).is_exact);
	assert_true(stats_values_percentile(values, 1000) == 1e6);
	stats_values_free(values);
}

static bool is_in(const struct stats_row *row, double number)
{
	if (row->low == 0 && row->high == 0)
		return number == 0;
	if (row->low < 0)
		return row->low < number && number <= row->high;
	return row->low <= number && number < row->high;
}

static void every_number_is_in_the_row_that_counts_it(void **state)
{
	static const double numbers[] = { 0,  -0.0, 5e-324, 1e-310,  -1e-310,  1e-300, 1,    1.5,
					  -1, -2,   1e300,  DBL_MAX, -DBL_MAX, 3,      1e-3, -7e9 };
	const size_t number_count = sizeof(numbers) / sizeof(numbers[0]);
	struct stats_row rows[2 * STATS_ROWS_MAX + 1];
	struct stats_values *values = stats_values_new();
	size_t row_count;
	uint64_t sum = 0;

	(void)state;
	for (size_t i = 0; i < number_count; i++)
		stats_values_add(values, numbers[i]);
	row_count = stats_values_rows(values, rows);
	assert_true(row_count <= STATS_ROWS_MAX + 1);
	for (size_t i = 0; i < row_count; i++) {
		assert_true(isfinite(rows[i].low) && isfinite(rows[i].high));
		assert_true(!i || rows[i - 1].high <= rows[i].low);
		sum += rows[i].count;
	}
	assert_int_equal(sum, number_count);
	assert_true(is_in(&rows[row_count - 1], 1e300));
	stats_values_free(values);
}

static void few_numbers_have_narrow_rows(void **state)
{
	struct stats_row rows[2 * STATS_ROWS_MAX + 1];
	struct stats_values *values = stats_values_new();

	(void)state;
	stats_values_add(values, 8);
	stats_values_add(values, 9);
	stats_values_add(values, 9.5);
	assert_int_equal(stats_values_rows(values, rows), 2);
	assert_true(rows[0].low == 8 && rows[0].high == 9 && rows[0].count == 1);
	assert_true(rows[1].low == 9 && rows[1].high == 10 && rows[1].count == 2);
	stats_values_free(values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_numbers_are_all_zero),
		cmocka_unit_test(what_is_not_finite_is_only_counted),
		cmocka_unit_test(percentiles_are_of_the_nearest_rank),
		cmocka_unit_test(percentiles_of_many_are_within_a_256th),
		cmocka_unit_test(zeros_among_many_are_0),
		cmocka_unit_test(the_limit_of_exactness_is_exact),
		cmocka_unit_test(every_number_is_in_the_row_that_counts_it),
		cmocka_unit_test(few_numbers_have_narrow_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
