/* SPDX-License-Identifier: MIT */
/* projects.c - each event of projects.h once, with values that a mistake would change. C and C++. */
#ifndef NO_PROBES
#define TRACEPOINT_CREATE_PROBES
#define TRACEPOINT_DEFINE
#endif
#include "projects.h"

static void callback(int n, void *p)
{
	(void)n;
	(void)p;
}

static int evaluated;

static int once(int value)
{
	evaluated++;
	return value;
}

#define ROS_TRACEPOINT(event, ...) tracepoint(TRACEPOINT_PROVIDER, event, __VA_ARGS__)

int main(void)
{
	static const uint16_t words[] = { 0x4142, 0x4344, 0x4546 };
	const struct projects_buffer b = { (const uint8_t *)words, 6, { 1, 2, 3, 0xfd, 0xfe, 0xff } };
	char name[] = "array";

	ROS_TRACEPOINT(rcl_init, (const void *)(uintptr_t)0xdeadbeef, "1.2.3");
	ROS_TRACEPOINT(callback_start, (const void *)NULL, true);
	tracepoint(projects, op_read, (uint64_t)-1, "read");
	do_tracepoint(projects, op_write, 1, NULL);
	tracepoint(projects, quic_sent, &words, 255, 3, "a\0b");
	tracepoint(projects, quic_sent, NULL, 0, 0, NULL);
	tracepoint(projects, quic_lengths, &b);
	if (tracepoint_enabled(projects, lib_call))
		tracepoint(projects, lib_call, callback, name, &b, sizeof(long));
	else
		tracepoint(projects, lib_call, callback, name, NULL, 1);
	tracepoint(projects, types, -1LL, ~0UL, (signed char)-128, (unsigned short)65535, once(7), 1.5f,
		   -2.25, 3.0L, PROJECTS_BUSY);
	for (int i = -60; i < 22; i += 9)
		tracepoint(projects, states, i, (unsigned char)i);
	tracepoint(projects, states, -1, 5);
	tracepoint(projects, words, once(1), "out");
	lttng_ust_tracepoint(projects, v1_instance, 42);
	tracepoint(projects, nothing);
	lttng_ust_tracepoint(projects, nothing_at_all);
	tracepoint(projects, only_hidden, once(1));
	tracepoint(projects, no_field_used, 1, 2);
	return evaluated == 3 ? 0 : 1 + evaluated;
}
