/* SPDX-License-Identifier: MIT */
/*
 * clock.h - a clock's ticks in nanoseconds, quickly: read_clock_ns() without a division.
 *
 * From an anchor, an instant at which both are known to the last bit, the time goes on exactly:
 *
 *      (ticks + offset) * 10^9 = quotient * freq + rest              at the anchor
 *      ns = quotient + (since * 10^9 + rest) / freq                  `since` ticks later
 *
 * The division is a multiplication by 2^64 / freq, rounded down, whose result is at most 2 too
 * small; that is put right. An instant that is earlier, or too far away, becomes the anchor itself.
 */
#ifndef TACHO_CTF_READ_CLOCK_H
#define TACHO_CTF_READ_CLOCK_H

#include "types.h"

#define READ_NS_PER_S 1000000000u

struct read_clock_pace {
	const struct read_clock *clock; /* NULL: ticks are nanoseconds */
	uint64_t freq_hz;
	uint64_t reciprocal; /* 2^64 / freq_hz */
	uint64_t since_max;  /* 0: there is no anchor */
	uint64_t anchor_ticks;
	uint64_t anchor_ns;
	uint64_t anchor_rest;
};

void read_clock_pace_init(struct read_clock_pace *pace, const struct read_clock *clock);

/* read_clock_pace_far() - the same as read_clock_pace_ns(), by division; sets the anchor */
uint64_t read_clock_pace_far(struct read_clock_pace *pace, uint64_t ticks);

/* read_clock_pace_ns() - what read_clock_ns() gives */
static inline uint64_t read_clock_pace_ns(struct read_clock_pace *pace, uint64_t ticks)
{
	uint64_t since = ticks - pace->anchor_ticks;
	uint64_t number, quotient, rest;

	if (since >= pace->since_max)
		return read_clock_pace_far(pace, ticks);
	number = since * READ_NS_PER_S + pace->anchor_rest;
	quotient = (uint64_t)((unsigned __int128)number * pace->reciprocal >> 64);
	rest = number - quotient * pace->freq_hz;
	while (rest >= pace->freq_hz) {
		rest -= pace->freq_hz;
		quotient++;
	}
	return pace->anchor_ns + quotient;
}

#endif
