/* SPDX-License-Identifier: MIT */
/*
 * pattern.h - the patterns of event rules.
 *
 * `*` matches any number of any bytes, `\*` a star, `\\` a backslash; everything else itself.
 * Used by the tools and, with hostile patterns from shared memory, inside traced programs: linear
 * space, no allocation, no recursion, at most O(pattern x text) steps.
 */
#ifndef TACHO_BASE_PATTERN_H
#define TACHO_BASE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* pattern_is_match() - does @text match @pattern, of which at most @pattern_max bytes are read? */
bool pattern_is_match(const char *pattern, size_t pattern_max, const char *text);

#endif
