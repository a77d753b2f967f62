// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* calls.c - see calls.h */
#include "calls.h"

#include <linux/err.h>
#include <linux/mm.h>
#include <linux/tracepoint.h>

#include "probe.h"
#include "tracepoints.h"

static void *probe_of(u32 point)
{
	return point == TACHO_POINT_SYSCALL_ENTRY ? (void *)probe_syscall_entry :
						    (void *)probe_syscall_exit;
}

static int begin(struct calls *calls, u32 point)
{
	calls->tracepoint = tracepoints_find(
		point == TACHO_POINT_SYSCALL_ENTRY ? "sys_enter" : "sys_exit");
	if (!calls->tracepoint)
		return -ENOENT;
	return tracepoint_probe_register(calls->tracepoint, probe_of(point), calls->events);
}

int calls_add(struct calls **ret_calls, u32 point, u32 number, struct recorder_event *event)
{
	struct calls *calls = *ret_calls;
	int ret;

	if (!calls)
		calls = *ret_calls = kvzalloc(sizeof(*calls), GFP_KERNEL);
	if (!calls)
		return -ENOMEM;
	if (calls->events[number])
		return -EEXIST;
	smp_store_release(&calls->events[number], event);
	ret = calls->count ? 0 : begin(calls, point);
	if (ret)
		WRITE_ONCE(calls->events[number], NULL);
	else
		calls->count++;
	return ret;
}

void calls_remove(struct calls *calls, u32 point, u32 number)
{
	WRITE_ONCE(calls->events[number], NULL);
	if (--calls->count)
		return;
	tracepoint_probe_unregister(calls->tracepoint, probe_of(point), calls->events);
}
