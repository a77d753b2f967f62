/* SPDX-License-Identifier: MIT */
/* tracer_call_drain.c - which programs wake a drain, and which must not (tracer/call_drain.h) */
#include "tests/test.h"

#include "format/trigger.h"
#include "tracer/call_drain.h"

static struct tacho_triggers page;
static const struct attachment attachment = { .triggers = &page };

static int begin(void **state)
{
	(void)state;
	page = (struct tacho_triggers){ .drain_sleeps = 1 };
	tacho_tracer.is_confined = 0;
	tacho_thread.in_vfork = 0;
	return 0;
}

static void drain_that_sleeps_is_woken(void **state)
{
	(void)state;
	call_drain(&attachment);
	assert_int_equal(page.drain_sleeps, 0);
	assert_int_equal(page.drain_uncalled, 0);
}

static void confined_program_leaves_word_instead(void **state)
{
	(void)state;
	tacho_process_confined();
	call_drain(&attachment);
	assert_int_equal(page.drain_sleeps, 1);
	assert_int_equal(page.drain_uncalled, 1);
}

/* It has its parent's memory, and perhaps not its parent's right to make system calls. */
static void child_of_vfork_leaves_word_instead(void **state)
{
	(void)state;
	tacho_thread.in_vfork = 1;
	tacho_process_confined();
	call_drain(&attachment);
	assert_int_equal(page.drain_sleeps, 1);
	assert_int_equal(page.drain_uncalled, 1);
	assert_int_equal(tacho_tracer.is_confined, 0);
}

/* As in this one, which is linked with the static library. */
static void program_whose_prctl_is_not_seen_is_confined(void **state)
{
	(void)state;
	call_drain_attached(&attachment);
	assert_int_equal(tacho_tracer.is_confined, 1);
	assert_int_equal(page.drain_uncalled, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(drain_that_sleeps_is_woken, begin),
		cmocka_unit_test_setup(confined_program_leaves_word_instead, begin),
		cmocka_unit_test_setup(child_of_vfork_leaves_word_instead, begin),
		cmocka_unit_test_setup(program_whose_prctl_is_not_seen_is_confined, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
