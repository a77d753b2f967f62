/* SPDX-License-Identifier: MIT */
/* event.c - see event.h. Part of libtacho. */
#include "filter/event.h"

bool filter_event_read(const struct tacho_desc *desc, struct filter_event *ret_event)
{
	struct filter_event event = {
		.desc = desc,
		.bytes = tacho_load_relaxed(&desc->bytes),
		.field_count = tacho_load_relaxed(&desc->field_count),
	};

	*ret_event = event;
	return event.bytes >= sizeof(*desc) && event.bytes <= TACHO_DESC_BYTES_MAX &&
	       event.field_count <= TACHO_FIELDS_MAX &&
	       event.field_count * sizeof(struct tacho_desc_field) <= event.bytes - sizeof(*desc);
}

struct tacho_desc_field filter_event_field(const struct filter_event *event, uint32_t index)
{
	const struct tacho_desc_field *field =
		(const struct tacho_desc_field *)(event->desc + 1) + index;

	return (struct tacho_desc_field){
		.type = tacho_load_relaxed(&field->type),
		.count = tacho_load_relaxed(&field->count),
		.name_at = tacho_load_relaxed(&field->name_at),
	};
}

/* ---- names ---- */

static bool is_of_identifier(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/*
 * A key as the trace shows it: each byte that is not of an identifier is `_` and two hexadecimal
 * digits. Return: the bytes of @shown that stand for @c; 0: it is another.
 */
static uint32_t shown_bytes(char c, const char *shown, uint32_t left)
{
	static const char digits[] = "0123456789abcdef";

	if (left && *shown == c)
		return 1;
	if (is_of_identifier(c) || left < 3 || shown[0] != '_' ||
	    shown[1] != digits[(unsigned char)c >> 4] || shown[2] != digits[c & 15])
		return 0;
	return 3;
}

bool filter_event_is_named(const struct filter_event *event, uint32_t at, const char *name,
			   uint32_t name_bytes)
{
	const char *base = (const char *)event->desc;

	for (; at < event->bytes; at++) {
		char c = tacho_load_relaxed(&base[at]);
		uint32_t n = c ? shown_bytes(c, name, name_bytes) : 0;

		if (!n)
			return !c && !name_bytes;
		name += n;
		name_bytes -= n;
	}
	return false;
}
