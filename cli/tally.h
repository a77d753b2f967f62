/* SPDX-License-Identifier: MIT */
/*
 * tally.h - how many events a trace has, for a summary.
 */
#ifndef TACHO_CLI_TALLY_H
#define TACHO_CLI_TALLY_H

#include <stdbool.h>
#include <stdint.h>

/* A trace larger than this is not counted: nobody waits for a summary. It takes 1 to 2 ms. */
#define TALLY_BYTES_MAX (512u << 10)

struct tally {
	bool is_counted;
	uint64_t events;
};

/* tally_trace() - count a trace whose packets are of about so many bytes. */
struct tally tally_trace(const char *dir, uint64_t bytes);

/* "1,234 events, 5.6 MiB"; without the events if they were not counted. */
struct tally_text {
	char text[80];
};
struct tally_text tally_text(const struct tally *tally, uint64_t bytes);

#endif
