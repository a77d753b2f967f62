/* SPDX-License-Identifier: MIT */
/*
 * route.c - see route.h
 *
 * A tool that changes rules makes them known by the session's generation and then by STALE, for
 * which emit.c forgets the event's route. A thread that looked before and publishes its route after
 * that finds another generation.
 *
 *	route:A  route[event] = ..
 *	route:B  --- full fence ---            pairs with refresh:B (emit.c)
 *	route:C  are the rules still those that were read? else take it back
 */
#include "tracer/route.h"

#include <errno.h>

#include "base/context.h"
#include "tracer/emit.h"

/* What rules say of an event. */
struct plan {
	struct rule_visitor visitor; /* first, to be found from it */
	uint64_t always;
	uint64_t contexts[TACHO_CHANNELS_MAX];
};

/* ---- read the rules ---- */

static void restart_plan(struct rule_visitor *visitor)
{
	((struct plan *)visitor)->always = 0;
}

static void add_channel(struct plan *plan, const struct tacho_session *session, uint32_t channel)
{
	uint64_t contexts = tacho_load_relaxed(&session->channel[channel].contexts);

	plan->contexts[channel] = contexts_are_known(contexts) ? contexts : 0;
	plan->always |= ROUTE_CHANNEL(channel);
}

static void add_rule(struct rule_visitor *visitor, const struct tacho_session *session,
		     const struct tacho_rule *rule)
{
	struct plan *plan = (struct plan *)visitor;
	uint32_t trigger = tacho_load_relaxed(&rule->trigger);
	uint32_t channel = tacho_load_relaxed(&rule->channel);

	if (trigger && trigger <= TACHO_TRIGGERS_MAX)
		plan->always |= ROUTE_TRIGGER(trigger - 1);
	else if (!trigger && channel < TACHO_CHANNELS_MAX)
		add_channel(plan, session, channel);
}

/* ---- make the route ---- */

static uint32_t channels_of(uint64_t destinations)
{
	return (uint32_t)(destinations & (ROUTE_CHANNEL(TACHO_CHANNELS_MAX) - 1));
}

static struct route *alloc_route(const struct plan *plan)
{
	uint32_t targets = (uint32_t)__builtin_popcount(channels_of(plan->always));
	uint32_t bytes = (uint32_t)(sizeof(struct route) + targets * sizeof(struct route_target));
	struct route *route = memory_get(&tacho_tracer.memory, bytes);

	if (route)
		*route = (struct route){ .bytes = bytes, .always = plan->always };
	return route;
}

static int add_targets(struct attachment *a, struct route *route, const struct plan *plan,
		       const struct tacho_desc *desc)
{
	for (uint32_t mask = channels_of(plan->always); mask; mask &= mask - 1) {
		uint32_t channel = (uint32_t)__builtin_ctz(mask);
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

static struct route *new_route(struct attachment *a, const struct plan *plan,
			       const struct tacho_desc *desc)
{
	struct route *route = alloc_route(plan);

	if (route && add_targets(a, route, plan, desc)) {
		route_free(route);
		return NULL;
	}
	return route;
}

void route_free(struct route *route)
{
	if (route)
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

static const struct route *publish(struct attachment *a, uint32_t index, struct route *route,
				   uint32_t rules)
{
	struct route *none = NULL;

	if (!tacho_cmpxchg_acq_rel(&a->route[index], &none, route)) { /* route:A */
		route_free(route);
		return none;
	}
	tacho_fence_full(); /* route:B pairs with refresh:B */
	if (tacho_load_relaxed(&a->session->generation) != rules) /* route:C */
		take_back(a, index, route);
	return route;
}

static void count_no_memory(struct attachment *a, uint64_t destinations)
{
	uint32_t channels = channels_of(destinations);
	struct attached_channel *channel =
		channels ? channel_get(a, (uint32_t)__builtin_ctz(channels)) : NULL;

	if (channel)
		emit_count_lost(&channel->ring, UINT32_MAX, TACHO_LOST_NO_MEMORY);
	else if (channels)
		tacho_fetch_add_relaxed(&tacho_tracer.registry->lost_without_ring, 1);
}

static const struct route nowhere;

static __attribute__((noinline)) const struct route *make_route(struct attachment *a,
								uint32_t index)
{
	struct plan plan = { .visitor = { restart_plan, add_rule } };
	uint32_t rules = tacho_load_acquire(&a->session->generation);
	const struct tacho_desc *desc = registry_desc(index);
	struct route *route;

	if (!desc)
		return &nowhere; /* being unloaded; what comes in its place is looked up anew */
	session_visit_rules(a->session, desc, &plan.visitor);
	route = new_route(a, &plan, desc);
	if (route)
		return publish(a, index, route, rules);
	count_no_memory(a, plan.always);
	return NULL;
}

const struct route *route_get(struct attachment *a, uint32_t index)
{
	const struct route *route = tacho_load_acquire(&a->route[index]);

	return route ? route : make_route(a, index);
}

bool route_is_simple(const struct route *route)
{
	return route->target_count == 1 && !route->target[0].contexts &&
	       route->always == ROUTE_CHANNEL(route->target[0].channel);
}
