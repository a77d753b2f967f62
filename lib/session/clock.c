/* SPDX-License-Identifier: MIT */
/* clock.c - see clock.h */
#include "session/clock.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "base/fd.h"
#include "ctf/write/clock.h"

#define CURRENT_CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define CALIBRATION_NS      10000000L

#ifdef __x86_64__
static bool has_invariant_counter(void)
{
	unsigned int eax;
	unsigned int ebx;
	unsigned int ecx;
	unsigned int edx;

	return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && edx >> 8 & 1;
}
#else
static bool has_invariant_counter(void)
{
	return false;
}
#endif

static bool is_one_of(const char *text, const char *const *list)
{
	for (; *list; list++) {
		if (!strcmp(text, *list))
			return true;
	}
	return false;
}

enum tacho_clock_kind clock_choose(void)
{
	static const char *const counters[] = { "tsc", "arch_sys_counter", NULL };
	static const char *const fallbacks[] = { "hpet",    "acpi_pm",         "pit",
						 "jiffies", "refined-jiffies", NULL };
	char source[64];

	if (file_read_text(AT_FDCWD, CURRENT_CLOCKSOURCE, source, sizeof(source)) < 0)
		source[0] = '\0';
	if (is_one_of(source, counters))
		return TACHO_CLOCK_COUNTER;
	if (is_one_of(source, fallbacks) || !has_invariant_counter())
		return TACHO_CLOCK_MONOTONIC;
	return TACHO_CLOCK_COUNTER;
}

#ifdef __aarch64__
/* The counter's own register tells. */
static int measure_hz(enum tacho_clock_kind kind, const struct tacho_clock_tuple *begin,
		      uint64_t *ret_hz)
{
	(void)kind;
	(void)begin;
	__asm__("mrs %0, cntfrq_el0" : "=r"(*ret_hz));
	return 0;
}
#else
static int measure_hz(enum tacho_clock_kind kind, const struct tacho_clock_tuple *begin,
		      uint64_t *ret_hz)
{
	struct timespec pause = { .tv_nsec = CALIBRATION_NS };
	struct tacho_clock_tuple end;
	uint64_t ns;
	int ret;

	nanosleep(&pause, NULL);
	ret = ctf_clock_sample(kind, &end);
	if (ret)
		return ret;
	ns = end.monotonic_ns - begin->monotonic_ns;
	if (!ns)
		ns = 1;
	*ret_hz = (uint64_t)((double)(end.counter - begin->counter) * 1e9 / (double)ns);
	return 0;
}
#endif

int clock_begin(enum tacho_clock_kind kind, struct tacho_clock_tuple *ret_tuple, uint64_t *ret_hz)
{
	int ret = ctf_clock_sample(kind, ret_tuple);

	if (ret)
		return ret;
	if (kind == TACHO_CLOCK_MONOTONIC) {
		*ret_hz = 1000000000;
		return 0;
	}
	return measure_hz(kind, ret_tuple, ret_hz);
}
