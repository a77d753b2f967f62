/* SPDX-License-Identifier: MIT */
/*
 * clock.h - the clock of a session, read outside restartable sections.
 */
#ifndef TACHO_TRACER_CLOCK_H
#define TACHO_TRACER_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "format/ring.h"
#include "format/runtime.h"
#include "format/session.h"

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

static inline uint64_t clock_monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* What another machine's counter would be now, as well as the session's first estimate tells. */
static inline uint64_t clock_foreign(const struct tacho_session *session)
{
	uint64_t age_ns = clock_monotonic_ns() - session->clock_at_create.monotonic_ns;
	uint64_t seconds = age_ns / 1000000000u, rest_ns = age_ns % 1000000000u;

	return session->clock_at_create.counter + seconds * session->counter_hz +
	       rest_ns * session->counter_hz / 1000000000u;
}

static inline uint64_t clock_now(const struct tacho_session *session)
{
	if (session->clock_kind == TACHO_CLOCK_MONOTONIC)
		return clock_monotonic_ns();
	if (session->counter_machine != TACHO_MACHINE)
		return clock_foreign(session);
	return clock_counter();
}

#endif
