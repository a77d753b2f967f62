/* SPDX-License-Identifier: MIT */
/* lacks.c - which field of an expression an event does not have, for tools to say so. */
#include "filter/event.h"
#include "filter/filter.h"

static bool has_field(const struct tacho_filter *filter, const struct tacho_filter_field *wanted,
		      const struct filter_event *event)
{
	const char *name = tacho_filter_pool(filter) + wanted->name_at;

	for (uint32_t i = 0; i < event->field_count; i++) {
		struct tacho_desc_field field = filter_event_field(event, i);

		if (filter_event_is_named(event, field.name_at, name, wanted->name_bytes))
			return true;
	}
	return false;
}

const struct tacho_filter_field *filter_lacks(const struct tacho_filter *filter,
					      const struct tacho_desc *desc)
{
	const struct tacho_filter_field *field = tacho_filter_fields(filter);
	struct filter_event event;

	for (uint32_t i = 0; filter_event_read(desc, &event) && i < filter->field_count; i++) {
		if (!has_field(filter, &field[i], &event))
			return &field[i];
	}
	return NULL;
}
