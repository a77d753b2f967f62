/* SPDX-License-Identifier: MIT */
/*
 * duration.h - times as people write them.
 */
#ifndef TACHO_CLI_DURATION_H
#define TACHO_CLI_DURATION_H

#include <stdint.h>

/*
 * duration_parse() - "10s", "500ms", "2m", "1h", "250us", "1.5s"; a number alone is microseconds, as
 * LTTng's options have it
 *
 * Return: 0; -EINVAL: not such a value; -ERANGE: more nanoseconds than 64 bits hold.
 */
int duration_parse(const char *text, uint64_t *ret_ns);

/* duration_text() - the shortest text that duration_parse() makes the same of, to the microsecond */
struct duration_text {
	char text[32];
};
struct duration_text duration_text(uint64_t ns);

#endif
