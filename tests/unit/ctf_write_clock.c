/* SPDX-License-Identifier: MIT */
/*
 * From the counter to the time of day and back.
 */
#include "tests/test.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "ctf/write/clock.h"

#define S        1000000000ull
#define START_NS (1700000000 * S + 123456789)

/* An instant @ns after a start where the counter has @counter and counts @hz. */
static struct tacho_clock_tuple tuple_at(uint64_t counter, double hz, uint64_t ns)
{
	return (struct tacho_clock_tuple){
		.counter = counter + (uint64_t)((long double)ns * hz / S),
		.monotonic_ns = 5000 * S + ns,
		.realtime_ns = START_NS + ns,
		.boottime_ns = 6000 * S + ns,
	};
}

static int64_t error_ns(const struct ctf_clock *clock, const struct tacho_clock_tuple *tuple)
{
	return llabs(ctf_clock_realtime_ns(clock, tuple->counter) - (int64_t)tuple->realtime_ns);
}

static void a_fit_is_right_to_a_microsecond(void **state)
{
	static const double frequencies[] = { 1000000.25, 24000000.5, 1999999999.5, 2500000123.456,
					      4999999999.49 };
	static const uint64_t starts[] = { 0, 1, 1ull << 40, 9007199254740993, 1ull << 52 };
	static const uint64_t lengths[] = { S / 100, S, 60 * S, 3000 * S };

	(void)state;
	for (size_t i = 0; i < 5 * 5 * 4; i++) {
		double hz = frequencies[i % 5];
		uint64_t start = starts[i / 5 % 5], length = lengths[i / 25];
		struct tacho_clock_tuple tuples[2] = { tuple_at(start, hz, 0),
						       tuple_at(start, hz, length) };
		struct ctf_clock clock;
		/* What rounding to whole Hz costs at the ends, and one tick. */
		double bound = length * 0.25 / hz + S / hz + 2;

		if (bound > 1000 && hz > 1e9)
			fail_msg("the test's own bound is too wide");
		assert_int_equal(ctf_clock_fit(TACHO_CLOCK_COUNTER, tuples, 2, 0, &clock), 0);
		for (uint64_t at = 0; at <= 10; at++) {
			struct tacho_clock_tuple tuple = tuple_at(start, hz, length / 10 * at);

			assert_true(error_ns(&clock, &tuple) <= bound);
		}
		assert_true(clock.offset_cycles < clock.freq_hz);
	}
}

static void readings_between_pull_the_offset_to_the_middle(void **state)
{
	struct tacho_clock_tuple tuples[3];
	struct ctf_clock clock;

	(void)state;
	for (uint64_t i = 0; i < 3; i++)
		tuples[i] = tuple_at(1000, 1e9, i * 10 * S);
	/* The time of day was slewed there and back. */
	tuples[1].realtime_ns += 800;
	assert_int_equal(ctf_clock_fit(TACHO_CLOCK_COUNTER, tuples, 3, 0, &clock), 0);
	for (size_t i = 0; i < 3; i++)
		assert_true(error_ns(&clock, &tuples[i]) <= 401);
}

static void a_time_of_day_that_was_set_is_not_followed(void **state)
{
	struct tacho_clock_tuple tuples[2] = { tuple_at(7, 2e9, 0), tuple_at(7, 2e9, 10 * S) };
	struct tacho_clock_tuple unset = tuples[1];
	struct ctf_clock clock;

	(void)state;
	tuples[1].realtime_ns += 3600 * S;
	assert_int_equal(ctf_clock_fit(TACHO_CLOCK_COUNTER, tuples, 2, 0, &clock), 0);
	assert_int_equal(clock.freq_hz, 2000000000);
	assert_true(error_ns(&clock, &unset) <= 1);
	tuples[1].realtime_ns -= 7200 * S;
	assert_int_equal(ctf_clock_fit(TACHO_CLOCK_COUNTER, tuples, 2, 0, &clock), 0);
	assert_int_equal(clock.freq_hz, 2000000000);
}

/* An instant @ns after the start, of which the machine slept @asleep_ns. */
static struct tacho_clock_tuple tuple_after_sleep(uint64_t ns, uint64_t asleep_ns, bool counts)
{
	struct tacho_clock_tuple tuple = tuple_at(7, 2e9, counts ? ns : ns - asleep_ns);

	tuple.monotonic_ns = tuple_at(7, 2e9, ns - asleep_ns).monotonic_ns;
	tuple.boottime_ns = tuple_at(7, 2e9, ns).boottime_ns;
	tuple.realtime_ns = START_NS + ns;
	return tuple;
}

static void a_counter_that_runs_while_the_machine_sleeps_is_right(void **state)
{
	struct tacho_clock_tuple tuples[2] = { tuple_at(7, 2e9, 0),
					       tuple_after_sleep(3660 * S, 3600 * S, true) };
	struct tacho_clock_tuple before = tuple_at(7, 2e9, 30 * S);
	static const uint64_t known_hz[] = { 0, 2000000000, 2000020000 };
	struct ctf_clock clock;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(ctf_clock_fit(TACHO_CLOCK_COUNTER, tuples, 2, known_hz[i], &clock),
				 0);
		assert_int_equal(clock.freq_hz, 2000000000);
		assert_true(error_ns(&clock, &before) <= 1);
		assert_true(error_ns(&clock, &tuples[1]) <= 1);
	}
}

static void a_counter_that_stands_still_meanwhile_is_right_before(void **state)
{
	struct tacho_clock_tuple tuples[2] = { tuple_at(7, 2e9, 0),
					       tuple_after_sleep(3660 * S, 3600 * S, false) };
	struct tacho_clock_tuple before = tuple_at(7, 2e9, 30 * S);
	struct ctf_clock clock;

	(void)state;
	assert_int_equal(ctf_clock_fit(TACHO_CLOCK_COUNTER, tuples, 2, 2000020000, &clock), 0);
	assert_int_equal(clock.freq_hz, 2000000000);
	assert_true(error_ns(&clock, &before) <= 1);
	assert_true(error_ns(&clock, &tuples[1]) - (int64_t)(3600 * S) <= 1);
}

static void a_monotonic_session_goes_on_where_it_was_before_a_sleep(void **state)
{
	struct tacho_clock_tuple tuples[2] = { tuple_at(0, 1e9, 0),
					       tuple_after_sleep(3660 * S, 3600 * S, false) };
	struct tacho_clock_tuple before = tuple_at(0, 1e9, 30 * S);
	struct ctf_clock clock;

	(void)state;
	tuples[1].counter = 60 * S;
	assert_int_equal(ctf_clock_fit(TACHO_CLOCK_MONOTONIC, tuples, 2, 0, &clock), 0);
	assert_int_equal(clock.freq_hz, S);
	assert_true(error_ns(&clock, &before) <= 1);
}

static void one_reading_needs_the_frequency(void **state)
{
	struct tacho_clock_tuple tuple = tuple_at(123456789, 2e9, 0);
	struct ctf_clock clock;

	(void)state;
	assert_int_equal(ctf_clock_fit(TACHO_CLOCK_COUNTER, &tuple, 1, 0, &clock), -EINVAL);
	assert_int_equal(ctf_clock_fit(TACHO_CLOCK_COUNTER, &tuple, 0, 2000000000, &clock),
			 -EINVAL);
	assert_int_equal(ctf_clock_fit(TACHO_CLOCK_COUNTER, &tuple, 1, 2000000000, &clock), 0);
	assert_int_equal(clock.freq_hz, 2000000000);
	assert_true(error_ns(&clock, &tuple) <= 1);
}

static void readings_too_close_take_the_known_frequency(void **state)
{
	struct tacho_clock_tuple tuples[2] = { tuple_at(5, 2e9, 0), tuple_at(5, 2e9, 1000) };
	struct ctf_clock clock;

	(void)state;
	tuples[1].counter += 100;
	assert_int_equal(ctf_clock_fit(TACHO_CLOCK_COUNTER, tuples, 2, 2000000001, &clock), 0);
	assert_int_equal(clock.freq_hz, 2000000001);
}

static void monotonic_sessions_count_nanoseconds(void **state)
{
	struct tacho_clock_tuple tuples[2] = { tuple_at(9, 1e9, 0), tuple_at(9, 1e9, 100 * S + 7) };
	struct ctf_clock clock;

	(void)state;
	assert_int_equal(ctf_clock_fit(TACHO_CLOCK_MONOTONIC, tuples, 2, 12345, &clock), 0);
	assert_int_equal(clock.freq_hz, S);
	assert_int_equal(error_ns(&clock, &tuples[0]), 0);
	assert_int_equal(error_ns(&clock, &tuples[1]), 0);
}

static void a_counter_older_than_1970_has_a_negative_offset(void **state)
{
	struct tacho_clock_tuple tuple = tuple_at(1ull << 62, 2e9, 0);
	struct ctf_clock clock;

	(void)state;
	assert_int_equal(ctf_clock_fit(TACHO_CLOCK_COUNTER, &tuple, 1, 2000000000, &clock), 0);
	assert_true(clock.offset_s < 0);
	assert_true(error_ns(&clock, &tuple) <= 1);
}

static void hostile_readings_give_an_error_or_a_clock(void **state)
{
	static const uint64_t values[] = {
		0, 1, 1ull << 32, INT64_MAX, UINT64_MAX - 1, UINT64_MAX
	};
	struct ctf_clock clock;

	(void)state;
	for (size_t i = 0; i < 6 * 6 * 6 * 6; i++) {
		struct tacho_clock_tuple tuples[2] = {
			{ values[i % 6], values[i / 6 % 6], values[i / 36 % 6], 0 },
			{ values[i / 36 % 6], values[i / 216], values[i / 6 % 6], 0 },
		};
		int err = ctf_clock_fit(TACHO_CLOCK_COUNTER, tuples, 2, values[i % 6], &clock);

		assert_true(err == -EINVAL ||
			    (!err && clock.freq_hz && clock.offset_cycles < clock.freq_hz));
	}
}

static int64_t realtime_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * (int64_t)S + now.tv_nsec;
}

static void a_sample_lies_between_two_readings(void **state)
{
	enum tacho_clock_kind kinds[] = { TACHO_CLOCK_COUNTER, TACHO_CLOCK_MONOTONIC };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct tacho_clock_tuple first, second;
		int64_t before = realtime_ns(), after;

		if (ctf_clock_sample(kinds[i], &first) == -ENOTSUP)
			continue;
		assert_int_equal(ctf_clock_sample(kinds[i], &second), 0);
		after = realtime_ns();
		assert_true((int64_t)first.realtime_ns >= before);
		assert_true((int64_t)second.realtime_ns <= after);
		assert_true(first.counter < second.counter);
		assert_true(first.boottime_ns >= first.monotonic_ns);
		if (kinds[i] == TACHO_CLOCK_MONOTONIC)
			assert_int_equal(first.counter, first.monotonic_ns);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fit_is_right_to_a_microsecond),
		cmocka_unit_test(readings_between_pull_the_offset_to_the_middle),
		cmocka_unit_test(a_time_of_day_that_was_set_is_not_followed),
		cmocka_unit_test(a_counter_that_runs_while_the_machine_sleeps_is_right),
		cmocka_unit_test(a_counter_that_stands_still_meanwhile_is_right_before),
		cmocka_unit_test(a_monotonic_session_goes_on_where_it_was_before_a_sleep),
		cmocka_unit_test(one_reading_needs_the_frequency),
		cmocka_unit_test(readings_too_close_take_the_known_frequency),
		cmocka_unit_test(monotonic_sessions_count_nanoseconds),
		cmocka_unit_test(a_counter_older_than_1970_has_a_negative_offset),
		cmocka_unit_test(hostile_readings_give_an_error_or_a_clock),
		cmocka_unit_test(a_sample_lies_between_two_readings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
