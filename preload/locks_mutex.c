/* SPDX-License-Identifier: MIT */
/*
 * locks_mutex.c - libtacho-locks.so: records the mutexes of a program that knows nothing of it.
 *
 * The functions under their own names, in front of the real ones. Their events have the names and
 * fields of LTTng's helper where that has them (mutex, status), and wait_ns and caller besides;
 * tacho-locks(7) lists them. Each is recorded after the real function: an unlock, too, since its
 * status is known only then.
 *
 * While nobody records, a call costs a few loads more. The status, and what happens to the mutex,
 * are the real function's in any case. The tracer takes no lock, so that recording one recurses
 * into nothing.
 *
 * Not wrapped: what the C library does to mutexes by itself, mtx_lock() of C11 among it.
 */
#include <errno.h>
#include <pthread.h>

#include "locks_real.h"
#include "locks_wait.h"
#include "tacho/event.h"

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	const struct locks *real = locks_real();
	uint64_t begin_ns;
	int status;

	if (!real)
		return 0;
	tacho_event(lttng_ust_pthread, pthread_mutex_lock_req, "mutex", (void *)mutex, "caller",
		    CALLER());
	if (!tacho_enabled(lttng_ust_pthread, pthread_mutex_lock_acq))
		return real->mutex_lock(mutex);
	status = real->mutex_trylock(mutex);
	begin_ns = wait_begin(status);
	if (begin_ns)
		status = real->mutex_lock(mutex);
	tacho_event(lttng_ust_pthread, pthread_mutex_lock_acq, "mutex", (void *)mutex, "status",
		    status, "wait_ns", wait_end(begin_ns), "caller", CALLER());
	return status;
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	const struct locks *real = locks_real();
	int status;

	if (!real)
		return 0;
	status = real->mutex_trylock(mutex);
	tacho_event(lttng_ust_pthread, pthread_mutex_trylock, "mutex", (void *)mutex, "status",
		    status, "caller", CALLER());
	return status;
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	const struct locks *real = locks_real();
	uint64_t begin_ns;
	int status;

	if (!real)
		return 0;
	if (!tacho_enabled(lttng_ust_pthread, pthread_mutex_timedlock))
		return real->mutex_timedlock(mutex, until);
	status = may_be_tried(CLOCK_REALTIME, until) ? real->mutex_trylock(mutex) : EBUSY;
	begin_ns = wait_begin(status);
	if (begin_ns)
		status = real->mutex_timedlock(mutex, until);
	tacho_event(lttng_ust_pthread, pthread_mutex_timedlock, "mutex", (void *)mutex, "status",
		    status, "wait_ns", wait_end(begin_ns), "caller", CALLER());
	return status;
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
				   const struct timespec *until)
{
	const struct locks *real = locks_real();
	uint64_t begin_ns;
	int status;

	if (!real)
		return 0;
	if (!real->mutex_clocklock)
		return ENOSYS;
	if (!tacho_enabled(lttng_ust_pthread, pthread_mutex_clocklock))
		return real->mutex_clocklock(mutex, clock, until);
	status = may_be_tried(clock, until) ? real->mutex_trylock(mutex) : EBUSY;
	begin_ns = wait_begin(status);
	if (begin_ns)
		status = real->mutex_clocklock(mutex, clock, until);
	tacho_event(lttng_ust_pthread, pthread_mutex_clocklock, "mutex", (void *)mutex, "status",
		    status, "wait_ns", wait_end(begin_ns), "caller", CALLER());
	return status;
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	const struct locks *real = locks_real();
	int status;

	if (!real)
		return 0;
	status = real->mutex_unlock(mutex);
	tacho_event(lttng_ust_pthread, pthread_mutex_unlock, "mutex", (void *)mutex, "status",
		    status, "caller", CALLER());
	return status;
}
