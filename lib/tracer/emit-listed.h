/* SPDX-License-Identifier: MIT */
/*
 * emit-listed.h - an event whose records do not all go the same way, or go to more than two channels
 * (hot_list.h): who asks its filters and has a record written, and how that comes to be known.
 */
#ifndef TACHO_TRACER_EMIT_LISTED_H
#define TACHO_TRACER_EMIT_LISTED_H

#include "tracer/emit.h"
#include "tracer/hot_list.h"

/* Called as if it were the event's site that does, where event->hot is a RING_HOT_LISTED: of @list. */
void tacho_emit_word_listed(struct tacho_event *event, uint64_t payload, uint64_t bytes,
			    const struct hot_list *list) __attribute__((visibility("hidden")));
void tacho_emit_parts_listed(struct tacho_event *event, const struct tacho_part *parts,
			     uint32_t count, const struct hot_list *list, const void *caller)
	__attribute__((visibility("hidden")));

/* emit_keep_list() - the emission went through emit.c: keep what its next record needs, if it can be
 * listed. In its section. */
void emit_keep_list(const struct emission *e);

#endif
