/* SPDX-License-Identifier: MIT */
/* glob.h - strings in which `*` stands for anything. */
#ifndef TACHO_FILTER_GLOB_H
#define TACHO_FILTER_GLOB_H

#include <stdbool.h>
#include <stdint.h>

/*
 * glob_is_match() - does all of @text match @pattern?
 * @pattern: `*` is any number of any bytes, `\*` a star, `\\` a backslash
 * @text: any bytes, 0 bytes too; may change meanwhile
 * @steps: how many comparisons are left; 0 afterwards: they did not suffice
 *
 * base/pattern.h does the same for text that ends with a 0 byte, without a limit.
 */
bool glob_is_match(const char *pattern, uint32_t pattern_bytes, const char *text,
		   uint32_t text_bytes, uint32_t *steps);

#endif
