/* SPDX-License-Identifier: MIT */
/*
 * event-probe.h - tacho_enabled(): whether someone records an event. Not for direct use: include
 * <tacho/event.h>.
 *
 * A probe has no state word of its own: it would be a second event of the same name for everyone
 * who lists events. It looks its events up in the list of its own object, once, and remembers the
 * stretch [first, last) of the list that holds them. All that is written is the same for every
 * thread and signal handler that comes first:
 *
 *      resolve:A  first                           is_on:A  last       (acquire)
 *      resolve:B  last        (release)           is_on:B  first
 *
 *      pairs: resolve:B with is_on:A: whoever sees last sees first.
 */
#ifndef TACHO_EVENT_PROBE_H
#define TACHO_EVENT_PROBE_H

#include "event-object.h"

struct tacho_probe {
	struct tacho_event **first;
	struct tacho_event **last; /* NULL: not looked up yet */
};

TACHO_INLINE_ int tacho_probe_matches(const struct tacho_event *event, const char *provider,
				      const char *name)
{
	return event && __builtin_strcmp(event->info->name, name) == 0 &&
	       __builtin_strcmp(event->info->provider, provider) == 0;
}

/* The bit STALE alone tells nothing; before registration it is all there is. */
TACHO_INLINE_ int tacho_probe_event_is_on(struct tacho_event *event)
{
	if (TACHO_UNLIKELY_(tacho_load_relaxed(&event->state) == &tacho_this_object.unregistered))
		tacho_object_register(&tacho_this_object);
	return (tacho_load_relaxed(tacho_load_relaxed(&event->state)) & ~TACHO_STATE_STALE) != 0;
}

TACHO_OUTLINE_ void tacho_probe_resolve(struct tacho_probe *probe, const char *provider,
					const char *name)
{
	struct tacho_event **const end = tacho_this_object.end;
	struct tacho_event **first = tacho_this_object.begin;
	struct tacho_event **last;

	while (first < end && !tacho_probe_matches(*first, provider, name))
		first++;
	/* The same event may follow again and again: one look at it is enough. */
	last = first < end ? first + 1 : first;
	for (struct tacho_event **at = last; at < end; at++) {
		if (*at != *first && tacho_probe_matches(*at, provider, name))
			last = at + 1;
	}
	tacho_store_relaxed(&probe->first, first); /* resolve:A */
	tacho_store_release(&probe->last, last);   /* resolve:B pairs with is_on:A */
}

TACHO_OUTLINE_ int tacho_probe_any_is_on(struct tacho_event **first, struct tacho_event **last,
					 const char *provider, const char *name)
{
	for (; first < last; first++) {
		if (tacho_probe_matches(*first, provider, name) && tacho_probe_event_is_on(*first))
			return 1;
	}
	return 0;
}

TACHO_INLINE_ int tacho_probe_is_on(struct tacho_probe *probe, const char *provider,
				    const char *name)
{
	struct tacho_event **first;
	struct tacho_event **last;

	if (TACHO_UNLIKELY_(!tacho_load_relaxed(&probe->last)))
		tacho_probe_resolve(probe, provider, name);
	last = tacho_load_acquire(&probe->last);   /* is_on:A pairs with resolve:B */
	first = tacho_load_relaxed(&probe->first); /* is_on:B */
	if (last - first == 1)
		return tacho_probe_event_is_on(*first);
	return first != last && tacho_probe_any_is_on(first, last, provider, name);
}

#endif
