/* SPDX-License-Identifier: MIT */
/*
 * malloc.h - who allocates, and what is not freed: of the events of tacho-malloc(7).
 *
 * A site is an address in a process where a program goes on after the call (`caller`). A block is
 * live from the event of its allocation to that of its release; at most STATS_BLOCKS_MAX can be, and
 * STATS_SITES_MAX sites; what is beyond is left out, and counted.
 */
#ifndef TACHO_CLI_STATS_MALLOC_H
#define TACHO_CLI_STATS_MALLOC_H

#include "cli/view/map.h"
#include "cli/view/symbols.h"
#include "ctf/read/reader.h"
#include "values.h"

#define STATS_BLOCKS_MAX 262144
#define STATS_SITES_MAX  65536

struct stats_site {
	uint64_t caller;
	uint32_t pid;
	char *symbol;                     /* of the caller; or NULL */
	uint64_t calls, bytes;            /* that succeeded */
	uint64_t live_blocks, live_bytes; /* not freed */
};

struct stats_malloc {
	struct view_map *blocks;      /* by process and address */
	struct view_map *sites;       /* struct stats_site */
	struct view_symbols *symbols; /* borrowed; NULL: callers are addresses */
	struct stats_values *sizes;
	uint64_t calls, frees, failures, bytes;
	uint64_t live_blocks, live_bytes, peak_bytes;
	uint64_t frees_alone; /* of blocks that were allocated before the trace, or by a parent */
	uint64_t left_out;
};

void stats_malloc_init(struct stats_malloc *heap);
void stats_malloc_fini(struct stats_malloc *heap);

/* What an event says to it (calls.h). */
struct stats_malloc_call {
	enum { STATS_MALLOC, STATS_REALLOC, STATS_FREE } kind;
	uint64_t address, bytes; /* what it gave, of what size */
	uint64_t old;            /* what it took */
	uint64_t caller;
	uint64_t time_ns;
	struct symbols_process process; /* the pid alone, where nobody asks for symbols */
};

/* stats_malloc_take() - Return: false: the event is another one. */
bool stats_malloc_take(const struct stats_malloc *heap, const struct ctf_item *item,
		       struct stats_malloc_call *ret_call);
void stats_malloc_put(struct stats_malloc *heap, const struct stats_malloc_call *call);

/* Both: most bytes first. Return: as view_map_sorted(). */
struct view_map_entry *stats_malloc_by_bytes(const struct stats_malloc *heap);
struct view_map_entry *stats_malloc_by_live_bytes(const struct stats_malloc *heap);

#endif
