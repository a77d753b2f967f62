/* SPDX-License-Identifier: MIT */
#include "clock.h"

#include <errno.h>
#include <stdbool.h>
#include <time.h>

#define NS_PER_S 1000000000
/* Below this the error of two readings is too much of what lies between them. */
#define ELAPSED_MIN_NS 1000000
/* Clocks of the kernel are slewed by at most this much (adjtimex() allows 500 ppm, and ticks of 10 %
 * that nobody uses); more is a clock that was set. */
#define SLEW_MAX_PPM 1000
#define SAMPLES      32

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 signed_wide;

static uint64_t read_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

#if defined(__x86_64__) || defined(__i386__)
#define HAVE_COUNTER true
static uint64_t read_counter(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}
#elif defined(__aarch64__)
#define HAVE_COUNTER true
static uint64_t read_counter(void)
{
	uint64_t value;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(value) : : "memory");
	return value;
}
#else
#define HAVE_COUNTER false
static uint64_t read_counter(void)
{
	return 0;
}
#endif

static uint64_t read_clock(enum tacho_clock_kind kind)
{
	return kind == TACHO_CLOCK_COUNTER ? read_counter() : read_ns(CLOCK_MONOTONIC);
}

/* One try. Return: how long it took, in ticks. */
static uint64_t sample(enum tacho_clock_kind kind, struct tacho_clock_tuple *ret_tuple)
{
	uint64_t begin = read_clock(kind), middle, end;

	ret_tuple->realtime_ns = read_ns(CLOCK_REALTIME);
	middle = read_clock(kind);
	ret_tuple->monotonic_ns = read_ns(CLOCK_MONOTONIC);
	ret_tuple->boottime_ns = read_ns(CLOCK_BOOTTIME);
	end = read_clock(kind);
	ret_tuple->counter = begin + (middle - begin) / 2;
	return end - begin;
}

int ctf_clock_sample(enum tacho_clock_kind kind, struct tacho_clock_tuple *ret_tuple)
{
	struct tacho_clock_tuple tuple, best = { 0 };
	uint64_t least = UINT64_MAX;

	if (kind == TACHO_CLOCK_COUNTER && !HAVE_COUNTER)
		return -ENOTSUP;
	for (int i = 0; i < SAMPLES; i++) {
		uint64_t ticks = sample(kind, &tuple);

		if (ticks >= least)
			continue;
		least = ticks;
		best = tuple;
	}
	if (kind == TACHO_CLOCK_MONOTONIC)
		best.monotonic_ns = best.counter;
	*ret_tuple = best;
	return 0;
}

/* Whether the time of day was set between two instants. */
static bool was_set(const struct tacho_clock_tuple *a, const struct tacho_clock_tuple *b)
{
	signed_wide monotonic = (signed_wide)b->monotonic_ns - a->monotonic_ns;
	signed_wide realtime = (signed_wide)b->realtime_ns - a->realtime_ns;
	signed_wide apart = realtime > monotonic ? realtime - monotonic : monotonic - realtime;

	return apart > monotonic * SLEW_MAX_PPM / 1000000 + 1000;
}

/* The time of day at @tuple; as if it had not been set since @first. */
static signed_wide time_of(const struct tacho_clock_tuple *first,
			   const struct tacho_clock_tuple *tuple, bool is_set)
{
	if (!is_set)
		return tuple->realtime_ns;
	return (signed_wide)first->realtime_ns + tuple->monotonic_ns - first->monotonic_ns;
}

/* Return: the frequency, or @hz where the two instants do not tell. */
static uint64_t fit_hz(const struct tacho_clock_tuple *first, const struct tacho_clock_tuple *last,
		       bool is_set, uint64_t hz)
{
	signed_wide elapsed = time_of(first, last, is_set) - time_of(first, first, is_set);
	uint64_t ticks = last->counter - first->counter;
	wide fitted;

	if (last->counter <= first->counter || elapsed < (hz ? ELAPSED_MIN_NS : 1))
		return hz;
	fitted = ((wide)ticks * NS_PER_S + (wide)elapsed / 2) / (wide)elapsed;
	return fitted && fitted <= UINT64_MAX / 2 ? (uint64_t)fitted : hz;
}

/* What is to be added to the counter's nanoseconds: in the middle of all that the tuples say. */
static signed_wide fit_offset(const struct tacho_clock_tuple *tuples, size_t count, uint64_t hz,
			      bool is_set)
{
	signed_wide least = 0, most = 0;

	for (size_t i = 0; i < count; i++) {
		signed_wide offset = time_of(&tuples[0], &tuples[i], is_set) -
				     (signed_wide)((wide)tuples[i].counter * NS_PER_S / hz);

		if (i == 0 || offset < least)
			least = offset;
		if (i == 0 || offset > most)
			most = offset;
	}
	return least + (most - least) / 2;
}

int ctf_clock_fit(enum tacho_clock_kind kind, const struct tacho_clock_tuple *tuples, size_t count,
		  uint64_t hz, struct ctf_clock *ret_clock)
{
	signed_wide offset, seconds;
	bool is_set;

	if (!count)
		return -EINVAL;
	is_set = was_set(&tuples[0], &tuples[count - 1]);
	if (kind == TACHO_CLOCK_MONOTONIC)
		hz = NS_PER_S;
	else
		hz = fit_hz(&tuples[0], &tuples[count - 1], is_set, hz);
	if (!hz)
		return -EINVAL;
	offset = fit_offset(tuples, count, hz, is_set);
	seconds = offset / NS_PER_S - (offset % NS_PER_S < 0);
	if (seconds > INT64_MAX / NS_PER_S || seconds < INT64_MIN / NS_PER_S)
		return -EINVAL;
	ret_clock->freq_hz = hz;
	ret_clock->offset_s = (int64_t)seconds;
	ret_clock->offset_cycles = (uint64_t)((wide)(offset - seconds * NS_PER_S) * hz / NS_PER_S);
	return 0;
}

int64_t ctf_clock_realtime_ns(const struct ctf_clock *clock, uint64_t counter)
{
	wide cycles = (wide)clock->offset_cycles + counter;

	return clock->offset_s * NS_PER_S + (int64_t)(cycles * NS_PER_S / clock->freq_hz);
}
