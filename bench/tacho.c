/* SPDX-License-Identifier: MIT */
/*
 * tacho.c - Tacho's side of the comparison, and what it is compared with. bench/run records
 * "bench:word" and "bench:order", and nothing else.
 */
#include <tacho/event.h>

#include "loops-base.h"
#include "loops.h"

static void loop_disabled(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		tacho_event(bench, disabled, "value", (uint32_t)i);
		LOOP_KEEP(i);
	}
}

static void loop_word(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		tacho_event(bench, word, "value", (uint32_t)i);
}

static void loop_order(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		tacho_event(bench, order, "name", LOOP_STRING, "id", (uint32_t)i, "total", i);
}

int main(void)
{
	static const struct loop loops[] = {
		{ "empty", loop_empty },       { "store", loop_store },
		{ "counter", loop_counter },   { "gettime", loop_gettime },
		{ "disabled", loop_disabled }, { "word", loop_word },
		{ "order", loop_order },
	};

	return loops_main(loops, sizeof(loops) / sizeof(loops[0]));
}
