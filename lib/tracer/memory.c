/* SPDX-License-Identifier: MIT */
/* memory.c - see memory.h */
#include "tracer/memory.h"

#include <stdbool.h>

#include "format/port.h"
#include "tracer/sys.h"

/* Of the word of a list. */
#define FIRST(word) ((uint32_t)(word))
#define TAG_ONE     (1ull << 32)
#define TAG_MASK    (~(TAG_ONE - 1))

static uint32_t class_of(size_t bytes)
{
	uint32_t size_class = 0;

	while (MEMORY_BLOCK_MIN << size_class < bytes)
		size_class++;
	return size_class;
}

/* Who comes second uses the other's. */
static char *get_base(struct memory *memory)
{
	char *base = tacho_load_acquire(&memory->base), *none = NULL;

	if (base)
		return base;
	base = sys_map(NULL, MEMORY_BYTES, true, -1);
	if (!base || tacho_cmpxchg_acq_rel(&memory->base, &none, base))
		return base;
	sys_unmap(base, MEMORY_BYTES);
	return none;
}

static uint32_t *block_at(char *base, uint32_t number)
{
	return (uint32_t *)(void *)(base + (size_t)(number - 1) * MEMORY_BLOCK_MIN);
}

/* The next one may be garbage, if another has taken the block since: then the tag is another, too. */
static void *take_free(char *base, uint64_t *list)
{
	uint64_t word = tacho_load_acquire(list), next;

	do {
		if (!FIRST(word))
			return NULL;
		next = tacho_load_relaxed(block_at(base, FIRST(word)));
	} while (!tacho_cmpxchg_acq_rel(list, &word, ((word & TAG_MASK) + TAG_ONE) | next));
	return block_at(base, FIRST(word));
}

static void *take_new(struct memory *memory, char *base, uint32_t bytes)
{
	uint32_t used = tacho_load_relaxed(&memory->used);

	do {
		if (bytes > MEMORY_BYTES - used)
			return NULL;
	} while (!tacho_cmpxchg_acq_rel(&memory->used, &used, used + bytes));
	return base + used;
}

void *memory_get(struct memory *memory, size_t bytes)
{
	uint32_t size_class;
	void *block;
	char *base;

	if (bytes > MEMORY_BLOCK_MAX)
		return NULL;
	base = get_base(memory);
	if (!base)
		return NULL;
	size_class = class_of(bytes);
	block = take_free(base, &memory->free[size_class]);
	return block ? block : take_new(memory, base, MEMORY_BLOCK_MIN << size_class);
}

void memory_put(struct memory *memory, void *block, size_t bytes)
{
	uint64_t *list, word, number;

	if (!block)
		return;
	list = &memory->free[class_of(bytes)];
	number = (uint64_t)((char *)block - memory->base) / MEMORY_BLOCK_MIN + 1;
	word = tacho_load_relaxed(list);
	do {
		tacho_store_relaxed((uint32_t *)block, FIRST(word));
	} while (!tacho_cmpxchg_acq_rel(list, &word, ((word & TAG_MASK) + TAG_ONE) | number));
}
