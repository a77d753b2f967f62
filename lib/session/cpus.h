/* SPDX-License-Identifier: MIT */
/*
 * cpus.h - which CPUs there can be, and which are online.
 */
#ifndef TACHO_SESSION_CPUS_H
#define TACHO_SESSION_CPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/ring.h"

struct cpu_set {
	uint64_t bits[TACHO_CPUS_MAX / 64];
};

static inline bool cpu_set_has(const struct cpu_set *set, uint32_t cpu)
{
	return cpu < TACHO_CPUS_MAX && set->bits[cpu / 64] >> (cpu % 64) & 1;
}

uint32_t cpu_set_count(const struct cpu_set *set);

/* cpu_set_parse() - a list as the kernel writes it: "0-3,8". Return: 0, or -EINVAL. */
int cpu_set_parse(const char *text, struct cpu_set *ret_set);

/* cpus_possible() - one more than the highest number that a CPU of this machine can have. */
uint32_t cpus_possible(void);

/* cpus_online() - the CPUs at work now; at least one. */
void cpus_online(struct cpu_set *ret_set);

#endif
