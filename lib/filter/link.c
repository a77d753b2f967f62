/* SPDX-License-Identifier: MIT */
/* link.c - find the fields of a filter in an event, and whether their types fit. Part of libtacho. */
#include <string.h>

#include "filter/event.h"
#include "filter/fit.h"
#include "filter/linked.h"
#include "filter/value.h"
#include "format/session.h"

/* ---- places ---- */

/* The bytes of a field that always has as many. Return: false if it is not of that sort. */
static bool fixed_bytes(const struct tacho_desc_field *field, uint32_t *ret_bytes)
{
	uint64_t bytes = TACHO_TYPE_BYTES(field->type);

	switch (TACHO_TYPE_KIND(field->type)) {
	case TACHO_KIND_ARRAY:
		bytes *= field->count;
		break;
	case TACHO_KIND_INTEGER:
	case TACHO_KIND_FLOAT:
		break;
	default:
		return false;
	}
	*ret_bytes = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
	return true;
}

static uint32_t add_limited(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static struct filter_stretch *stretch_of(struct filter_linked *linked)
{
	return (struct filter_stretch *)&linked->place[linked->filter->field_count];
}

static bool is_integer_size(uint32_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static uint32_t kind_of_number(uint32_t type, bool is_float)
{
	uint32_t bytes = TACHO_TYPE_BYTES(type);

	if (is_float)
		return bytes == 4 || bytes == 8 ? FILTER_DOUBLE : FILTER_NOTHING;
	return is_integer_size(bytes) ? FILTER_SIGNED : FILTER_NOTHING;
}

/* Characters, one a byte, are text. */
static bool is_of_characters(uint32_t type)
{
	return TACHO_TYPE_BYTES(type) == 1 && TACHO_TYPE_FLAGS(type) & TACHO_FLAG_CHAR;
}

uint32_t field_kind(uint32_t type, uint32_t element)
{
	bool is_whole = element == TACHO_FILTER_WHOLE;

	switch (TACHO_TYPE_KIND(type)) {
	case TACHO_KIND_INTEGER:
		return is_whole ? kind_of_number(type, false) : FILTER_NOTHING;
	case TACHO_KIND_FLOAT:
		return is_whole ? kind_of_number(type, true) : FILTER_NOTHING;
	case TACHO_KIND_STRING:
	case TACHO_KIND_TEXT:
	case TACHO_KIND_BYTES:
		if (TACHO_TYPE_BYTES(type) != 1)
			return FILTER_NOTHING;
		return is_whole ? FILTER_STRING : FILTER_SIGNED;
	case TACHO_KIND_SEQUENCE:
	case TACHO_KIND_ARRAY:
		if (is_whole)
			return is_of_characters(type) ? FILTER_STRING : FILTER_NOTHING;
		return kind_of_number(type, TACHO_TYPE_FLAGS(type) & TACHO_FLAG_FLOAT);
	}
	return FILTER_NOTHING;
}

static bool is_in_array(const struct filter_place *place)
{
	return TACHO_TYPE_KIND(place->type) != TACHO_KIND_ARRAY ||
	       place->element == TACHO_FILTER_WHOLE || place->element < place->count;
}

/* The places of all that the filter reads of one field. Return: how many these are. */
static uint32_t note_places(struct filter_linked *linked, const struct filter_event *event,
			    const struct tacho_desc_field *field, uint32_t bytes)
{
	const struct tacho_filter *filter = linked->filter;
	const struct tacho_filter_field *wanted = tacho_filter_fields(filter);
	uint32_t count = 0;

	for (uint32_t i = 0; i < filter->field_count; i++) {
		struct filter_place *place = &linked->place[i];

		if (place->type ||
		    !filter_event_is_named(event, field->name_at,
					   tacho_filter_pool(filter) + wanted[i].name_at,
					   wanted[i].name_bytes))
			continue;
		*place = (struct filter_place){ linked->stretch_count, bytes, field->type,
						field->count, wanted[i].element };
		if (field_kind(place->type, place->element) == FILTER_DOUBLE)
			linked->has_doubles = true;
		count++;
	}
	return count;
}

/* Go through the event until all is found. Return: is it? */
static bool find_places(struct filter_linked *linked, const struct filter_event *event)
{
	uint32_t missing = linked->filter->field_count, bytes = 0;

	for (uint32_t i = 0; missing && i < event->field_count; i++) {
		struct tacho_desc_field field = filter_event_field(event, i);
		uint32_t more = 0;

		missing -= note_places(linked, event, &field, bytes);
		if (fixed_bytes(&field, &more)) {
			bytes = add_limited(bytes, more);
			continue;
		}
		stretch_of(linked)[linked->stretch_count++] =
			(struct filter_stretch){ bytes, field.type };
		bytes = 0;
	}
	return !missing;
}

/* ---- types ---- */

static uint32_t context_kind(uint32_t number)
{
	return number == TACHO_CONTEXT_PROCNAME ? FILTER_STRING : FILTER_SIGNED;
}

static uint32_t kind_of(const void *data, uint32_t opcode, uint32_t operand)
{
	const struct filter_linked *linked = data;
	const struct filter_place *place;

	if (opcode == TACHO_FILTER_CONTEXT)
		return context_kind(operand);
	place = &linked->place[operand];
	return is_in_array(place) ? field_kind(place->type, place->element) : FILTER_NOTHING;
}

static bool types_fit(struct filter_linked *linked)
{
	bool has_doubles = false;
	bool fits = filter_fits(linked->filter, kind_of, linked, &has_doubles);

	linked->has_doubles = linked->has_doubles || has_doubles;
	return fits;
}

static size_t bytes_of(const struct tacho_filter *filter, uint32_t event_fields)
{
	return sizeof(struct filter_linked) + filter->field_count * sizeof(struct filter_place) +
	       (filter->field_count ? event_fields * sizeof(struct filter_stretch) : 0);
}

size_t filter_linked_bytes(const struct tacho_filter *filter, const struct tacho_desc *desc)
{
	struct filter_event event;

	return bytes_of(filter, filter_event_read(desc, &event) ? event.field_count : 0);
}

const struct filter_linked *filter_link(const struct tacho_filter *filter,
					const struct tacho_desc *desc, void *memory, size_t bytes)
{
	struct filter_linked *linked = memory;
	struct filter_event event;

	if (!filter_event_read(desc, &event) || bytes_of(filter, event.field_count) > bytes)
		return NULL;
	memset(linked, 0, sizeof(*linked) + filter->field_count * sizeof(linked->place[0]));
	linked->filter = filter;
	return find_places(linked, &event) && types_fit(linked) ? linked : NULL;
}
