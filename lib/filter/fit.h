/* SPDX-License-Identifier: MIT */
/*
 * fit.h - do the types of what a filter reads fit what it does with them? The same question for
 * those who find fields in the description of an event (link.c) and those who have a record at hand.
 */
#ifndef TACHO_FILTER_FIT_H
#define TACHO_FILTER_FIT_H

#include "filter/filter.h"

/* filter_kind_fn() - of what FIELD or CONTEXT number @operand is, as value_kind_of_unary() takes
 * kinds. Return: FILTER_NOTHING: it has no value. */
typedef uint32_t (*filter_kind_fn)(const void *data, uint32_t opcode, uint32_t operand);

/*
 * filter_fits() - does each operator get what it takes?
 * @filter: checked
 * @ret_has_doubles: are there any on the stack, ever? Set where the answer is yes.
 *
 * Context: any; linear in the operations. Part of libtacho.
 */
bool filter_fits(const struct tacho_filter *filter, filter_kind_fn kind, const void *data,
		 bool *ret_has_doubles);

#endif
