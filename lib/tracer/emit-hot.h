/* SPDX-License-Identifier: MIT */
/*
 * emit-hot.h - what is kept of an event that goes to one channel or two as it is, so that its next
 * record need not come this way again but is written by writer-x86_64.S alone: per event, in the places
 * of hot.h, where it goes and as what; per thread, its contexts (struct ring_kept).
 */
#ifndef TACHO_TRACER_EMIT_HOT_H
#define TACHO_TRACER_EMIT_HOT_H

#include "tracer/emit.h"

/* emit_hot_word() - the RING_ROUTED() of an event in a channel with this tag; 0 if the fast path cannot
 * write its records there */
uint64_t emit_hot_word(const struct attached_channel *channel, uint32_t tag,
		       const struct route_target *what);
/* emit_point_hot() - the event's `hot` is its place, or its list (RING_HOT_LISTED). If it is another by
 * now, the event goes through emit.c, and comes here again. */
void emit_point_hot(const struct emission *e, bool is_listed);

/* emit_note_hot() - the record was written to a channel, by @route; clears emission.is_plain if the fast
 * path could not have done it */
void emit_note_hot(const struct target *t, const struct route_target *what,
		   const struct route *route);

/* emit_keep_hot() - there was nothing to do for the event but what was noted. */
void emit_keep_hot(const struct emission *e);

#endif
