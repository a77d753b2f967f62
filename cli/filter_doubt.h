/* SPDX-License-Identifier: MIT */
/*
 * filter_doubt.h - a filter that can be true of no event would record nothing, without a word.
 */
#ifndef TACHO_CLI_FILTER_DOUBT_H
#define TACHO_CLI_FILTER_DOUBT_H

#include "session/session.h"

/* filter_doubt() - warn if programs run that have events which match @pattern, but none that could
 * be true of @filter, an expression that is right */
void filter_doubt(struct runtime *runtime, const char *pattern, const char *filter);

/*
 * filter_doubt_file() - the same of the events that are built into a program. Those of its libraries
 * are not known; where the program has none of its own that match, nothing is said.
 * @patterns: NULL-terminated; none: all events
 */
void filter_doubt_file(const char *path, char *const *patterns, const char *filter);

#endif
