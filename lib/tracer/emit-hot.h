/* SPDX-License-Identifier: MIT */
/*
 * emit-hot.h - what is kept of an event that goes to one channel as it is, so that its next record
 * need not come this way again: by writer-x86_64.S alone, or, with contexts, by emit_hot().
 *
 * An event has two places for it, of which one is used: tracer.wiped's hot[] without, and
 * context_hot[] with contexts. hot.h tells how it is kept and forgotten.
 */
#ifndef TACHO_TRACER_EMIT_HOT_H
#define TACHO_TRACER_EMIT_HOT_H

#include "tracer/emit.h"

/*
 * emit_hot() - write the record of an event with contexts, if all is as it was the last time
 * @ip: of the event in the program
 *
 * Return: false if nothing was written.
 */
bool emit_hot(const struct tacho_event *event, const struct tacho_part *parts, uint32_t count,
	      uint64_t ip);

/* emit_keep_hot() - the record was written, and there was nothing else to do for the event. */
void emit_keep_hot(const struct target *t, const struct route *route);

#endif
