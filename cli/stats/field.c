/* SPDX-License-Identifier: MIT */
/* field.c - see field.h */
#include "field.h"

#include <string.h>

#include "cli/view/filter.h"

static double number_of(const struct ctf_value *value)
{
	switch ((enum ctf_value_kind)value->kind) {
	case CTF_VALUE_UNSIGNED:
	case CTF_VALUE_SIGNED:
	case CTF_VALUE_ENUM:
		return value->is_signed ? (double)value->i : (double)value->u;
	case CTF_VALUE_FLOAT:
		return value->f;
	default:
		return value->length;
	}
}

/* Names of events may have dots in them, so the event says where its name ends. */
void stats_field_add(struct stats_field *field, const struct ctf_event *event)
{
	size_t length = strlen(event->name);
	const char *rest;
	const struct ctf_value *value;

	if (strncmp(field->name, event->name, length) || field->name[length] != '.')
		return;
	field->events++;
	rest = field->name + length + 1;
	value = view_field(event, rest, strlen(rest));
	if (value)
		stats_values_add(field->values, number_of(value));
}
