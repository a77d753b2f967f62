/* SPDX-License-Identifier: MIT */
/* filter_doubt.c - see filter_doubt.h */
#include "filter_doubt.h"

#include <stdlib.h>
#include <string.h>

#include "base/event_desc.h"
#include "base/pattern.h"
#include "filter/filter.h"
#include "say.h"
#include "text.h"

struct doubt {
	const struct tacho_filter *filter;
	const char *pattern;
	bool can_match;     /* some event */
	char *event;        /* one that cannot */
	char *field;        /* which it lacks; NULL: it has all, but not of the right types */
	uint32_t has_count; /* how many it has before that */
};

static bool can_match(const struct tacho_filter *filter, const struct tacho_desc *desc)
{
	size_t bytes = filter_linked_bytes(filter, desc);
	void *memory = xcalloc(1, bytes);
	bool can = filter_link(filter, desc, memory, bytes) != NULL;

	free(memory);
	return can;
}

/* Of several events, the one that lacks least: its missing field is the last one that is named. */
static void note_doubt(struct doubt *d, const char *name, const struct tacho_desc *desc)
{
	const struct tacho_filter_field *first = tacho_filter_fields(d->filter);
	const struct tacho_filter_field *lack = filter_lacks(d->filter, desc);
	uint32_t has_count = lack ? (uint32_t)(lack - first) : d->filter->field_count;

	if (d->event && has_count <= d->has_count)
		return;
	free(d->event);
	free(d->field);
	d->event = xstrdup(name);
	d->has_count = has_count;
	d->field = lack ? xasprintf("%.*s", (int)lack->name_bytes,
				    tacho_filter_pool(d->filter) + lack->name_at) :
			  NULL;
}

static void look_at_event(struct doubt *d, const struct event_desc *event)
{
	static uint64_t room[TACHO_DESC_BYTES_MAX / sizeof(uint64_t)];
	const struct tacho_desc *desc = (const struct tacho_desc *)room;
	char *name = xasprintf("%s%s%s", event->provider, *event->provider ? ":" : "", event->name);

	if (pattern_is_match(d->pattern, strlen(d->pattern), name) &&
	    event_desc_build(event, room, sizeof(room)) > 0) {
		if (can_match(d->filter, desc))
			d->can_match = true;
		else
			note_doubt(d, name, desc);
	}
	free(name);
}

static void look_at_programs(struct runtime *runtime, struct doubt *d)
{
	struct program *programs;
	size_t count;

	if (programs_list(runtime, &programs, &count, NULL))
		return;
	for (size_t i = 0; i < count; i++) {
		for (uint32_t k = 0; !d->can_match && k < programs[i].event_count; k++)
			look_at_event(d, programs[i].events[k].desc);
	}
	programs_free(programs, count);
}

static void warn(const struct doubt *d)
{
	if (d->field)
		say(SAY_WARNING,
		    "the filter is true of no event of the programs that run now: '%s' has no "
		    "field "
		    "'%s'; what there is: tacho list --fields",
		    d->event, d->field);
	else
		say(SAY_WARNING,
		    "the filter is true of no event of the programs that run now: what it does "
		    "with "
		    "the fields of '%s' does not fit their types: tacho list --fields",
		    d->event);
}

static int any_counter(void *data, const char *name)
{
	(void)data;
	(void)name;
	return TACHO_CONTEXT_PERF;
}

void filter_doubt(struct runtime *runtime, const char *pattern, const char *filter)
{
	struct filter_complaint warning, error;
	struct doubt d = { .pattern = pattern };
	struct tacho_filter *compiled;

	if (filter_compile(filter, any_counter, NULL, &compiled, &warning, &error))
		return;
	d.filter = compiled;
	look_at_programs(runtime, &d);
	if (d.event && !d.can_match)
		warn(&d);
	free(compiled);
	free(d.event);
	free(d.field);
}
