/* SPDX-License-Identifier: MIT */
/*
 * bootstrap.h - memory for the moment in which the real allocator is being looked up.
 *
 * dlsym() may allocate, and so may whatever it calls. Those few blocks come from a static arena,
 * which only grows: a block that is freed stays where it is. It may be freed much later, when the
 * real allocator, which does not know it, is long at work; so free() and realloc() have to ask
 * bootstrap_owns() first, always.
 *
 *      arena   | size |  block ... | size |  block ...           | zeros, never handed out |
 *                     ^ aligned           ^ aligned              ^ used_bytes
 */
#ifndef TACHO_PRELOAD_BOOTSTRAP_H
#define TACHO_PRELOAD_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "allocator.h"

#define BOOTSTRAP_BYTES 65536

extern char bootstrap_arena[BOOTSTRAP_BYTES] __attribute__((visibility("hidden")));

/* The arena as an allocator. When it is full, everything fails with ENOMEM. */
extern const struct allocator bootstrap_allocator __attribute__((visibility("hidden")));

static inline bool bootstrap_owns(const void *ptr)
{
	return (uintptr_t)ptr - (uintptr_t)bootstrap_arena < BOOTSTRAP_BYTES;
}

/* bootstrap_size() - of a block that bootstrap_owns() */
size_t bootstrap_size(const void *ptr);

#endif
