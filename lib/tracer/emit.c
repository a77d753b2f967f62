/* SPDX-License-Identifier: MIT */
/*
 * emit.c - the way of an event that is not as simple as writer-x86_64.S wants it: the first of its
 * kind, after another thread's, into several sessions, larger than 8 bytes, at the end of a
 * sub-buffer, without rseq.
 *
 *	for each session that wants the event:
 *		route: its id and its channels          looked up once, then cached
 *		for each channel:
 *			plan (ring/plan.c), ring_append(); again if that was interrupted
 *
 * A record that cannot be written is counted, always in exactly one counter.
 */
#include <string.h>

#include "base/context.h"
#include "tracer/clock.h"
#include "tracer/context.h"
#include "tracer/sys.h"
#include "tracer/tracer.h"

/* What is known of one event while it is being recorded. */
struct emission {
	struct tacho_event *event;
	uint32_t index;
	uint32_t state;
	uint64_t route; /* in the session at hand */
	uint64_t ip;    /* of the event in the program */
	struct ring_record record;
	char contexts[TACHO_CONTEXTS_BYTES_MAX];
};

static void count_lost(const struct ring_channel *ring, uint32_t cpu, enum tacho_lost reason)
{
	uint64_t *lost = ring->map->unattributed;

	if (cpu < ring->ring_count &&
	    tacho_load_acquire(&ring->map->allocated[cpu / 64]) >> (cpu % 64) & 1)
		lost = ring_of_cpu(ring, cpu)->lost;
	tacho_fetch_add_relaxed(&lost[reason], 1);
}

/* ---- blocking ---- */

struct target {
	struct attachment *attachment;
	uint32_t channel;
	struct ring_channel ring;
	uint32_t futex_seen; /* the ring's release_futex, before it was found full */
	uint32_t restarts;
	uint64_t deadline; /* of blocking; 0: has not begun */
};

static void see_futex(struct target *t, uint32_t cpu)
{
	if (t->ring.mode == TACHO_MODE_BLOCK)
		t->futex_seen = tacho_load_acquire(&ring_of_cpu(&t->ring, cpu)->release_futex);
}

static bool is_past(struct target *t, uint64_t now)
{
	uint64_t timeout = t->ring.block_timeout_ns;

	if (!t->deadline)
		t->deadline = timeout > UINT64_MAX - now ? UINT64_MAX : now + timeout;
	return now >= t->deadline;
}

/*
 * Wait until the drain has released something, or the time is up, or nobody records any more. In
 * slices: a drain that dies wakes nobody, and a session that is stopped or destroyed does not
 * either.
 *
 * Return: true if it is worth trying again.
 */
static bool wait_for_drain(struct target *t, uint32_t cpu)
{
	uint64_t slice = 10000000, now;

	if (t->ring.mode != TACHO_MODE_BLOCK ||
	    tacho_load_relaxed(&t->attachment->session->state) != TACHO_SESSION_ACTIVE)
		return false;
	now = clock_monotonic_ns();
	if (is_past(t, now))
		return false;
	if (t->deadline - now < slice)
		slice = t->deadline - now;
	sys_futex_wait(&ring_of_cpu(&t->ring, cpu)->release_futex, t->futex_seen, slice);
	return true;
}

/* ---- one channel, restartable sections ---- */

/* The thread's slot, if it is for this channel and CPU and nobody wrote since. */
static bool know_ring(const struct ring_channel *ring, uint32_t slot_index, uint32_t cpu,
		      uint64_t head, struct ring_slot *ret_slot)
{
	return !ring_slot_copy(ret_slot, &tacho_thread.slot[slot_index]) &&
	       ret_slot->tag == ring->tag && ret_slot->cpu == cpu &&
	       ret_slot->head == head;
}

static void keep_slot(const struct ring_append *append, const struct ring_channel *ring,
		      uint32_t slot_index)
{
	struct ring_slot slot;

	ring_plan_slot(append, ring, &slot);
	ring_slot_copy(&tacho_thread.slot[slot_index], &slot);
}

/* A record that takes longer to copy than signals are apart would be restarted for ever. */
#define RESTARTS_MAX 1000

/* Try once. Return: false to try again. */
static bool try_rseq(struct target *t, uint32_t cpu, struct emission *e)
{
	const struct attached_channel *channel = &t->attachment->channel[t->channel];
	struct ring_append append = { .live = &channel->ring.tag, .live_tag = t->ring.tag };
	uint64_t head = tacho_load_relaxed(&ring_of_cpu(&t->ring, cpu)->head);
	enum ring_result result = RING_NEW_WINDOW;
	struct ring_slot slot;
	bool known = know_ring(&t->ring, channel->slot_index, cpu, head, &slot);
	int lost;

	if (known && ring_slot_fits(&slot, &e->record)) {
		ring_plan_short(&append, &slot, &e->record);
		result = ring_append(&append);
	}
	if (result == RING_NEW_WINDOW) {
		lost = ring_plan_extended(&append, &t->ring, cpu, head, known, &e->record);
		if (lost == 1 + TACHO_LOST_FULL && wait_for_drain(t, cpu))
			return false;
		if (lost) {
			count_lost(&t->ring, cpu, (enum tacho_lost)(lost - 1));
			return true;
		}
		result = ring_append(&append);
	}
	if (result == RING_DONE)
		keep_slot(&append, &t->ring, channel->slot_index);
	if (result != RING_RESTART)
		return true;
	if (++t->restarts < RESTARTS_MAX)
		return false;
	count_lost(&t->ring, cpu, TACHO_LOST_CONTENDED);
	return true;
}

static void emit_rseq(struct target *t, struct emission *e)
{
	uint32_t cpu;

	do {
		cpu = ring_cpu();
		if (cpu >= t->ring.ring_count ||
		    !channel_allocate(t->attachment, t->channel, &t->ring, cpu)) {
			count_lost(&t->ring, cpu, TACHO_LOST_NO_MEMORY);
			return;
		}
		see_futex(t, cpu);
	} while (!try_rseq(t, cpu, e));
}

/* ---- one channel, portable writer ---- */

/* A thread with another name is another writer: its next record is to tell. Linux's pids have 22
 * bits at most, so there is room above them. */
static uint64_t writer_of(uint64_t me)
{
	return me ^ (uint64_t)tacho_thread.name_changes << 54;
}

/* The caller owns the ring. Return: RING_RESTART if it is full. */
static enum ring_result append_owned(struct target *t, uint32_t shard, uint64_t writer,
				     struct emission *e)
{
	const struct attached_channel *channel = &t->attachment->channel[t->channel];
	struct ring_append append = { .live = &channel->ring.tag, .live_tag = t->ring.tag };
	struct tacho_ring *ring = ring_of_cpu(&t->ring, shard);
	uint64_t head = tacho_load_relaxed(&ring->head);
	bool same_head = head && tacho_load_relaxed(&ring->state_head) == head;
	bool known = same_head && tacho_load_relaxed(&ring->state_writer) == writer;
	uint64_t now = clock_now(t->attachment->session);
	enum ring_result result = RING_NEW_WINDOW;
	struct ring_slot slot;
	int lost;

	/* Two CPUs' counters may differ by a few ticks, but a ring's records are in order. */
	if (same_head && now < tacho_load_relaxed(&ring->state_ts))
		now = tacho_load_relaxed(&ring->state_ts);
	if (known) {
		ring_plan_state(&t->ring, shard, head, &slot);
		if (ring_slot_fits(&slot, &e->record)) {
			ring_plan_short(&append, &slot, &e->record);
			result = ring_append_owned(&append, now, writer);
		}
	}
	if (result != RING_NEW_WINDOW)
		return result;
	lost = ring_plan_extended(&append, &t->ring, shard, head, known, &e->record);
	if (lost == 1 + TACHO_LOST_FULL)
		return RING_RESTART;
	if (lost) {
		count_lost(&t->ring, shard, (enum tacho_lost)(lost - 1));
		return RING_DONE;
	}
	return ring_append_owned(&append, now, writer);
}

enum try_shard { SHARD_DONE, SHARD_BUSY, SHARD_FULL, SHARD_NO_MEMORY };

static enum try_shard try_shard(struct target *t, uint32_t shard, uint64_t me, struct emission *e)
{
	struct tacho_ring *ring = ring_of_cpu(&t->ring, shard);
	enum ring_result result;

	if (!channel_allocate(t->attachment, t->channel, &t->ring, shard))
		return SHARD_NO_MEMORY;
	see_futex(t, shard);
	if (!ring_own(ring, me))
		return SHARD_BUSY;
	result = append_owned(t, shard, writer_of(me), e);
	ring_disown(ring);
	if (result != RING_RESTART)
		return SHARD_DONE;
	return SHARD_FULL;
}

static bool shard_exists(const struct target *t, uint32_t shard)
{
	return tacho_load_acquire(&t->ring.map->allocated[shard / 64]) >> (shard % 64) & 1;
}

/*
 * A thread stays with the shard where it last succeeded. One that is owned by another is most likely
 * about to be free, unless its owner was preempted: so the others that exist are tried a few times,
 * and then one more is made. Only when all there may be are owned for long is the record lost.
 */
#define SHARD_ROUNDS         100
#define SHARD_ROUNDS_TO_GROW 2

static enum try_shard try_shards(struct target *t, uint64_t me, struct emission *e)
{
	uint32_t count = t->ring.ring_count, shard = tacho_thread.shard % count;
	enum try_shard got = SHARD_BUSY;

	for (uint32_t i = 0; i < SHARD_ROUNDS * count; i++) {
		bool may_grow = i == 0 || i >= SHARD_ROUNDS_TO_GROW * count;

		if (may_grow || shard_exists(t, shard))
			got = try_shard(t, shard, me, e);
		if (got == SHARD_FULL && wait_for_drain(t, shard)) {
			i = 0;
			continue;
		}
		tacho_thread.shard = shard;
		if (got == SHARD_DONE || got == SHARD_FULL)
			break;
		shard = (shard + 1) % count;
	}
	return got;
}

static void emit_portable(struct target *t, struct emission *e)
{
	static const enum tacho_lost reason[] = {
		[SHARD_BUSY] = TACHO_LOST_CONTENDED,
		[SHARD_FULL] = TACHO_LOST_FULL,
		[SHARD_NO_MEMORY] = TACHO_LOST_NO_MEMORY,
	};
	enum try_shard got =
		try_shards(t, (uint64_t)e->record.pid << 32 | tacho_thread.tid, e);

	if (got != SHARD_DONE)
		count_lost(&t->ring, tacho_thread.shard % t->ring.ring_count, reason[got]);
}

/* ---- one session ---- */

#define ROUTE_GENERATION(route) ((uint32_t)((route) >> 32))
#define ROUTE_ID(route)         ((uint32_t)((route) >> 16 & 0xffff))
#define ROUTE_CHANNELS(route)   ((uint32_t)((route) & 0xffff))

static bool is_first_channel(const struct emission *e, uint32_t channel)
{
	return (uint32_t)__builtin_ctz(ROUTE_CHANNELS(e->route)) == channel;
}

static uint64_t channel_contexts(const struct attachment *a, uint32_t channel)
{
	uint64_t contexts = tacho_load_relaxed(&a->session->channel[channel].contexts);

	return contexts_are_known(contexts) ? contexts : 0;
}

/* Where the event goes in this session. 0: nowhere. The id is that with the contexts of the first
 * of the channels. */
static uint64_t find_route(struct attachment *a, uint32_t generation, uint32_t index)
{
	const struct tacho_desc *desc = registry_desc(index);
	uint32_t channels = desc ? session_channels(a->session, desc) : 0;
	int id = 0;

	if (channels)
		id = event_id(a, channel_contexts(a, (uint32_t)__builtin_ctz(channels)), desc);

	if (id < 0) {
		struct ring_channel ring;

		if (channel_read(a, (uint32_t)__builtin_ctz(channels), generation, &ring))
			count_lost(&ring, UINT32_MAX, TACHO_LOST_NO_MEMORY);
		return 0;
	}
	return (uint64_t)generation << 32 | (uint64_t)id << 16 | channels;
}

/*
 * A tool that changes rules makes them known by the session's generation and then by STALE, for
 * which refresh() forgets the route. A thread that looked before and keeps its route after that
 * finds another generation.
 *
 *	route:A  route = ..
 *	route:B  --- full fence ---            pairs with refresh:B
 *	route:C  are the rules still those that were read? else take it back
 */
static uint64_t get_route(struct attachment *a, uint32_t index)
{
	uint32_t generation = tacho_load_acquire(&a->generation);
	uint32_t rules = tacho_load_acquire(&a->session->generation);
	uint64_t route = tacho_load_relaxed(&a->route[index]);

	if (ROUTE_GENERATION(route) == generation)
		return route;
	route = find_route(a, generation, index);
	if (!route)
		return 0;
	tacho_store_relaxed(&a->route[index], route);
	tacho_fence_full(); /* route:B pairs with refresh:B */
	if (tacho_load_relaxed(&a->session->generation) != rules)
		tacho_store_relaxed(&a->route[index], 0);
	return route;
}

/*
 * The next time the fast path may do it alone, if this is the only channel that wants the event.
 *
 *	hot:A  hot.id_and_tag = ..
 *	hot:B  --- full fence ---              pairs with detach:B, refresh:B
 *	hot:C  is the tag still the channel's, and the route the event's? else take it back
 */
static void keep_hot(const struct emission *e, const struct attachment *a,
		     const struct attached_channel *channel, uint32_t tag)
{
	struct tacho_hot *hot = &tacho_tracer.wiped->hot[e->index];
	uint64_t value = RING_HOT(e->record.id, tag);

	if (tacho_load_relaxed(&hot->id_and_tag) == value || channel->slot_index != 0 ||
	    e->record.id > TACHO_ID_COMPACT_MAX || e->record.context_bytes)
		return;
	tacho_store_relaxed(&hot->bits, e->state);
	tacho_store_release(&hot->id_and_tag, value);
	tacho_fence_full();
	if (tacho_load_relaxed(&channel->ring.tag) != tag ||
	    tacho_load_relaxed(&a->route[e->index]) != e->route)
		tacho_store_relaxed(&hot->id_and_tag, 0);
}

/*
 * What the record begins with is what its id says, whatever the channel's contexts are by now. Only
 * where an event goes to several channels, of different contexts, is another id looked up each time.
 */
static bool fill_contexts(struct attachment *a, uint32_t index, struct emission *e)
{
	struct context_source source = { .ip = e->ip, .session = a->session };
	uint32_t id = ROUTE_ID(e->route);
	uint64_t contexts = event_id_contexts(a, id);

	if (!is_first_channel(e, index) && contexts != channel_contexts(a, index)) {
		const struct tacho_desc *desc = registry_desc(e->index);
		int other = desc ? event_id(a, channel_contexts(a, index), desc) : -1;

		if (other < 0)
			return false;
		id = (uint32_t)other;
		contexts = event_id_contexts(a, id);
	}
	e->record.id = id;
	e->record.contexts = e->contexts;
	e->record.context_bytes = contexts ? contexts_fill(&source, contexts, e->contexts) : 0;
	return true;
}

static void emit_channel(struct attachment *a, uint32_t index, struct emission *e, bool is_only)
{
	struct target target = { .attachment = a, .channel = index };

	if (index >= a->channel_count ||
	    !channel_read(a, index, ROUTE_GENERATION(e->route), &target.ring))
		return; /* the session is gone */
	if (tacho_thread.in_vfork) {
		count_lost(&target.ring, UINT32_MAX, TACHO_LOST_CONTENDED);
		return;
	}
	if (!fill_contexts(a, index, e)) {
		count_lost(&target.ring, UINT32_MAX, TACHO_LOST_NO_MEMORY);
		return;
	}
	if (target.ring.writer_kind == TACHO_WRITER_PORTABLE) {
		emit_portable(&target, e);
		return;
	}
	emit_rseq(&target, e);
	if (is_only)
		keep_hot(e, a, &a->channel[index], target.ring.tag);
}

static void emit_session(uint32_t slot, struct emission *e)
{
	struct attachment *a = attachment_get(slot);
	bool is_only = !(e->state & (e->state - 1));
	uint32_t channels;

	if (!a) {
		tacho_fetch_add_relaxed(&tacho_tracer.registry->lost_without_ring, 1);
		return;
	}
	e->route = get_route(a, e->index);
	channels = ROUTE_CHANNELS(e->route);
	is_only = is_only && !(channels & (channels - 1));
	for (; channels; channels &= channels - 1)
		emit_channel(a, (uint32_t)__builtin_ctz(channels), e, is_only);
}

/* ---- one event ---- */

/*
 * Forget all that is known of an event:
 *
 *	refresh:A  routes = 0
 *	refresh:B  --- full fence ---          pairs with route:B and hot:B
 *	refresh:C  hot.id_and_tag = 0
 */
static void forget_event(uint32_t index)
{
	for (uint32_t slot = 0; slot < TACHO_SLOTS; slot++) {
		struct attachment *a;

		attachment_check(slot);
		attachment_retry(slot);
		a = tacho_load_acquire(&tacho_tracer.attached[slot]);
		if (a)
			tacho_store_relaxed(&a->route[index], 0);
	}
	tacho_fence_full();
	tacho_store_relaxed(&tacho_tracer.wiped->hot[index].id_and_tag, 0);
}

/* A tool changed something that concerns this event, or it is not registered yet. Other threads go
 * by what is known as soon as STALE is gone, and a tool may change more until then: hence twice. */
static void refresh(struct tacho_event *event)
{
	uint32_t *state, index;

	event_register(event);
	state = tacho_load_acquire(&event->state);
	if (!registry_has_state(state))
		return;
	index = (uint32_t)(state - registry_state(0));
	forget_event(index);
	tacho_fetch_and_acq_rel(state, ~TACHO_STATE_STALE);
	forget_event(index);
}

static uint64_t payload_bytes(const struct tacho_part *parts, uint32_t count)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < count; i++)
		bytes += (uint64_t)parts[i].bytes + (parts[i].is_string != 0);
	return bytes;
}

/* Return: false if nobody records the event any more. */
static bool begin(struct emission *e, struct tacho_event *event)
{
	uint32_t *state = tacho_load_acquire(&event->state);

	if (!tracer_is_ready()) {
		event_register(event); /* switches it off, if there will never be a registry */
		return false;
	}
	e->state = tacho_load_relaxed(state);
	if (e->state & TACHO_STATE_STALE) {
		refresh(event);
		state = tacho_load_acquire(&event->state);
		e->state = tacho_load_relaxed(state) & ~TACHO_STATE_STALE;
	}
	if (!e->state || !registry_has_state(state))
		return false;
	e->event = event;
	e->index = (uint32_t)(state - registry_state(0));
	tracer_know_thread();
	thread_name_refresh();
	return true;
}

/* What the sections of writer-x86_64.S go on with. */
void tacho_emit_word_slow(struct tacho_event *event, uint64_t payload, uint64_t bytes,
			  const void *caller) __attribute__((visibility("hidden")));
void tacho_emit_parts_slow(struct tacho_event *event, const struct tacho_part *parts,
			   uint32_t count, const void *caller)
	__attribute__((visibility("hidden")));

void tacho_emit_parts_slow(struct tacho_event *event, const struct tacho_part *parts,
			   uint32_t count, const void *caller)
{
	struct emission e;
	uint32_t slots;

	if (!begin(&e, event))
		return;
	/* Not where it returns to, which may be the next line: the call itself. */
	e.ip = (uint64_t)(uintptr_t)caller - 1;
	e.record.pid = tacho_tracer.pid;
	e.record.parts = parts;
	e.record.part_count = count;
	e.record.payload_bytes = payload_bytes(parts, count);
	for (slots = e.state; slots; slots &= slots - 1)
		emit_session((uint32_t)__builtin_ctz(slots), &e);
}

void tacho_emit_word_slow(struct tacho_event *event, uint64_t payload, uint64_t bytes,
			  const void *caller)
{
	struct tacho_part part = { .data = &payload, .bytes = (uint32_t)bytes };

	tacho_emit_parts_slow(event, &part, bytes != 0, caller);
}
