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
#include "nesting.h"
#include "tacho/event.h"

#define EXPORT      __attribute__((visibility("default")))
#define OUT_OF_LINE __attribute__((noinline))

/* Where the call returns to, in a function that is called by the program itself. */
#define CALLER() __builtin_extract_return_addr(__builtin_return_address(0))

/* Record event malloc:@name, unless this is a recursion. */
#define RECORD(name, ...)                                                                          \
	do {                                                                                       \
		struct nesting outer_;                                                             \
                                                                                                   \
		if (nesting_begin(&outer_))                                                        \
			tacho_event(malloc, name, __VA_ARGS__);                                    \
		nesting_end(&outer_);                                                              \
	} while (0)

/* ---- the events, out of line: a call that nobody records should not pay for their frames ---- */

static OUT_OF_LINE void record_malloc(size_t size, const void *ptr, const void *caller)
{
	RECORD(malloc, "size", size, "ptr", ptr, "caller", caller);
}

static OUT_OF_LINE void record_calloc(size_t nmemb, size_t size, const void *ptr,
				      const void *caller)
{
	RECORD(calloc, "nmemb", nmemb, "size", size, "ptr", ptr, "caller", caller);
}

static OUT_OF_LINE void record_realloc(const void *in_ptr, size_t size, const void *ptr,
				       const void *caller)
{
	RECORD(realloc, "in_ptr", in_ptr, "size", size, "ptr", ptr, "caller", caller);
}

static OUT_OF_LINE void record_free(const void *ptr, const void *caller)
{
	RECORD(free, "ptr", ptr, "caller", caller);
}

static OUT_OF_LINE void record_memalign(size_t alignment, size_t size, const void *ptr,
					const void *caller)
{
	RECORD(memalign, "alignment", alignment, "size", size, "ptr", ptr, "caller", caller);
}

static OUT_OF_LINE void record_aligned_alloc(size_t alignment, size_t size, const void *ptr,
					     const void *caller)
{
	RECORD(aligned_alloc, "alignment", alignment, "size", size, "ptr", ptr, "caller", caller);
}

static OUT_OF_LINE void record_posix_memalign(size_t alignment, size_t size, const void *ptr,
					      int result, const void *caller)
{
	RECORD(posix_memalign, "alignment", alignment, "size", size, "ptr", ptr, "result", result,
	       "caller", caller);
}

static OUT_OF_LINE void record_valloc(size_t size, const void *ptr, const void *caller)
{
	RECORD(valloc, "size", size, "ptr", ptr, "caller", caller);
}

static OUT_OF_LINE void record_pvalloc(size_t size, const void *ptr, const void *caller)
{
	RECORD(pvalloc, "size", size, "ptr", ptr, "caller", caller);
}

/* ---- the functions ---- */

EXPORT void *malloc(size_t size)
{
	void *ptr = allocator()->malloc(size);

	if (tacho_enabled(malloc, malloc))
		record_malloc(size, ptr, CALLER());
	return ptr;
}

EXPORT void *calloc(size_t nmemb, size_t size)
{
	void *ptr = allocator()->calloc(nmemb, size);

	if (tacho_enabled(malloc, calloc))
		record_calloc(nmemb, size, ptr, CALLER());
	return ptr;
}

/* Out of the arena, into the real heap. */
static OUT_OF_LINE void *move_from_bootstrap(const void *ptr, size_t size)
{
	size_t old_size = bootstrap_size(ptr);
	void *moved = allocator()->malloc(size);

	if (moved)
		memcpy(moved, ptr, old_size < size ? old_size : size);
	return moved;
}

static inline void *realloc_for(void *in_ptr, size_t size, const void *caller)
{
	uintptr_t was = (uintptr_t)in_ptr; /* after realloc(), nothing may look at in_ptr itself */
	void *ptr = __builtin_expect(bootstrap_owns(in_ptr), 0) ?
			    move_from_bootstrap(in_ptr, size) :
			    allocator()->realloc(in_ptr, size);

	if (tacho_enabled(malloc, realloc))
		record_realloc((const void *)was, size, ptr, caller);
	return ptr;
}

EXPORT void *realloc(void *in_ptr, size_t size)
{
	return realloc_for(in_ptr, size, CALLER());
}

/* The C library's would call realloc(), and be the caller of all of them. */
EXPORT void *reallocarray(void *in_ptr, size_t nmemb, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(nmemb, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc_for(in_ptr, bytes, CALLER());
}

EXPORT void free(void *ptr)
{
	if (__builtin_expect(bootstrap_owns(ptr), 0))
		return;
	if (tacho_enabled(malloc, free))
		record_free(ptr, CALLER());
	allocator()->free(ptr);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
	void *ptr = allocator()->memalign(alignment, size);

	if (tacho_enabled(malloc, memalign))
		record_memalign(alignment, size, ptr, CALLER());
	return ptr;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	void *ptr = allocator()->aligned_alloc(alignment, size);

	if (tacho_enabled(malloc, aligned_alloc))
		record_aligned_alloc(alignment, size, ptr, CALLER());
	return ptr;
}

EXPORT int posix_memalign(void **ret_ptr, size_t alignment, size_t size)
{
	int result = allocator()->posix_memalign(ret_ptr, alignment, size);

	if (tacho_enabled(malloc, posix_memalign))
		record_posix_memalign(alignment, size, result ? NULL : *ret_ptr, result, CALLER());
	return result;
}

EXPORT void *valloc(size_t size)
{
	void *ptr = allocator()->valloc(size);

	if (tacho_enabled(malloc, valloc))
		record_valloc(size, ptr, CALLER());
	return ptr;
}

EXPORT void *pvalloc(size_t size)
{
	void *ptr = allocator()->pvalloc(size);

	if (tacho_enabled(malloc, pvalloc))
		record_pvalloc(size, ptr, CALLER());
	return ptr;
}
