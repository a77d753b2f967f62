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
bool stats_field_take(const struct stats_field *field, const struct ctf_event *event,
		      struct stats_field_call *ret_call)
{
	size_t length = strlen(event->name);
	const char *rest;
	const struct ctf_value *value;

	if (strncmp(field->name, event->name, length) || field->name[length] != '.')
		return false;
	rest = field->name + length + 1;
	value = view_field(event, rest, strlen(rest));
	*ret_call = (struct stats_field_call){ value, value ? number_of(value) : 0 };
	return true;
}

void stats_field_put(struct stats_field *field, const struct stats_field_call *call)
{
	field->events++;
	if (call->has_value)
		stats_values_add(field->values, call->value);
}
