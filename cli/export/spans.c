/* SPDX-License-Identifier: MIT */
/* spans.c - see spans.h */
#include "spans.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "cli/view/filter.h"

/* ---- which events ---- */

bool export_is_span(const char *text)
{
	const char *comma = strchr(text, ',');

	return comma && comma != text && comma[1] && !strchr(comma + 1, ',');
}

static bool is_text(const char *text, size_t bytes, const char *name)
{
	return strlen(name) == bytes && !memcmp(text, name, bytes);
}

/* Of --span BEGIN,END: called as BEGIN is. */
static bool find_asked(struct export_tracks *tracks, const char *asked,
		       const struct ctf_event *event, struct export_event_kind *ret_kind)
{
	size_t bytes = strcspn(asked, ",");
	bool is_begin = is_text(asked, bytes, event->name);

	if (!is_begin && strcmp(asked + bytes + 1, event->name))
		return false;
	ret_kind->what = is_begin ? EXPORT_EVENT_BEGIN : EXPORT_EVENT_END;
	ret_kind->span = export_name(tracks, asked, bytes);
	return true;
}

static bool find_suffix(struct export_tracks *tracks, const struct ctf_event *event,
			const char *suffix, struct export_event_kind *ret_kind)
{
	size_t bytes = strlen(event->name), length = strlen(suffix);

	if (bytes <= length || strcmp(event->name + bytes - length, suffix))
		return false;
	ret_kind->span = export_name(tracks, event->name, bytes - length);
	return true;
}

static bool is_function(const struct ctf_event *event, const char *name)
{
	bool is_helper = !strcmp(event->provider, "lttng_ust_cyg_profile") ||
			 !strcmp(event->provider, "lttng_ust_cyg_profile_fast");

	return is_helper && !strcmp(event->base_name, name);
}

struct export_event_kind export_event_kind(struct export_tracks *tracks, char *const *spans,
					   const struct ctf_event *event)
{
	struct export_event_kind kind = { 0 };

	for (; *spans; spans++) {
		if (find_asked(tracks, *spans, event, &kind))
			return kind;
	}
	if (is_function(event, "func_entry") || find_suffix(tracks, event, "_begin", &kind))
		kind.what = EXPORT_EVENT_BEGIN;
	else if (is_function(event, "func_exit") || find_suffix(tracks, event, "_end", &kind))
		kind.what = EXPORT_EVENT_END;
	kind.is_function = kind.what && !kind.span;
	return kind;
}

/* ---- functions ---- */

const struct export_name *export_function_name(struct export_tracks *tracks,
					       struct view_symbols *symbols,
					       const struct ctf_item *item)
{
	const struct ctf_value *value = view_field(&item->event, "func_addr", 9);
	struct symbol symbol;
	char text[32];

	if (!value || value->kind != CTF_VALUE_UNSIGNED)
		return NULL;
	if (symbols && view_symbols_find(symbols, &item->event, item->time_ns, value, &symbol) &&
	    symbol.function)
		return export_name(tracks, symbol.function, strlen(symbol.function));
	return export_name(tracks, text,
			   (size_t)snprintf(text, sizeof(text), "0x%" PRIx64, value->u));
}

/* ---- those that are open ---- */

bool export_spans_push(struct export_thread *thread, const struct export_span *span)
{
	if (thread->depth == EXPORT_DEPTH_MAX)
		return false;
	if (thread->depth == thread->room) {
		thread->room = thread->room ? 2 * thread->room : 8;
		thread->spans = xrealloc(thread->spans, thread->room * sizeof(thread->spans[0]));
	}
	thread->spans[thread->depth++] = *span;
	return true;
}

uint32_t export_spans_find(const struct export_thread *thread, const struct export_name *name)
{
	for (uint32_t i = thread->depth; i-- > 0;) {
		if (thread->spans[i].name == name)
			return i;
	}
	return thread->depth;
}
