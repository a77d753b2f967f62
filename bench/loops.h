/* SPDX-License-Identifier: MIT */
/*
 * loops.h - a program that is measured: loops with names, run on request.
 *
 * The program stays alive and waits, so that bench/run can let several programs take turns within
 * fractions of a second: the clock rate of a host that others use too drifts over minutes, and
 * only what is measured at the same time can be compared.
 *
 *      request, a line of standard input      NAME THREADS PINNED COUNT
 *      answer, a line of standard output      nanoseconds of CPU time, per thread and iteration
 *
 * PINNED is 1 to bind thread i to the i-th CPU that the program may use. CPU time, not time of
 * day: what else runs on the machine, and 16 threads on 2 CPUs, do not count.
 */
#ifndef TACHO_BENCH_LOOPS_H
#define TACHO_BENCH_LOOPS_H

#include <stddef.h>
#include <stdint.h>

struct loop {
	const char *name;
	void (*run)(uint64_t count);
};

/* loops_main() - answer requests until standard input ends. Return: an exit status. */
int loops_main(const struct loop *loops, size_t count);

/* The compiler must neither merge nor drop iterations. */
#define LOOP_KEEP(value) __asm__ volatile("" : : "r"(value) : "memory")

/* What both tracers' programs record. */
#define LOOP_STRING "sixteen letters."

#endif
