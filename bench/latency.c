/* SPDX-License-Identifier: MIT */
/*
 * latency.c - how long single events take, those that meet a page fault or a new sub-buffer as well.
 * BENCH_TACHO or BENCH_UST: whose events.
 *
 *	latency COUNT PAUSE
 *
 * Each event is timed by the CPU's counter, and followed by so many nanoseconds of doing nothing. It
 * prints, in nanoseconds: p50 p99 p99.9 p99.99 and the longest; the time of an empty piece of code,
 * some 10 to 20 ns, is in all of them. Then minor page faults in the thread.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#if defined(BENCH_TACHO)
#include <tacho/event.h>
#define EVENT(value) tacho_event(bench, word, "value", (uint32_t)(value))
#else
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "ust-provider.h"
#define EVENT(value) lttng_ust_tracepoint(bench, word, (uint32_t)(value))
#endif

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t ticks(void)
{
#if defined(__x86_64__)
	uint32_t low, high;

	__asm__ volatile("rdtscp" : "=a"(low), "=d"(high) : : "ecx", "memory");
	return (uint64_t)high << 32 | low;
#else
	return clock_ns();
#endif
}

static double ticks_per_ns(void)
{
	uint64_t begin_ns = clock_ns(), begin = ticks();

	while (clock_ns() - begin_ns < 20000000)
		;
	return (double)(ticks() - begin) / (double)(clock_ns() - begin_ns);
}

static void stay_here(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void measure(uint32_t *taken, uint64_t count, uint64_t pause)
{
	for (uint64_t i = 0; i < count; i++) {
		uint64_t begin = ticks(), end;

		EVENT(i);
		end = ticks();
		taken[i] = end - begin < UINT32_MAX ? (uint32_t)(end - begin) : UINT32_MAX;
		while (ticks() - end < pause)
			;
	}
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static long faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt;
}

int main(int argc, char **argv)
{
	static const double parts[] = { 0.5, 0.99, 0.999, 0.9999, 1 };
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	double pause_ns = argc > 2 ? strtod(argv[2], NULL) : 0;
	double scale = ticks_per_ns();
	uint32_t *taken;
	long before;

	if (!count)
		return 2;
	taken = mmap(NULL, count * sizeof(*taken), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (taken == MAP_FAILED)
		return 1;
	stay_here();
	before = faults();
	measure(taken, count, (uint64_t)(pause_ns * scale));
	before = faults() - before;
	qsort(taken, count, sizeof(*taken), compare);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		printf("%.1f ", taken[(uint64_t)(parts[i] * (double)(count - 1))] / scale);
	printf("%ld\n", before);
	return 0;
}
