/* SPDX-License-Identifier: MIT */
/*
 * host.c PROBES ROUNDS - a program, linked without the tracer, that loads and unloads its probes. The
 * first value of mother is the round, odd where there should be probes.
 */
#define TRACEPOINT_DEFINE
#define TRACEPOINT_PROBE_DYNAMIC_LINKAGE
#include "everything.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static int use(int round)
{
	const int is_on = tracepoint_enabled(every, mother) != 0;

	tracepoint(every, mother, round);
	return is_on;
}

int main(int argc, char **argv)
{
	const int rounds = argc > 2 ? atoi(argv[2]) : 0;

	for (int round = 0; round < rounds; round++) {
		void *probes;

		if (use(2 * round))
			return 2;
		probes = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
		if (!probes) {
			fprintf(stderr, "%s\n", dlerror());
			return 3;
		}
		if (!use(2 * round + 1))
			return 4;
		dlclose(probes);
	}
	return use(2 * rounds);
}
