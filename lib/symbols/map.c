/* SPDX-License-Identifier: MIT */
/* map.c - see map.h */
#include "map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FOR_EVER UINT64_MAX

static struct map_process **chain_of(struct map *map, struct symbols_process who)
{
	uint64_t hash = ((uint64_t)who.host << 32 | who.pid) * 0x9e3779b97f4a7c15ull;

	return &map->chain[hash >> 32 & (MAP_CHAINS - 1)];
}

static struct map_process *find_process(struct map *map, struct symbols_process who)
{
	struct map_process *process = *chain_of(map, who);

	while (process && (process->who.pid != who.pid || process->who.host != who.host))
		process = process->next;
	return process;
}

static struct map_process *get_process(struct map *map, struct symbols_process who)
{
	struct map_process *process = find_process(map, who), **chain = chain_of(map, who);

	if (process)
		return process;
	if (map->place_count == SYMBOLS_PLACES_MAX)
		return NULL;
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	map->place_count++;
	process->who = who;
	process->next = *chain;
	*chain = process;
	return process;
}

static bool is_live(const struct place *place)
{
	return place->to_ns == FOR_EVER;
}

static struct place *live_at(const struct map_process *process, uint64_t base)
{
	struct place *place = process ? process->places : NULL;

	while (place && !(is_live(place) && place->base == base))
		place = place->next;
	return place;
}

/* ---- what the trace tells ---- */

int map_begin(struct map *map, struct symbols_process who, uint64_t time_ns)
{
	struct map_process *process = get_process(map, who);

	if (!process)
		return -ENOMEM;
	/* What the first list names was there from the start of the process. */
	process->list_ns = process->is_known ? time_ns : 0;
	process->is_known = true;
	for (struct place *place = process->places; place; place = place->next)
		place->is_listed = false;
	return 0;
}

void map_end(struct map *map, struct symbols_process who)
{
	struct map_process *process = find_process(map, who);

	for (struct place *place = process ? process->places : NULL; place; place = place->next) {
		if (is_live(place) && !place->is_listed)
			place->to_ns = process->list_ns;
	}
	if (process)
		process->list_ns = FOR_EVER;
}

/* Memory ends at the last address. */
static uint64_t up_to_the_end(uint64_t base, uint64_t bytes)
{
	return bytes < UINT64_MAX - base ? bytes : UINT64_MAX - base;
}

/* Whose memory another has is gone, whether or not the trace says so. */
static void end_overlapped(struct map_process *process, uint64_t time_ns, uint64_t base,
			   uint64_t bytes)
{
	for (struct place *place = process->places; place; place = place->next) {
		if (is_live(place) && place->base - base < bytes)
			place->to_ns = time_ns;
		else if (is_live(place) && base - place->base < place->bytes)
			place->to_ns = time_ns;
	}
}

static int add_place(struct map *map, struct map_process *process, const struct place *wanted,
		     const char *path)
{
	struct place *place;

	if (map->place_count == SYMBOLS_PLACES_MAX)
		return -ENOSPC;
	place = malloc(sizeof(*place));
	if (!place)
		return -ENOMEM;
	*place = *wanted;
	place->path = strdup(path);
	if (!place->path) {
		free(place);
		return -ENOMEM;
	}
	map->place_count++;
	place->next = process->places;
	process->places = place;
	return 0;
}

int map_load(struct map *map, struct symbols_process who, uint64_t time_ns, uint64_t base,
	     uint64_t bytes, const char *path)
{
	struct map_process *process = get_process(map, who);
	struct place *place = live_at(process, base);
	struct place wanted = { .base = base,
				.bytes = up_to_the_end(base, bytes),
				.to_ns = FOR_EVER,
				.is_listed = true };

	if (!process)
		return -ENOMEM;
	if (place && place->bytes == wanted.bytes && !strcmp(place->path, path)) {
		place->is_listed = true;
		return 0;
	}
	wanted.from_ns =
		process->is_known && process->list_ns < time_ns ? process->list_ns : time_ns;
	end_overlapped(process, wanted.from_ns, base, wanted.bytes);
	return add_place(map, process, &wanted, path);
}

int map_build_id(struct map *map, struct symbols_process who, uint64_t base, const void *id,
		 size_t bytes)
{
	struct place *place = live_at(find_process(map, who), base);

	if (!place || !bytes || bytes > sizeof(place->build_id) || place->build_id_bytes)
		return 0;
	memcpy(place->build_id, id, bytes);
	place->build_id_bytes = (uint32_t)bytes;
	return 0;
}

void map_unload(struct map *map, struct symbols_process who, uint64_t time_ns, uint64_t base)
{
	struct place *place = live_at(find_process(map, who), base);

	if (place)
		place->to_ns = time_ns;
}

/* ---- looking ---- */

struct place *map_find(struct map *map, struct symbols_process who, uint64_t time_ns,
		       uint64_t address)
{
	struct map_process *process = find_process(map, who);
	struct place *place = process ? process->places : NULL;

	for (; place; place = place->next) {
		if (address - place->base < place->bytes && time_ns >= place->from_ns &&
		    time_ns < place->to_ns)
			return place;
	}
	return NULL;
}

static void free_process(struct map_process *process)
{
	while (process->places) {
		struct place *next = process->places->next;

		free(process->places->path);
		free(process->places);
		process->places = next;
	}
	free(process);
}

void map_free(struct map *map)
{
	for (size_t i = 0; i < MAP_CHAINS; i++) {
		while (map->chain[i]) {
			struct map_process *next = map->chain[i]->next;

			free_process(map->chain[i]);
			map->chain[i] = next;
		}
	}
}
