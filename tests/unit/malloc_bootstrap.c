/* SPDX-License-Identifier: MIT */
/* malloc_bootstrap.c - the arena that serves malloc() while the real one is being looked up. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

#include "preload/bootstrap.c"

#define HEAP (&bootstrap_allocator)

/* Each case begins with an arena that nobody used; blocks of other cases mean nothing to it. */
static int empty_arena(void **state)
{
	(void)state;
	memset(bootstrap_arena, 0, sizeof(bootstrap_arena));
	used_bytes = 0;
	return 0;
}

static void blocks_are_aligned_and_know_their_size(void **state)
{
	(void)state;
	for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
		char *block = HEAP->memalign(alignment, 3 * alignment);

		assert_non_null(block);
		assert_true(bootstrap_owns(block) && bootstrap_owns(block + 3 * alignment - 1));
		assert_int_equal((uintptr_t)block % (alignment < 16 ? 16 : alignment), 0);
		assert_int_equal(bootstrap_size(block), 3 * alignment);
	}
}

static void blocks_do_not_overlap(void **state)
{
	char *block[200];

	(void)state;
	for (size_t i = 0; i < 200; i++) {
		block[i] = i % 2 ? HEAP->malloc(i) : HEAP->memalign(64, i);
		memset(block[i], (int)i, i);
	}
	for (size_t i = 0; i < 200; i++) {
		assert_int_equal(bootstrap_size(block[i]), i);
		for (size_t at = 0; at < i; at++)
			assert_int_equal((unsigned char)block[i][at], i);
	}
}

static void calloc_gives_zeros_and_refuses_products_that_overflow(void **state)
{
	const char zeros[300] = { 0 };

	(void)state;
	memset(HEAP->malloc(1000), 1, 1000);
	assert_memory_equal(HEAP->calloc(3, 100), zeros, 300);
	errno = 0;
	assert_null(HEAP->calloc(SIZE_MAX / 2, 3));
	assert_int_equal(errno, ENOMEM);
}

static void realloc_keeps_what_fits(void **state)
{
	char *block = HEAP->realloc(NULL, 6);

	(void)state;
	strcpy(block, "kept!");
	block = HEAP->realloc(block, 1000);
	assert_string_equal(block, "kept!");
	block = HEAP->realloc(block, 2);
	assert_memory_equal(block, "ke", 2);
	HEAP->free(block);
	HEAP->free(NULL);
}

static void full_arena_fails_with_enomem_and_stays_full(void **state)
{
	void *ptr = NULL;

	(void)state;
	while (HEAP->malloc(1000))
		;
	for (int i = 0; i < 1000; i++) {
		errno = 0;
		assert_null(HEAP->malloc(1000));
		assert_int_equal(errno, ENOMEM);
	}
	errno = EDOM;
	assert_int_equal(HEAP->posix_memalign(&ptr, 64, 5000), ENOMEM);
	assert_int_equal(errno, EDOM);
	assert_null(ptr);
	assert_true(used_bytes <= BOOTSTRAP_BYTES);
}

static void sizes_beyond_the_arena_fail(void **state)
{
	const size_t sizes[] = { BOOTSTRAP_BYTES, BOOTSTRAP_BYTES + 1, SIZE_MAX / 2, SIZE_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		assert_null(HEAP->malloc(sizes[i]));
		assert_null(HEAP->memalign(sizes[i] & ~(sizes[i] >> 1), 1));
		assert_null(HEAP->valloc(sizes[i]));
	}
	assert_non_null(HEAP->malloc(1));
}

static void only_the_arena_is_owned(void **state)
{
	int on_stack = 0;
	void *elsewhere = malloc(1);

	(void)state;
	assert_false(bootstrap_owns(NULL));
	assert_false(bootstrap_owns(&on_stack));
	assert_false(bootstrap_owns(elsewhere));
	assert_false(bootstrap_owns(bootstrap_arena - 1));
	assert_true(bootstrap_owns(bootstrap_arena));
	assert_false(bootstrap_owns(bootstrap_arena + BOOTSTRAP_BYTES));
	free(elsewhere);
}

static void *take_many(void *mark)
{
	for (int i = 0; i < 200; i++) {
		char *block = HEAP->malloc(20);

		assert_non_null(block);
		memset(block, *(char *)mark, 20);
	}
	return NULL;
}

static void threads_get_different_blocks(void **state)
{
	char mark[4] = "abcd";
	pthread_t thread[4];
	int count[4] = { 0 };

	(void)state;
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, take_many, &mark[i]), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	for (size_t at = 0; at < BOOTSTRAP_BYTES; at++) {
		for (int i = 0; i < 4; i++)
			count[i] += bootstrap_arena[at] == mark[i];
	}
	for (int i = 0; i < 4; i++)
		assert_int_equal(count[i], 200 * 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(blocks_are_aligned_and_know_their_size, empty_arena),
		cmocka_unit_test_setup(blocks_do_not_overlap, empty_arena),
		cmocka_unit_test_setup(calloc_gives_zeros_and_refuses_products_that_overflow,
				       empty_arena),
		cmocka_unit_test_setup(realloc_keeps_what_fits, empty_arena),
		cmocka_unit_test_setup(full_arena_fails_with_enomem_and_stays_full, empty_arena),
		cmocka_unit_test_setup(sizes_beyond_the_arena_fail, empty_arena),
		cmocka_unit_test_setup(only_the_arena_is_owned, empty_arena),
		cmocka_unit_test_setup(threads_get_different_blocks, empty_arena),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
