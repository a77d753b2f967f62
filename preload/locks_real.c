/* SPDX-License-Identifier: MIT */
/*
 * locks_real.c - see locks_real.h
 *
 *      locks_find:A  next.* = dlsym(RTLD_NEXT, ..)     locks_real:A  found = locks_found (acquire)
 *      locks_find:B  locks_found = &next (release)     locks_real:B  found->mutex_lock(..)
 *
 *      pairs: locks_find:B with locks_real:A: who sees the pointer sees the functions.
 */
#include "locks_real.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

/*
 * A condition variable of before this version is another object, of a pointer's size; the C library
 * still has its functions. Elsewhere than on x86-64 there never was one.
 */
#ifdef __x86_64__
#define COND_VERSION "GLIBC_2.3.2"
#else
#define COND_VERSION NULL
#endif

const struct locks *locks_found;

static struct locks next;

static __thread bool is_finding __attribute__((tls_model("initial-exec")));

static void *find(const char *name, const char *version)
{
	void *found = version ? dlvsym(RTLD_NEXT, name, version) : NULL;

	return found ? found : dlsym(RTLD_NEXT, name);
}

#define FIND(name, version)                                                                        \
	tacho_store_relaxed(&next.name, (__typeof__(next.name))find("pthread_" #name, version))

static void find_mutex(void)
{
	FIND(mutex_lock, NULL);
	FIND(mutex_trylock, NULL);
	FIND(mutex_timedlock, NULL);
	FIND(mutex_clocklock, NULL);
	FIND(mutex_unlock, NULL);
}

static void find_rwlock(void)
{
	FIND(rwlock_rdlock, NULL);
	FIND(rwlock_wrlock, NULL);
	FIND(rwlock_tryrdlock, NULL);
	FIND(rwlock_trywrlock, NULL);
	FIND(rwlock_timedrdlock, NULL);
	FIND(rwlock_timedwrlock, NULL);
	FIND(rwlock_clockrdlock, NULL);
	FIND(rwlock_clockwrlock, NULL);
	FIND(rwlock_unlock, NULL);
}

static void find_cond(void)
{
	FIND(cond_wait, COND_VERSION);
	FIND(cond_timedwait, COND_VERSION);
	FIND(cond_clockwait, NULL);
	FIND(cond_signal, COND_VERSION);
	FIND(cond_broadcast, COND_VERSION);
}

const struct locks *locks_find(void)
{
	int saved = errno;

	if (is_finding)
		return NULL;
	is_finding = true;
	find_mutex();
	find_rwlock();
	find_cond();
	tacho_store_release(&locks_found, &next); /* locks_find:B */
	is_finding = false;
	errno = saved;
	return &next;
}

/* Early, while there is one thread. */
static __attribute__((constructor(101))) void find_early(void)
{
	locks_real();
}
