/* SPDX-License-Identifier: MIT */
/* emit-hot.c - see emit-hot.h */
#include "tracer/emit-hot.h"

#include <string.h>

#include "base/context.h"
#include "tracer/context.h"
#include "tracer/hot.h"

/* An event with more goes the slow way. */
#define HOT_PARTS 16

/* ---- emit ---- */

/* The event's place for contexts: as far from the first as that without. NULL: it has none. */
static struct tacho_hot *place_of(const struct tacho_event *event)
{
	struct wiped *wiped = tacho_load_relaxed(&tacho_tracer.wiped);
	uintptr_t at = (uintptr_t)tacho_load_relaxed(&event->hot);

	at -= (uintptr_t)wiped->hot;
	return at < sizeof(wiped->hot) ? (struct tacho_hot *)((char *)wiped->context_hot + at) :
					 NULL;
}

/* Return: false if there is nothing to be repeated. */
static bool begin(const struct tacho_event *event, struct ring_repeat *ret_repeat)
{
	struct tacho_hot *hot = place_of(event);
	uint64_t id_and_tag = hot ? tacho_load_relaxed(&hot->id_and_tag) : 0;

	if (!id_and_tag || !tacho_thread.tid)
		return false;
	ret_repeat->state = tacho_load_acquire(&event->state);
	ret_repeat->hot = hot;
	ret_repeat->id_and_tag = id_and_tag;
	ret_repeat->cpu = tacho_thread.slot[0].cpu;
	thread_name_refresh();
	return true;
}

static uint32_t fill(const struct ring_repeat *repeat, uint64_t ip, char *to)
{
	struct context_source source = { .ip = ip, .cpu = repeat->cpu };

	return contexts_fill(&source, RING_HOT_CONTEXTS(repeat->id_and_tag), to);
}

bool emit_hot(const struct tacho_event *event, const struct tacho_part *parts, uint32_t count,
	      uint64_t ip)
{
	char contexts[TACHO_CONTEXTS_BYTES_MAX];
	struct tacho_part all[1 + HOT_PARTS];
	struct ring_repeat repeat;

	if (count > HOT_PARTS || !begin(event, &repeat))
		return false;
	all[0].data = contexts;
	all[0].bytes = fill(&repeat, ip, contexts);
	all[0].is_string = 0;
	for (uint32_t i = 0; i < count; i++)
		all[1 + i] = parts[i];
	return !ring_repeat(&repeat, all, count + 1);
}

bool emit_hot_word(const struct tacho_event *event, uint64_t payload, uint32_t bytes, uint64_t ip)
{
	char all[TACHO_CONTEXTS_BYTES_MAX + sizeof(payload)];
	struct tacho_part part = { .data = all };
	struct ring_repeat repeat;

	if (!begin(event, &repeat))
		return false;
	part.bytes = fill(&repeat, ip, all);
	memcpy(all + part.bytes, &payload, sizeof(payload));
	part.bytes += bytes;
	return !ring_repeat(&repeat, &part, 1);
}

/* ---- keep ---- */

static void keep(struct tacho_hot *hot, uint64_t value, const struct target *t,
		 const struct route *route)
{
	const struct emission *e = t->emission;
	struct tacho_hot ticket;

	if (!hot_look(hot, &ticket) || (ticket.id_and_tag == value && ticket.bits == e->state))
		return;
	/* keep:C */
	if (tacho_load_relaxed(&t->channel->ring.tag) == t->ring.tag &&
	    tacho_load_relaxed(&e->attachment->route[e->index]) == route)
		hot_keep(hot, &ticket, value, e->state);
}

void emit_keep_hot(const struct target *t, const struct route *route)
{
	const struct emission *e = t->emission;
	uint64_t contexts = route->target[0].contexts;
	struct wiped *wiped = tacho_tracer.wiped;

	if (tacho_load_relaxed(&t->channel->slot_index) != 0 ||
	    e->record.id > TACHO_ID_COMPACT_MAX || contexts & ~CONTEXTS_FIXED)
		return;
	if (contexts)
		keep(&wiped->context_hot[e->index],
		     RING_HOT_WITH(e->record.id, t->ring.tag, contexts), t, route);
	else
		keep(&wiped->hot[e->index], RING_HOT(e->record.id, t->ring.tag), t, route);
}
