/* SPDX-License-Identifier: MIT */
/*
 * locks_real.h - the functions behind the wrapper of locks: the C library's, or whatever comes next
 * in the order of libraries.
 *
 * They are looked up as a whole at the first call of any of them, whoever makes it. Nobody waits
 * for anybody: threads that look them up at the same time find the same.
 */
#ifndef TACHO_PRELOAD_LOCKS_REAL_H
#define TACHO_PRELOAD_LOCKS_REAL_H

#include <pthread.h>
#include <time.h>

#include "format/port.h"

/* Those with a clock are NULL where the C library has none of them. */
struct locks {
	int (*mutex_lock)(pthread_mutex_t *mutex);
	int (*mutex_trylock)(pthread_mutex_t *mutex);
	int (*mutex_timedlock)(pthread_mutex_t *mutex, const struct timespec *until);
	int (*mutex_clocklock)(pthread_mutex_t *mutex, clockid_t clock,
			       const struct timespec *until);
	int (*mutex_unlock)(pthread_mutex_t *mutex);
	int (*rwlock_rdlock)(pthread_rwlock_t *rwlock);
	int (*rwlock_wrlock)(pthread_rwlock_t *rwlock);
	int (*rwlock_tryrdlock)(pthread_rwlock_t *rwlock);
	int (*rwlock_trywrlock)(pthread_rwlock_t *rwlock);
	int (*rwlock_timedrdlock)(pthread_rwlock_t *rwlock, const struct timespec *until);
	int (*rwlock_timedwrlock)(pthread_rwlock_t *rwlock, const struct timespec *until);
	int (*rwlock_clockrdlock)(pthread_rwlock_t *rwlock, clockid_t clock,
				  const struct timespec *until);
	int (*rwlock_clockwrlock)(pthread_rwlock_t *rwlock, clockid_t clock,
				  const struct timespec *until);
	int (*rwlock_unlock)(pthread_rwlock_t *rwlock);
	int (*cond_wait)(pthread_cond_t *cond, pthread_mutex_t *mutex);
	int (*cond_timedwait)(pthread_cond_t *cond, pthread_mutex_t *mutex,
			      const struct timespec *until);
	int (*cond_clockwait)(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
			      const struct timespec *until);
	int (*cond_signal)(pthread_cond_t *cond);
	int (*cond_broadcast)(pthread_cond_t *cond);
};

/* NULL until they were found. */
extern const struct locks *locks_found __attribute__((visibility("hidden")));

/*
 * locks_find() - look them up
 *
 * Context: any thread. Keeps errno.
 * Return: NULL to a thread that is looking them up at this moment. What the dynamic linker calls
 * then (an allocator that has locks, say) locks and unlocks before it is done: the wrappers report
 * success and do neither, which nobody can notice while the process has one thread.
 */
const struct locks *locks_find(void);

static inline const struct locks *locks_real(void)
{
	const struct locks *found = tacho_load_acquire(&locks_found);

	return __builtin_expect(found != NULL, 1) ? found : locks_find();
}

#endif
