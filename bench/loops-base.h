/* SPDX-License-Identifier: MIT */
/*
 * loops-base.h - what an event is compared with: nothing, a store, and the clocks.
 */
#ifndef TACHO_BENCH_LOOPS_BASE_H
#define TACHO_BENCH_LOOPS_BASE_H

#include <stdint.h>

void loop_empty(uint64_t count);
void loop_store(uint64_t count);
/* The CPU's counter (rdtsc, CNTVCT), as 64 bits, added up. */
void loop_counter(uint64_t count);
/* The same, and as many instructions that do nothing as an event's fast path has: what it would cost
 * if all of them only had to be fetched. */
void loop_noops(uint64_t count);
/* clock_gettime(CLOCK_MONOTONIC), added up. */
void loop_gettime(uint64_t count);

#endif
