/* SPDX-License-Identifier: MIT */
/*
 * places.c - each event of <lttng/..> and each message is the last that a function of its name does: where
 * a compiler likes to leave the function by a jump. PROBES: the probes are in this unit; else they are in
 * a unit that is compiled with ONLY_PROBES.
 */
#ifdef ONLY_PROBES
#define TRACEPOINT_CREATE_PROBES
#define TRACEPOINT_DEFINE
#include "places.h"
#else
#ifdef PROBES
#define TRACEPOINT_CREATE_PROBES
#define TRACEPOINT_DEFINE
#endif
#include "places.h"

#include <lttng/tracef.h>
#include <lttng/tracelog.h>
#include <tacho/event.h>

#define PLACE __attribute__((noinline)) static void

static void something_else(void)
{
	__asm__ __volatile__("");
}

PLACE small(int a)
{
	tracepoint(places, small, a);
}

PLACE large(int a)
{
	tracepoint(places, large, "text", a);
}

PLACE hiding(int a)
{
	tracepoint(places, hiding, "text", a);
}

PLACE event(int a)
{
	tracef("%d", a);
}

PLACE tracelog_info(int a)
{
	tracelog(TRACE_INFO, "%d", a);
}

PLACE native_small(int a)
{
	tacho_event(places, native_small, "a", a);
	something_else();
}

PLACE native_large(int a)
{
	tacho_event(places, native_large, "a", a, "text", "text");
}

PLACE message(int a)
{
	tacho_log(TACHO_LEVEL_INFO, "%d", a);
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 3; i++) {
		small(argc);
		large(argc);
		hiding(argc);
		event(argc);
		tracelog_info(argc);
		native_small(argc);
		native_large(argc);
		message(argc);
	}
	return 0;
}
#endif
