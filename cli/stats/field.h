/* SPDX-License-Identifier: MIT */
/*
 * field.h - the values of a field, "provider:event.field": integers, enums by their number, and
 * floats; of a string or an array it is the length. Integers beyond 2^53 are rounded.
 */
#ifndef TACHO_CLI_STATS_FIELD_H
#define TACHO_CLI_STATS_FIELD_H

#include "ctf/read/reader.h"
#include "values.h"

struct stats_field {
	const char *name; /* "shop:order_placed.total" */
	uint64_t events;  /* of this event, with or without the field */
	struct stats_values *values;
};

/* What an event says to it (calls.h). */
struct stats_field_call {
	bool has_value;
	double value;
};

/* stats_field_take() - Return: false: the event is another one. */
bool stats_field_take(const struct stats_field *field, const struct ctf_event *event,
		      struct stats_field_call *ret_call);
void stats_field_put(struct stats_field *field, const struct stats_field_call *call);

#endif
