/* SPDX-License-Identifier: MIT */
/*
 * hot.h - what the fast path knows of an event: struct tacho_hot, which writer-x86_64.S reads, and
 * which matches while its `bits` are the event's state word.
 *
 * It is set by a thread that has just recorded the event by what it found out before, while others
 * may find out better; and it must never match by what is no longer so, not even for a moment, for the
 * tool that made it so may be done already. Hence GUARD, the 4 bytes that the fast path does not look
 * at: a number that changes with each forgetting, and in its low bits how many threads are about to
 * clear STALE. All 16 bytes change by one compare-and-exchange.
 *
 *	keep:A  ticket = hot, all 16 bytes; is nobody clearing?
 *	keep:B  --- full fence ---
 *	keep:C  is the channel's tag what we recorded by, and the route still the event's?
 *	keep:D  compare ticket and exchange to what we know
 *
 *	forget:A  the tag or the route goes      (by the caller)
 *	forget:B  --- full fence ---
 *	forget:C  hot = nothing, another number
 *
 *	pairs: keep:B with forget:B: if keep:A did not see forget:C then keep:D fails by it; if it did,
 *	keep:C sees forget:A.
 *
 * CLEARING STALE. A tool that changes rules sets STALE in the state words of their events, also where
 * it is set already; the thread that clears it cannot tell. So from before it clears STALE until all
 * is forgotten nobody keeps anything:
 *
 *	refresh:A  hot = nothing, one more that clears
 *	refresh:B  state word: STALE goes
 *	refresh:C  forget the event's routes
 *	refresh:D  hot = nothing, one less, another number
 *
 *	An event that begins after the tool is done sees STALE; or it sees what came after refresh:B,
 *	so that it finds nothing here and goes by its route, which is of the rules of now or is not
 *	taken (route.c).
 */
#ifndef TACHO_TRACER_HOT_H
#define TACHO_TRACER_HOT_H

#include <stdbool.h>
#include <stdint.h>

#include "ring/writer.h"

/*
 * An event has two places: tracer.wiped's hot[], and more_hot[], which counts only if the first says so,
 * and matches by `bits`, too.
 */

/* hot_look() - keep:A and keep:B, of one place. Return: false if nothing may be kept now. */
bool hot_look(const struct tacho_hot *hot, struct tacho_hot *ret_ticket);
/* hot_keep() - keep:D. Return: is it kept? */
bool hot_keep(struct tacho_hot *hot, const struct tacho_hot *ticket, uint64_t id_and_tag,
	      uint32_t bits);

/* hot_forget() - forget:B and forget:C, of one event; hot_forget_all(): of all */
void hot_forget(uint32_t index);
void hot_forget_all(void);

/* hot_clearing_begin() - refresh:A
 * hot_clearing_end() - refresh:D */
void hot_clearing_begin(uint32_t index);
void hot_clearing_end(uint32_t index);

#endif
