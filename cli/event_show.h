/* SPDX-License-Identifier: MIT */
/*
 * event_show.h - an event that a program has: as text, which ends before the end of its first line and
 * goes on with its fields; and as JSON.
 */
#ifndef TACHO_CLI_EVENT_SHOW_H
#define TACHO_CLI_EVENT_SHOW_H

#include "base/event_desc.h"
#include "json.h"

/* "provider:name"; to be freed. */
char *event_show_name(const struct event_desc *desc);

/* "provider:name (level) at file:line", without an end of line. */
void event_show_head(const struct event_desc *desc);
/* A line for each field. */
void event_show_fields(const struct event_desc *desc);

/* The members of an event but "fields", and that. */
void event_show_json_head(const struct event_desc *desc, json_object *entry);
void event_show_json_fields(const struct event_desc *desc, json_object *entry);

#endif
