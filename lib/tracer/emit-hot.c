/* SPDX-License-Identifier: MIT */
/* emit-hot.c - see emit-hot.h */
#include "tracer/emit-hot.h"

#include <string.h>

#include "base/context.h"
#include "tracer/context.h"
#include "tracer/hot.h"

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

	if (!id_and_tag || !tacho_thread.tid || tacho_thread.in_vfork)
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
	struct context_source source = {
		.pid = tacho_tracer.pid,
		.tid = tacho_thread.tid,
		.ip = ip,
		.cpu = repeat->cpu,
	};

	return contexts_fill(&source, RING_HOT_CONTEXTS(repeat->id_and_tag), to);
}

/*
 * What a thread's last contexts were, as they stand in a record, if they are the same for all its
 * events. A signal handler may keep others meanwhile:
 *
 *	keep:A  is_busy = true          a handler from here on leaves it alone
 *	keep:B  kept_count++            whoever is about to use what was kept, below a handler that
 *	                                does this, finds another count in ring_repeat()
 *	keep:C  what is kept
 *	keep:D  is_busy = false         (never, where a handler is left by longjmp())
 */
static __thread struct kept {
	uint64_t contexts;
	uint32_t number; /* contexts_number() */
	uint32_t name_changes;
	uint32_t bytes;
	bool is_busy;
	char data[TACHO_CONTEXTS_BYTES_MAX - 8 * TACHO_PERF_MAX];
} kept __attribute__((tls_model("initial-exec")));

#define SIGNAL_FENCE() __atomic_signal_fence(__ATOMIC_SEQ_CST)

static bool is_kept(uint64_t contexts)
{
	return kept.contexts == contexts && !kept.is_busy && kept.number == contexts_number() &&
	       kept.name_changes == tacho_thread.name_changes;
}

static void keep_contexts(uint64_t contexts, uint32_t number, const char *data, uint32_t bytes)
{
	if (kept.is_busy || !contexts_are_settled(contexts))
		return;
	kept.is_busy = true; /* keep:A */
	SIGNAL_FENCE();
	tacho_thread.kept_count++; /* keep:B */
	SIGNAL_FENCE();
	kept.contexts = contexts; /* keep:C */
	kept.number = number;
	kept.name_changes = tacho_thread.name_changes;
	kept.bytes = bytes;
	memcpy(kept.data, data, bytes);
	SIGNAL_FENCE();
	kept.is_busy = false; /* keep:D */
}

/* @room: for those that are not kept. TACHO_CONTEXTS_BYTES_MAX bytes */
static void find_contexts(struct ring_repeat *repeat, uint64_t ip, char *room)
{
	uint64_t contexts = RING_HOT_CONTEXTS(repeat->id_and_tag);
	uint32_t number = contexts_number();

	repeat->kept_count = tacho_load_relaxed(&tacho_thread.kept_count);
	SIGNAL_FENCE();
	if (is_kept(contexts)) {
		repeat->contexts.data = kept.data;
		repeat->contexts.bytes = kept.bytes;
		return;
	}
	repeat->contexts.data = room;
	repeat->contexts.bytes = fill(repeat, ip, room);
	keep_contexts(contexts, number, room, repeat->contexts.bytes);
	repeat->kept_count = tacho_load_relaxed(&tacho_thread.kept_count);
}

bool emit_hot(const struct tacho_event *event, const struct tacho_part *parts, uint32_t count,
	      uint64_t ip)
{
	char room[TACHO_CONTEXTS_BYTES_MAX];
	struct ring_repeat repeat;

	if (!begin(event, &repeat))
		return false;
	find_contexts(&repeat, ip, room);
	return !ring_repeat(&repeat, parts, count);
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
