/* SPDX-License-Identifier: MIT */
/*
 * trigger_hit.h - an event that matches a rule of a trigger, or tacho_snapshot(), counts a hit in
 * the session's file `triggers` (format/trigger.h), and wakes the session's watcher.
 *
 * Context: in a section (grace.h); any thread, any signal handler. It costs an atomic addition; when
 * the watcher sleeps, which happens at most a thousand times a second, one futex(2) on top.
 * Wait-free.
 */
#ifndef TACHO_TRACER_TRIGGER_HIT_H
#define TACHO_TRACER_TRIGGER_HIT_H

#include "tracer/tracer.h"

/* trigger_map() - the file of the session that @a is just being attached to. Return: 0 or a
 * negative errno. */
int trigger_map(struct attachment *a);

/*
 * trigger_hit() - the triggers @mask are hit, bit N is tacho_session.trigger[N]
 *
 * After the event was recorded: who sees the hit sees the event.
 */
void trigger_hit(const struct attachment *a, uint32_t mask);

/* trigger_hit_for() - the same of one trigger, and why; of many reasons that are given before the
 * watcher looks, the first stays. */
void trigger_hit_for(const struct attachment *a, uint32_t index, const char *reason);

#endif
