/* SPDX-License-Identifier: MIT */
/*
 * filters.h - filter expressions of a session's rules.
 */
#ifndef TACHO_SESSION_RULES_FILTERS_H
#define TACHO_SESSION_RULES_FILTERS_H

#include "base/error.h"
#include "base/event_desc.h"
#include "filter/filter.h"
#include "format/session.h"

/*
 * session_filter_compile() - an expression as a program, of which the session knows the counters
 * @ret_filter: free() it
 * Return: 0; -EINVAL, -E2BIG: it is wrong; -ENOMEM.
 */
int session_filter_compile(const struct tacho_session *file, const char *text,
			   struct tacho_filter **ret_filter, struct tacho_error *error);

/* session_filter_may_match() - could the program @code ever be true of an event like @desc? Where that
 * cannot be told, it could. */
bool session_filter_may_match(const void *code, size_t bytes, const struct event_desc *desc);

#endif
