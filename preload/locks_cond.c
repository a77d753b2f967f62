/* SPDX-License-Identifier: MIT */
/*
 * locks_cond.c - records condition variables, as locks_mutex.c does mutexes.
 *
 * wait_ns is the time from the call until the mutex is held again. The functions that wait are
 * cancellation points: when the thread ends there, its wait is recorded with status ECANCELED, and
 * the cleanup handlers of the program run after that.
 *
 * That the mutex is released and taken again meanwhile is the C library's doing, and no event.
 */
#include <errno.h>
#include <pthread.h>

#include "locks_real.h"
#include "locks_wait.h"
#include "tacho/event.h"

/* What setjmp() is in, as in pthread_cleanup_push(), has to stand for itself. */
#define NOINLINE __attribute__((noinline))

struct wait {
	void *cond;
	void *mutex;
	void *caller;
	uint64_t begin_ns;
	int status; /* ECANCELED until there is another */
};

static struct wait wait_begun(pthread_cond_t *cond, pthread_mutex_t *mutex, void *caller)
{
	return (struct wait){ cond, mutex, caller, now_ns(), ECANCELED };
}

static void record_wait(void *arg)
{
	const struct wait *w = arg;

	tacho_event(lttng_ust_pthread, pthread_cond_wait, "cond", w->cond, "mutex", w->mutex,
		    "status", w->status, "wait_ns", now_ns() - w->begin_ns, "caller", w->caller);
}

static void record_timedwait(void *arg)
{
	const struct wait *w = arg;

	tacho_event(lttng_ust_pthread, pthread_cond_timedwait, "cond", w->cond, "mutex", w->mutex,
		    "status", w->status, "wait_ns", now_ns() - w->begin_ns, "caller", w->caller);
}

static void record_clockwait(void *arg)
{
	const struct wait *w = arg;

	tacho_event(lttng_ust_pthread, pthread_cond_clockwait, "cond", w->cond, "mutex", w->mutex,
		    "status", w->status, "wait_ns", now_ns() - w->begin_ns, "caller", w->caller);
}

static NOINLINE int recorded_wait(const struct locks *real, struct wait *w)
{
	pthread_cleanup_push(record_wait, w);
	w->status = real->cond_wait(w->cond, w->mutex);
	pthread_cleanup_pop(1);
	return w->status;
}

EXPORT int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	const struct locks *real = locks_real();
	struct wait w;

	if (!real)
		return 0;
	if (!tacho_enabled(lttng_ust_pthread, pthread_cond_wait))
		return real->cond_wait(cond, mutex);
	w = wait_begun(cond, mutex, CALLER());
	return recorded_wait(real, &w);
}

static NOINLINE int recorded_timedwait(const struct locks *real, struct wait *w,
				       const struct timespec *until)
{
	pthread_cleanup_push(record_timedwait, w);
	w->status = real->cond_timedwait(w->cond, w->mutex, until);
	pthread_cleanup_pop(1);
	return w->status;
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				  const struct timespec *until)
{
	const struct locks *real = locks_real();
	struct wait w;

	if (!real)
		return 0;
	if (!tacho_enabled(lttng_ust_pthread, pthread_cond_timedwait))
		return real->cond_timedwait(cond, mutex, until);
	w = wait_begun(cond, mutex, CALLER());
	return recorded_timedwait(real, &w, until);
}

static NOINLINE int recorded_clockwait(const struct locks *real, struct wait *w, clockid_t clock,
				       const struct timespec *until)
{
	pthread_cleanup_push(record_clockwait, w);
	w->status = real->cond_clockwait(w->cond, w->mutex, clock, until);
	pthread_cleanup_pop(1);
	return w->status;
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
				  const struct timespec *until)
{
	const struct locks *real = locks_real();
	struct wait w;

	if (!real)
		return 0;
	if (!real->cond_clockwait)
		return ENOSYS;
	if (!tacho_enabled(lttng_ust_pthread, pthread_cond_clockwait))
		return real->cond_clockwait(cond, mutex, clock, until);
	w = wait_begun(cond, mutex, CALLER());
	return recorded_clockwait(real, &w, clock, until);
}

EXPORT int pthread_cond_signal(pthread_cond_t *cond)
{
	const struct locks *real = locks_real();
	int status;

	if (!real)
		return 0;
	status = real->cond_signal(cond);
	tacho_event(lttng_ust_pthread, pthread_cond_signal, "cond", (void *)cond, "status", status,
		    "caller", CALLER());
	return status;
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *cond)
{
	const struct locks *real = locks_real();
	int status;

	if (!real)
		return 0;
	status = real->cond_broadcast(cond);
	tacho_event(lttng_ust_pthread, pthread_cond_broadcast, "cond", (void *)cond, "status",
		    status, "caller", CALLER());
	return status;
}
