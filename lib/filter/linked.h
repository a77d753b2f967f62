/* SPDX-License-Identifier: MIT */
/*
 * linked.h - where an event has the fields that a filter reads, as link.c finds it and parts.c walks.
 *
 * Fields follow each other without padding, so a field's place depends on the lengths of what is
 * before it. The event is taken to pieces: a stretch of bytes that is always as long, then one item
 * that is not, and so on.
 *
 *	event      u32 id | double total | string customer | i16 code | sequence of u8 items
 *	stretch    12, string              2, sequence
 *	place of code: behind 1 stretch, + 0 bytes
 */
#ifndef TACHO_FILTER_LINKED_H
#define TACHO_FILTER_LINKED_H

#include "filter/filter.h"

struct filter_stretch {
	uint32_t fixed_bytes;
	uint32_t type; /* of the item behind them, TACHO_TYPE() */
};

struct filter_place {
	uint32_t stretches;   /* to walk over */
	uint32_t fixed_bytes; /* and then these */
	uint32_t type;
	uint32_t count;   /* elements of an array */
	uint32_t element; /* as in struct tacho_filter_field */
};

/* One block: this, place[filter->field_count], stretch[stretch_count]. */
struct filter_linked {
	const struct tacho_filter *filter;
	uint32_t stretch_count;
	bool has_doubles; /* floating point may be used */
	struct filter_place place[];
};

static inline const struct filter_stretch *filter_stretches(const struct filter_linked *linked)
{
	return (const struct filter_stretch *)&linked->place[linked->filter->field_count];
}

/* field_kind() - of the value that a field, or an element of it, has; FILTER_SIGNED for any
 * integer; FILTER_NOTHING: it has none */
uint32_t field_kind(uint32_t type, uint32_t element);

#endif
