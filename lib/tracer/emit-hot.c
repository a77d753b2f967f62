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

uint64_t emit_hot_word(const struct attached_channel *channel, uint32_t tag,
		       const struct route_target *what)
{
	uint32_t set = contexts_set(what->contexts);

	if (channel->ring.writer_kind != TACHO_WRITER_RSEQ || what->contexts & ~CONTEXTS_FIXED ||
	    !set != !what->contexts || what->id > TACHO_ID_MEDIUM_MAX)
		return 0;
	return RING_ROUTED(what->id, set, tag) |
	       RING_ROUTED_SLOT(tacho_load_relaxed(&channel->slot_index));
}

/* One with the short header, no contexts, slot 0. */
static bool is_simplest(uint64_t word)
{
	return word >> 48 <= TACHO_ID_COMPACT_MAX && !(word << 16 >> 48);
}

void emit_note_hot(const struct target *t, const struct route_target *what,
		   const struct route *route)
{
	struct emission *e = t->emission;
	uint64_t word = emit_hot_word(t->channel, t->ring.tag, what);

	e->is_listable &= word != 0;
	if (!word || e->was_away || e->destination_count == DESTINATIONS_MAX) {
		e->is_plain = false;
		return;
	}
	keep_contexts(e, what->contexts, contexts_set(what->contexts));
	e->destination[e->destination_count++] = (struct destination){
		.channel = t->channel,
		.attachment = e->attachment,
		.route = route,
		.id_and_tag = word,
		.tag = t->ring.tag,
		.is_simplest = is_simplest(word),
	};
}

void emit_point_hot(const struct emission *e, bool is_listed)
{
	struct tacho_hot *plain = &tacho_tracer.wiped->hot[e->index];
	struct tacho_hot *listed =
		(struct tacho_hot *)(void *)((char *)hot_list_at(e->index) + RING_HOT_LISTED);
	struct tacho_hot *found = is_listed ? plain : listed;

	if (tacho_load_relaxed(&e->event->hot) == found)
		tacho_cmpxchg_acq_rel(&e->event->hot, &found, is_listed ? listed : plain);
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
	emit_point_hot(e, false);
	if (e->destination_count == 2) {
		value |= RING_ROUTED_MORE;
		if (!keep(e, &wiped->more_hot[e->index], d[1].id_and_tag))
			return;
	} else if (d[0].is_simplest) {
		value = RING_HOT(d[0].id_and_tag >> 48, d[0].tag);
	}
	keep(e, &wiped->hot[e->index], value);
}
