/* SPDX-License-Identifier: MIT */
/*
 * arena.h - memory that is given back all at once: what the metadata of one trace says.
 *
 * It has a limit, so that a small hostile text that describes a huge type is an error and not the
 * end of the machine's memory.
 */
#ifndef TACHO_CTF_READ_ARENA_H
#define TACHO_CTF_READ_ARENA_H

#include <stddef.h>

#define READ_ARENA_BYTES_MAX ((size_t)256 << 20)

struct read_arena {
	struct read_arena_block *blocks; /* the newest first */
	size_t total_bytes;
};

/* Zeroed memory for any object, or NULL. */
void *read_arena_alloc(struct read_arena *arena, size_t count, size_t bytes);
/* A copy of @bytes characters with a 0 byte behind them, or NULL. */
char *read_arena_text(struct read_arena *arena, const char *text, size_t bytes);
void read_arena_fini(struct read_arena *arena);

#endif
