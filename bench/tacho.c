/* SPDX-License-Identifier: MIT */
/*
 * tacho.c - Tacho's side of the comparison, and what it is compared with. bench/run says where each
 * event goes: "bench:vtid", for one, to a channel with that context.
 */
#include <tacho/event.h>

#include "called.h"
#include "loops-base.h"
#include "loops.h"

static void loop_disabled(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		tacho_event(bench, disabled, "value", (uint32_t)i);
		LOOP_KEEP(i);
	}
}

#define LOOP_OF_WORDS(name)                                                                        \
	static void loop_##name(uint64_t count)                                                    \
	{                                                                                          \
		for (uint64_t i = 0; i < count; i++)                                               \
			tacho_event(bench, name, "value", (uint32_t)i);                            \
	}

LOOP_OF_WORDS(word)
LOOP_OF_WORDS(wide)
LOOP_OF_WORDS(vtid)
LOOP_OF_WORDS(named)
LOOP_OF_WORDS(chosen)
LOOP_OF_WORDS(refused)
LOOP_OF_WORDS(computed)
LOOP_OF_WORDS(either)
LOOP_OF_WORDS(masked)
LOOP_OF_WORDS(sampled)
LOOP_OF_WORDS(twice)
LOOP_OF_WORDS(fourfold)

static void loop_order(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		tacho_event(bench, order, "name", LOOP_STRING, "id", (uint32_t)i, "total", i);
}

static void loop_lines(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		tacho_event(bench, lines, "name", LOOP_STRING, "id", (uint32_t)i, "total", i);
}

static void loop_called_word(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		called_word((uint32_t)i);
}

static void loop_called_order(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		called_order(LOOP_STRING, (uint32_t)i, i);
}

/* So that the id of what is recorded next does not fit the short header. */
static void loop_others(uint64_t count)
{
	(void)count;
#define USE(n)   tacho_event(bench, other##n);
#define USE_8(n) USE(n##0) USE(n##1) USE(n##2) USE(n##3) USE(n##4) USE(n##5) USE(n##6) USE(n##7)
	USE_8(0) USE_8(1) USE_8(2) USE_8(3)
}

int main(void)
{
	static const struct loop loops[] = {
		{ "empty", loop_empty }, { "store", loop_store },     { "counter", loop_counter },
		{ "noops", loop_noops }, { "gettime", loop_gettime }, { "disabled", loop_disabled },
		{ "word", loop_word },   { "order", loop_order },     { "wide", loop_wide },
		{ "vtid", loop_vtid },   { "named", loop_named },     { "chosen", loop_chosen },
		{ "refused", loop_refused }, { "computed", loop_computed },
		{ "either", loop_either }, { "masked", loop_masked }, { "sampled", loop_sampled },
		{ "lines", loop_lines }, { "fourfold", loop_fourfold },
		{ "twice", loop_twice }, { "called_word", loop_called_word },
		{ "called_order", loop_called_order }, { "others", loop_others },
	};

	return loops_main(loops, sizeof(loops) / sizeof(loops[0]));
}
