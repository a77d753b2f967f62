/* SPDX-License-Identifier: MIT */
/* arena.c - see arena.h */
#include "arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)16 << 10)

struct read_arena_block {
	struct read_arena_block *next;
	size_t used;
	size_t bytes;
	alignas(max_align_t) char data[];
};

static size_t round_up(size_t bytes)
{
	return (bytes + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
}

static struct read_arena_block *add_block(struct read_arena *arena, size_t bytes)
{
	size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
	struct read_arena_block *block;

	if (size > READ_ARENA_BYTES_MAX - arena->total_bytes)
		return NULL;
	block = calloc(1, sizeof(*block) + size);
	if (!block)
		return NULL;
	block->bytes = size;
	block->next = arena->blocks;
	arena->blocks = block;
	arena->total_bytes += size;
	return block;
}

void *read_arena_alloc(struct read_arena *arena, size_t count, size_t bytes)
{
	struct read_arena_block *block = arena->blocks;
	size_t size;

	if (bytes && count > READ_ARENA_BYTES_MAX / bytes)
		return NULL;
	size = round_up(count * bytes);
	if (!block || size > block->bytes - block->used)
		block = add_block(arena, size);
	if (!block)
		return NULL;
	block->used += size;
	return block->data + block->used - size;
}

char *read_arena_text(struct read_arena *arena, const char *text, size_t bytes)
{
	char *copy = read_arena_alloc(arena, bytes + 1, 1);

	if (copy)
		memcpy(copy, text, bytes);
	return copy;
}

void read_arena_fini(struct read_arena *arena)
{
	while (arena->blocks) {
		struct read_arena_block *next = arena->blocks->next;

		free(arena->blocks);
		arena->blocks = next;
	}
	arena->total_bytes = 0;
}
