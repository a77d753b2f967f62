/* SPDX-License-Identifier: MIT */
/*
 * pthread_setname.c - pthread_setname_np(), in front of the C library's, so that the tracer
 * learns of it. Only in shared libraries: a static program has no "next" one to call, and its
 * threads keep the name that they had at their first event.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>

#include "format/port.h"
#include "tacho/abi.h"

typedef int setname(pthread_t, const char *);

/* Looked up at the first call, by whoever comes; all find the same. */
static setname *next_setname(void)
{
	static setname *next;
	setname *found = tacho_load_relaxed(&next);

	if (!found) {
		found = (setname *)dlsym(RTLD_NEXT, "pthread_setname_np");
		tacho_store_relaxed(&next, found);
	}
	return found;
}

__attribute__((visibility("default"))) int pthread_setname_np(pthread_t thread, const char *name)
{
	setname *next = next_setname();
	int ret = next ? next(thread, name) : ENOSYS;

	if (!ret)
		tacho_thread_renamed((uint64_t)(uintptr_t)thread, name);
	return ret;
}
