/* SPDX-License-Identifier: MIT */
/* loops-base.c - see loops-base.h */
#include "loops-base.h"

#include <time.h>

#include "loops.h"

void loop_empty(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		LOOP_KEEP(i);
}

void loop_store(uint64_t count)
{
	uint64_t place;

	for (uint64_t i = 0; i < count; i++) {
		place = i;
		LOOP_KEEP(&place);
	}
}

static inline uint64_t read_counter(void)
{
#if defined(__x86_64__) || defined(__i386__)
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
	uint64_t value;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(value) : : "memory");
	return value;
#else
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_nsec;
#endif
}

void loop_counter(uint64_t count)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < count; i++)
		sum += read_counter();
	LOOP_KEEP(sum);
}

void loop_noops(uint64_t count)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < count; i++) {
		sum += read_counter();
		__asm__ volatile(".rept 34\n\tnop\n\t.endr" : : : "memory");
	}
	LOOP_KEEP(sum);
}

void loop_gettime(uint64_t count)
{
	uint64_t sum = 0;
	struct timespec ts;

	for (uint64_t i = 0; i < count; i++) {
		clock_gettime(CLOCK_MONOTONIC, &ts);
		sum += (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
	}
	LOOP_KEEP(sum);
}
