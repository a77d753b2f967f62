/* SPDX-License-Identifier: MIT */
/* Where a record goes, and when it goes nowhere (lib/ring/plan.c). */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

#include "ring/writer.h"

#define SHIFT 12
#define COUNT 4

/* One ring in memory, with sub-buffers of 4 KiB. */
static struct ring_channel channel_of(enum tacho_mode mode)
{
	uint64_t stride = TACHO_RING_CONTROL_BYTES + (COUNT << SHIFT);
	struct tacho_rings *map = calloc(1, tacho_rings_file_bytes(1, stride));

	assert_non_null(map);
	return (struct ring_channel){
		.map = map,
		.stride = stride,
		.ring_count = 1,
		.subbuf_count = COUNT,
		.subbuf_shift = SHIFT,
		.mode = mode,
		.tag = 1,
	};
}

static int plan(const struct ring_channel *channel, uint64_t head, bool same_writer,
		uint64_t payload_bytes, struct ring_append *append)
{
	struct ring_record record = { .id = 7, .pid = 1, .payload_bytes = payload_bytes };

	*append = (struct ring_append){ 0 };
	return ring_plan_extended(append, channel, 0, head, same_writer, &record);
}

static void first_record_opens_the_first_subbuffer(void **state)
{
	struct ring_channel channel = channel_of(TACHO_MODE_DISCARD);
	struct ring_append append;

	(void)state;
	assert_int_equal(plan(&channel, 0, false, 8, &append), 0);
	assert_true(append.is_switch);
	assert_null(append.closing);
	assert_int_equal(append.opening_number, 0);
	assert_int_equal(append.opened, 1);
	assert_non_null(append.ts_at[1]);
	free(channel.map);
}

static void known_writer_in_an_open_subbuffer_needs_no_writer_record(void **state)
{
	struct ring_channel channel = channel_of(TACHO_MODE_DISCARD);
	struct ring_append append;

	(void)state;
	assert_int_equal(plan(&channel, 100, true, 8, &append), 0);
	assert_false(append.is_switch);
	assert_null(append.ts_at[1]);
	assert_int_equal(append.new_head, 100 + TACHO_EXTENDED_BYTES + 8);
	free(channel.map);
}

static void record_never_reaches_into_the_slack(void **state)
{
	struct ring_channel channel = channel_of(TACHO_MODE_OVERWRITE);
	uint64_t fits = (1 << SHIFT) - TACHO_SLACK_BYTES - TACHO_EXTENDED_BYTES - 100;
	struct ring_append append;

	(void)state;
	assert_int_equal(plan(&channel, 100, true, fits, &append), 0);
	assert_false(append.is_switch);
	assert_int_equal(append.new_head, (1 << SHIFT) - TACHO_SLACK_BYTES);
	assert_int_equal(plan(&channel, 101, true, fits, &append), 0);
	assert_true(append.is_switch);
	assert_int_equal(append.opening_number, 1);
	free(channel.map);
}

static void full_ring_loses_the_newest(void **state)
{
	struct ring_channel channel = channel_of(TACHO_MODE_DISCARD);
	uint64_t end = (COUNT << SHIFT) - TACHO_SLACK_BYTES;
	struct ring_append append;

	(void)state;
	assert_int_equal(plan(&channel, end, true, 8, &append), 1 + TACHO_LOST_FULL);
	ring_of_cpu(&channel, 0)->released = 1;
	assert_int_equal(plan(&channel, end, true, 8, &append), 0);
	assert_int_equal(append.opening_number, COUNT);
	free(channel.map);
}

static void record_that_never_fits_is_too_big_also_when_the_ring_is_full(void **state)
{
	struct ring_channel channel = channel_of(TACHO_MODE_DISCARD);
	uint64_t end = (COUNT << SHIFT) - TACHO_SLACK_BYTES;
	struct ring_append append;

	(void)state;
	assert_int_equal(plan(&channel, 0, false, 1 << SHIFT, &append), 1 + TACHO_LOST_TOO_BIG);
	assert_int_equal(plan(&channel, end, true, 1 << SHIFT, &append), 1 + TACHO_LOST_TOO_BIG);
	free(channel.map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_record_opens_the_first_subbuffer),
		cmocka_unit_test(known_writer_in_an_open_subbuffer_needs_no_writer_record),
		cmocka_unit_test(record_never_reaches_into_the_slack),
		cmocka_unit_test(full_ring_loses_the_newest),
		cmocka_unit_test(record_that_never_fits_is_too_big_also_when_the_ring_is_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
