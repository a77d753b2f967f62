/* SPDX-License-Identifier: MIT */
/*
 * malloc.c - libtacho-malloc.so: records the heap of a program that knows nothing of it.
 *
 * The functions of the heap, under their own names, in front of the real ones. Each calls the real
 * one and records the call as event malloc:FUNCTION. tacho-malloc(7) lists the fields.
 *
 * free() is recorded before it happens, everything else after: the next block at the same address
 * is recorded after the free() of the last, whichever thread gets it. With realloc() that cannot
 * be said, since whether it moves the block is known too late.
 *
 * While nobody records, a call costs three loads more. errno is what the real function left: the
 * tracer keeps it.
 *
 * Not wrapped: malloc_usable_size() and what tunes or inspects the heap; operator new and delete
 * of C++, which call malloc() and free().
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "bootstrap.h"
#include "tacho/event.h"

#define EXPORT __attribute__((visibility("default")))

/* Where the program goes on; only in a function that it calls itself. */
#define CALLER() __builtin_extract_return_addr(__builtin_return_address(0))

EXPORT void *malloc(size_t size)
{
	void *ptr = allocator()->malloc(size);

	tacho_event(malloc, malloc, "size", size, "ptr", ptr, "caller", CALLER());
	return ptr;
}

EXPORT void *calloc(size_t nmemb, size_t size)
{
	void *ptr = allocator()->calloc(nmemb, size);

	tacho_event(malloc, calloc, "nmemb", nmemb, "size", size, "ptr", ptr, "caller", CALLER());
	return ptr;
}

/* Out of the arena, into the real heap. */
static __attribute__((noinline)) void *move_from_bootstrap(const void *ptr, size_t size)
{
	size_t old_size = bootstrap_size(ptr);
	void *moved = allocator()->malloc(size);

	if (moved)
		memcpy(moved, ptr, old_size < size ? old_size : size);
	return moved;
}

EXPORT void *realloc(void *in_ptr, size_t size)
{
	uintptr_t was = (uintptr_t)in_ptr; /* a pointer means nothing once its block is gone */
	void *ptr;

	if (__builtin_expect(bootstrap_owns(in_ptr), 0))
		ptr = move_from_bootstrap(in_ptr, size);
	else
		ptr = allocator()->realloc(in_ptr, size);
	tacho_event(malloc, realloc, "in_ptr", (void *)was, "size", size, "ptr", ptr, "caller",
		    CALLER());
	return ptr;
}

/*
 * Recorded as the realloc() that it is. Like the C library's, it calls whatever realloc() the whole
 * program has: an allocator in front of us may have that one, and no reallocarray(). It is a tail
 * call, so that the program stays the caller.
 */
EXPORT void *reallocarray(void *in_ptr, size_t nmemb, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(nmemb, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(in_ptr, bytes);
}

EXPORT void free(void *ptr)
{
	if (__builtin_expect(bootstrap_owns(ptr), 0))
		return;
	tacho_event(malloc, free, "ptr", ptr, "caller", CALLER());
	allocator()->free(ptr);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
	void *ptr = allocator()->memalign(alignment, size);

	tacho_event(malloc, memalign, "alignment", alignment, "size", size, "ptr", ptr, "caller",
		    CALLER());
	return ptr;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	void *ptr = allocator()->aligned_alloc(alignment, size);

	tacho_event(malloc, aligned_alloc, "alignment", alignment, "size", size, "ptr", ptr,
		    "caller", CALLER());
	return ptr;
}

EXPORT int posix_memalign(void **ret_ptr, size_t alignment, size_t size)
{
	int result = allocator()->posix_memalign(ret_ptr, alignment, size);

	tacho_event(malloc, posix_memalign, "alignment", alignment, "size", size, "ptr",
		    result ? NULL : *ret_ptr, "result", result, "caller", CALLER());
	return result;
}

EXPORT void *valloc(size_t size)
{
	void *ptr = allocator()->valloc(size);

	tacho_event(malloc, valloc, "size", size, "ptr", ptr, "caller", CALLER());
	return ptr;
}

EXPORT void *pvalloc(size_t size)
{
	void *ptr = allocator()->pvalloc(size);

	tacho_event(malloc, pvalloc, "size", size, "ptr", ptr, "caller", CALLER());
	return ptr;
}
