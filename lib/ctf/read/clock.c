/* SPDX-License-Identifier: MIT */
/* clock.c - see clock.h */
#include "clock.h"

#define HALF (1ull << 63) /* neither a product nor a time reaches it, so no sum of them overflows */

void read_clock_pace_init(struct read_clock_pace *pace, const struct read_clock *clock)
{
	*pace = (struct read_clock_pace){ .clock = clock };
	if (!clock)
		return;
	pace->freq_hz = clock->freq_hz;
	if (clock->freq_hz > 1)
		pace->reciprocal = (uint64_t)(((unsigned __int128)1 << 64) / clock->freq_hz);
}

static void set_anchor(struct read_clock_pace *pace, uint64_t ticks, uint64_t ns)
{
	__int128 product = ((__int128)ticks + pace->clock->offset_ticks) * READ_NS_PER_S;

	pace->since_max = 0;
	if (!pace->reciprocal || product < 0 || ns >= HALF || pace->freq_hz >= HALF / 2)
		return;
	pace->anchor_ticks = ticks;
	pace->anchor_ns = ns;
	pace->anchor_rest = (uint64_t)(product % pace->freq_hz);
	pace->since_max = (HALF - pace->freq_hz) / READ_NS_PER_S;
	/* Ticks of damaged data may start again at 0. */
	if (pace->since_max > UINT64_MAX - ticks)
		pace->since_max = UINT64_MAX - ticks;
}

uint64_t read_clock_pace_far(struct read_clock_pace *pace, uint64_t ticks)
{
	uint64_t ns = read_clock_ns(pace->clock, ticks);

	/* A time before 1970 is shown as 1970: nothing can go on from there. */
	if (pace->clock && ns)
		set_anchor(pace, ticks, ns);
	else
		pace->since_max = 0;
	return ns;
}
