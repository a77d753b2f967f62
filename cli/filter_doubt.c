/* SPDX-License-Identifier: MIT */
/* filter_doubt.c - see filter_doubt.h */
#include "filter_doubt.h"

#include <stdlib.h>
#include <string.h>

#include "base/event_desc.h"
#include "base/pattern.h"
#include "elf/events.h"
#include "filter/filter.h"
#include "say.h"
#include "suggest.h"
#include "text.h"

struct doubt {
	const struct tacho_filter *filter;
	const char *pattern;
	bool can_match;     /* some event */
	char *event;        /* one that cannot */
	char *field;        /* which it lacks; NULL: it has all, but not of the right types */
	char *near;         /* one that it has, and that was meant, perhaps; or NULL */
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

static char *near_field(const struct event_desc *event, const char *typed)
{
	struct suggestion s = suggestion_for(typed);
	const char *near;

	for (unsigned int i = 0; i < event->field_count; i++)
		suggestion_consider(&s, event->fields[i].name);
	near = suggestion_word(&s);
	return near ? xstrdup(near) : NULL;
}

static char *lacked_field(const struct doubt *d, const struct tacho_filter_field *lack)
{
	return lack ? xasprintf("%.*s", (int)lack->name_bytes,
				tacho_filter_pool(d->filter) + lack->name_at) :
		      NULL;
}

/* The one that lacks less: its missing field is a later one; else that which has one like it. */
static bool is_nearer(const struct doubt *d, const struct doubt *other)
{
	if (!other->event || d->has_count != other->has_count)
		return !other->event || d->has_count > other->has_count;
	return d->near && !other->near;
}

static void forget(struct doubt *d)
{
	free(d->event);
	free(d->field);
	free(d->near);
}

static void note_doubt(struct doubt *d, const char *name, const struct event_desc *event,
		       const struct tacho_desc *desc)
{
	const struct tacho_filter_field *first = tacho_filter_fields(d->filter);
	const struct tacho_filter_field *lack = filter_lacks(d->filter, desc);
	struct doubt new = *d;

	new.has_count = lack ? (uint32_t)(lack - first) : d->filter->field_count;
	new.event = xstrdup(name);
	new.field = lacked_field(d, lack);
	new.near = lack ? near_field(event, new.field) : NULL;
	if (!is_nearer(&new, d)) {
		forget(&new);
		return;
	}
	forget(d);
	*d = new;
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
			note_doubt(d, name, event, desc);
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

/* @whose: events were looked at; @list: how they are listed */
static void warn(const struct doubt *d, const char *whose, const char *list)
{
	if (d->near)
		say(SAY_WARNING,
		    "the filter is true of no event of %s: '%s' has no field '%s'; did you mean "
		    "'%s'?",
		    whose, d->event, d->field, d->near);
	else if (d->field)
		say(SAY_WARNING,
		    "the filter is true of no event of %s: '%s' has no field '%s'; what there is: "
		    "tacho list %s",
		    whose, d->event, d->field, list);
	else
		say(SAY_WARNING,
		    "the filter is true of no event of %s: what it does with the fields of '%s' "
		    "does not fit their types: tacho list %s",
		    whose, d->event, list);
}

/* One whose fields are elsewhere may have any. */
static void look_at_built_in(struct doubt *d, const struct elf_event *event)
{
	if (event->is_unbound)
		d->can_match = true;
	else
		look_at_event(d, event->desc);
}

static int any_counter(void *data, const char *name)
{
	(void)data;
	(void)name;
	return TACHO_CONTEXT_PERF;
}

static bool compile(const char *filter, struct tacho_filter **ret_filter)
{
	struct filter_complaint warning, error;

	return !filter_compile(filter, any_counter, NULL, ret_filter, &warning, &error);
}

void filter_doubt(struct runtime *runtime, const char *pattern, const char *filter)
{
	struct doubt d = { .pattern = pattern };
	struct tacho_filter *compiled;

	if (!compile(filter, &compiled))
		return;
	d.filter = compiled;
	look_at_programs(runtime, &d);
	if (d.event && !d.can_match)
		warn(&d, "the programs that run now", "--fields");
	forget(&d);
	free(compiled);
}

static void look_at_file(const char *path, struct doubt *d)
{
	struct elf_image *image;
	struct elf_events events;

	if (elf_image_open(path, &image, NULL))
		return;
	if (!elf_events_read(image, &events, NULL)) {
		for (size_t i = 0; i < events.count && !d->can_match; i++)
			look_at_built_in(d, &events.event[i]);
		elf_events_free(&events);
	}
	elf_image_close(image);
}

void filter_doubt_file(const char *path, char *const *patterns, const char *filter)
{
	static char *const all[] = { "*", NULL };
	struct doubt d = { 0 };
	struct tacho_filter *compiled;
	char *word, *whose;

	if (!compile(filter, &compiled))
		return;
	d.filter = compiled;
	for (patterns = *patterns ? patterns : all; *patterns; patterns++) {
		d.pattern = *patterns;
		look_at_file(path, &d);
	}
	word = shell_word(path);
	whose = xasprintf("those that are built into %s", word);
	if (d.event && !d.can_match)
		warn(&d, whose, word);
	free(whose);
	free(word);
	forget(&d);
	free(compiled);
}
