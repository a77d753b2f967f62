/* SPDX-License-Identifier: MIT */
/*
 * map.h - which module was where in a process, and when: a part of symbols.h.
 *
 * Each stay of a module is a place; it never moves, and is never removed. Those of a process hang
 * in a list, the latest first; of several that fit an address, the time says which is meant.
 */
#ifndef TACHO_SYMBOLS_MAP_H
#define TACHO_SYMBOLS_MAP_H

#include "symbols.h"

struct module;

struct place {
	struct place *next; /* of the process */
	uint64_t base, bytes;
	uint64_t from_ns, to_ns; /* [from, to) */
	bool is_listed;          /* by the list that is being read */
	char *path;
	uint8_t build_id[SYMBOLS_BUILD_ID_MAX];
	uint32_t build_id_bytes;
	struct module *module; /* NULL: not looked for yet */
};

struct map_process {
	struct map_process *next;
	struct symbols_process who;
	struct place *places;
	bool is_known;    /* a list of its modules has begun */
	uint64_t list_ns; /* when that was */
};

#define MAP_CHAINS 1024

struct map {
	struct map_process *chain[MAP_CHAINS];
	size_t place_count;
};

void map_free(struct map *map);
struct place *map_find(struct map *map, struct symbols_process process, uint64_t time_ns,
		       uint64_t address);

/* As symbols_begin() and so on. */
int map_begin(struct map *map, struct symbols_process process, uint64_t time_ns);
int map_load(struct map *map, struct symbols_process process, uint64_t time_ns, uint64_t base,
	     uint64_t bytes, const char *path);
int map_build_id(struct map *map, struct symbols_process process, uint64_t base, const void *id,
		 size_t bytes);
void map_end(struct map *map, struct symbols_process process);
void map_unload(struct map *map, struct symbols_process process, uint64_t time_ns, uint64_t base);

#endif
