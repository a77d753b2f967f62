/* SPDX-License-Identifier: MIT */
/* emit-listed.c - see emit-listed.h */
#include "tracer/emit-listed.h"

#include "ring/have-rseq.h"
#include "tracer/emit-hot.h"
#include "tracer/hot_list.h"

#ifdef TACHO_HAVE_RSEQ_PARTS

#define INLINE inline __attribute__((always_inline))

/* ---- which destinations want it? ---- */

/* What is recorded, in registers: parts, or where there are none, a word. */
struct payload {
	const struct tacho_part *parts;
	uint32_t part_count; /* with those that only filters see */
	uint64_t word;
	uint64_t word_bytes;
};

static INLINE int run_test(const struct filter_test *test, struct payload p)
{
	return p.parts ? filter_test_run(test, p.parts, p.part_count) :
			 filter_test_word(test, p.word, p.word_bytes);
}

/* Return: false: they cannot tell */
static INLINE bool run_tests(const struct hot_list *list, struct payload p, uint32_t *ret_wanted)
{
	const struct hot_test *t = list->test, *end = t + list->test_count % (HOT_LIST_TESTS + 1);
	uint32_t wanted = list->head.always;
	int is_true = 1;

	for (; t < end; t++) {
		if (is_true)
			is_true = run_test(&t->test, p);
		if (is_true < 0)
			return false;
		if (t->test.is_last) {
			wanted |= (uint32_t)is_true << (t->destination & 31);
			is_true = 1;
		}
	}
	*ret_wanted = wanted;
	return true;
}

/* What a route says, as bits of the list from @first up. */
static uint32_t ask_route(const struct hit *hit, const struct attachment *a,
			  const struct route *route, uint32_t first)
{
	struct context_source source = {
		.pid = tacho_tracer.pid,
		.tid = tacho_thread.tid,
		.ip = hit_ip(hit),
		.session = a->session,
		.cpu = CONTEXT_CPU_NOW,
	};
	struct route_set wanted =
		route_wanted(route, hit->parts, hit->count + hit->hidden_count, &source);
	uint32_t bits = 0;

	for (uint32_t i = 0; i < route->target_count; i++)
		bits |= (uint32_t)route_set_has(&wanted, route->target[i].channel) << (first + i);
	return bits;
}

/* In a section. They are those that the list is of, while its number is the same. */
static bool ask_routes(const struct hot_list *list, const struct hit *hit, uint32_t *ret_wanted)
{
	uint32_t index = tacho_load_relaxed(&list->index) % TACHO_REGISTRY_EVENTS, first = 0;

	*ret_wanted = 0;
	for (uint32_t slots = tacho_load_relaxed(&list->head.bits); slots; slots &= slots - 1) {
		const struct attachment *a = tacho_load_acquire(
			&tacho_tracer.attached[__builtin_ctz(slots) % TACHO_SLOTS]);
		const struct route *route = a ? tacho_load_acquire(&a->route[index]) : NULL;

		if (!route || first + route->target_count > HOT_LIST_DESTINATIONS)
			return false;
		*ret_wanted |= ask_route(hit, a, route, first);
		first += route->target_count;
	}
	return true;
}

static __attribute__((noinline)) bool ask_in_section(const struct hot_list *list, uint32_t number,
						     const struct hit *hit, uint32_t *ret_wanted)
{
	struct grace_section section = grace_enter();
	bool is_known;

	tracer_know_thread();
	thread_name_refresh();
	is_known = hot_list_is_good(list, number) && ask_routes(list, hit, ret_wanted);
	grace_leave(section);
	return is_known;
}

/* ---- write it ---- */

/* @word: where there are no parts, and no contexts */
static INLINE bool write_one(const struct hot_list *list, uint32_t number, uint64_t to,
			     const struct hit *hit, struct payload payload)
{
	if (!payload.parts && !RING_ROUTED_SET(to))
		return ring_write_word(&list->head, number, to, payload.word, payload.word_bytes);
	return ring_write(&list->head, number, to, hit->parts, hit->count, hit_payload_bytes(hit),
			  hit->caller);
}

/* Where that does not work, emit.c does the rest. */
static INLINE void emit_wanted(const struct hot_list *list, uint32_t number, uint32_t wanted,
			       const struct hit *hit, struct payload payload)
{
	uint32_t done_tag[HOT_LIST_DESTINATIONS], done_count = 0;

	for (; wanted; wanted &= wanted - 1) {
		uint32_t i = (uint32_t)__builtin_ctz(wanted) % HOT_LIST_DESTINATIONS;
		uint64_t to = tacho_load_relaxed(&list->id_and_tag[i]);

		if (!write_one(list, number, to, hit, payload)) {
			emit_slowly(hit, done_tag, done_count);
			return;
		}
		done_tag[done_count++] = RING_ROUTED_TAG(to);
	}
}

/* What decides where a record goes. */
enum decider {
	DECIDED = 0,    /* the tests have */
	ROUTES = 1,     /* its filters are no tests, or the tests cannot tell */
	NOT_LISTED = 2, /* the list is of others, or of rules that hold no more */
};

static __attribute__((noinline)) void emit_undecided(enum decider decider,
						     const struct hot_list *list, uint32_t number,
						     const struct hit *hit)
{
	struct payload payload = { .parts = hit->parts };
	uint32_t wanted;

	if (decider == ROUTES && ask_in_section(list, number, hit, &wanted) &&
	    hot_list_is_good(list, number))
		emit_wanted(list, number, wanted, hit, payload);
	else
		emit_slowly(hit, NULL, 0);
}

static INLINE enum decider decide(const struct hot_list *list, const struct tacho_event *event,
				  struct payload payload, uint32_t *ret_number,
				  uint32_t *ret_wanted)
{
	const uint32_t *state = tacho_load_acquire(&event->state);
	uint32_t bits = tacho_load_acquire(state);

	if (!hot_list_is_of(list, state, bits, ret_number))
		return NOT_LISTED;
	if (tacho_load_relaxed(&list->asks_routes) || !run_tests(list, payload, ret_wanted))
		return ROUTES;
	return hot_list_is_good(list, *ret_number) ? DECIDED : NOT_LISTED;
}

static INLINE void emit_parts(struct hit hit, const struct hot_list *list)
{
	struct payload payload = { .parts = hit.parts, .part_count = hit.count + hit.hidden_count };
	uint32_t number, wanted;
	enum decider decider = decide(list, hit.event, payload, &number, &wanted);

	if (decider == DECIDED)
		emit_wanted(list, number, wanted, &hit, payload);
	else
		emit_undecided(decider, list, number, &hit);
}

void tacho_emit_parts_listed(struct tacho_event *event, const struct tacho_part *parts,
			     uint32_t count, const struct hot_list *list, const void *caller)
{
	emit_parts((struct hit){ event, parts, count, 0, caller }, list);
}

void tacho_emit_word_listed(struct tacho_event *event, uint64_t word, uint64_t bytes,
			    const struct hot_list *list)
{
	struct payload payload = { .word = word, .word_bytes = bytes };
	struct tacho_part part;
	struct hit hit;
	uint32_t number, wanted;
	enum decider decider = decide(list, event, payload, &number, &wanted);

	if (decider == DECIDED && !wanted)
		return;
	part = (struct tacho_part){ .data = &word, .bytes = (uint32_t)bytes };
	hit = (struct hit){ event, &part, bytes != 0, 0, __builtin_return_address(0) };
	if (decider == DECIDED)
		emit_wanted(list, number, wanted, &hit, payload);
	else
		emit_undecided(decider, list, number, &hit);
}

void tacho_emit_hiding_from(struct tacho_event *event, const struct tacho_part *parts,
			    uint32_t count, uint32_t hidden_count, const void *caller)
{
	struct hit hit = { event, parts, count, hidden_count, caller };
	const char *hot = (const char *)tacho_load_relaxed(&event->hot);

	if ((uintptr_t)hot & RING_HOT_LISTED)
		emit_parts(hit, (const struct hot_list *)(const void *)(hot - RING_HOT_LISTED));
	else
		emit_slowly(&hit, NULL, 0);
}

/* ---- keep what is known ---- */

static bool add_target(struct hot_list *list, struct attachment *a, const struct route_target *what)
{
	struct attached_channel *channel = channel_get(a, what->channel);
	uint32_t tag = channel ? tacho_load_relaxed(&channel->ring.tag) : 0;

	if (!tag || list->count == HOT_LIST_DESTINATIONS)
		return false;
	list->id_and_tag[list->count] = emit_hot_word(channel, tag, what);
	return list->id_and_tag[list->count++] != 0;
}

static uint32_t place_of(const struct route *route, uint32_t channel)
{
	uint32_t i = 0;

	while (i < route->target_count && route->target[i].channel != channel)
		i++;
	return i;
}

/* Its tests, if they are such and there is room. */
static bool add_filter(struct hot_list *list, const struct route_filter *filter,
		       uint32_t destination)
{
	struct filter_test tests[HOT_LIST_TESTS];
	uint32_t count = filter_simplify(filter->linked, tests, HOT_LIST_TESTS - list->test_count);

	for (uint32_t i = 0; i < count; i++)
		list->test[list->test_count++] = (struct hot_test){
			.test = tests[i],
			.destination = destination,
		};
	return count != 0;
}

static bool add_route(struct hot_list *list, struct attachment *a, const struct route *route)
{
	const struct route_filter *filters = route_filters(route);
	uint32_t first = list->count;

	for (uint32_t i = 0; i < route->target_count; i++) {
		if (!add_target(list, a, &route->target[i]))
			return false;
		list->head.always |=
			(uint32_t)route_set_has(&route->always, route->target[i].channel)
			<< (first + i);
	}
	for (uint32_t i = 0; i < route->filter_count && !list->asks_routes; i++)
		list->asks_routes = !add_filter(list, &filters[i],
						first + place_of(route, filters[i].destination));
	return true;
}

/* list:C. What was there when the record was written may have changed: only what is there now counts. */
static bool gather(const struct emission *e, struct hot_list *list)
{
	for (uint32_t slots = e->state; slots; slots &= slots - 1) {
		struct attachment *a =
			tacho_load_acquire(&tacho_tracer.attached[__builtin_ctz(slots)]);
		const struct route *route = a ? tacho_load_acquire(&a->route[e->index]) : NULL;

		if (!route || !route_is_of_now(route, a) || route_has_triggers(route) ||
		    !add_route(list, a, route))
			return false;
	}
	return true;
}

void emit_keep_list(const struct emission *e)
{
	const uint32_t *state = registry_state(e->index);
	struct hot_list list = { .head = { .state = state, .bits = e->state }, .index = e->index };
	uint32_t ticket;

	if (!hot_list_is_of(hot_list_at(e->index), state, e->state, &ticket) &&
	    (!hot_list_look(e->index, &ticket) || !gather(e, &list) ||
	     !hot_list_keep(&list, ticket)))
		return;
	emit_point_hot(e, true);
}

#else

void emit_keep_list(const struct emission *e)
{
	(void)e;
}

void tacho_emit_hiding_from(struct tacho_event *event, const struct tacho_part *parts,
			    uint32_t count, uint32_t hidden_count, const void *caller)
{
	emit_slowly(&(struct hit){ event, parts, count, hidden_count, caller }, NULL, 0);
}

#endif

void tacho_emit_hiding(struct tacho_event *event, const struct tacho_part *parts, uint32_t count,
		       uint32_t hidden_count)
{
	tacho_emit_hiding_from(event, parts, count, hidden_count, __builtin_return_address(0));
}
