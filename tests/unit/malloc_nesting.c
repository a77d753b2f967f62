/* SPDX-License-Identifier: MIT */
/* malloc_nesting.c - what keeps the recording of malloc() from recording itself for ever. */
#include <setjmp.h>
#include <stdlib.h>

#include "tests/test.h"

#include "preload/nesting.c"

/* A libtacho that allocates, and one that a signal handler leaves by siglongjmp(). */
static int recorded;
static bool recurses;
static jmp_buf *leave_by;

static void record(void)
{
	recorded++;
	if (leave_by)
		longjmp(*leave_by, 1);
	if (recurses)
		__wrap_tacho_emit_parts(NULL, NULL, 0);
}

void __real_tacho_emit_word(struct tacho_event *event, uint64_t payload, uint64_t bytes)
{
	(void)event, (void)payload, (void)bytes;
	record();
}

void __real_tacho_emit_parts(struct tacho_event *event, const struct tacho_part *parts,
			     uint32_t count)
{
	(void)event, (void)parts, (void)count;
	record();
}

static int nothing_recorded(void **state)
{
	(void)state;
	recorded = 0;
	recurses = false;
	leave_by = NULL;
	now = (struct nesting){ 0 };
	return 0;
}

static __attribute__((noinline)) void record_from_deeper(int levels)
{
	volatile char frame[100];

	frame[0] = 0;
	if (levels)
		record_from_deeper(levels - 1);
	else
		__wrap_tacho_emit_parts(NULL, NULL, 0);
	frame[1] = frame[0];
}

static void each_event_is_recorded(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		__wrap_tacho_emit_word(NULL, 0, 0);
		record_from_deeper(i);
	}
	assert_int_equal(recorded, 200);
	assert_int_equal(now.depth, 0);
}

static void recursion_ends(void **state)
{
	(void)state;
	recurses = true;
	__wrap_tacho_emit_word(NULL, 0, 0);
	assert_int_equal(recorded, NESTING_MAX);
	__wrap_tacho_emit_parts(NULL, NULL, 0);
	assert_int_equal(recorded, 2 * NESTING_MAX);
}

static void leaving_by_longjmp_loses_nothing_later(void **state)
{
	jmp_buf here;

	(void)state;
	for (volatile int i = 0; i < 100; i++) {
		leave_by = &here;
		if (!setjmp(here))
			record_from_deeper(5);
		leave_by = NULL;
		__wrap_tacho_emit_parts(NULL, NULL, 0);
		record_from_deeper(3);
	}
	assert_int_equal(recorded, 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_event_is_recorded, nothing_recorded),
		cmocka_unit_test_setup(recursion_ends, nothing_recorded),
		cmocka_unit_test_setup(leaving_by_longjmp_loses_nothing_later, nothing_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
