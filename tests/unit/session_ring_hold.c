/* SPDX-License-Identifier: MIT */
/* session_ring_hold.c - what a ring holds, copied while it is written (lib/session/drain/ring_hold.h) */
#include "tests/unit/session_fixture.h"

#include <errno.h>

#include "session/drain/ring_hold.h"

/* A flight recorder, its writer, and an event to write. */
struct scene {
	struct session *session;
	struct fake_writer w;
	struct ring_hold hold;
	uint32_t id;
	uint32_t value;
};

static void scene_init(struct fixture *f, struct scene *s)
{
	struct rule_options rule = { .pattern = "*" };

	s->session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	assert_ok(f, session_enable_event(s->session, &rule, &f->error));
	writer_open(f, "s", 0, &s->w);
	s->id = table_add(f, "s", "one");
	s->value = 0;
	ring_hold_init(&s->hold, &s->w.rings, 0);
}

static void scene_fini(struct scene *s)
{
	ring_hold_fini(&s->hold);
	writer_close(&s->w);
	session_close(s->session);
}

/* Up to the first record of sub-buffer @number. */
static void write_into(struct scene *s, uint64_t number)
{
	while (ring_range(&s->w.rings, 0).end <= number)
		assert_true(writer_append(&s->w, s->id, s->value++));
}

/* Is what is held in one piece, and what the ring had? */
static void assert_held(const struct scene *s, uint64_t first, uint64_t end)
{
	assert_int_equal(s->hold.first, first);
	assert_int_equal(s->hold.end, end);
	for (uint64_t number = first; number < end; number++) {
		const struct ring_view *view = ring_hold_get(&s->hold, number);

		assert_int_equal(view->number, number);
		assert_int_equal(view->is_open, number + 1 == end);
		assert_true(view->content_bytes > 0);
	}
}

static void first_pass_takes_what_there_is(void **state)
{
	struct scene s;

	scene_init(*state, &s);
	assert_int_equal(ring_hold_pass(&s.hold), 0); /* nothing yet */
	assert_true(s.hold.is_settled);
	write_into(&s, 3);
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	assert_held(&s, 0, 4);
	assert_int_equal(ring_hold_missing(&s.hold, s.w.ts, 0), 0);
	write_into(&s, 30);
	ring_hold_fini(&s.hold);
	ring_hold_init(&s.hold, &s.w.rings, 0);
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	assert_held(&s, 31 - s.w.rings.subbuf_count, 31);
	assert_int_equal(ring_hold_missing(&s.hold, s.w.ts, 0), 0);
	scene_fini(&s);
}

static void what_is_held_is_not_lost_when_it_is_overwritten(void **state)
{
	struct scene s;
	uint64_t count;

	scene_init(*state, &s);
	count = s.w.rings.subbuf_count;
	write_into(&s, 2 * count);
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	assert_held(&s, count + 1, 2 * count + 1);
	write_into(&s, 3 * count - 1); /* all but the last one are gone from the ring */
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	assert_held(&s, count + 1, 3 * count);
	write_into(&s, 3 * count + 2); /* more than there is room for: the oldest go */
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	assert_held(&s, count + 3, 3 * count + 3);
	scene_fini(&s);
}

static void open_subbuffer_grows_in_place(void **state)
{
	struct fixture *f = *state;
	struct scene s;
	uint64_t bytes;

	scene_init(f, &s);
	write_into(&s, 0);
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	bytes = ring_hold_get(&s.hold, 0)->content_bytes;
	assert_true(writer_append(&s.w, s.id, 4711));
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	assert_false(s.hold.is_settled);
	assert_true(ring_hold_get(&s.hold, 0)->content_bytes > bytes);
	assert_memory_equal(ring_hold_get(&s.hold, 0)->content, writer_at(&s.w, 0),
			    ring_hold_get(&s.hold, 0)->content_bytes);
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	assert_true(s.hold.is_settled);
	scene_fini(&s);
}

static void gap_gives_up_what_is_before_it(void **state)
{
	struct scene s;
	uint64_t count;

	scene_init(*state, &s);
	count = s.w.rings.subbuf_count;
	write_into(&s, 5);
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	write_into(&s, 5 + count); /* 5 was open, and its rest is gone */
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	assert_held(&s, 6, 6 + count);
	scene_fini(&s);
}

static void missing_counts_what_is_not_as_old_as_the_ring_could_hold(void **state)
{
	struct scene s;
	uint64_t count;
	uint64_t ts;

	scene_init(*state, &s);
	count = s.w.rings.subbuf_count;
	write_into(&s, 2 * count);
	ts = s.w.ts;
	write_into(&s, 2 * count + 3); /* three sub-buffers are later than @ts, or end later */
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	assert_int_equal(ring_hold_missing(&s.hold, s.w.ts, 0), 0);
	assert_int_equal(ring_hold_missing(&s.hold, ts, 0), 3);
	assert_int_equal(ring_hold_missing(&s.hold, ts, s.hold.first),
			 0); /* there never was more */
	scene_fini(&s);
}

static bool is_in_ring(const struct scene *s, uint64_t number)
{
	const char *content = ring_hold_get(&s->hold, number)->content;
	const char *map = (const char *)s->w.rings.map;

	return content >= map && content < map + s->w.rings.map_bytes;
}

static void light_hold_of_a_ring_at_rest_copies_the_open_subbuffer_only(void **state)
{
	struct scene s;

	scene_init(*state, &s);
	s.hold.is_light = true;
	write_into(&s, 3);
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	assert_true(s.hold.is_settled);
	assert_held(&s, 0, 4);
	for (uint64_t number = 0; number < 4; number++)
		assert_int_equal(is_in_ring(&s, number), number < 3);
	scene_fini(&s);
}

static void light_hold_of_a_ring_that_moves_is_copied_after_all(void **state)
{
	struct scene s;
	uint64_t count;

	scene_init(*state, &s);
	s.hold.is_light = true;
	count = s.w.rings.subbuf_count;
	write_into(&s, 2 * count);
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	write_into(&s, 2 * count + 2);
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	assert_false(s.hold.is_light);
	assert_held(&s, count + 3, 2 * count + 3);
	write_into(&s, 3 * count); /* what was copied stays */
	assert_int_equal(ring_hold_pass(&s.hold), 0);
	assert_held(&s, count + 3, 3 * count + 1);
	for (uint64_t number = s.hold.first; number < s.hold.end; number++)
		assert_false(is_in_ring(&s, number));
	scene_fini(&s);
}

static void ring_file_that_is_cut_is_an_error(void **state)
{
	struct fixture *f = *state;
	struct scene s;

	scene_init(f, &s);
	write_into(&s, 3);
	assert_int_equal(
		ftruncate(s.w.rings.fd, TACHO_RINGS_HEADER_BYTES + TACHO_RING_CONTROL_BYTES), 0);
	assert_int_equal(ring_hold_pass(&s.hold), -EFAULT);
	scene_fini(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		session_test(first_pass_takes_what_there_is),
		session_test(what_is_held_is_not_lost_when_it_is_overwritten),
		session_test(open_subbuffer_grows_in_place),
		session_test(gap_gives_up_what_is_before_it),
		session_test(missing_counts_what_is_not_as_old_as_the_ring_could_hold),
		session_test(light_hold_of_a_ring_at_rest_copies_the_open_subbuffer_only),
		session_test(light_hold_of_a_ring_that_moves_is_copied_after_all),
		session_test(ring_file_that_is_cut_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
