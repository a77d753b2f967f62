/* SPDX-License-Identifier: MIT */
/*
 * time.h - an instant of a trace, as people write it:
 *
 *	12:00:00.5                    a time of day, local; hours and minutes suffice. It means the
 *	                              day on which it is nearest to the begin of the trace
 *	2026-11-30 12:00:00.5         the same with its date; also with a T, and with a Z behind it: UTC
 *	@1700000000.5                 seconds since 1970, UTC
 *	+1.5                          seconds since the begin of the trace; also +200ms, +3m
 */
#ifndef TACHO_CLI_VIEW_TIME_H
#define TACHO_CLI_VIEW_TIME_H

#include <stdint.h>

enum view_time_kind {
	VIEW_TIME_NONE,
	VIEW_TIME_AT,     /* ns since 1970 */
	VIEW_TIME_OF_DAY, /* ns since midnight */
	VIEW_TIME_SINCE,  /* ns since the begin */
};

struct view_time {
	enum view_time_kind kind;
	uint64_t ns;
};

/* view_time_span() - "1.5": seconds; "200ms", "3m". Return: 0 or -EINVAL. */
int view_time_span(const char *text, uint64_t *ret_ns);

/* Return: 0 or -EINVAL. */
int view_time_parse(const char *text, struct view_time *ret_time);

/* view_time_resolve() - in a trace that begins at @begin_ns; in nanoseconds since 1970 */
uint64_t view_time_resolve(const struct view_time *time, uint64_t begin_ns);

#endif
