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

static int rdlock(const struct locks *real, pthread_rwlock_t *rwlock, uint64_t *ret_wait_ns)
{
	int status = real->rwlock_tryrdlock(rwlock);
	uint64_t begin_ns;

	*ret_wait_ns = 0;
	if (status != EBUSY)
		return status;
	begin_ns = now_ns();
	status = real->rwlock_rdlock(rwlock);
	*ret_wait_ns = now_ns() - begin_ns;
	return status;
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *rwlock)
{
	const struct locks *real = locks_real();
	uint64_t wait_ns;
	int status;

	if (!real)
		return 0;
	if (!tacho_enabled(lttng_ust_pthread, pthread_rwlock_rdlock))
		return real->rwlock_rdlock(rwlock);
	status = rdlock(real, rwlock, &wait_ns);
	tacho_event(lttng_ust_pthread, pthread_rwlock_rdlock, "rwlock", (void *)rwlock, "status",
		    status, "wait_ns", wait_ns, "caller", CALLER());
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

static int timedrdlock(const struct locks *real, pthread_rwlock_t *rwlock,
		       const struct timespec *until, uint64_t *ret_wait_ns)
{
	int status = may_be_tried(CLOCK_REALTIME, until) ? real->rwlock_tryrdlock(rwlock) : EBUSY;
	uint64_t begin_ns;

	*ret_wait_ns = 0;
	if (status != EBUSY)
		return status;
	begin_ns = now_ns();
	status = real->rwlock_timedrdlock(rwlock, until);
	*ret_wait_ns = now_ns() - begin_ns;
	return status;
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *rwlock, const struct timespec *until)
{
	const struct locks *real = locks_real();
	uint64_t wait_ns;
	int status;

	if (!real)
		return 0;
	if (!tacho_enabled(lttng_ust_pthread, pthread_rwlock_timedrdlock))
		return real->rwlock_timedrdlock(rwlock, until);
	status = timedrdlock(real, rwlock, until, &wait_ns);
	tacho_event(lttng_ust_pthread, pthread_rwlock_timedrdlock, "rwlock", (void *)rwlock,
		    "status", status, "wait_ns", wait_ns, "caller", CALLER());
	return status;
}

static int clockrdlock(const struct locks *real, pthread_rwlock_t *rwlock, clockid_t clock,
		       const struct timespec *until, uint64_t *ret_wait_ns)
{
	int status = may_be_tried(clock, until) ? real->rwlock_tryrdlock(rwlock) : EBUSY;
	uint64_t begin_ns;

	*ret_wait_ns = 0;
	if (status != EBUSY)
		return status;
	begin_ns = now_ns();
	status = real->rwlock_clockrdlock(rwlock, clock, until);
	*ret_wait_ns = now_ns() - begin_ns;
	return status;
}

EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *rwlock, clockid_t clock,
				      const struct timespec *until)
{
	const struct locks *real = locks_real();
	uint64_t wait_ns;
	int status;

	if (!real)
		return 0;
	if (!real->rwlock_clockrdlock)
		return ENOSYS;
	if (!tacho_enabled(lttng_ust_pthread, pthread_rwlock_clockrdlock))
		return real->rwlock_clockrdlock(rwlock, clock, until);
	status = clockrdlock(real, rwlock, clock, until, &wait_ns);
	tacho_event(lttng_ust_pthread, pthread_rwlock_clockrdlock, "rwlock", (void *)rwlock,
		    "status", status, "wait_ns", wait_ns, "caller", CALLER());
	return status;
}

static int wrlock(const struct locks *real, pthread_rwlock_t *rwlock, uint64_t *ret_wait_ns)
{
	int status = real->rwlock_trywrlock(rwlock);
	uint64_t begin_ns;

	*ret_wait_ns = 0;
	if (status != EBUSY)
		return status;
	begin_ns = now_ns();
	status = real->rwlock_wrlock(rwlock);
	*ret_wait_ns = now_ns() - begin_ns;
	return status;
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *rwlock)
{
	const struct locks *real = locks_real();
	uint64_t wait_ns;
	int status;

	if (!real)
		return 0;
	if (!tacho_enabled(lttng_ust_pthread, pthread_rwlock_wrlock))
		return real->rwlock_wrlock(rwlock);
	status = wrlock(real, rwlock, &wait_ns);
	tacho_event(lttng_ust_pthread, pthread_rwlock_wrlock, "rwlock", (void *)rwlock, "status",
		    status, "wait_ns", wait_ns, "caller", CALLER());
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

static int timedwrlock(const struct locks *real, pthread_rwlock_t *rwlock,
		       const struct timespec *until, uint64_t *ret_wait_ns)
{
	int status = may_be_tried(CLOCK_REALTIME, until) ? real->rwlock_trywrlock(rwlock) : EBUSY;
	uint64_t begin_ns;

	*ret_wait_ns = 0;
	if (status != EBUSY)
		return status;
	begin_ns = now_ns();
	status = real->rwlock_timedwrlock(rwlock, until);
	*ret_wait_ns = now_ns() - begin_ns;
	return status;
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *rwlock, const struct timespec *until)
{
	const struct locks *real = locks_real();
	uint64_t wait_ns;
	int status;

	if (!real)
		return 0;
	if (!tacho_enabled(lttng_ust_pthread, pthread_rwlock_timedwrlock))
		return real->rwlock_timedwrlock(rwlock, until);
	status = timedwrlock(real, rwlock, until, &wait_ns);
	tacho_event(lttng_ust_pthread, pthread_rwlock_timedwrlock, "rwlock", (void *)rwlock,
		    "status", status, "wait_ns", wait_ns, "caller", CALLER());
	return status;
}

static int clockwrlock(const struct locks *real, pthread_rwlock_t *rwlock, clockid_t clock,
		       const struct timespec *until, uint64_t *ret_wait_ns)
{
	int status = may_be_tried(clock, until) ? real->rwlock_trywrlock(rwlock) : EBUSY;
	uint64_t begin_ns;

	*ret_wait_ns = 0;
	if (status != EBUSY)
		return status;
	begin_ns = now_ns();
	status = real->rwlock_clockwrlock(rwlock, clock, until);
	*ret_wait_ns = now_ns() - begin_ns;
	return status;
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *rwlock, clockid_t clock,
				      const struct timespec *until)
{
	const struct locks *real = locks_real();
	uint64_t wait_ns;
	int status;

	if (!real)
		return 0;
	if (!real->rwlock_clockwrlock)
		return ENOSYS;
	if (!tacho_enabled(lttng_ust_pthread, pthread_rwlock_clockwrlock))
		return real->rwlock_clockwrlock(rwlock, clock, until);
	status = clockwrlock(real, rwlock, clock, until, &wait_ns);
	tacho_event(lttng_ust_pthread, pthread_rwlock_clockwrlock, "rwlock", (void *)rwlock,
		    "status", status, "wait_ns", wait_ns, "caller", CALLER());
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
