/* SPDX-License-Identifier: MIT */
/*
 * moment.h - instants as people read them, in local time, as tacho view shows them.
 */
#ifndef TACHO_CLI_MOMENT_H
#define TACHO_CLI_MOMENT_H

#include <stdint.h>

enum moment_form {
	MOMENT_DATE,    /* 2026-11-30 12:00:00.123456789 */
	MOMENT_DAY,     /* 12:00:00.123456789 */
	MOMENT_SECONDS, /* 1700000000.123456789, since 1970 */
};

struct moment_text {
	char text[48];
};
struct moment_text moment_text(uint64_t time_ns, enum moment_form form);

#endif
