/* SPDX-License-Identifier: MIT */
/*
 * ust.c - LTTng-UST's side of the comparison: the same events in the same loops as in tacho.c. With
 * BENCH_PROBES_APART its probes are in another unit, as those of most programs are.
 */
#ifndef BENCH_PROBES_APART
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#endif
#include "ust-provider.h"

#include "loops.h"

static void loop_disabled(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		lttng_ust_tracepoint(bench, disabled, (uint32_t)i);
		LOOP_KEEP(i);
	}
}

static void loop_word(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		lttng_ust_tracepoint(bench, word, (uint32_t)i);
}

static void loop_order(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		lttng_ust_tracepoint(bench, order, LOOP_STRING, (uint32_t)i, i);
}

int main(void)
{
	static const struct loop loops[] = {
		{ "disabled", loop_disabled },
		{ "word", loop_word },
		{ "order", loop_order },
	};

	return loops_main(loops, sizeof(loops) / sizeof(loops[0]));
}
