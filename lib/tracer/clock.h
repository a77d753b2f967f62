/* SPDX-License-Identifier: MIT */
/*
 * clock.h - the clock of a session, read outside restartable sections.
 */
#ifndef TACHO_TRACER_CLOCK_H
#define TACHO_TRACER_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "format/ring.h"

static inline uint64_t clock_counter(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#else
	return 0; /* no session has TACHO_CLOCK_COUNTER here */
#endif
}

static inline uint64_t clock_now(uint32_t kind)
{
	struct timespec ts;

	if (kind == TACHO_CLOCK_COUNTER)
		return clock_counter();
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

#endif
