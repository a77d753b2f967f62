/* SPDX-License-Identifier: MIT */
/*
 * values.h - what many numbers are like, in bounded memory.
 *
 * Count, smallest, largest, mean and standard deviation (of all, not of a sample) are exact up to
 * rounding. So are percentiles while there are at most STATS_EXACT_MAX numbers: the smallest number
 * that so many percent do not exceed (nearest rank). Of more, numbers are counted in buckets, 128 of
 * them from each power of two to the next, and a percentile is the middle of the bucket where it
 * lies: wrong by at most 1 / 256 of itself.
 *
 *      sign | exponent | 7 bits | ...     a double; the bucket is what is left of the dots
 *
 * Buckets are made for an exponent when it occurs: 1 KiB each, 4 MiB at the most.
 */
#ifndef TACHO_CLI_STATS_VALUES_H
#define TACHO_CLI_STATS_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STATS_EXACT_MAX 65536
#define STATS_ROWS_MAX  24

struct stats_values;

struct stats_values *stats_values_new(void);
void stats_values_free(struct stats_values *values);

/* stats_values_add() - what is not finite is only counted as such */
void stats_values_add(struct stats_values *values, double number);

/* Of no numbers all is 0. */
struct stats_summary {
	uint64_t count;
	uint64_t not_finite;
	double min, max, mean, deviation;
	bool is_exact; /* percentiles */
};

struct stats_summary stats_values_summary(const struct stats_values *values);

/* stats_values_percentile() - @per_mille: 1 to 1000; 500 is the median. There is a number. */
double stats_values_percentile(struct stats_values *values, unsigned int per_mille);

/* A row of a histogram: numbers from @low to below @high; of zeros both are 0. Of negative numbers,
 * @low itself is not in it, and @high is. */
struct stats_row {
	double low, high;
	uint64_t count;
};

/*
 * stats_values_rows() - a histogram whose rows grow with the numbers in them
 *
 * Rows without a number between others are there as well. Return: how many, in order of the numbers.
 */
size_t stats_values_rows(const struct stats_values *values,
			 struct stats_row ret_rows[2 * STATS_ROWS_MAX + 1]);

#endif
