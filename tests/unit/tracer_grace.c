/* SPDX-License-Identifier: MIT */
/*
 * tracer_grace.c - what is retired is given back when nobody looks at it any more, and not before
 * (tracer/grace.h). The tracer of this program has no session; its lanes are the test's.
 */
#include "tests/test.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/tracer.h"

static struct wiped *old_wiped;

struct item {
	struct retired retired;
	bool is_back;
};

static void give_back(struct retired *retired)
{
	tacho_store_release(&((struct item *)retired)->is_back, true);
}

static void retire(struct item *item)
{
	*item = (struct item){ .is_back = false };
	grace_retire(&item->retired, give_back);
}

static int begin(void **state)
{
	(void)state;
	old_wiped = tacho_tracer.wiped;
	tacho_tracer.wiped = calloc(1, sizeof(*tacho_tracer.wiped));
	tacho_tracer.grace = (struct grace){ 0 };
	tacho_thread.sections = tacho_thread.has_retired = 0;
	return 0;
}

static int end(void **state)
{
	(void)state;
	free(tacho_tracer.wiped);
	tacho_tracer.wiped = old_wiped;
	tacho_tracer.grace = (struct grace){ 0 };
	tacho_thread.sections = tacho_thread.has_retired = 0;
	return 0;
}

static void it_is_given_back_at_once_where_nobody_looks(void **state)
{
	struct item item;

	(void)state;
	retire(&item);
	assert_true(item.is_back);
	assert_int_equal(tacho_tracer.grace.limbo_count, 0);
}

static void it_is_given_back_when_the_section_that_retired_it_ends(void **state)
{
	struct grace_section section = grace_enter();
	struct item item;

	(void)state;
	retire(&item);
	grace_poll();
	assert_false(item.is_back);
	grace_leave(section);
	assert_true(item.is_back);
}

static void section_of_either_parity_keeps_it(void **state)
{
	(void)state;
	for (int i = 0; i < 6; i++) {
		struct item before, after;
		struct grace_section section;

		tacho_tracer.grace.sequence = (uint64_t)i;
		section = grace_enter();
		retire(&before);
		for (int n = 0; n < 10; n++)
			grace_poll();
		assert_false(before.is_back);
		grace_leave(section);
		grace_poll();
		assert_true(before.is_back);
		retire(&after);
		assert_true(after.is_back);
	}
}

static void new_sections_do_not_keep_what_is_old(void **state)
{
	struct grace_section section = grace_enter(), next;
	struct item item;

	(void)state;
	retire(&item);
	for (int i = 0; i < 10; i++) {
		next = grace_enter();
		grace_leave(section);
		section = next;
		grace_poll();
	}
	assert_true(item.is_back);
	grace_leave(section);
}

static void section_that_never_ends_keeps_a_bounded_number(void **state)
{
	struct item *items = calloc(GRACE_LIMBO_MAX + 100, sizeof(*items));

	(void)state;
	grace_enter();
	for (int i = 0; i < GRACE_LIMBO_MAX + 100; i++)
		retire(&items[i]);
	assert_int_equal(tacho_tracer.grace.limbo_count, GRACE_LIMBO_MAX);
	assert_int_equal(tacho_tracer.grace.kept_count, 100);
	for (int i = 0; i < GRACE_LIMBO_MAX + 100; i++)
		assert_false(items[i].is_back);
	free(items);
}

static void child_does_not_count_the_sections_of_its_parents_threads(void **state)
{
	struct item item;

	(void)state;
	grace_enter();
	tacho_thread.sections = 0; /* it was another thread's */
	grace_reset();
	retire(&item);
	assert_true(item.is_back);
}

static void section_from_before_a_fork_does_not_count_when_it_ends(void **state)
{
	struct grace_section section = grace_enter();
	struct grace_section other;
	struct item item;

	(void)state;
	grace_reset();
	grace_leave(section);
	assert_true(tacho_tracer.grace.is_off);
	retire(&item);
	assert_false(item.is_back);
	/* and so does not stand for the end of another */
	tacho_tracer.grace.is_off = false;
	other = grace_enter();
	retire(&item);
	grace_poll();
	assert_false(item.is_back);
	grace_leave(other);
	assert_true(item.is_back);
}

/* ---- threads ---- */

#define READERS 3
#define ROUNDS  20000

static struct item *published;
static uint32_t stop, faults;

static void *read_published(void *unused)
{
	while (!tacho_load_relaxed(&stop)) {
		struct grace_section section = grace_enter();
		struct item *item = __atomic_load_n(&published, __ATOMIC_ACQUIRE);

		for (int i = 0; item && i < 20; i++) {
			if (__atomic_load_n(&item->is_back, __ATOMIC_ACQUIRE))
				tacho_fetch_add_relaxed(&faults, 1);
		}
		grace_leave(section);
	}
	return unused;
}

static void nothing_is_given_back_below_a_reader(void **state)
{
	struct item *items = calloc(ROUNDS, sizeof(*items));
	pthread_t threads[READERS];
	uint32_t back = 0;

	(void)state;
	stop = faults = 0;
	for (int i = 0; i < READERS; i++)
		pthread_create(&threads[i], NULL, read_published, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		struct item *old = __atomic_exchange_n(&published, &items[i], __ATOMIC_ACQ_REL);

		if (old)
			grace_retire(&old->retired, give_back);
		while (tacho_load_relaxed(&tacho_tracer.grace.limbo_count) > 100) {
			sched_yield();
			grace_poll();
		}
	}
	tacho_store_relaxed(&stop, 1);
	for (int i = 0; i < READERS; i++)
		pthread_join(threads[i], NULL);
	published = NULL;
	grace_poll();
	for (int i = 0; i < ROUNDS - 1; i++)
		back += items[i].is_back;
	assert_int_equal(faults, 0);
	assert_int_equal(back, ROUNDS - 1);
	free(items);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(it_is_given_back_at_once_where_nobody_looks),
		CASE(it_is_given_back_when_the_section_that_retired_it_ends),
		CASE(section_of_either_parity_keeps_it),
		CASE(new_sections_do_not_keep_what_is_old),
		CASE(section_that_never_ends_keeps_a_bounded_number),
		CASE(child_does_not_count_the_sections_of_its_parents_threads),
		CASE(section_from_before_a_fork_does_not_count_when_it_ends),
		CASE(nothing_is_given_back_below_a_reader),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
