/* SPDX-License-Identifier: MIT */
/*
 * allocator.h - the allocator behind the wrapper: the C library's, or whatever comes next in the
 * order of libraries (a preloaded jemalloc, say).
 *
 * It is looked up as a whole at the first call of any function, whoever makes it: the dynamic
 * linker, a constructor that runs before ours, several threads at once. Nobody waits for anybody:
 * all find the same. What the look-up itself allocates is served by bootstrap.h.
 */
#ifndef TACHO_PRELOAD_ALLOCATOR_H
#define TACHO_PRELOAD_ALLOCATOR_H

#include <stddef.h>

#include "format/port.h"

struct allocator {
	void *(*malloc)(size_t size);
	void *(*calloc)(size_t nmemb, size_t size);
	void *(*realloc)(void *ptr, size_t size);
	void (*free)(void *ptr);
	void *(*memalign)(size_t alignment, size_t size);
	void *(*aligned_alloc)(size_t alignment, size_t size);
	int (*posix_memalign)(void **ret_ptr, size_t alignment, size_t size);
	void *(*valloc)(size_t size);
	void *(*pvalloc)(size_t size);
};

/* NULL until it was found. */
extern const struct allocator *allocator_found __attribute__((visibility("hidden")));

/*
 * allocator_find() - look it up
 *
 * Context: any thread. Keeps errno.
 * Return: the allocator; bootstrap_allocator to a thread that is looking it up at this moment.
 */
const struct allocator *allocator_find(void);

static inline const struct allocator *allocator(void)
{
	const struct allocator *found = tacho_load_acquire(&allocator_found);

	return __builtin_expect(found != NULL, 1) ? found : allocator_find();
}

#endif
