/* SPDX-License-Identifier: MIT */
/*
 * parse.h - values of options. Each returns 0, or -EINVAL (not such a value) or -ERANGE.
 */
#ifndef TACHO_CLI_PARSE_H
#define TACHO_CLI_PARSE_H

#include <stdint.h>

#include "format/record.h"

/* A number of bytes: 65536, 64K, 8M, 1G (powers of 1024; "8MiB" and "8MB" are taken as 8M). */
int parse_bytes(const char *text, uint64_t *ret_bytes);
/* Microseconds, or "inf": UINT64_MAX. */
int parse_timeout_ns(const char *text, uint64_t *ret_ns);
/* "5s", "200ms", "10us", "3m", "2h"; a number alone is of @unit_ns. Not 0. */
int parse_duration_ns(const char *text, uint64_t unit_ns, uint64_t *ret_ns);
/* A whole number from 0 up. */
int parse_count(const char *text, uint64_t *ret_count);
/* A whole number of 32 bits from 1 up. */
int parse_pid(const char *text, int *ret_pid);

/* "warning", "WARNING", "TACHO_LEVEL_WARNING", "TRACE_WARNING" or 4. */
int parse_level(const char *text, enum tacho_level *ret_level);
/* The name of a level; its number is of somebody else's making: "?" if there is no such level. */
const char *level_name(uint32_t level);
/* The level whose name is nearest to @text, or NULL. */
const char *level_nearest(const char *text);

#endif
