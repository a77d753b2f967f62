/* SPDX-License-Identifier: MIT */
/*
 * locks_rwlock.c - records read-write locks, as locks_mutex.c does mutexes.
 *
 * Who waits to read and who waits to write is told apart by the name of the event.
 */
#include <errno.h>
#include <pthread.h>

#include "locks_real.h"
#include "locks_wait.h"
#include "tacho/event.h"

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *rwlock)
{
	const struct locks *real = locks_real();
	uint64_t begin_ns;
	int status;

	if (!real)
		return 0;
	if (!tacho_enabled(lttng_ust_pthread, pthread_rwlock_rdlock))
		return real->rwlock_rdlock(rwlock);
	status = real->rwlock_tryrdlock(rwlock);
	begin_ns = wait_begin(status);
	if (begin_ns)
		status = real->rwlock_rdlock(rwlock);
	tacho_event(lttng_ust_pthread, pthread_rwlock_rdlock, "rwlock", (void *)rwlock, "status",
		    status, "wait_ns", wait_end(begin_ns), "caller", CALLER());
	return status;
}

EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *rwlock)
{
	const struct locks *real = locks_real();
	int status;

	if (!real)
		return 0;
	status = real->rwlock_tryrdlock(rwlock);
	tacho_event(lttng_ust_pthread, pthread_rwlock_tryrdlock, "rwlock", (void *)rwlock, "status",
		    status, "caller", CALLER());
	return status;
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *rwlock, const struct timespec *until)
{
	const struct locks *real = locks_real();
	uint64_t begin_ns;
	int status;

	if (!real)
		return 0;
	if (!tacho_enabled(lttng_ust_pthread, pthread_rwlock_timedrdlock))
		return real->rwlock_timedrdlock(rwlock, until);
	status = may_be_tried(CLOCK_REALTIME, until) ? real->rwlock_tryrdlock(rwlock) : EBUSY;
	begin_ns = wait_begin(status);
	if (begin_ns)
		status = real->rwlock_timedrdlock(rwlock, until);
	tacho_event(lttng_ust_pthread, pthread_rwlock_timedrdlock, "rwlock", (void *)rwlock,
		    "status", status, "wait_ns", wait_end(begin_ns), "caller", CALLER());
	return status;
}

EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *rwlock, clockid_t clock,
				      const struct timespec *until)
{
	const struct locks *real = locks_real();
	uint64_t begin_ns;
	int status;

	if (!real)
		return 0;
	if (!real->rwlock_clockrdlock)
		return ENOSYS;
	if (!tacho_enabled(lttng_ust_pthread, pthread_rwlock_clockrdlock))
		return real->rwlock_clockrdlock(rwlock, clock, until);
	status = may_be_tried(clock, until) ? real->rwlock_tryrdlock(rwlock) : EBUSY;
	begin_ns = wait_begin(status);
	if (begin_ns)
		status = real->rwlock_clockrdlock(rwlock, clock, until);
	tacho_event(lttng_ust_pthread, pthread_rwlock_clockrdlock, "rwlock", (void *)rwlock,
		    "status", status, "wait_ns", wait_end(begin_ns), "caller", CALLER());
	return status;
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *rwlock)
{
	const struct locks *real = locks_real();
	uint64_t begin_ns;
	int status;

	if (!real)
		return 0;
	if (!tacho_enabled(lttng_ust_pthread, pthread_rwlock_wrlock))
		return real->rwlock_wrlock(rwlock);
	status = real->rwlock_trywrlock(rwlock);
	begin_ns = wait_begin(status);
	if (begin_ns)
		status = real->rwlock_wrlock(rwlock);
	tacho_event(lttng_ust_pthread, pthread_rwlock_wrlock, "rwlock", (void *)rwlock, "status",
		    status, "wait_ns", wait_end(begin_ns), "caller", CALLER());
	return status;
}

EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *rwlock)
{
	const struct locks *real = locks_real();
	int status;

	if (!real)
		return 0;
	status = real->rwlock_trywrlock(rwlock);
	tacho_event(lttng_ust_pthread, pthread_rwlock_trywrlock, "rwlock", (void *)rwlock, "status",
		    status, "caller", CALLER());
	return status;
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *rwlock, const struct timespec *until)
{
	const struct locks *real = locks_real();
	uint64_t begin_ns;
	int status;

	if (!real)
		return 0;
	if (!tacho_enabled(lttng_ust_pthread, pthread_rwlock_timedwrlock))
		return real->rwlock_timedwrlock(rwlock, until);
	status = may_be_tried(CLOCK_REALTIME, until) ? real->rwlock_trywrlock(rwlock) : EBUSY;
	begin_ns = wait_begin(status);
	if (begin_ns)
		status = real->rwlock_timedwrlock(rwlock, until);
	tacho_event(lttng_ust_pthread, pthread_rwlock_timedwrlock, "rwlock", (void *)rwlock,
		    "status", status, "wait_ns", wait_end(begin_ns), "caller", CALLER());
	return status;
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *rwlock, clockid_t clock,
				      const struct timespec *until)
{
	const struct locks *real = locks_real();
	uint64_t begin_ns;
	int status;

	if (!real)
		return 0;
	if (!real->rwlock_clockwrlock)
		return ENOSYS;
	if (!tacho_enabled(lttng_ust_pthread, pthread_rwlock_clockwrlock))
		return real->rwlock_clockwrlock(rwlock, clock, until);
	status = may_be_tried(clock, until) ? real->rwlock_trywrlock(rwlock) : EBUSY;
	begin_ns = wait_begin(status);
	if (begin_ns)
		status = real->rwlock_clockwrlock(rwlock, clock, until);
	tacho_event(lttng_ust_pthread, pthread_rwlock_clockwrlock, "rwlock", (void *)rwlock,
		    "status", status, "wait_ns", wait_end(begin_ns), "caller", CALLER());
	return status;
}

EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *rwlock)
{
	const struct locks *real = locks_real();
	int status;

	if (!real)
		return 0;
	status = real->rwlock_unlock(rwlock);
	tacho_event(lttng_ust_pthread, pthread_rwlock_unlock, "rwlock", (void *)rwlock, "status",
		    status, "caller", CALLER());
	return status;
}
