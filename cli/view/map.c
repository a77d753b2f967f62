/* SPDX-License-Identifier: MIT */
/* map.c - see map.h. Chains of nodes below a table that doubles. */
#include "map.h"

#include <stdlib.h>
#include <string.h>

#include "cli/text.h"

#define FIRST_CHAINS 64

/* The value, filled up to a multiple of 8, then the key, follow it. */
struct node {
	struct node *next;
	uint64_t hash;
	uint64_t age;
	size_t key_bytes;
	uint64_t value[];
};

struct view_map {
	size_t value_words, limit, count;
	uint64_t refused;
	uint64_t made;
	struct node **chain;
	size_t chain_count; /* a power of two */
};

static uint64_t hash_of(const void *key, size_t bytes)
{
	const unsigned char *at = key;
	uint64_t hash = 0xcbf29ce484222325ull;

	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ at[i]) * 0x100000001b3ull;
	return hash ^ hash >> 32;
}

static void *key_of(const struct view_map *map, const struct node *node)
{
	return (void *)(uintptr_t)(node->value + map->value_words);
}

struct view_map *view_map_new(size_t value_bytes, size_t limit)
{
	struct view_map *map = xcalloc(1, sizeof(*map));

	map->value_words = (value_bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t);
	map->limit = limit;
	map->chain_count = FIRST_CHAINS;
	map->chain = xcalloc(map->chain_count, sizeof(struct node *));
	return map;
}

void view_map_free(struct view_map *map)
{
	if (!map)
		return;
	for (size_t i = 0; i < map->chain_count; i++) {
		while (map->chain[i]) {
			struct node *next = map->chain[i]->next;

			free(map->chain[i]);
			map->chain[i] = next;
		}
	}
	free(map->chain);
	free(map);
}

/* Where the link to the key's node is, or would be. */
static struct node **place_of(const struct view_map *map, const void *key, size_t bytes,
			      uint64_t hash)
{
	struct node **link = &map->chain[hash & (map->chain_count - 1)];

	for (; *link; link = &(*link)->next) {
		if ((*link)->hash == hash && (*link)->key_bytes == bytes &&
		    !memcmp(key_of(map, *link), key, bytes))
			break;
	}
	return link;
}

static void grow(struct view_map *map)
{
	size_t old_count = map->chain_count;
	struct node **old = map->chain;

	map->chain_count *= 2;
	map->chain = xcalloc(map->chain_count, sizeof(struct node *));
	for (size_t i = 0; i < old_count; i++) {
		while (old[i]) {
			struct node *node = old[i];
			struct node **chain = &map->chain[node->hash & (map->chain_count - 1)];

			old[i] = node->next;
			node->next = *chain;
			*chain = node;
		}
	}
	free(old);
}

void *view_map_get(struct view_map *map, const void *key, size_t bytes)
{
	uint64_t hash = hash_of(key, bytes);
	struct node **link = place_of(map, key, bytes, hash), *node = *link;

	if (node)
		return node->value;
	if (map->count == map->limit) {
		map->refused++;
		return NULL;
	}
	node = xcalloc(1, sizeof(*node) + map->value_words * sizeof(uint64_t) + bytes);
	node->hash = hash;
	node->age = map->made++;
	node->key_bytes = bytes;
	memcpy(key_of(map, node), key, bytes);
	*link = node;
	if (++map->count > map->chain_count)
		grow(map);
	return node->value;
}

void *view_map_find(const struct view_map *map, const void *key, size_t bytes)
{
	struct node *node = *place_of(map, key, bytes, hash_of(key, bytes));

	return node ? node->value : NULL;
}

void view_map_remove(struct view_map *map, const void *key, size_t bytes)
{
	struct node **link = place_of(map, key, bytes, hash_of(key, bytes)), *node = *link;

	if (!node)
		return;
	*link = node->next;
	free(node);
	map->count--;
}

size_t view_map_count(const struct view_map *map)
{
	return map->count;
}

uint64_t view_map_refused(const struct view_map *map)
{
	return map->refused;
}

void view_map_refuse(struct view_map *map, uint64_t times)
{
	map->refused += times;
}

int view_map_oldest_first(const void *a, const void *b)
{
	const struct view_map_entry *x = a, *y = b;

	return (x->age > y->age) - (x->age < y->age);
}

struct view_map_entry *view_map_sorted(const struct view_map *map,
				       int (*compare)(const void *, const void *))
{
	struct view_map_entry *entries = xcalloc(map->count + 1, sizeof(*entries));
	size_t count = 0;

	for (size_t i = 0; i < map->chain_count; i++) {
		for (struct node *node = map->chain[i]; node; node = node->next)
			entries[count++] =
				(struct view_map_entry){ key_of(map, node), node->key_bytes,
							 node->value, node->age };
	}
	qsort(entries, count, sizeof(*entries), compare);
	return entries;
}
