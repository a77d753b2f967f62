/* SPDX-License-Identifier: MIT */
/* past.h - where the trace ends that a session has written already. */
#ifndef TACHO_SESSION_RECOVER_PAST_H
#define TACHO_SESSION_RECOVER_PAST_H

#include "session/drain/ring_copy.h"
#include "session/recover/remains.h"
#include "session/recover/sound.h"

/* Of programs, or of the kernel. */
struct past_part {
	struct ctf_trace
		*trace; /* the current chunk; NULL: there is none, or it is of no interest */
	struct ring_cuts *cuts; /* where that begins in the rings; NULL: with all that they hold */
};

struct past {
	struct past_part user, kernel;
	const struct tacho_session *file;
};

/* past_open() - never fails: without a trace, what the drain has released is what it has written. */
void past_open(const struct remains *remains, struct past *ret_past);
void past_close(struct past *past);

/* past_part() - that which has a channel's streams */
const struct past_part *past_part(const struct past *past, uint32_t channel);

/* past_last() - the last packet that it has of a ring. Return: false: none. */
bool past_last(const struct past *past, const struct ring_copy *copy, struct ctf_packet *ret_last);

/*
 * past_cut() - set copy->cut to where the new trace begins in a ring
 * @last: what past_last() gave
 * @sound: of sub-buffers from that on
 *
 * Return: of the sub-buffer that the new trace begins in, how many events are before it.
 */
uint64_t past_cut(const struct ctf_packet *last, const struct sound *sound,
		  const struct event_table *events, struct ring_copy *copy);

#endif
