/* SPDX-License-Identifier: MIT */
/*
 * route_filter.h - the filters of the rules that send an event to a destination (route.h).
 *
 *	session->text  --filter_copy_take()-->  struct filter_copy, while rules are read
 *	               --route_filter_init()->  struct route_filter: checked, and linked to the event
 *	                                        route_filter_agrees() for each record
 */
#ifndef TACHO_TRACER_ROUTE_FILTER_H
#define TACHO_TRACER_ROUTE_FILTER_H

#include "filter/filter.h"
#include "tracer/context.h"
#include "tracer/tracer.h"

/* A program as it was in the session, of a rule for a destination. */
struct filter_copy {
	void *program;
	uint32_t bytes;
	uint32_t destination; /* which bit */
};

struct route_filter {
	const struct filter_linked *linked; /* in `block`, behind the program */
	void *block;
	uint32_t bytes;
	uint32_t destination; /* which bit */
};

/* filter_copy_take() - what a rule's span names. Return: 0; -EBADMSG: nothing, or too large; -ENOMEM
 * filter_copy_drop() - give its memory back */
int filter_copy_take(struct filter_copy *copy, const struct tacho_session *session,
		     const struct tacho_span *span);
void filter_copy_drop(struct filter_copy *copy);

/*
 * route_filter_init() - a filter of events like @desc
 *
 * Return: 0; -EBADMSG: it is no program, or agrees with no such event; -ENOMEM.
 */
int route_filter_init(struct route_filter *filter, const struct filter_copy *copy,
		      const struct tacho_desc *desc);
void route_filter_fini(struct route_filter *filter);

/* route_filter_may_agree() - could the filter that a rule's span names ever agree with an event like
 * @desc? True also where there is none, and where no memory is left to find out. */
bool route_filter_may_agree(const struct tacho_session *session, const struct tacho_span *span,
			    const struct tacho_desc *desc);

/* route_filter_agrees() - is this record to go to its destination? */
bool route_filter_agrees(const struct route_filter *filter, const struct tacho_part *parts,
			 uint32_t count, struct context_source *source);

#endif
