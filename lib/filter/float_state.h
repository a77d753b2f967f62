/* SPDX-License-Identifier: MIT */
/*
 * float_state.h - floating point as C has it, in a program that may have changed it: other
 * rounding, denormal numbers taken for 0 (-ffast-math), or exceptions that kill (feenableexcept()).
 * Afterwards all is as it was, also what fetestexcept() says. <fenv.h> needs libm, and is slower.
 */
#ifndef TACHO_FILTER_FLOAT_STATE_H
#define TACHO_FILTER_FLOAT_STATE_H

#include <stdint.h>

#if defined(__SSE2__)

#define FLOAT_STATE_DEFAULT 0x1f80u /* nothing happened, nothing traps, to nearest */

struct float_state {
	uint32_t control;
};

static inline void float_state_enter(struct float_state *ret_saved)
{
	uint32_t wanted = FLOAT_STATE_DEFAULT;

	__asm__ volatile("stmxcsr %0" : "=m"(ret_saved->control)::"memory");
	if (ret_saved->control != wanted)
		__asm__ volatile("ldmxcsr %0" ::"m"(wanted) : "memory");
}

static inline void float_state_leave(const struct float_state *saved)
{
	uint32_t now;

	__asm__ volatile("stmxcsr %0" : "=m"(now)::"memory");
	if (now != saved->control)
		__asm__ volatile("ldmxcsr %0" ::"m"(saved->control) : "memory");
}

#elif defined(__aarch64__)

struct float_state {
	uint64_t control;
	uint64_t status;
};

static inline void float_state_enter(struct float_state *ret_saved)
{
	uint64_t wanted = 0;

	__asm__ volatile("mrs %0, fpcr" : "=r"(ret_saved->control)::"memory");
	__asm__ volatile("mrs %0, fpsr" : "=r"(ret_saved->status)::"memory");
	if (ret_saved->control != wanted)
		__asm__ volatile("msr fpcr, %0" ::"r"(wanted) : "memory");
}

static inline void float_state_leave(const struct float_state *saved)
{
	if (saved->control)
		__asm__ volatile("msr fpcr, %0" ::"r"(saved->control) : "memory");
	__asm__ volatile("msr fpsr, %0" ::"r"(saved->status) : "memory");
}

#else

struct float_state {
	uint32_t nothing;
};

static inline void float_state_enter(struct float_state *ret_saved)
{
	ret_saved->nothing = 0;
}

static inline void float_state_leave(const struct float_state *saved)
{
	(void)saved;
}

#endif
#endif
