/* SPDX-License-Identifier: MIT */
/*
 * allocator.c - see allocator.h
 *
 *      find:A  next.* = dlsym(RTLD_NEXT, ..)       allocator:A  found = allocator_found (acquire)
 *      find:B  allocator_found = &next (release)   allocator:B  found->malloc(..)
 *
 *      pairs: find:B with allocator:A: who sees the pointer sees the functions. Threads that look
 *      it up at the same time store the same values.
 */
#include "allocator.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

#include "bootstrap.h"

/* glibc's own names, for a process in which nothing comes after us. Elsewhere they are NULL. */
#define WEAK __attribute__((weak))
extern WEAK void *__libc_malloc(size_t size);
extern WEAK void *__libc_calloc(size_t nmemb, size_t size);
extern WEAK void *__libc_realloc(void *ptr, size_t size);
extern WEAK void __libc_free(void *ptr);
extern WEAK void *__libc_memalign(size_t alignment, size_t size);
extern WEAK void *__libc_valloc(size_t size);
extern WEAK void *__libc_pvalloc(size_t size);

const struct allocator *allocator_found;

static struct allocator next;

static __thread bool is_finding __attribute__((tls_model("initial-exec")));

/* The next function of this name, else glibc's, else one that knows only the arena. */
#define FIND(name, libc)                                                                           \
	do {                                                                                       \
		__typeof__(next.name) found_ = (__typeof__(next.name))dlsym(RTLD_NEXT, #name);     \
                                                                                                   \
		if (!found_)                                                                       \
			found_ = (libc);                                                           \
		tacho_store_relaxed(&next.name, found_ ? found_ : bootstrap_allocator.name);       \
	} while (0)

static void find_all(void)
{
	FIND(malloc, __libc_malloc);
	FIND(calloc, __libc_calloc);
	FIND(realloc, __libc_realloc);
	FIND(free, __libc_free);
	FIND(memalign, __libc_memalign);
	FIND(aligned_alloc, __libc_memalign);
	FIND(posix_memalign, NULL);
	FIND(valloc, __libc_valloc);
	FIND(pvalloc, __libc_pvalloc);
}

const struct allocator *allocator_find(void)
{
	int saved = errno;

	if (is_finding)
		return &bootstrap_allocator;
	is_finding = true;
	find_all();
	tacho_store_release(&allocator_found, &next); /* find:B */
	is_finding = false;
	errno = saved;
	return &next;
}

/* Early, while there is one thread; not needed for more than that. */
static __attribute__((constructor(101))) void find_early(void)
{
	allocator();
}
