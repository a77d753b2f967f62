/* SPDX-License-Identifier: MIT */
/*
 * predicate.h - a filter of ours (filter/filter.h) as one of the kernel's, for one of its events, so
 * that what it rejects never gets into the kernel's buffers.
 *
 * Fields are named as in traces (names.h). The kernel compares fields with constants, by numbers,
 * strings and bits (condition.h), and has && || ! and parentheses. What else our language has is
 * refused with words: fields compared with fields, arithmetic with them, their elements, fractions,
 * contexts other than vtid, procname and cpu_id.
 *
 * As everywhere, an event that lacks a field which the expression names never matches, nor one whose
 * fields are of other types than what is done with them takes.
 */
#ifndef TACHO_KERNEL_PREDICATE_H
#define TACHO_KERNEL_PREDICATE_H

#include "kernel/condition.h"

/*
 * kernel_predicate_make() - the filter, for the event of @system that @format describes
 * @filter: checked
 * @ret_condition: held nothing; to be ended, also after a failure
 * @ret_lacks: a field that the event lacks; "": it has all
 *
 * Return: 0; -ENOTSUP: the kernel cannot filter by this; -E2BIG; -ENOMEM. All with words.
 */
int kernel_predicate_make(const struct tacho_filter *filter, const char *system,
			  const struct kernel_format *format, struct kernel_condition *ret_condition,
			  char ret_lacks[TACHO_NAME_MAX + 1], struct tacho_error *error);

#endif
