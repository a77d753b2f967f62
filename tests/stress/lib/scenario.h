/* SPDX-License-Identifier: MIT */
/*
 * scenario.h - a stress test is a table of scenarios. Each runs in a process and a runtime
 * directory of its own, and prints one line of TAP.
 */
#ifndef TACHO_STRESS_SCENARIO_H
#define TACHO_STRESS_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct scenario {
	const char *name;
	bool (*run)(const struct scenario *scenario); /* true: passed */
	bool portable;
	uint32_t mode; /* the rest is for run() */
	uint64_t ring_bytes;
	uint32_t kinds;
	bool kill;
	uint32_t sessions;
};

/* scenarios_main() - main() of a test: all of them, or the one that argv names */
int scenarios_main(const struct scenario *scenarios, int count, int argc, char **argv);

/* scenario_deadline_ns() - when it is to end, if all of @count scenarios together may take
 * @seconds, or TACHO_STRESS_SECONDS if that is set */
uint64_t scenario_deadline_ns(int count, double seconds);
uint64_t scenario_now_ns(void);

/* scenario_fork() - fork(), of a child that does not outlive us, however we end */
pid_t scenario_fork(void);

/* scenario_skip() - the machine cannot do it: leave the scenario, which counts as skipped */
void scenario_skip(const char *reason) __attribute__((noreturn));

/* scenario_random() - the same sequence in each run, or as TACHO_STRESS_SEED says */
uint32_t scenario_random(uint32_t below);

#endif
