/* SPDX-License-Identifier: MIT */
/* context_name.c - see context_name.h */
#include "base/context_name.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

#define PERF_PREFIX "perf:thread:"
#define CPU_PREFIX  "perf:cpu:"
#define RAW_PREFIX  PERF_PREFIX "raw:r"

#define HARDWARE(name, event)                                                                      \
	{                                                                                          \
		PERF_PREFIX name, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event                        \
	}
#define SOFTWARE(name, event)                                                                      \
	{                                                                                          \
		PERF_PREFIX name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event                        \
	}
#define CACHE(name, cache, op, result)                                                             \
	{                                                                                          \
		PERF_PREFIX name, PERF_TYPE_HW_CACHE,                                              \
			PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 |           \
				PERF_COUNT_HW_CACHE_RESULT_##result << 16                          \
	}
#define CACHE_READ(name, cache)                                                                    \
	CACHE(name "-loads", cache, READ, ACCESS), CACHE(name "-load-misses", cache, READ, MISS)
#define CACHE_WRITE(name, cache)                                                                   \
	CACHE(name "-stores", cache, WRITE, ACCESS), CACHE(name "-store-misses", cache, WRITE, MISS)
#define CACHE_PREFETCH(name, cache)                                                                \
	CACHE(name "-prefetches", cache, PREFETCH, ACCESS),                                        \
		CACHE(name "-prefetch-misses", cache, PREFETCH, MISS)

static const struct counter {
	const char *name;
	uint32_t type;
	uint64_t config;
} counters[] = {
	HARDWARE("cpu-cycles", CPU_CYCLES),
	HARDWARE("cycles", CPU_CYCLES),
	HARDWARE("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HARDWARE("idle-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HARDWARE("stalled-cycles-backend", STALLED_CYCLES_BACKEND),
	HARDWARE("idle-cycles-backend", STALLED_CYCLES_BACKEND),
	HARDWARE("instructions", INSTRUCTIONS),
	HARDWARE("cache-references", CACHE_REFERENCES),
	HARDWARE("cache-misses", CACHE_MISSES),
	HARDWARE("branch-instructions", BRANCH_INSTRUCTIONS),
	HARDWARE("branches", BRANCH_INSTRUCTIONS),
	HARDWARE("branch-misses", BRANCH_MISSES),
	HARDWARE("bus-cycles", BUS_CYCLES),
	CACHE_READ("L1-dcache", L1D),
	CACHE_WRITE("L1-dcache", L1D),
	CACHE_PREFETCH("L1-dcache", L1D),
	CACHE_READ("L1-icache", L1I),
	CACHE_WRITE("L1-icache", L1I),
	CACHE_PREFETCH("L1-icache", L1I),
	CACHE_READ("LLC", LL),
	CACHE_WRITE("LLC", LL),
	CACHE_PREFETCH("LLC", LL),
	CACHE_READ("dTLB", DTLB),
	CACHE_WRITE("dTLB", DTLB),
	CACHE_PREFETCH("dTLB", DTLB),
	CACHE_READ("iTLB", ITLB),
	CACHE_READ("branch", BPU),
	SOFTWARE("cpu-clock", CPU_CLOCK),
	SOFTWARE("task-clock", TASK_CLOCK),
	SOFTWARE("page-fault", PAGE_FAULTS),
	SOFTWARE("faults", PAGE_FAULTS),
	SOFTWARE("major-faults", PAGE_FAULTS_MAJ),
	SOFTWARE("minor-faults", PAGE_FAULTS_MIN),
	SOFTWARE("context-switches", CONTEXT_SWITCHES),
	SOFTWARE("cs", CONTEXT_SWITCHES),
	SOFTWARE("cpu-migrations", CPU_MIGRATIONS),
	SOFTWARE("migrations", CPU_MIGRATIONS),
	SOFTWARE("alignment-faults", ALIGNMENT_FAULTS),
	SOFTWARE("emulation-faults", EMULATION_FAULTS),
};
#define COUNTERS (sizeof(counters) / sizeof(counters[0]))

const char *context_name_at(size_t i)
{
	if (i < TACHO_CONTEXT_FIXED_COUNT)
		return context_field((unsigned int)i)->name;
	i -= TACHO_CONTEXT_FIXED_COUNT;
	return i < COUNTERS ? counters[i].name : NULL;
}

static void set_counter(struct context_wish *wish, const char *name, uint32_t type, uint64_t config)
{
	wish->number = TACHO_CONTEXT_PERF;
	wish->perf.is_used = 1;
	wish->perf.type = type;
	wish->perf.config = config;
	str_copy(wish->perf.name, sizeof(wish->perf.name), name);
}

static bool find_fixed(const char *name, struct context_wish *wish)
{
	for (unsigned int i = 0; i < TACHO_CONTEXT_FIXED_COUNT; i++) {
		if (strcmp(context_field(i)->name, name))
			continue;
		wish->number = i;
		return true;
	}
	return false;
}

static bool find_counter(const char *name, struct context_wish *wish)
{
	for (size_t i = 0; i < COUNTERS; i++) {
		if (strcmp(counters[i].name, name))
			continue;
		set_counter(wish, name, counters[i].type, counters[i].config);
		return true;
	}
	return false;
}

/* What may be in a name that people choose: it becomes a field's. */
static bool is_own_name(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-";

	return *name && !name[strspn(name, letters)];
}

static int parse_raw(const char *name, struct context_wish *wish, struct tacho_error *error)
{
	const char *digits = name + strlen(RAW_PREFIX);
	size_t count = strspn(digits, "0123456789abcdefABCDEF");
	const char *end = digits + count;

	if (strlen(name) >= sizeof(wish->perf.name))
		return error_set(error, -EINVAL, "the name '%s' is too long, at most %zu bytes",
				 name, sizeof(wish->perf.name) - 1);
	if (!count || count > 16 || *end != ':' || !is_own_name(end + 1))
		return error_set(error, -EINVAL,
				 "'%s' is no raw counter: those are " RAW_PREFIX
				 "HEX:NAME, as in " RAW_PREFIX
				 "1c2:mine; NAME has letters, digits, - and _",
				 name);
	set_counter(wish, name, PERF_TYPE_RAW, strtoull(digits, NULL, 16));
	return 0;
}

static int set_unknown(const char *name, struct tacho_error *error)
{
	if (!strncmp(name, CPU_PREFIX, strlen(CPU_PREFIX)))
		return error_set(error, -EINVAL,
				 "'%s' is for the kernel's events; a program's has counters of its "
				 "thread: " PERF_PREFIX "%s",
				 name, name + strlen(CPU_PREFIX));
	return error_set(error, -EINVAL, "there is no context '%s'", name);
}

int context_parse(const char *name, struct context_wish *ret_wish, struct tacho_error *error)
{
	*ret_wish = (struct context_wish){ 0 };
	if (find_fixed(name, ret_wish) || find_counter(name, ret_wish))
		return 0;
	if (!strncmp(name, RAW_PREFIX, strlen(RAW_PREFIX)))
		return parse_raw(name, ret_wish, error);
	return set_unknown(name, error);
}

void context_perf_field(const char name[CONTEXT_PERF_NAME_BYTES],
			char ret_field[CONTEXT_PERF_NAME_BYTES])
{
	memcpy(ret_field, name, CONTEXT_PERF_NAME_BYTES);
	ret_field[CONTEXT_PERF_NAME_BYTES - 1] = 0;
	for (char *p = ret_field; *p; p++) {
		if (*p == ':' || *p == '-')
			*p = '_';
	}
}
