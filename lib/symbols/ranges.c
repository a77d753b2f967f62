/* SPDX-License-Identifier: MIT */
/* ranges.c - see ranges.h */
#include "ranges.h"

#include <stdlib.h>

#include "symbols.h"

#define FIRST_ROOM 64

void ranges_fini(struct ranges *ranges)
{
	free(ranges->range);
	*ranges = (struct ranges){ 0 };
}

bool ranges_add(struct ranges *ranges, const struct range *range)
{
	struct range *more;

	if (range->begin >= range->end)
		return true;
	if (ranges->count == SYMBOLS_RANGES_MAX)
		return false;
	if (ranges->count == ranges->room) {
		size_t room = ranges->room ? 2 * ranges->room : FIRST_ROOM;

		more = reallocarray(ranges->range, room, sizeof(*more));
		if (!more)
			return false;
		ranges->range = more;
		ranges->room = room;
	}
	ranges->range[ranges->count++] = *range;
	return true;
}

static int by_begin(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

void ranges_sort(struct ranges *ranges)
{
	if (ranges->count)
		qsort(ranges->range, ranges->count, sizeof(*ranges->range), by_begin);
}

const struct range *ranges_find(const struct ranges *ranges, uint64_t address)
{
	size_t low = 0, high = ranges->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->range[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < ranges->range[low - 1].end ? &ranges->range[low - 1] : NULL;
}
