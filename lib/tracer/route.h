/* SPDX-License-Identifier: MIT */
/*
 * route.h - where an event goes in a session: to which channels, as what, and which triggers it
 * hits. Looked up in the session's rules when the event first happens there, and taken as
 * long as they are the same.
 *
 *	struct route                                          DESTINATIONS, as bits
 *	  always     those that need nobody's consent           0..15   channel N
 *	  target[]   for each channel: id and contexts          16..46  trigger N - 16
 *	  filter[]   for a destination: a record goes there if one of its filters agrees
 *
 * Immutable once it is published. In a section only (grace.h).
 */
#ifndef TACHO_TRACER_ROUTE_H
#define TACHO_TRACER_ROUTE_H

#include "tracer/context.h"
#include "tracer/route_filter.h"
#include "tracer/tracer.h"

#define ROUTE_CHANNEL(index) (1ull << (index))
#define ROUTE_TRIGGER(index) (1ull << (TACHO_CHANNELS_MAX + (index)))
/* The triggers among destinations, as a mask of their own. */
#define ROUTE_TRIGGERS(wanted) ((uint32_t)((wanted) >> TACHO_CHANNELS_MAX))

/* What the event is in one channel. */
struct route_target {
	uint32_t channel;
	uint32_t id;       /* in the session's event table */
	uint64_t contexts; /* which the id says that a record begins with */
};

/* One block: this, target[target_count], struct route_filter [filter_count]. */
struct route {
	struct retired retired;
	uint64_t always;
	uint32_t rules;    /* tacho_session.generation, of which it is */
	uint32_t identity; /* tracer.identity: the same */
	uint32_t bytes;    /* of memory */
	uint16_t target_count;
	uint16_t filter_count;
	struct route_target target[];
};

static inline const struct route_filter *route_filters(const struct route *route)
{
	return (const struct route_filter *)&route->target[route->target_count];
}

/* route_get() - NULL if there is no memory for it; then a record is counted as lost. One without
 * destinations is of an event that no rule matches. */
const struct route *route_get(struct attachment *a, uint32_t index);
/* route_forget() - look it up anew when the event next happens */
void route_forget(struct attachment *a, uint32_t index);
/* route_free() - nobody sees it any more. NULL is nothing. */
void route_free(struct route *route);
/* route_wanted() - the destinations of a record with this payload */
uint64_t route_wanted(const struct route *route, const struct tacho_part *parts, uint32_t count,
		      struct context_source *source);
/* route_is_of_now() - have neither the rules changed since, nor who the process is? */
bool route_is_of_now(const struct route *route, const struct attachment *a);
/* route_is_plain() - is all that there is to do to write a record into its channels, whatever is in it? */
bool route_is_plain(const struct route *route);

/* route_has_triggers() - does the event hit some, or may it? */
bool route_has_triggers(const struct route *route);

#endif
