/* SPDX-License-Identifier: MIT */
/*
 * spans.h - which events are the begin or end of a span, and the spans of a thread that are
 * open: a part of tracks.h.
 */
#ifndef TACHO_CLI_EXPORT_SPANS_H
#define TACHO_CLI_EXPORT_SPANS_H

#include "tracks.h"

enum export_event_what {
	EXPORT_EVENT_INSTANT,
	EXPORT_EVENT_BEGIN,
	EXPORT_EVENT_END,
};

struct export_event_kind {
	enum export_event_what what;
	bool is_function;               /* each has its name of its own */
	const struct export_name *span; /* NULL: an instant, or a function */
};

/* export_event_kind() - @spans: "BEGIN,END", as they were asked for */
struct export_event_kind export_event_kind(struct export_tracks *tracks, char *const *spans,
					   const struct ctf_event *event);

/*
 * export_function_name() - of an event of tacho-functions(7)
 * @symbols: may be NULL: then, and where it is not known, its address is its name
 *
 * Return: NULL: it is no such event.
 */
const struct export_name *export_function_name(struct export_tracks *tracks,
					       struct view_symbols *symbols,
					       const struct ctf_item *item);

/* export_spans_push() - Return: false: there are too many */
bool export_spans_push(struct export_thread *thread, const struct export_span *span);

/* export_spans_find() - the latest of that name; thread->depth: there is none */
uint32_t export_spans_find(const struct export_thread *thread, const struct export_name *name);

#endif
