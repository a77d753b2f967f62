/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * calls.h - the system calls that a recorder records: events by number, at one probe for all begins and one
 * for all ends, which are registered while there is something to record. An event that is taken out may be
 * in use until tracepoint_synchronize_unregister() has returned.
 */
#ifndef TACHO_KERNEL_CALLS_H
#define TACHO_KERNEL_CALLS_H

#include "format/module.h"

struct recorder_event;
struct tracepoint;

struct calls {
	struct tracepoint *tracepoint;
	u32 count;
	struct recorder_event *events[TACHO_SYSCALLS_MAX];
};

/* calls_add() - below tracepoints_lock(). @ret_calls: made by the first. Return: 0 or a negative errno;
 * -EEXIST: there is one of this number. */
int calls_add(struct calls **ret_calls, u32 point, u32 number, struct recorder_event *event);
void calls_remove(struct calls *calls, u32 point, u32 number);

#endif
