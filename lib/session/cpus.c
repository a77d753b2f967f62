/* SPDX-License-Identifier: MIT */
/* cpus.c - see cpus.h */
#include "session/cpus.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"

uint32_t cpu_set_count(const struct cpu_set *set)
{
	uint32_t count = 0;

	for (size_t i = 0; i < TACHO_CPUS_MAX / 64; i++)
		count += (uint32_t)__builtin_popcountll(set->bits[i]);
	return count;
}

static int parse_number(const char **text, unsigned long *ret_number)
{
	char *end;

	if (**text < '0' || **text > '9')
		return -EINVAL;
	*ret_number = strtoul(*text, &end, 10);
	*text = end;
	return *ret_number < TACHO_CPUS_MAX ? 0 : -EINVAL;
}

/* One number, or two with a '-' between. */
static int parse_range(const char **text, struct cpu_set *set)
{
	unsigned long first;
	unsigned long last;
	int ret = parse_number(text, &first);

	last = first;
	if (!ret && **text == '-') {
		(*text)++;
		ret = parse_number(text, &last);
	}
	if (ret)
		return ret;
	for (unsigned long cpu = first; cpu <= last; cpu++)
		set->bits[cpu / 64] |= 1ull << (cpu % 64);
	return 0;
}

int cpu_set_parse(const char *text, struct cpu_set *ret_set)
{
	struct cpu_set set = { 0 };
	int ret;

	do {
		ret = parse_range(&text, &set);
	} while (!ret && *text++ == ',');
	if (ret || text[-1])
		return -EINVAL;
	*ret_set = set;
	return 0;
}

static int read_set(const char *path, struct cpu_set *ret_set)
{
	char text[4096];
	ssize_t n = file_read_text(AT_FDCWD, path, text, sizeof(text));

	return n < 0 ? (int)n : cpu_set_parse(text, ret_set);
}

/* Where /sys is not mounted: as many as the C library thinks, numbered from 0. */
static void guess_set(int name, struct cpu_set *ret_set)
{
	long count = sysconf(name);

	if (count < 1)
		count = 1;
	if (count > TACHO_CPUS_MAX)
		count = TACHO_CPUS_MAX;
	memset(ret_set, 0, sizeof(*ret_set));
	for (long cpu = 0; cpu < count; cpu++)
		ret_set->bits[cpu / 64] |= 1ull << (cpu % 64);
}

uint32_t cpus_possible(void)
{
	struct cpu_set set;

	if (read_set("/sys/devices/system/cpu/possible", &set))
		guess_set(_SC_NPROCESSORS_CONF, &set);
	for (uint32_t cpu = TACHO_CPUS_MAX; cpu > 0; cpu--) {
		if (cpu_set_has(&set, cpu - 1))
			return cpu;
	}
	return 1;
}

void cpus_online(struct cpu_set *ret_set)
{
	if (read_set("/sys/devices/system/cpu/online", ret_set))
		guess_set(_SC_NPROCESSORS_ONLN, ret_set);
}
