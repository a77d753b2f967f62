/* SPDX-License-Identifier: MIT */
/*
 * object.c - the program's instrumented objects.
 *
 * Registering is idempotent and waits for nobody: each event is given a place in the registry, and
 * then its state pointer by compare-and-exchange; who comes second gives its place back. So a
 * constructor, the first hits of several threads and a signal handler may all register the same
 * event at once.
 *
 * An event's index is where its state pointer points: there is no moment at which they differ.
 * `hot` follows later; until then it is the object's empty one, which sends the event through
 * emit.c.
 */
#include <stddef.h>

#include "tracer/hot.h"
#include "tracer/tracer.h"

/* Indices [first, end), for those to whom it must be said which events are new. */
struct range {
	uint32_t first;
	uint32_t end;
};

static void widen(struct range *range, uint32_t index)
{
	if (index < range->first)
		range->first = index;
	if (index >= range->end)
		range->end = index + 1;
}

/* Without a registry nothing can be recorded, so nothing is ever to be hit again. */
static void switch_off(struct tacho_event *event)
{
	tacho_store_relaxed(&event->state, &tacho_tracer.off_word);
}

/* @range: NULL for an event that is hit already: its state word must be right before another thread
 * that hits it finds the word. */
static void place(struct tacho_event *event, uint32_t *unregistered, struct range *range)
{
	int index = registry_add(event->info);

	if (index < 0) {
		switch_off(event);
		return;
	}
	if (!range)
		sessions_apply((uint32_t)index, (uint32_t)index + 1);
	if (!tacho_cmpxchg_acq_rel(&event->state, &unregistered,
				   registry_state((uint32_t)index))) {
		registry_drop((uint32_t)index);
		return;
	}
	tacho_store_release(&event->home, bind_home(unregistered));
	tacho_store_release(&event->hot, &tacho_tracer.wiped->hot[index]);
	if (range)
		widen(range, (uint32_t)index);
}

static void place_if_new(struct tacho_event *event, struct range *range)
{
	uint32_t *state = tacho_load_acquire(&event->state);

	/* Without a state it is an offer to others, and no event (lttng/tacho/probe.h). */
	if (!state || event_is_unbound(event))
		return;
	if (!registry_has_state(state) && state != &tacho_tracer.off_word)
		place(event, state, range);
}

void event_register(struct tacho_event *event)
{
	if (tracer_is_ready())
		place_if_new(event, NULL);
	else if (tacho_load_relaxed(&tacho_tracer.state) == TRACER_OFF)
		switch_off(event);
}

void tacho_object_register(struct tacho_object *object)
{
	struct range range = { .first = UINT32_MAX };

	if (!tracer_is_ready())
		return;
	bind_object(object);
	registry_expect((uint32_t)(object->end - object->begin));
	for (struct tacho_event **e = object->begin; e < object->end; e++) {
		if (*e)
			place_if_new(*e, &range);
	}
	sessions_apply(range.first, range.end);
}

void event_take_out(struct tacho_event *event, bool is_unbound)
{
	struct tacho_object *home = tacho_load_acquire(&event->home);
	uint32_t *state = tacho_load_acquire(&event->state);
	uint32_t index;

	if (!registry_has_state(state))
		return;
	index = registry_index(state);
	tacho_store_relaxed(&event->hot, (struct tacho_hot *)home->no_hot);
	tacho_store_release(&event->state, is_unbound ? (uint32_t *)(void *)home->no_hot :
							&home->unregistered);
	/* Where no session was attached yet nothing is known of it; not to look saves a program that ends
	 * the pages that it would be on. */
	tacho_fence_full();
	if (tacho_load_relaxed(&tacho_tracer.last_generation))
		hot_forget(index);
	registry_drop(index);
}

void tacho_object_unregister(struct tacho_object *object)
{
	/* In a child that recorded nothing yet, tracer_is_ready() parts us from our parent's registry. */
	if (tacho_load_acquire(&tacho_tracer.state) != TRACER_READY || !tracer_is_ready())
		return;
	unbind_object(object);
	for (struct tacho_event **e = object->begin; e < object->end; e++) {
		if (*e && tacho_load_acquire(&(*e)->home) == object)
			event_take_out(*e, false);
	}
}
