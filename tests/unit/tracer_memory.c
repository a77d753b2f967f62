/* SPDX-License-Identifier: MIT */
/* tracer_memory.c - the tracer's blocks (tracer/memory.h). */
#include "tests/test.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "format/port.h"
#include "tracer/memory.h"

static struct memory memory;

static int begin(void **state)
{
	(void)state;
	memset(&memory, 0, sizeof(memory));
	return 0;
}

static int end(void **state)
{
	(void)state;
	if (memory.base)
		munmap(memory.base, MEMORY_BYTES);
	return 0;
}

static void nothing_is_mapped_before_it_is_needed(void **state)
{
	(void)state;
	memory_put(&memory, NULL, 100);
	assert_null(memory.base);
	assert_null(memory_get(&memory, MEMORY_BLOCK_MAX + 1));
	assert_null(memory_get(&memory, SIZE_MAX));
	assert_null(memory.base);
	assert_non_null(memory_get(&memory, 1));
}

static void block_that_is_put_back_is_used_again(void **state)
{
	(void)state;
	for (size_t bytes = 1; bytes <= MEMORY_BLOCK_MAX; bytes *= 2) {
		char *block = memory_get(&memory, bytes);
		uint32_t used = memory.used;

		assert_int_equal((uintptr_t)block % MEMORY_BLOCK_MIN, 0);
		memset(block, 0xff, bytes);
		memory_put(&memory, block, bytes);
		assert_ptr_equal(memory_get(&memory, bytes), block);
		assert_int_equal(memory.used, used);
	}
}

static void blocks_in_use_are_apart(void **state)
{
	char *a = memory_get(&memory, 65), *b = memory_get(&memory, 128);

	(void)state;
	assert_true(b >= a + 128 || a >= b + 128);
	memory_put(&memory, a, 65);
	memory_put(&memory, b, 128);
	assert_ptr_equal(memory_get(&memory, 100), b);
	assert_ptr_equal(memory_get(&memory, 128), a);
}

static void all_can_be_used_up_and_had_again(void **state)
{
	void *last = NULL, *block;
	uint32_t count = 0;

	(void)state;
	while ((block = memory_get(&memory, MEMORY_BLOCK_MAX))) {
		last = block;
		count++;
	}
	assert_int_equal(count, MEMORY_BYTES / MEMORY_BLOCK_MAX);
	assert_null(memory_get(&memory, 1));
	memory_put(&memory, last, MEMORY_BLOCK_MAX);
	assert_ptr_equal(memory_get(&memory, MEMORY_BLOCK_MAX), last);
}

#define THREADS 4
#define ROUNDS  40000
#define HELD    8

static bool is_filled(const unsigned char *block, unsigned char with)
{
	for (int i = 0; i < 64; i++) {
		if (block[i] != with)
			return false;
	}
	return true;
}

/* Whoever has a block is the only one. */
static void *take_and_put(void *arg)
{
	unsigned char me = (unsigned char)(uintptr_t)arg;
	unsigned char *held[HELD] = { NULL };

	for (uint32_t i = 0; i < ROUNDS; i++) {
		unsigned char **slot = &held[i * 7 % HELD];

		if (*slot && !is_filled(*slot, me))
			return "another wrote to a block";
		memory_put(&memory, *slot, 64);
		*slot = memory_get(&memory, 64);
		memset(*slot, me, 64);
	}
	return NULL;
}

static void threads_never_share_a_block(void **state)
{
	pthread_t threads[THREADS];
	void *wrong;

	(void)state;
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, take_and_put, (void *)(i + 1));
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &wrong);
		if (wrong)
			fail_msg("%s", (char *)wrong);
	}
	assert_true(memory.used <= 64 * THREADS * (HELD + 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nothing_is_mapped_before_it_is_needed, begin, end),
		cmocka_unit_test_setup_teardown(block_that_is_put_back_is_used_again, begin, end),
		cmocka_unit_test_setup_teardown(blocks_in_use_are_apart, begin, end),
		cmocka_unit_test_setup_teardown(all_can_be_used_up_and_had_again, begin, end),
		cmocka_unit_test_setup_teardown(threads_never_share_a_block, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
