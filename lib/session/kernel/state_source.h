/* SPDX-License-Identifier: MIT */
/*
 * state_source.h - what /proc and /sys tell about the system, as records (kernel/state_events.h).
 */
#ifndef TACHO_SESSION_KERNEL_STATE_SOURCE_H
#define TACHO_SESSION_KERNEL_STATE_SOURCE_H

#include "kernel/state_events.h"

typedef void state_tell(void *arg, enum kernel_state_kind kind, const struct kernel_state *state);

struct state_wish {
	uint32_t wanted; /* a bit for each kind */
	const uint8_t *
		followed; /* a bit for each pid whose files are told, STATE_PIDS of them; NULL: all */
	state_tell *tell;
	void *arg;
};

#define STATE_PIDS (4u << 20) /* the kernel has no larger ones */

/* state_source_read() - tell all that is wanted, from start to end */
void state_source_read(const struct state_wish *wish);

/* What /proc/PID/stat says of a thread. */
struct state_thread {
	char name[64];
	char state; /* 'R', 'S', .. */
	int ppid;
	bool is_kernel;
	uint32_t cpu;
};

/* state_thread_parse() - @text: may be anything. Return: false: it is no such text. */
bool state_thread_parse(const char *text, struct state_thread *ret_thread);

#endif
