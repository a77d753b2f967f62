/* SPDX-License-Identifier: MIT */
/* emit-hot.c - see emit-hot.h */
#include "tracer/emit-hot.h"

#include <string.h>

#include "base/context.h"
#include "tracer/context.h"
#include "tracer/hot.h"

/* ---- the thread's contexts ---- */

#define SIGNAL_FENCE() __atomic_signal_fence(__ATOMIC_SEQ_CST)

static int32_t place_in(uint64_t contexts, unsigned int number)
{
	if (!(contexts >> number & 1))
		return -1;
	return (int32_t)contexts_bytes(contexts & ((1ull << number) - 1));
}

/* What the emission has just found: struct ring_kept tells why in this order. */
static void keep_contexts(const struct emission *e, uint64_t contexts, uint32_t set)
{
	struct ring_kept *kept = &tacho_thread.kept;

	if (!set || kept->is_busy || tacho_thread.in_vfork || !contexts_are_settled(contexts))
		return;
	kept->is_busy = 1; /* keep:A */
	SIGNAL_FENCE();
	kept->set = 0; /* keep:B */
	SIGNAL_FENCE();
	kept->number = e->contexts_number; /* keep:C */
	kept->bytes = e->record.context_bytes;
	kept->ip_at = place_in(contexts, TACHO_CONTEXT_IP);
	kept->cpu_at = place_in(contexts, TACHO_CONTEXT_CPU_ID);
	memcpy(kept->data, e->contexts, kept->bytes);
	SIGNAL_FENCE();
	kept->set = set; /* keep:D */
	SIGNAL_FENCE();
	kept->is_busy = 0; /* keep:E */
}

/* ---- where the event goes ---- */

void emit_note_hot(const struct target *t, const struct route_target *what,
		   const struct route *route)
{
	struct emission *e = t->emission;
	uint32_t set = contexts_set(what->contexts);
	uint32_t slot = tacho_load_relaxed(&t->channel->slot_index);

	if (t->ring.writer_kind != TACHO_WRITER_RSEQ || e->was_away ||
	    what->contexts & ~CONTEXTS_FIXED || !set != !what->contexts ||
	    what->id > TACHO_ID_MEDIUM_MAX || e->destination_count == DESTINATIONS_MAX) {
		e->is_plain = false;
		return;
	}
	keep_contexts(e, what->contexts, set);
	e->destination[e->destination_count++] = (struct destination){
		.channel = t->channel,
		.attachment = e->attachment,
		.route = route,
		.id_and_tag = RING_ROUTED(what->id, set, t->ring.tag) | RING_ROUTED_SLOT(slot),
		.tag = t->ring.tag,
		.is_simplest = !slot && !set && what->id <= TACHO_ID_COMPACT_MAX,
	};
}

static bool is_still_so(const struct emission *e)
{
	for (uint32_t i = 0; i < e->destination_count; i++) {
		const struct destination *d = &e->destination[i];

		if (tacho_load_relaxed(&d->channel->ring.tag) != d->tag ||
		    tacho_load_relaxed(&d->attachment->route[e->index]) != d->route)
			return false;
	}
	return true;
}

/* Return: is it there now? */
static bool keep(const struct emission *e, struct tacho_hot *hot, uint64_t value)
{
	struct tacho_hot ticket;

	if (!hot_look(hot, &ticket))
		return false;
	if (ticket.id_and_tag == value && ticket.bits == e->state)
		return true;
	return is_still_so(e) && hot_keep(hot, &ticket, value, e->state); /* keep:C */
}

/* The first place says whether there is a second, so that comes before it. */
void emit_keep_hot(const struct emission *e)
{
	const struct destination *d = e->destination;
	struct wiped *wiped = tacho_tracer.wiped;
	uint64_t value = d[0].id_and_tag;

	if (!e->destination_count)
		return;
	if (e->destination_count == 2) {
		value |= RING_ROUTED_MORE;
		if (!keep(e, &wiped->more_hot[e->index], d[1].id_and_tag))
			return;
	} else if (d[0].is_simplest) {
		value = RING_HOT(d[0].id_and_tag >> 48, d[0].tag);
	}
	keep(e, &wiped->hot[e->index], value);
}
