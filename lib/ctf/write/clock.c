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

/* How the instants go on from the first one. */
struct course {
	const struct tacho_clock_tuple *first;
	/* The counter runs on while the machine is suspended, as CLOCK_BOOTTIME does; or it stands still,
	 * as CLOCK_MONOTONIC does. */
	bool runs_asleep;
	bool is_set; /* the time of day was set meanwhile */
};

static signed_wide since(uint64_t first_ns, uint64_t ns)
{
	return (signed_wide)ns - first_ns;
}

static signed_wide distance(signed_wide a, signed_wide b)
{
	return a > b ? a - b : b - a;
}

static signed_wide elapsed_ns(const struct course *course, const struct tacho_clock_tuple *tuple)
{
	return course->runs_asleep ? since(course->first->boottime_ns, tuple->boottime_ns) :
				     since(course->first->monotonic_ns, tuple->monotonic_ns);
}

/* Its frequency tells. */
static bool runs_asleep(enum tacho_clock_kind kind, const struct tacho_clock_tuple *first,
			const struct tacho_clock_tuple *last, uint64_t hz)
{
	signed_wide awake = since(first->monotonic_ns, last->monotonic_ns);
	signed_wide all = since(first->boottime_ns, last->boottime_ns), counted;

	if (kind == TACHO_CLOCK_MONOTONIC || all - awake < ELAPSED_MIN_NS)
		return false;
	if (!hz)
		return true;
	counted = (signed_wide)((wide)(last->counter - first->counter) * NS_PER_S / hz);
	return distance(counted, all) < distance(counted, awake);
}

static struct course course_of(enum tacho_clock_kind kind, const struct tacho_clock_tuple *first,
			       const struct tacho_clock_tuple *last, uint64_t hz)
{
	struct course course = { first, runs_asleep(kind, first, last, hz), false };
	signed_wide elapsed = elapsed_ns(&course, last);
	signed_wide apart = distance(since(first->realtime_ns, last->realtime_ns), elapsed);

	course.is_set = apart > elapsed * SLEW_MAX_PPM / 1000000 + 1000;
	return course;
}

/* The time of day at @tuple; as if it had not been set since the first one. */
static signed_wide time_of(const struct course *course, const struct tacho_clock_tuple *tuple)
{
	if (!course->is_set)
		return tuple->realtime_ns;
	return (signed_wide)course->first->realtime_ns + elapsed_ns(course, tuple);
}

/* Return: the frequency, or @hz where the two instants do not tell. */
static uint64_t fit_hz(const struct course *course, const struct tacho_clock_tuple *last,
		       uint64_t hz)
{
	const struct tacho_clock_tuple *first = course->first;
	signed_wide elapsed = time_of(course, last) - time_of(course, first);
	uint64_t ticks = last->counter - first->counter;
	wide fitted;

	if (last->counter <= first->counter || elapsed < (hz ? ELAPSED_MIN_NS : 1))
		return hz;
	fitted = ((wide)ticks * NS_PER_S + (wide)elapsed / 2) / (wide)elapsed;
	return fitted && fitted <= UINT64_MAX / 2 ? (uint64_t)fitted : hz;
}

/* What is to be added to the counter's nanoseconds: in the middle of all that the tuples say. */
static signed_wide fit_offset(const struct course *course, const struct tacho_clock_tuple *tuples,
			      size_t count, uint64_t hz)
{
	signed_wide least = 0, most = 0;

	for (size_t i = 0; i < count; i++) {
		signed_wide offset = time_of(course, &tuples[i]) -
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
	struct course course;

	if (!count)
		return -EINVAL;
	course = course_of(kind, &tuples[0], &tuples[count - 1], hz);
	if (kind == TACHO_CLOCK_MONOTONIC)
		hz = NS_PER_S;
	else
		hz = fit_hz(&course, &tuples[count - 1], hz);
	if (!hz)
		return -EINVAL;
	offset = fit_offset(&course, tuples, count, hz);
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
