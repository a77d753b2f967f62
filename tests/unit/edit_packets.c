/* SPDX-License-Identifier: MIT */
/* Packets of new traces: cut, split, and with the times that they are found to have. */
#include "edit_trace.h"

static enum edit_verdict judge(void *data, const struct ctf_item *item)
{
	const struct edit_fixture *f = data;
	uint64_t number = item->kind == CTF_ITEM_EVENT ? item->event.fields[0].u : 0;

	return number >= f->keep_from && number < f->keep_to ? EDIT_KEEP : EDIT_DROP;
}

static void run(struct edit_fixture *f, bool is_repair)
{
	const char *const inputs[] = { f->in };
	const struct edit_request request = {
		.inputs = inputs,
		.input_count = 1,
		.output = f->out,
		.is_repair = is_repair,
		.judge = is_repair ? NULL : judge,
		.data = f,
	};

	if (edit_run(&request, &f->error, &f->totals))
		fail_msg("%s", f->error.text);
}

static void expect(const struct edit_fixture *f, const char *packets, const char *events)
{
	char text[512];

	edit_describe_packets(f, text, sizeof(text));
	assert_string_equal(text, packets);
	edit_describe(f, text, sizeof(text));
	assert_string_equal(text, events);
}

static void cut_packet_begins_and_ends_with_what_is_left(void **state)
{
	struct edit_fixture *f = *state;
	const uint64_t times[] = { 110, 120, 130, 140 };

	edit_put_metadata(f, edit_metadata);
	edit_put_packet(f, 100, 200, times, 4, 0);
	f->keep_from = 1;
	f->keep_to = 3;
	run(f, false);
	/* Its end stays: nothing is known to be dropped behind the last event. */
	expect(f, "120..200 ", "120=1 130=2 ");
	assert_int_equal(f->totals.events, 2);
	assert_int_equal(f->totals.repairs, 0);
}

static void packet_of_which_nothing_is_wanted_is_left_out(void **state)
{
	struct edit_fixture *f = *state;
	const uint64_t first[] = { 110 }, second[] = { 210 }, third[] = { 310 };

	edit_put_metadata(f, edit_metadata);
	edit_put_packet(f, 100, 200, first, 1, 0);
	edit_put_packet(f, 200, 300, second, 1, 1);
	edit_put_packet(f, 300, 400, third, 1, 2);
	f->keep_from = 2;
	f->keep_to = 3;
	run(f, false);
	expect(f, "300..400 ", "310=2 ");
}

static void event_whose_bits_of_the_clock_would_be_ambiguous_begins_a_packet(void **state)
{
	struct edit_fixture *f = *state;
	const uint64_t times[] = { 1, 60000, 100000, 160000 };

	edit_put_metadata(f, edit_metadata);
	edit_put_packet(f, 0, 200000, times, 4, 0);
	f->keep_from = 0;
	f->keep_to = 1;
	run(f, false);
	expect(f, "0..200000 ", "1=0 ");
	nftw(f->out, edit_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	f->keep_from = 3;
	f->keep_to = 4;
	run(f, false);
	expect(f, "160000..200000 ", "160000=3 ");
}

static void end_before_the_last_event_is_moved_to_it(void **state)
{
	struct edit_fixture *f = *state;
	const uint64_t first[] = { 110, 190 }, second[] = { 210 };

	edit_put_metadata(f, edit_metadata);
	edit_put_packet(f, 100, 150, first, 2, 0);
	edit_put_packet(f, 200, 300, second, 1, 2);
	run(f, true);
	expect(f, "100..190 200..300 ", "110=0 190=1 210=2 ");
	assert_int_equal(f->totals.repairs, 1);
}

static void end_in_the_future_is_that_of_the_last_event(void **state)
{
	struct edit_fixture *f = *state;
	const uint64_t first[] = { 110, 190 }, second[] = { 210 };

	edit_put_metadata(f, edit_metadata);
	edit_put_packet(f, 100, 1ull << 50, first, 2, 0);
	edit_put_packet(f, 200, 300, second, 1, 2);
	run(f, true);
	expect(f, "100..190 200..300 ", "110=0 190=1 210=2 ");
}

static void begin_that_goes_back_is_that_of_the_first_event(void **state)
{
	struct edit_fixture *f = *state;
	const uint64_t first[] = { 110 }, second[] = { 210 }, third[] = { 310 };

	edit_put_metadata(f, edit_metadata);
	edit_put_packet(f, 100, 200, first, 1, 0);
	edit_put_packet(f, 3, 300, second, 1, 1);
	edit_put_packet(f, 300, 400, third, 1, 2);
	run(f, true);
	expect(f, "100..200 210..300 300..400 ", "110=0 210=1 310=2 ");
}

static void swapped_packets_are_sorted(void **state)
{
	struct edit_fixture *f = *state;
	const uint64_t first[] = { 110 }, second[] = { 210 }, third[] = { 310 };

	edit_put_metadata(f, edit_metadata);
	edit_put_packet(f, 300, 400, third, 1, 2);
	edit_put_packet(f, 200, 300, second, 1, 1);
	edit_put_packet(f, 100, 200, first, 1, 0);
	run(f, true);
	expect(f, "100..200 200..300 300..400 ", "110=0 210=1 310=2 ");
}

static void sorted_packet_whose_size_is_a_guess_does_not_begin_again(void **state)
{
	struct edit_fixture *f = *state;
	const uint64_t first[] = { 110 }, second[] = { 210 }, third[] = { 310 };
	const uint64_t wrong[] = { 7, 7 }, padding = 0;
	FILE *file;

	edit_put_metadata(f, edit_metadata);
	edit_put_packet(f, 200, 300, second, 1, 1);
	edit_append(f->file, &padding, sizeof(padding));
	edit_put_packet(f, 100, 200, first, 1, 0);
	edit_put_packet(f, 300, 400, third, 1, 2);
	file = fopen(f->file, "r+be");
	assert_non_null(file);
	assert_int_equal(fseek(file, 4, SEEK_SET), 0);
	assert_int_equal(fwrite(wrong, sizeof(wrong), 1, file), 1);
	fclose(file);
	run(f, true);
	expect(f, "100..200 200..300 300..400 ", "110=0 210=1 310=2 ");
}

static void event_later_than_the_next_packet_is_left_out(void **state)
{
	struct edit_fixture *f = *state;
	const uint64_t first[] = { 110, 5000, 5001 }, second[] = { 210 };

	edit_put_metadata(f, edit_metadata);
	edit_put_packet(f, 100, 200, first, 3, 0);
	edit_put_packet(f, 200, 300, second, 1, 3);
	run(f, true);
	expect(f, "100..200 200..300 ", "110=0 210=3 ");
	assert_int_equal(f->totals.events, 2);
	assert_int_equal(f->totals.repairs, 1);
}

static void sound_trace_stays_as_it_is(void **state)
{
	struct edit_fixture *f = *state;
	const uint64_t first[] = { 110 }, second[] = { 210, 65000 };

	edit_put_metadata(f, edit_metadata);
	edit_put_packet(f, 100, 200, first, 1, 0);
	edit_put_packet(f, 200, 70000, second, 2, 1);
	run(f, true);
	expect(f, "100..200 200..70000 ", "110=0 210=1 65000=2 ");
	assert_int_equal(f->totals.repairs, 0);
	assert_int_equal(f->totals.damages, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, edit_set_up, edit_tear_down)
		TEST(cut_packet_begins_and_ends_with_what_is_left),
		TEST(packet_of_which_nothing_is_wanted_is_left_out),
		TEST(event_whose_bits_of_the_clock_would_be_ambiguous_begins_a_packet),
		TEST(end_before_the_last_event_is_moved_to_it),
		TEST(end_in_the_future_is_that_of_the_last_event),
		TEST(begin_that_goes_back_is_that_of_the_first_event),
		TEST(swapped_packets_are_sorted),
		TEST(sorted_packet_whose_size_is_a_guess_does_not_begin_again),
		TEST(event_later_than_the_next_packet_is_left_out),
		TEST(sound_trace_stays_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
