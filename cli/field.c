/* SPDX-License-Identifier: MIT */
/* field.c - see field.h */
#include "field.h"

#include <stdio.h>
#include <string.h>

/* Of one element, where there are several. */
static void number_type(uint32_t type, char *text, size_t size)
{
	uint32_t flags = TACHO_TYPE_FLAGS(type);
	unsigned int bits = 8 * TACHO_TYPE_BYTES(type);

	if (flags & TACHO_FLAG_POINTER)
		snprintf(text, size, "pointer");
	else if (flags & TACHO_FLAG_BOOL)
		snprintf(text, size, "bool");
	else if (flags & TACHO_FLAG_CHAR)
		snprintf(text, size, "char");
	else if (flags & TACHO_FLAG_FLOAT || TACHO_TYPE_KIND(type) == TACHO_KIND_FLOAT)
		snprintf(text, size, "float%u", bits);
	else
		snprintf(text, size, "%sint%u%s", flags & TACHO_FLAG_SIGNED ? "" : "u", bits,
			 flags & TACHO_FLAG_HEX ? " (hex)" : "");
}

struct short_text field_type(const struct event_field *field)
{
	static const char *const names[TACHO_KIND_MAX + 1] = {
		[TACHO_KIND_STRING] = "string",
		[TACHO_KIND_TEXT] = "text",
		[TACHO_KIND_BYTES] = "bytes",
	};
	struct short_text t = { "?" };
	uint32_t kind = TACHO_TYPE_KIND(field->type);
	char element[16];

	number_type(field->type, element, sizeof(element));
	if (kind <= TACHO_KIND_MAX && names[kind])
		snprintf(t.text, sizeof(t.text), "%s", names[kind]);
	else if (kind == TACHO_KIND_SEQUENCE)
		snprintf(t.text, sizeof(t.text), "%s[]", element);
	else if (kind == TACHO_KIND_ARRAY)
		snprintf(t.text, sizeof(t.text), "%s[%u]", element, field->count);
	else
		snprintf(t.text, sizeof(t.text), "%s", element);
	return t;
}
