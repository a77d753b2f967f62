/* SPDX-License-Identifier: MIT */
/*
 * event.h - what a filter wants to know of an event's description (format/record.h).
 *
 * It is the process's own, but it lies in shared memory: what is read of it is read once, and within
 * its bounds. A description that is wrong gives a wrong answer, no more.
 */
#ifndef TACHO_FILTER_EVENT_H
#define TACHO_FILTER_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "format/record.h"

/* A description, with its head read. */
struct filter_event {
	const struct tacho_desc *desc;
	uint32_t bytes;
	uint32_t field_count;
};

/* filter_event_read() - Return: does it make sense? */
bool filter_event_read(const struct tacho_desc *desc, struct filter_event *ret_event);
struct tacho_desc_field filter_event_field(const struct filter_event *event, uint32_t index);

/* filter_event_is_named() - is the name at @at of the description @name, as it is or as the trace
 * shows it? */
bool filter_event_is_named(const struct filter_event *event, uint32_t at, const char *name,
			   uint32_t name_bytes);

#endif
