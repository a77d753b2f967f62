/* SPDX-License-Identifier: MIT */
/*
 * context.h - what a record may begin with, besides the event's own fields: numbers, names, types.
 *
 * The numbers are format/session.h's (enum tacho_context). A set of contexts is a mask of them.
 * Hardware counters have no number of their own: each session numbers those that it uses.
 */
#ifndef TACHO_BASE_CONTEXT_H
#define TACHO_BASE_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/event_desc.h"
#include "format/session.h"

#define CONTEXTS_MAX 64 /* bits of a mask */

#define CONTEXTS_FIXED ((1ull << TACHO_CONTEXT_FIXED_COUNT) - 1)
#define CONTEXTS_PERF  (((1ull << TACHO_PERF_MAX) - 1) << TACHO_CONTEXT_PERF)

/* contexts_are_known() - is there a context for each bit? A mask from shared memory may hold any. */
static inline bool contexts_are_known(uint64_t mask)
{
	return !(mask & ~(CONTEXTS_FIXED | CONTEXTS_PERF));
}

/* context_bytes() - how many bytes a context takes in a record; 0: there is none of this number. */
static inline uint32_t context_bytes(unsigned int number)
{
	if (number >= CONTEXTS_MAX || !contexts_are_known(1ull << number))
		return 0;
	if (number == TACHO_CONTEXT_PROCNAME)
		return TACHO_PROCNAME_BYTES;
	if (number == TACHO_CONTEXT_PTHREAD_ID || number == TACHO_CONTEXT_IP)
		return 8;
	return number < TACHO_CONTEXT_CGROUP_NS ? 4 : 8;
}

/* contexts_bytes() - the same of all in a mask */
uint32_t contexts_bytes(uint64_t mask);

/* context_is_kept_by_kernel() - a counter that the kernel keeps for each thread, whether asked to or
 * not: it works everywhere. @type, @config: of struct perf_event_attr */
bool context_is_kept_by_kernel(uint32_t type, uint64_t config);

/*
 * context_field() - name and type of a context
 * @number: below TACHO_CONTEXT_FIXED_COUNT
 */
const struct event_field *context_field(unsigned int number);

#endif
