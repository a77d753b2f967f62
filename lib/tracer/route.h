/* SPDX-License-Identifier: MIT */
/*
 * route.h - where an event goes in a session: to which channels, as what, and which triggers it
 * hits. Looked up in the session's rules when the event first happens there, and taken as
 * long as they are the same.
 *
 *	struct route                                          DESTINATIONS
 *	  always     those that need nobody's consent           0..63   channel N
 *	  target[]   for each channel: id and contexts          64..94  trigger N - 64
 *	  filter[]   for a destination: a record goes there if one of its filters agrees
 *
 * Immutable once it is published. In a section only (grace.h).
 */
#ifndef TACHO_TRACER_ROUTE_H
#define TACHO_TRACER_ROUTE_H

#include "tracer/context.h"
#include "tracer/route_filter.h"
#include "tracer/tracer.h"

/* Destinations, as bits. */
struct route_set {
	uint64_t channels;
	uint32_t triggers;
};
TACHO_STATIC_ASSERT(TACHO_CHANNELS_MAX <= 64 && TACHO_TRIGGERS_MAX <= 32,
		    "a set has a bit for each destination");

static inline void route_set_add(struct route_set *set, uint32_t destination)
{
	if (destination < TACHO_CHANNELS_MAX)
		set->channels |= 1ull << destination;
	else
		set->triggers |= 1u << (destination - TACHO_CHANNELS_MAX);
}

static inline bool route_set_has(const struct route_set *set, uint32_t destination)
{
	if (destination < TACHO_CHANNELS_MAX)
		return set->channels >> destination & 1;
	return set->triggers >> (destination - TACHO_CHANNELS_MAX) & 1;
}

/* What the event is in one channel. */
struct route_target {
	uint32_t channel;
	uint32_t id;       /* in the session's event table */
	uint64_t contexts; /* which the id says that a record begins with */
};

/* One block: this, target[target_count], struct route_filter [filter_count]. */
struct route {
	struct retired retired;
	struct route_set always;
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
struct route_set route_wanted(const struct route *route, const struct tacho_part *parts,
			      uint32_t count, struct context_source *source);
/* route_is_of_now() - have neither the rules changed since, nor who the process is? */
bool route_is_of_now(const struct route *route, const struct attachment *a);
/* route_is_plain() - is all that there is to do to write a record into its channels, whatever is in it? */
bool route_is_plain(const struct route *route);

/* route_has_triggers() - does the event hit some, or may it? */
bool route_has_triggers(const struct route *route);

#endif
