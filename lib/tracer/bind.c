/* SPDX-License-Identifier: MIT */
/*
 * bind.c - events whose other half is in another object.
 *
 * A program that is instrumented with <lttng/tracepoint.h> may leave its probes (what its events
 * consist of, and the functions that record them) to a shared object, which comes by dlopen() or
 * LD_PRELOAD, or never. Its events are UNBOUND then: they have no more than a name.
 *
 *      program                               object with probes
 *      tacho_event, UNBOUND                  tacho_event of the same name
 *        info --> provider, name               info --> fields, put()
 *
 *      An object that has probes may not have the events; then it has OFFERS in its list: events that
 *      have an info, but no state, and are never hit or registered.
 *
 *      Whichever is registered later, the program's event is given the info of the other, and is
 *      from there on an event like any other; until the object with the probes goes.
 *
 * Objects come and go below the dynamic linker's lock, so that two are hardly ever looked at at
 * once; where they are, what a slot of a table holds is written by compare-and-exchange, and each
 * event is bound or not.
 *
 *      bind:A  info                      site:A  state
 *      bind:B  state (release)           site:B  info
 *
 *      A site that sees the new state and the old info finds no put() in it, and records nothing.
 */
#include <stddef.h>
#include <string.h>

#include "tracer/tracer.h"

#define OBJECTS_MAX 1024
#define UNBOUND_MAX 4096

/* The objects that have events with probes. Both tables may have gaps; no more than `_end` of them
 * was ever used. */
static struct tacho_object *objects[OBJECTS_MAX];
static uint32_t objects_end;

/* Events that were unbound when they came, and the info they had then. */
static struct unbound {
	struct tacho_event *event;
	const struct tacho_event_info *name;
} unbound[UNBOUND_MAX];
static uint32_t unbound_end;

static bool has_probe(const struct tacho_event_info *info)
{
	return (info->flags & (TACHO_INFO_RICH | TACHO_INFO_UNBOUND)) == TACHO_INFO_RICH;
}

static bool is_same_name(const struct tacho_event_info *a, const struct tacho_event_info *b)
{
	return !strcmp(a->name, b->name) && !strcmp(a->provider, b->provider);
}

struct tacho_object *bind_home(uint32_t *first_state)
{
	size_t at = *first_state ? offsetof(struct tacho_object, unregistered) :
				   offsetof(struct tacho_object, no_hot);

	return (struct tacho_object *)(void *)((char *)first_state - at);
}

/* ---- tables ---- */

static void raise_end(uint32_t *end, uint32_t value)
{
	uint32_t old = tacho_load_relaxed(end);

	while (old < value && !tacho_cmpxchg_acq_rel(end, &old, value))
		;
}

static void keep_object(struct tacho_object *object)
{
	for (uint32_t i = 0; i < OBJECTS_MAX; i++) {
		struct tacho_object *at = tacho_load_relaxed(&objects[i]);

		if (at == object)
			return;
		if (at || !tacho_cmpxchg_acq_rel(&objects[i], &at, object))
			continue;
		raise_end(&objects_end, i + 1);
		return;
	}
}

static void forget_object(struct tacho_object *object)
{
	for (uint32_t i = 0; i < tacho_load_acquire(&objects_end); i++) {
		struct tacho_object *at = object;

		tacho_cmpxchg_acq_rel(&objects[i], &at, NULL);
	}
}

static struct unbound *keep_unbound(struct tacho_event *event)
{
	for (uint32_t i = 0; i < UNBOUND_MAX; i++) {
		struct tacho_event *at = tacho_load_acquire(&unbound[i].event);

		if (at == event)
			return &unbound[i];
		if (at || !tacho_cmpxchg_acq_rel(&unbound[i].event, &at, event))
			continue;
		tacho_store_release(&unbound[i].name, event->info);
		raise_end(&unbound_end, i + 1);
		return &unbound[i];
	}
	return NULL;
}

static void forget_unbound(const struct tacho_event *event)
{
	for (uint32_t i = 0; i < tacho_load_acquire(&unbound_end); i++) {
		if (tacho_load_acquire(&unbound[i].event) != event)
			continue;
		tacho_store_relaxed(&unbound[i].name, NULL);
		tacho_store_release(&unbound[i].event, NULL);
	}
}

/* ---- bind ---- */

static void bind(struct unbound *half, const struct tacho_event_info *info)
{
	struct tacho_event *event = tacho_load_acquire(&half->event);

	if (!event || !event_is_unbound(event))
		return;
	tacho_store_release(&event->info, info); /* bind:A */
	event_register(event);                   /* bind:B */
}

/* The info of an event of this name that has its probe. */
static const struct tacho_event_info *find_probe(const struct tacho_event_info *name)
{
	for (uint32_t i = 0; i < tacho_load_acquire(&objects_end); i++) {
		struct tacho_object *object = tacho_load_acquire(&objects[i]);

		for (struct tacho_event **e = object ? object->begin : NULL;
		     object && e < object->end; e++) {
			if (*e && has_probe((*e)->info) && is_same_name((*e)->info, name))
				return (*e)->info;
		}
	}
	return NULL;
}

static void offer_probe(const struct tacho_event_info *info)
{
	for (uint32_t i = 0; i < tacho_load_acquire(&unbound_end); i++) {
		const struct tacho_event_info *name = tacho_load_acquire(&unbound[i].name);

		if (name && is_same_name(name, info))
			bind(&unbound[i], info);
	}
}

static void seek_probe(struct tacho_event *event)
{
	struct unbound *half = keep_unbound(event);
	const struct tacho_event_info *info = half ? find_probe(event->info) : NULL;

	if (info)
		bind(half, info);
}

void bind_object(struct tacho_object *object)
{
	for (struct tacho_event **e = object->begin; e < object->end; e++) {
		if (!*e)
			continue;
		if (event_is_unbound(*e)) {
			seek_probe(*e);
		} else if (has_probe((*e)->info)) {
			keep_object(object);
			offer_probe((*e)->info);
		}
	}
}

/* ---- and part again ---- */

static void unbind(struct unbound *half, const struct tacho_event_info *info)
{
	struct tacho_event *event = tacho_load_acquire(&half->event);
	const struct tacho_event_info *name = tacho_load_acquire(&half->name);

	if (!event || !name || tacho_load_acquire(&event->info) != info)
		return;
	event_take_out(event, true);
	tacho_store_release(&event->info, name);
	seek_probe(event);
}

void unbind_object(struct tacho_object *object)
{
	forget_object(object);
	for (struct tacho_event **e = object->begin; e < object->end; e++) {
		if (*e && tacho_load_acquire(&(*e)->home) == object)
			forget_unbound(*e);
	}
	for (struct tacho_event **e = object->begin; e < object->end; e++) {
		for (uint32_t i = 0; *e && i < tacho_load_acquire(&unbound_end); i++)
			unbind(&unbound[i], (*e)->info);
	}
}
