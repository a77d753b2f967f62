/* SPDX-License-Identifier: MIT */
/*
 * clock.h - which clock a new session uses, and a first estimate of how fast it runs. The instants
 * themselves are read by ctf/clock.h.
 */
#ifndef TACHO_SESSION_CLOCK_H
#define TACHO_SESSION_CLOCK_H

#include "format/ring.h"
#include "format/runtime.h"
#include "format/session.h"

/*
 * clock_choose() - the CPU's counter if it can be trusted
 *
 * It can if the kernel itself uses it, or, in a virtual machine whose kernel uses the
 * hypervisor's clock, if the CPU promises that it is invariant. A kernel that fell back to a slow
 * clock (hpet, acpi_pm) has found the counter wrong.
 */
enum tacho_clock_kind clock_choose(void);

/*
 * clock_begin() - read all clocks, and measure the counter's frequency
 *
 * Takes 10 ms where the frequency has to be measured; good to some 10 ppm then.
 *
 * Return: 0; -ENOTSUP where this machine has no such counter.
 */
int clock_begin(enum tacho_clock_kind kind, struct tacho_clock_tuple *ret_tuple, uint64_t *ret_hz);

#endif
