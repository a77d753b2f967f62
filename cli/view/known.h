/* SPDX-License-Identifier: MIT */
/*
 * known.h - which fields the events of a trace can have: a name that is mistyped must not look like
 * a trace without what was asked for.
 *
 * By the metadata, so of a trace that is complete. A field of any event is known, be it one of which
 * none is in the trace.
 */
#ifndef TACHO_CLI_VIEW_KNOWN_H
#define TACHO_CLI_VIEW_KNOWN_H

#include "select.h"

/*
 * view_known_warn() - of fields that no event has, and what may have been meant
 * @columns: names of fields, NULL-terminated; or NULL
 */
void view_known_warn(const char *dir, const struct view_select *select, char *const *columns);

/* view_known_near() - what may have been meant by an event and one of its fields, "shop:order.id".
 * Return: the same, of its own memory; NULL: nothing is near. */
char *view_known_near(const char *dir, const char *event_field);

/* view_known_doubt() - of an event, "shop:order", and a field of it, or NULL, of which the trace has none:
 * what was given to @option, and what may have been meant */
void view_known_doubt(const char *dir, const char *option, const char *event, size_t event_bytes,
		      const char *field);

#endif
