/* SPDX-License-Identifier: MIT */
/* ranges.h - which of many things an address belongs to: a part of symbols.h. */
#ifndef TACHO_SYMBOLS_RANGES_H
#define TACHO_SYMBOLS_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Addresses of one thing: [begin, end). */
struct range {
	uint64_t begin, end;
	uint64_t of; /* where its description is */
};

/* Zeroed, it is empty. */
struct ranges {
	struct range *range; /* by begin, once they are sorted */
	size_t count, room;
};

void ranges_fini(struct ranges *ranges);

/* ranges_add() - Return: false: there is no room; an empty one needs none. */
bool ranges_add(struct ranges *ranges, const struct range *range);
void ranges_sort(struct ranges *ranges);

/* ranges_find() - the last that begins at or before the address, if it is in it; or NULL */
const struct range *ranges_find(const struct ranges *ranges, uint64_t address);

#endif
