/* SPDX-License-Identifier: MIT */
/* bootstrap.c - see bootstrap.h. Any thread and any signal handler may come here: no lock. */
#include "bootstrap.h"

#include <errno.h>
#include <string.h>

#include "format/port.h"

#define PAGE_BYTES      4096
#define BLOCK_ALIGNMENT 16
#define HEADER_BYTES    BLOCK_ALIGNMENT

char bootstrap_arena[BOOTSTRAP_BYTES] __attribute__((aligned(PAGE_BYTES)));
static uint64_t used_bytes;

size_t bootstrap_size(const void *ptr)
{
	size_t size;

	memcpy(&size, (const char *)ptr - HEADER_BYTES, sizeof(size));
	return size;
}

/* The room that a block takes wherever it begins: its header, its alignment, itself. */
static bool room_of(size_t alignment, size_t size, uint64_t *ret_bytes)
{
	if (alignment > BOOTSTRAP_BYTES || size > BOOTSTRAP_BYTES)
		return false;
	*ret_bytes = ((uint64_t)HEADER_BYTES + alignment + size + BLOCK_ALIGNMENT - 1) &
		     ~(uint64_t)(BLOCK_ALIGNMENT - 1);
	return true;
}

/* What does not fit is not taken, so that the mark cannot run away. */
static bool take(uint64_t bytes, uint64_t *ret_at)
{
	uint64_t at = tacho_load_relaxed(&used_bytes);

	do {
		if (bytes > BOOTSTRAP_BYTES - at)
			return false;
	} while (!tacho_cmpxchg_acq_rel(&used_bytes, &at, at + bytes));
	*ret_at = at;
	return true;
}

static void *arena_memalign(size_t alignment, size_t size)
{
	uint64_t bytes, at;
	uintptr_t block;

	if (alignment < BLOCK_ALIGNMENT)
		alignment = BLOCK_ALIGNMENT;
	if (!room_of(alignment, size, &bytes) || !take(bytes, &at)) {
		errno = ENOMEM;
		return NULL;
	}
	block = ((uintptr_t)bootstrap_arena + at + HEADER_BYTES + alignment - 1) & ~(alignment - 1);
	memcpy((char *)block - HEADER_BYTES, &size, sizeof(size));
	return (void *)block;
}

static void *arena_malloc(size_t size)
{
	return arena_memalign(BLOCK_ALIGNMENT, size);
}

/* What the arena hands out was never used before: it is zero. */
static void *arena_calloc(size_t nmemb, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(nmemb, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return arena_malloc(bytes);
}

static void *arena_realloc(void *ptr, size_t size)
{
	size_t old_size = ptr && bootstrap_owns(ptr) ? bootstrap_size(ptr) : 0;
	void *block = arena_malloc(size);

	if (block && old_size)
		memcpy(block, ptr, old_size < size ? old_size : size);
	return block;
}

static void arena_free(void *ptr)
{
	(void)ptr;
}

static int arena_posix_memalign(void **ret_ptr, size_t alignment, size_t size)
{
	int saved = errno;
	void *block = arena_memalign(alignment, size);

	errno = saved;
	if (!block)
		return ENOMEM;
	*ret_ptr = block;
	return 0;
}

static void *arena_valloc(size_t size)
{
	return arena_memalign(PAGE_BYTES, size);
}

const struct allocator bootstrap_allocator = {
	.malloc = arena_malloc,
	.calloc = arena_calloc,
	.realloc = arena_realloc,
	.free = arena_free,
	.memalign = arena_memalign,
	.aligned_alloc = arena_memalign,
	.posix_memalign = arena_posix_memalign,
	.valloc = arena_valloc,
	.pvalloc = arena_valloc,
};
