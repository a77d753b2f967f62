/* SPDX-License-Identifier: MIT */
/* types.c - see types.h */
#include "types.h"

#include <string.h>

#define NS_PER_S 1000000000

static uint64_t clamp(__int128 ns)
{
	if (ns < 0)
		return 0;
	return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

uint64_t read_clock_ns(const struct read_clock *clock, uint64_t ticks)
{
	__int128 ns;

	if (!clock)
		return ticks;
	ns = (__int128)ticks + clock->offset_ticks;
	if (clock->freq_hz != NS_PER_S)
		ns = ns * NS_PER_S / clock->freq_hz;
	return clamp(ns + (__int128)clock->offset_s * NS_PER_S);
}

/* Is @reference "clock.NAME.value", or NAME alone? */
static bool is_reference_to(const char *reference, const char *name)
{
	size_t bytes = strlen(name);

	if (!strncmp(reference, "clock.", 6))
		reference += 6;
	return !strncmp(reference, name, bytes) && (!reference[bytes] || reference[bytes] == '.');
}

const struct read_clock *read_metadata_clock(const struct read_metadata *metadata,
					     const char *reference)
{
	for (const struct read_clock *clock = metadata->clocks; clock; clock = clock->next) {
		if (is_reference_to(reference, clock->name))
			return clock;
	}
	return NULL;
}
