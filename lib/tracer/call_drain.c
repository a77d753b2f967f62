/* SPDX-License-Identifier: MIT */
/* call_drain.c - see call_drain.h */
#include "tracer/call_drain.h"

#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>

#include "format/trigger.h"
#include "tracer/hot.h"
#include "tracer/sys.h"

/* What is asked for is in the first half of some 1,500 bytes; the groups, which may be more, are
 * before it. */
#define STATUS_BYTES 4096

/* interpose/prctl.c: the prctl() that comes with it. Of the libraries that have both, a program sees
 * the first. */
extern void *const tacho_prctl_seen __attribute__((weak, visibility("default")));

static bool is_seen(void)
{
	return &tacho_prctl_seen && (void *)prctl == tacho_prctl_seen;
}

/* Has it neither a filter nor what is needed to get one? */
static bool is_free(const char *status)
{
	return strstr(status, "\nNoNewPrivs:\t0\n") && strstr(status, "\nSeccomp:\t0\n");
}

static bool has_free_status(void)
{
	char status[STATUS_BYTES];
	int fd = sys_open("/proc/self/status", O_RDONLY, 0);
	long bytes = fd < 0 ? -1 : sys_read(fd, status, sizeof(status) - 1);

	if (fd >= 0)
		sys_close(fd);
	status[bytes > 0 ? bytes : 0] = 0;
	return is_free(status);
}

static void tell_of_us(const struct attachment *a)
{
	if (!tacho_load_relaxed(&a->triggers->drain_uncalled))
		tacho_store_relaxed(&a->triggers->drain_uncalled, 1);
}

bool call_is_allowed(void)
{
	return !tacho_load_relaxed(&tacho_tracer.is_confined) && !tacho_thread.in_vfork;
}

void call_drain_attached(const struct attachment *a)
{
	if (call_is_allowed() && !(is_seen() && has_free_status()))
		tacho_store_relaxed(&tacho_tracer.is_confined, 1);
	if (!call_is_allowed())
		tell_of_us(a);
}

void call_drain(const struct attachment *a)
{
	uint32_t *sleeps = &a->triggers->drain_sleeps;

	if (!call_is_allowed()) {
		tell_of_us(a);
		return;
	}
	tacho_fence_full(); /* call:B pairs with doze:B */
	if (tacho_load_relaxed(sleeps) && tacho_exchange_acq_rel(sleeps, 0)) /* call:C */
		sys_futex_wake(sleeps);
}

void tacho_process_confined(void)
{
	if (tacho_thread.in_vfork)
		return;
	tacho_store_relaxed(&tacho_tracer.is_confined, 1);
	tacho_store_relaxed(&tacho_tracer.gave_up_calls, 1);
}

/*
 * Which thread it is the fast path cannot see: so it is taken away from all. The flag comes before forget:B,
 * which pairs with keep:B: who keeps a fast path after it was forgotten has seen the flag in hot_look().
 */
void tacho_process_clockless(void)
{
	if (tacho_thread.in_vfork || tacho_load_acquire(&tacho_tracer.state) != TRACER_READY)
		return;
	tacho_store_relaxed(&tacho_tracer.is_clockless, 1);
	hot_forget_all();
}
