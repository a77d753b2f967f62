/* SPDX-License-Identifier: MIT */
/*
 * emit.c - the way of an event that is not as simple as writer-x86_64.S wants it: the first of its
 * kind, after another thread's, into more than two channels, with filters or
 * counters, of a trigger, at the end of a sub-buffer, without rseq.
 *
 *	begin            is it stale? then forget what is known of it
 *	for each session that wants the event:
 *		route    its destinations               looked up once, then kept (route.h)
 *		wanted   those that want this record
 *		for each channel among them:
 *			contexts, then emit-rseq.c or emit-portable.c
 *		for each trigger among them: a hit
 *
 * All of it is in one section (grace.h), but for waiting, after which nothing is taken for granted.
 *
 * A record that cannot be written is counted, always in exactly one counter.
 *
 * A tool may change the rules meanwhile, and be done, while the thread does not run; then nothing must
 * be recorded by the old ones any more. So each record is committed only if the session still has
 * the generation that its route is of; else the event is routed anew, to where it was not written yet.
 */
#include "tracer/emit.h"

#include "base/context.h"
#include "tracer/context.h"
#include "tracer/emit-hot.h"
#include "tracer/emit-listed.h"
#include "tracer/hot.h"
#include "tracer/statedump.h"
#include "tracer/trigger_hit.h"

void emit_count_lost(const struct ring_channel *ring, uint32_t cpu, enum tacho_lost reason)
{
	uint64_t *lost = ring->map->unattributed;

	if (cpu < ring->ring_count &&
	    tacho_load_acquire(&ring->map->allocated[cpu / 64]) >> (cpu % 64) & 1)
		lost = ring_of_cpu(ring, cpu)->lost;
	tacho_fetch_add_relaxed(&lost[reason], 1);
}

static void count_lost_without_ring(void)
{
	tacho_fetch_add_relaxed(&tacho_tracer.registry->lost_without_ring, 1);
}

bool emit_is_there(const struct emission *e)
{
	const struct attachment *a = tacho_load_acquire(&tacho_tracer.attached[e->slot]);

	return a && a == e->attachment && a->generation == e->generation;
}

/* ---- one channel ---- */

static struct context_source source_of(const struct emission *e)
{
	return (struct context_source){
		.pid = e->record.pid,
		.tid = e->record.tid,
		.ip = e->ip,
		.session = e->attachment->session,
		.cpu = CONTEXT_CPU_NOW,
	};
}

/* Return: false if the channel cannot be written to, and the record is counted or nobody's */
static bool find_channel(struct target *t)
{
	t->channel = channel_get(t->emission->attachment, t->index);
	if (!t->channel) {
		count_lost_without_ring();
		return false;
	}
	t->ring = t->channel->ring;
	t->ring.tag = tacho_load_relaxed(&t->channel->ring.tag);
	if (!t->ring.tag)
		return false; /* the session is gone */
	if (!tacho_load_relaxed(&tacho_tracer.is_clockless) &&
	    (!tacho_thread.in_vfork || vfork_begin(t->emission)))
		return true;
	emit_count_lost(&t->ring, UINT32_MAX, TACHO_LOST_CONTENDED);
	return false;
}

static void fill_contexts(struct emission *e, uint64_t contexts)
{
	struct context_source source = source_of(e);

	e->record.contexts = e->contexts;
	e->record.context_bytes = contexts ? contexts_fill(&source, contexts, e->contexts) : 0;
	e->cpu_at = NULL;
	if (contexts >> TACHO_CONTEXT_CPU_ID & 1)
		e->cpu_at = e->contexts +
			    contexts_bytes(contexts & ((1ull << TACHO_CONTEXT_CPU_ID) - 1));
}

/* Was it written to this channel before the emission began? */
static bool has_tag(const struct emission *e, uint32_t tag)
{
	uint32_t i = 0;

	while (i < e->done_count && e->done_tags[i] != tag)
		i++;
	return i < e->done_count;
}

/* Return: false if the rules are others by now, and the event must be routed anew. */
static bool emit_channel(struct emission *e, const struct route_target *what,
			 const struct route *route)
{
	struct target target = { .emission = e, .index = what->channel };

	if (!find_channel(&target)) {
		e->is_plain = e->is_listable = false;
		e->done |= 1ull << what->channel;
		return true;
	}
	if (has_tag(e, target.ring.tag))
		return true;
	e->record.id = what->id;
	fill_contexts(e, what->contexts);
	if (target.ring.writer_kind == TACHO_WRITER_PORTABLE)
		emit_portable(&target);
	else
		emit_rseq(&target);
	if (target.has_other_rules)
		return false;
	emit_note_hot(&target, what, route);
	e->done |= 1ull << what->channel;
	return true;
}

/* ---- one session ---- */

static struct route_set find_wanted(const struct emission *e, const struct route *route)
{
	struct context_source source = source_of(e);
	struct route_set wanted = route_wanted(
		route, e->record.parts, e->record.part_count + e->hidden_count, &source);

	wanted.channels &= ~e->done;
	return wanted;
}

static bool may_go_on(const struct emission *e)
{
	return !e->was_away || emit_is_there(e);
}

/* Return: false if the rules are others by now, or may be, and the route gone: the channel waited. */
static bool emit_route(struct emission *e, const struct route *route)
{
	struct route_set wanted = find_wanted(e, route);
	uint32_t count = route->target_count;

	e->is_plain &= route_is_plain(route);
	e->is_listable &= !route_has_triggers(route);
	e->rules = route->rules;
	for (uint32_t i = 0; i < count; i++) {
		struct route_target target; /* a copy, to last while the channel waits */

		if (e->was_away)
			return false;
		target = route->target[i];
		if (wanted.channels >> target.channel & 1 && !emit_channel(e, &target, route))
			return false;
	}
	if (wanted.triggers && may_go_on(e))
		trigger_hit(e->attachment, wanted.triggers);
	return true;
}

/* Tools that change rules all the time do not keep a program for ever; and each channel may wait. */
#define ROUTES_MAX (100 + TACHO_CHANNELS_MAX)

static void emit_routed(struct emission *e)
{
	for (int i = 0; i < ROUTES_MAX; i++) {
		const struct route *route = route_get(e->attachment, e->index);

		e->was_away = false;
		e->is_plain &= route && !i;
		if (!route || emit_route(e, route) || !may_go_on(e))
			return;
	}
	count_lost_without_ring();
}

static void emit_session(uint32_t slot, struct emission *e)
{
	struct attachment *a = attachment_get(slot);

	if (!a) {
		e->is_plain = e->is_listable = false;
		count_lost_without_ring();
		return;
	}
	e->slot = slot;
	e->attachment = a;
	e->generation = a->generation;
	e->was_away = false;
	e->done = 0;
	emit_routed(e);
}

/* ---- one event ---- */

static void tell_news(void)
{
	for (uint32_t slot = 0; slot < TACHO_SLOTS; slot++)
		attachment_retry(slot);
}

static void forget_routes(uint32_t index)
{
	for (uint32_t slot = 0; slot < TACHO_SLOTS; slot++) {
		struct attachment *a;

		attachment_check(slot);
		a = tacho_load_acquire(&tacho_tracer.attached[slot]);
		if (a)
			route_forget(a, index);
	}
}

static void dump_again(uint32_t slots)
{
	for (slots &= ~TACHO_STATE_STALE; slots; slots &= slots - 1) {
		struct attachment *a =
			tacho_load_acquire(&tacho_tracer.attached[__builtin_ctz(slots)]);

		if (a)
			statedump_refreshed(a);
	}
}

/* A tool changed something that concerns this event, or it is not registered yet: forget all that is
 * known of it. hot.h tells why in this order. */
static void refresh(struct tacho_event *event)
{
	uint32_t *state, index, slots;

	event_register(event);
	state = tacho_load_acquire(&event->state);
	if (!registry_has_state(state))
		return;
	index = registry_index(state);
	tell_news();
	hot_clearing_begin(index);
	slots = tacho_fetch_and_acq_rel(state, ~TACHO_STATE_STALE); /* dump:C pairs with dump:B */
	forget_routes(index);
	hot_clearing_end(index);
	dump_again(slots);
}

/* In the section. Return: false if nobody records the event any more. */
static bool begin(struct emission *e, struct tacho_event *event)
{
	uint32_t *state = tacho_load_acquire(&event->state);

	e->state = tacho_load_relaxed(state);
	if (e->state & TACHO_STATE_STALE) {
		refresh(event);
		state = tacho_load_acquire(&event->state);
		e->state = tacho_load_relaxed(state) & ~TACHO_STATE_STALE;
	}
	if (!e->state || !registry_has_state(state))
		return false;
	e->event = event;
	e->index = registry_index(state);
	e->contexts_number = contexts_number(); /* before the name is looked for */
	tracer_know_thread();
	thread_name_refresh();
	e->record.pid = tacho_tracer.pid;
	e->record.tid = tacho_thread.tid;
	return true;
}

static void emit_all(struct emission *e)
{
	for (uint32_t slots = e->state; slots; slots &= slots - 1)
		emit_session((uint32_t)__builtin_ctz(slots), e);
	if (e->is_plain)
		emit_keep_hot(e);
	else if (e->is_listable)
		emit_keep_list(e);
}

void emit_slowly(const struct hit *hit, const uint32_t *done_tags, uint32_t done_count)
{
	struct emission e;

	if (!tracer_is_ready()) {
		event_register(hit->event); /* switches it off, if there will never be a registry */
		return;
	}
	e.ip = hit_ip(hit);
	e.record.parts = hit->parts;
	e.record.part_count = hit->count;
	e.hidden_count = hit->hidden_count;
	e.record.payload_bytes = hit_payload_bytes(hit);
	e.done_tags = done_tags;
	e.done_count = done_count;
	e.is_plain = e.is_listable = !done_count;
	e.destination_count = 0;
	e.section = grace_enter();
	if (begin(&e, hit->event))
		emit_all(&e);
	grace_leave(e.section);
}

/* ---- what the sequences of writer-x86_64.S go on with ---- */

/* @done_tag: of the channel that they have written to; 0: none */
void tacho_emit_word_slow(struct tacho_event *event, uint64_t payload, uint64_t bytes,
			  const void *caller, uint32_t done_tag)
	__attribute__((visibility("hidden")));
void tacho_emit_parts_slow(struct tacho_event *event, const struct tacho_part *parts,
			   uint32_t count, const void *caller, uint32_t done_tag)
	__attribute__((visibility("hidden")));

void tacho_emit_parts_slow(struct tacho_event *event, const struct tacho_part *parts,
			   uint32_t count, const void *caller, uint32_t done_tag)
{
	emit_slowly(&(struct hit){ event, parts, count, 0, caller }, &done_tag, done_tag != 0);
}

void tacho_emit_word_slow(struct tacho_event *event, uint64_t payload, uint64_t bytes,
			  const void *caller, uint32_t done_tag)
{
	struct tacho_part part = { .data = &payload, .bytes = (uint32_t)bytes };

	emit_slowly(&(struct hit){ event, &part, bytes != 0, 0, caller }, &done_tag, done_tag != 0);
}
