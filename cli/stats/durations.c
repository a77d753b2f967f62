/* SPDX-License-Identifier: MIT */
/* durations.c - see durations.h */
#include "durations.h"

#include <stdlib.h>

#include "cli/text.h"

#define SUB_BITS 4
#define SUBS     (1u << SUB_BITS)

void stats_durations_fini(struct stats_durations *durations)
{
	for (unsigned int i = 0; i < STATS_POWERS; i++)
		free(durations->power[i]);
}

static unsigned int power_of(uint64_t ns)
{
	return ns ? 63 - (unsigned int)__builtin_clzll(ns) : 0;
}

/* How many nanoseconds a bucket of it has: 1 at the least, then some are never used. */
static uint64_t width_of(unsigned int power)
{
	return power > SUB_BITS ? 1ull << (power - SUB_BITS) : 1;
}

static uint64_t first_of(unsigned int power)
{
	return power ? 1ull << power : 0;
}

void stats_durations_add(struct stats_durations *durations, uint64_t ns)
{
	unsigned int power = power_of(ns);

	if (!durations->power[power])
		durations->power[power] = xcalloc(SUBS, sizeof(uint64_t));
	durations->power[power][(ns - first_of(power)) / width_of(power)]++;
	durations->count++;
	durations->total_ns += ns;
	if (ns > durations->longest_ns)
		durations->longest_ns = ns;
}

static uint64_t middle_of(const struct stats_durations *durations, unsigned int power,
			  unsigned int sub)
{
	uint64_t ns = first_of(power) + sub * width_of(power) + width_of(power) / 2;

	return ns < durations->longest_ns ? ns : durations->longest_ns;
}

uint64_t stats_durations_percentile(const struct stats_durations *durations, unsigned int per_mille)
{
	uint64_t rank = (uint64_t)(((unsigned __int128)durations->count * per_mille + 999) / 1000);

	for (unsigned int power = 0; power < STATS_POWERS; power++) {
		const uint64_t *counts = durations->power[power];

		for (unsigned int sub = 0; counts && sub < SUBS; sub++) {
			if (rank <= counts[sub])
				return middle_of(durations, power, sub);
			rank -= counts[sub];
		}
	}
	return 0;
}
