/* SPDX-License-Identifier: MIT */
/*
 * durations.h - what many durations are like, in so little memory that each of many functions has its
 * own: as values.h, but counted in 16 buckets from each power of two nanoseconds to the next. A
 * percentile is the middle of its bucket: wrong by at most 1 / 32 of itself.
 */
#ifndef TACHO_CLI_STATS_DURATIONS_H
#define TACHO_CLI_STATS_DURATIONS_H

#include <stdint.h>

#define STATS_POWERS 64

/* Zeroed, there are none. */
struct stats_durations {
	uint64_t count, total_ns, longest_ns;
	uint64_t *power[STATS_POWERS]; /* 16 counts each, or NULL */
};

void stats_durations_fini(struct stats_durations *durations);
void stats_durations_add(struct stats_durations *durations, uint64_t ns);

/* stats_durations_percentile() - @per_mille: 1 to 1000. Of none it is 0. */
uint64_t stats_durations_percentile(const struct stats_durations *durations,
				    unsigned int per_mille);

#endif
