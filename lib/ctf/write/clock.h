/* SPDX-License-Identifier: MIT */
/*
 * clock.h - from the counter that events carry to the time of day.
 *
 * A CTF reader computes, from a counter value c,
 *
 *      nanoseconds since 1970 = offset_s * 10^9 + (offset_cycles + c) * 10^9 / freq_hz
 *
 * ctf_clock_fit() finds the three numbers from instants that were read on both clocks.
 */
#ifndef TACHO_CTF_CLOCK_H
#define TACHO_CTF_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "format/ring.h"
#include "format/runtime.h"
#include "format/session.h"

struct ctf_clock {
	uint64_t freq_hz;
	int64_t offset_s;
	uint64_t offset_cycles; /* less than freq_hz */
};

/*
 * ctf_clock_sample() - read all clocks at one instant
 *
 * Several tries, of which the one counts that took least time: good to some 50 ns.
 *
 * Return: 0; -ENOTSUP where this machine has no such counter.
 */
int ctf_clock_sample(enum tacho_clock_kind kind, struct tacho_clock_tuple *ret_tuple);

/*
 * ctf_clock_fit() - the clock that fits these instants best
 * @tuples: in order of time
 * @hz:     the counter's frequency as far as it is known; used alone where the tuples are too
 *          close together to tell, 0 where unknown
 *
 * CTF's frequency is a whole number of Hz. So a clock of 2 GHz is right to 1 us over as much as two
 * hours, one of 24 MHz over a minute and a half; beyond, the error grows with the length, and the
 * offset is chosen such that it is the same at both ends. Where the time of day was set meanwhile,
 * the time of the first tuple goes on. So it does where the machine was suspended and the counter stood
 * still: there is no line through both sides of that, and what comes after it is early by its length. A
 * counter that ran on meanwhile, as those do of machines that sleep by idling, is right on both sides.
 *
 * Return: 0; -EINVAL where there is no tuple, or the tuples tell no frequency and @hz is 0.
 */
int ctf_clock_fit(enum tacho_clock_kind kind, const struct tacho_clock_tuple *tuples, size_t count,
		  uint64_t hz, struct ctf_clock *ret_clock);

/* CLOCK_REALTIME in nanoseconds of a counter value, by the formula above. */
int64_t ctf_clock_realtime_ns(const struct ctf_clock *clock, uint64_t counter);

#endif
