/* SPDX-License-Identifier: MIT */
/*
 * event-state.h - whether anybody records an event. Not for direct use: include <tacho/event.h>.
 *
 * Nothing here refers to libtacho.
 */
#ifndef TACHO_EVENT_STATE_H
#define TACHO_EVENT_STATE_H

#include "abi.h"

/* Who records the functions of a program does not want ours (-finstrument-functions, -pg). */
#define TACHO_UNHOOKED_ __attribute__((no_instrument_function))

/* An event's work is to be folded at its site, though it is on an unlikely path; where nothing is
 * folded it would only be large. */
#ifdef __OPTIMIZE__
#define TACHO_FOLDED_ inline TACHO_UNHOOKED_ __attribute__((always_inline, unused))
#else
#define TACHO_FOLDED_ inline TACHO_UNHOOKED_ __attribute__((unused))
#endif
#define TACHO_ALWAYS_INLINE_ static inline TACHO_UNHOOKED_ __attribute__((always_inline, unused))
#define TACHO_INLINE_        static TACHO_FOLDED_
#define TACHO_OUTLINE_       static TACHO_UNHOOKED_ __attribute__((noinline, cold, unused))

/* For the context `ip`. Behind the last call of a site: it is no jump then, after which the next return
 * would be that of the site's function; and in a function that a site calls: where the site is. */
#define TACHO_STAY_   __asm__ __volatile__("")
#define TACHO_CALLER_ __builtin_extract_return_addr(__builtin_return_address(0))

#define TACHO_UNLIKELY_(x) __builtin_expect(!!(x), 0)

/* Whether to take the slow path: someone records the event, or that has to be found out. */
TACHO_INLINE_ int tacho_event_is_hit(struct tacho_event *event)
{
	return tacho_load_relaxed(tacho_load_relaxed(&event->state)) != 0;
}

#endif
