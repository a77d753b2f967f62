/* SPDX-License-Identifier: MIT */
/*
 * route.c - see route.h
 *
 * A route is published by compare-and-exchange; who takes it out again, since the rules are others or
 * the event is stale, retires it. It is good while the session's generation, and who the process is,
 * are what was read before the rules were.
 */
#include "tracer/route.h"

#include <errno.h>

#include "base/context.h"
#include "tracer/emit.h"
#include "tracer/hot.h"

/* What rules say of an event. */
struct plan {
	struct rule_visitor visitor; /* first, to be found from it */
	struct route_set always;
	struct route_set filtered; /* destinations of filters */
	uint64_t contexts[TACHO_CHANNELS_MAX];
	bool lacks_memory;
	uint32_t filter_count;
	struct filter_copy filter[TACHO_RULES_MAX];
};

/* ---- read the rules ---- */

static void clear_plan(struct plan *plan)
{
	while (plan->filter_count)
		filter_copy_drop(&plan->filter[--plan->filter_count]);
	plan->always = plan->filtered = (struct route_set){ 0 };
	plan->lacks_memory = false;
}

static void restart_plan(struct rule_visitor *visitor)
{
	clear_plan((struct plan *)visitor);
}

static void note_contexts(struct plan *plan, const struct tacho_session *session, uint32_t channel)
{
	uint64_t contexts = tacho_load_relaxed(&session->channel[channel].contexts);

	plan->contexts[channel] = contexts_are_known(contexts) ? contexts : 0;
}

/* A filter that is damaged agrees with nothing. */
static void add_filter(struct plan *plan, const struct tacho_session *session,
		       const struct tacho_span *span, uint32_t destination)
{
	struct filter_copy *copy = &plan->filter[plan->filter_count];
	int ret = filter_copy_take(copy, session, span);

	plan->lacks_memory |= ret == -ENOMEM;
	if (ret)
		return;
	copy->destination = destination;
	route_set_add(&plan->filtered, destination);
	plan->filter_count++;
}

static void add_rule(struct rule_visitor *visitor, const struct tacho_session *session,
		     const struct tacho_rule *rule)
{
	struct plan *plan = (struct plan *)visitor;
	uint32_t trigger = tacho_load_relaxed(&rule->trigger);
	uint32_t channel = tacho_load_relaxed(&rule->channel);
	uint32_t destination = trigger ? TACHO_CHANNELS_MAX + trigger - 1 : channel;

	if (trigger > TACHO_TRIGGERS_MAX || (!trigger && channel >= TACHO_CHANNELS_MAX))
		return;
	if (!trigger)
		note_contexts(plan, session, channel);
	if (tacho_load_relaxed(&rule->filter.bytes))
		add_filter(plan, session, &rule->filter, destination);
	else
		route_set_add(&plan->always, destination);
}

/* ---- make the route ---- */

static uint64_t channels_of(const struct plan *plan)
{
	return plan->always.channels | plan->filtered.channels;
}

static struct route_filter *filters_of(const struct route *route)
{
	return (struct route_filter *)&route->target[route->target_count];
}

static struct route *alloc_route(const struct plan *plan)
{
	uint32_t targets = (uint32_t)__builtin_popcountll(channels_of(plan));
	size_t bytes = sizeof(struct route) + targets * sizeof(struct route_target) +
		       plan->filter_count * sizeof(struct route_filter);
	struct route *route = memory_get(&tacho_tracer.memory, bytes);

	if (route)
		*route = (struct route){ .bytes = (uint32_t)bytes, .always = plan->always };
	return route;
}

static int add_targets(struct attachment *a, struct route *route, const struct plan *plan,
		       const struct tacho_desc *desc)
{
	uint64_t mask = channels_of(plan);

	for (; mask; mask &= mask - 1) {
		uint32_t channel = (uint32_t)__builtin_ctzll(mask);
		int id = event_id(a, plan->contexts[channel], desc);

		if (id < 0)
			return id;
		route->target[route->target_count++] = (struct route_target){
			.channel = channel,
			.id = (uint32_t)id,
			.contexts = plan->contexts[channel],
		};
	}
	return 0;
}

/* Where all goes in any case, a filter is not asked. */
static int add_filters(struct route *route, const struct plan *plan, const struct tacho_desc *desc)
{
	for (uint32_t i = 0; i < plan->filter_count; i++) {
		const struct filter_copy *copy = &plan->filter[i];
		struct route_filter *filter = &filters_of(route)[route->filter_count];
		int ret;

		if (route_set_has(&plan->always, copy->destination))
			continue;
		ret = route_filter_init(filter, copy, desc);
		if (ret == -ENOMEM)
			return ret;
		if (!ret)
			route->filter_count++;
	}
	return 0;
}

static struct route *new_route(struct attachment *a, const struct plan *plan,
			       const struct tacho_desc *desc)
{
	struct route *route = plan->lacks_memory ? NULL : alloc_route(plan);

	if (!route)
		return NULL;
	if (!add_targets(a, route, plan, desc) && !add_filters(route, plan, desc))
		return route;
	route_free(route);
	return NULL;
}

void route_free(struct route *route)
{
	if (!route)
		return;
	for (uint32_t i = 0; i < route->filter_count; i++)
		route_filter_fini(&filters_of(route)[i]);
	memory_put(&tacho_tracer.memory, route, route->bytes);
}

/* ---- publish it ---- */

static void give_back_route(struct retired *retired)
{
	route_free((struct route *)retired);
}

static void take_back(struct attachment *a, uint32_t index, struct route *route)
{
	if (tacho_cmpxchg_acq_rel(&a->route[index], &route, NULL))
		grace_retire(&route->retired, give_back_route);
}

void route_forget(struct attachment *a, uint32_t index)
{
	struct route *route = tacho_load_relaxed(&a->route[index]);

	if (route)
		take_back(a, index, route);
}

/* If another was faster, it is retired at once: it has no other place for the time that it is used. */
static const struct route *publish(struct attachment *a, uint32_t index, struct route *route)
{
	struct route *none = NULL;

	if (!tacho_cmpxchg_acq_rel(&a->route[index], &none, route))
		grace_retire(&route->retired, give_back_route);
	return route;
}

static void count_no_memory(struct attachment *a, uint64_t channels)
{
	struct attached_channel *channel =
		channels ? channel_get(a, (uint32_t)__builtin_ctzll(channels)) : NULL;

	if (channel)
		emit_count_lost(&channel->ring, UINT32_MAX, TACHO_LOST_NO_MEMORY);
	else
		tacho_fetch_add_relaxed(&tacho_tracer.registry->lost_without_ring, 1);
}

static const struct route *follow_plan(struct attachment *a, uint32_t index, struct plan *plan,
				       const struct tacho_desc *desc)
{
	uint32_t rules = tacho_load_acquire(&a->session->generation);
	uint32_t identity = tacho_load_acquire(&tacho_tracer.identity);
	struct route *route;

	session_visit_rules(a->session, desc, &plan->visitor);
	route = new_route(a, plan, desc);
	if (route) {
		route->rules = rules;
		route->identity = identity;
		return publish(a, index, route);
	}
	count_no_memory(a, channels_of(plan));
	return NULL;
}

static const struct route nowhere;

static const struct route *make_route(struct attachment *a, uint32_t index)
{
	const struct tacho_desc *desc = registry_desc(index);
	const struct route *route;
	struct plan *plan;

	if (!desc)
		return &nowhere; /* being unloaded; what comes in its place is looked up anew */
	plan = memory_get(&tacho_tracer.memory, sizeof(*plan));
	if (!plan) {
		count_no_memory(a, 0);
		return NULL;
	}
	plan->visitor = (struct rule_visitor){ restart_plan, add_rule };
	plan->filter_count = 0;
	route = follow_plan(a, index, plan, desc);
	clear_plan(plan);
	memory_put(&tacho_tracer.memory, plan, sizeof(*plan));
	return route;
}

/* While a tool writes, what was before is as good as what will be. */
bool route_is_of_now(const struct route *route, const struct attachment *a)
{
	uint32_t generation = tacho_load_acquire(&a->session->generation);

	return (route->rules == generation || route->rules == (generation & ~1u)) &&
	       route->identity == tacho_load_acquire(&tacho_tracer.identity);
}

const struct route *route_get(struct attachment *a, uint32_t index)
{
	struct route *route = tacho_load_acquire(&a->route[index]);

	if (route && route_is_of_now(route, a))
		return route;
	if (route) {
		take_back(a, index, route);
		hot_forget(index);
	}
	return make_route(a, index);
}

/* ---- use it ---- */

struct route_set route_wanted(const struct route *route, const struct tacho_part *parts,
			      uint32_t count, struct context_source *source)
{
	struct route_set wanted = route->always;

	for (uint32_t i = 0; i < route->filter_count; i++) {
		const struct route_filter *filter = &route_filters(route)[i];

		if (!route_set_has(&wanted, filter->destination) &&
		    route_filter_agrees(filter, parts, count, source))
			route_set_add(&wanted, filter->destination);
	}
	return wanted;
}

bool route_has_triggers(const struct route *route)
{
	struct route_set destinations = route->always;

	for (uint32_t i = 0; i < route->filter_count; i++)
		route_set_add(&destinations, route_filters(route)[i].destination);
	return destinations.triggers != 0;
}

bool route_is_plain(const struct route *route)
{
	return route->target_count && !route->filter_count && !route_has_triggers(route);
}
