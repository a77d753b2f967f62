/* SPDX-License-Identifier: MIT */
/* view_marks.c - what of a growing trace was shown already (cli/view/marks.c) */
#include "tests/test.h"

#include "cli/text.c"
#include "cli/view/map.c"
#include "cli/view/marks.c"

/* Of each file, and of packets at each time, there is one. */
static const struct ctf_place *place_at(char file, uint64_t begin_ticks)
{
	static struct ctf_place places['c'][100];
	struct ctf_place *place = &places[(int)file][begin_ticks];

	place->file.inode = (uint64_t)file;
	place->begin_ticks = begin_ticks;
	return place;
}

static struct ctf_item event_at(char file, uint64_t ticks)
{
	return (struct ctf_item){ .kind = CTF_ITEM_EVENT,
				  .path = "a",
				  .place = place_at(file, 0),
				  .event = { .ticks = ticks } };
}

static struct ctf_item loss_of(uint64_t begin_ticks, uint64_t events, uint64_t packets)
{
	return (struct ctf_item){ .kind = CTF_ITEM_LOST,
				  .path = "a",
				  .place = place_at('a', begin_ticks),
				  .lost = { .events = events, .packets = packets } };
}

static bool passes(struct view_marks *marks, struct ctf_item item)
{
	struct ctf_item new;

	return view_marks_pass(marks, &item, &new);
}

static void each_event_passes_once(void **state)
{
	struct view_marks *marks = view_marks_new();

	(void)state;
	for (uint64_t round = 1; round < 10; round++) {
		view_marks_again(marks);
		for (uint64_t i = 1; i <= round; i++)
			assert_int_equal(passes(marks, event_at('a', 10 * i)), i == round);
	}
	view_marks_free(marks);
}

static void events_of_one_time_are_told_apart_by_their_number(void **state)
{
	struct view_marks *marks = view_marks_new();

	(void)state;
	view_marks_again(marks);
	assert_true(passes(marks, event_at('a', 5)));
	assert_true(passes(marks, event_at('a', 5)));
	view_marks_again(marks);
	assert_false(passes(marks, event_at('a', 5)));
	assert_false(passes(marks, event_at('a', 5)));
	assert_true(passes(marks, event_at('a', 5)));
	assert_true(passes(marks, event_at('a', 6)));
	view_marks_free(marks);
}

static void files_have_nothing_to_do_with_each_other(void **state)
{
	struct view_marks *marks = view_marks_new();

	(void)state;
	view_marks_again(marks);
	assert_true(passes(marks, event_at('a', 9)));
	assert_true(passes(marks, event_at('b', 3)));
	view_marks_again(marks);
	assert_true(passes(marks, event_at('b', 4)));
	assert_false(passes(marks, event_at('a', 9)));
	view_marks_free(marks);
}

static void file_is_the_same_by_another_name_and_another_one_by_its_name(void **state)
{
	struct ctf_place reborn = { .file = { .inode = 'a', .born_ns = 1 } };
	struct view_marks *marks = view_marks_new();
	struct ctf_item moved = event_at('a', 9), new = event_at('a', 3);

	(void)state;
	moved.path = "archives/a";
	new.place = &reborn;
	view_marks_again(marks);
	assert_true(passes(marks, event_at('a', 9)));
	view_marks_again(marks);
	assert_false(passes(marks, moved));
	assert_true(passes(marks, new));
	view_marks_free(marks);
}

static void of_a_loss_that_grows_what_is_new_passes(void **state)
{
	struct view_marks *marks = view_marks_new();
	struct ctf_item loss = loss_of(5, 3, 1), new;

	(void)state;
	view_marks_again(marks);
	assert_true(view_marks_pass(marks, &loss, &new));
	assert_int_equal(new.lost.events, 3);
	assert_int_equal(new.lost.packets, 1);
	view_marks_again(marks);
	assert_false(view_marks_pass(marks, &loss, &new));
	loss = loss_of(5, 5, 1);
	assert_true(view_marks_pass(marks, &loss, &new));
	assert_int_equal(new.lost.events, 2);
	assert_int_equal(new.lost.packets, 0);
	loss = loss_of(9, 10, 0);
	assert_true(view_marks_pass(marks, &loss, &new));
	assert_int_equal(new.lost.events, 10);
	view_marks_again(marks);
	assert_false(passes(marks, loss_of(5, 5, 1)));
	loss = loss_of(9, 12, 0);
	assert_true(view_marks_pass(marks, &loss, &new));
	assert_int_equal(new.lost.events, 2);
	view_marks_free(marks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_event_passes_once),
		cmocka_unit_test(events_of_one_time_are_told_apart_by_their_number),
		cmocka_unit_test(files_have_nothing_to_do_with_each_other),
		cmocka_unit_test(file_is_the_same_by_another_name_and_another_one_by_its_name),
		cmocka_unit_test(of_a_loss_that_grows_what_is_new_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
