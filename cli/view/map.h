/* SPDX-License-Identifier: MIT */
/*
 * map.h - what is known by a key of bytes, for at most so many keys: a trace may have any number
 * of them, and memory has an end.
 *
 * Values are zeroed when they are new, and stay where they are until they are removed.
 */
#ifndef TACHO_CLI_VIEW_MAP_H
#define TACHO_CLI_VIEW_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct view_map;

/* One entry, while walking. */
struct view_map_entry {
	const void *key;
	size_t key_bytes;
	void *value;
	uint64_t age; /* those that were made earlier have less */
};

struct view_map *view_map_new(size_t value_bytes, size_t limit);
void view_map_free(struct view_map *map);

/* view_map_get() - the value of a key, which is made; NULL: there are too many, which is counted */
void *view_map_get(struct view_map *map, const void *key, size_t bytes);
/* view_map_find() - NULL: there is none */
void *view_map_find(const struct view_map *map, const void *key, size_t bytes);
void view_map_remove(struct view_map *map, const void *key, size_t bytes);

size_t view_map_count(const struct view_map *map);
/* view_map_refused() - how often view_map_get() had no room */
uint64_t view_map_refused(const struct view_map *map);
/* view_map_refuse() - count so many more */
void view_map_refuse(struct view_map *map, uint64_t times);

/*
 * view_map_sorted() - all entries, in the order of @compare (of struct view_map_entry *)
 *
 * Return: to be freed; view_map_count() of them, valid until the map changes.
 */
struct view_map_entry *view_map_sorted(const struct view_map *map,
				       int (*compare)(const void *, const void *));

/* view_map_oldest_first() - an order: as the keys came */
int view_map_oldest_first(const void *a, const void *b);

#endif
