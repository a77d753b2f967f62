/* SPDX-License-Identifier: MIT */
/*
 * filters.h - which of the kernel's events a channel's rules want, and which of their records: the
 * kernel has one filter for each event of an instance (kernel/predicate.h), which is true if that of
 * any rule is.
 */
#ifndef TACHO_SESSION_KERNEL_FILTERS_H
#define TACHO_SESSION_KERNEL_FILTERS_H

#include "kernel/catalog.h"
#include "kernel/condition.h"
#include "session/session.h"

#define KERNEL_NO_CHANNEL UINT32_MAX

/*
 * kernel_filters_check() - can the kernel do it? Asked before a rule is written.
 * @channel: of the rule, whose other rules' filters are in one with this; KERNEL_NO_CHANNEL: it is not there
 *           yet
 * @filter: compiled; @options has its text
 *
 * Return: 0; -ENOTSUP, -E2BIG: it cannot, for one of the events that the rule matches; -ENOENT: none of
 * them has the fields. All with words.
 */
int kernel_filters_check(const struct session *session, uint32_t channel,
			 const struct rule_options *options, const struct tacho_filter *filter,
			 struct tacho_error *error);

/*
 * kernel_filters_make() - what is wanted of an event
 * @ret_condition: held nothing; to be ended, also after a failure
 */
int kernel_filters_make(const struct session *session, uint32_t channel, int tracefs_fd,
			const struct kernel_event *event, struct kernel_condition *ret_condition,
			struct tacho_error *error);

#endif
