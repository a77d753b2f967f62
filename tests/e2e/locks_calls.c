/* SPDX-License-Identifier: MIT */
/*
 * locks_calls.c - calls each function of locks so often as the argument says, and looks at what it
 * returns. Exit status: how many answers were not those of the C library.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WAIT_MS         20
#define LOCK_IS_AWAITED 2 /* what glibc writes into a lock that somebody waits for */

static int wrong;

static void expect(const char *what, int expected, int got)
{
	if (expected == got)
		return;
	fprintf(stderr, "%s gave %d, expected %d\n", what, got, expected);
	wrong++;
}

#define EXPECT(expected, call) expect(#call, expected, call)

static struct timespec after_ms(clockid_t clock, long ms)
{
	struct timespec time;

	clock_gettime(clock, &time);
	time.tv_nsec += ms * 1000000;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

static const struct timespec never = { 0, 1000000000 }; /* not a time */

/* Static initialisers are all that these have. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

/* 6 locks, 3 trylocks, 2 timedlocks, 3 clocklocks, 9 unlocks */
static void call_mutexes(void)
{
	struct timespec soon = after_ms(CLOCK_REALTIME, 1);
	struct timespec soon_mono = after_ms(CLOCK_MONOTONIC, 1);

	EXPECT(0, pthread_mutex_lock(&mutex));
	EXPECT(EBUSY, pthread_mutex_trylock(&mutex));
	EXPECT(ETIMEDOUT, pthread_mutex_timedlock(&mutex, &soon));
	EXPECT(ETIMEDOUT, pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon_mono));
	EXPECT(0, pthread_mutex_unlock(&mutex));
	EXPECT(0, pthread_mutex_timedlock(&mutex, &soon));
	EXPECT(0, pthread_mutex_unlock(&mutex));
	EXPECT(EINVAL, pthread_mutex_clocklock(&mutex, 99, &soon));
	EXPECT(0, pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon_mono));
	EXPECT(0, pthread_mutex_unlock(&mutex));
	EXPECT(0, pthread_mutex_lock(&checked));
	EXPECT(EDEADLK, pthread_mutex_lock(&checked));
	EXPECT(EBUSY, pthread_mutex_trylock(&checked));
	EXPECT(0, pthread_mutex_unlock(&checked));
	EXPECT(EPERM, pthread_mutex_unlock(&checked));
	for (int i = 0; i < 3; i++)
		EXPECT(0, pthread_mutex_lock(&recursive));
	EXPECT(0, pthread_mutex_trylock(&recursive));
	for (int i = 0; i < 4; i++)
		EXPECT(0, pthread_mutex_unlock(&recursive));
}

/* 2 rdlocks, 2 wrlocks, 2 tryrdlocks, 2 trywrlocks, 2 each of the timed ones, 6 unlocks */
static void call_rwlocks(void)
{
	struct timespec soon = after_ms(CLOCK_REALTIME, 1);
	struct timespec soon_mono = after_ms(CLOCK_MONOTONIC, 1);

	EXPECT(0, pthread_rwlock_rdlock(&rwlock));
	EXPECT(EBUSY, pthread_rwlock_trywrlock(&rwlock));
	EXPECT(0, pthread_rwlock_tryrdlock(&rwlock));
	EXPECT(ETIMEDOUT, pthread_rwlock_timedwrlock(&rwlock, &soon));
	EXPECT(0, pthread_rwlock_unlock(&rwlock));
	EXPECT(0, pthread_rwlock_unlock(&rwlock));
	EXPECT(0, pthread_rwlock_wrlock(&rwlock));
	EXPECT(EDEADLK, pthread_rwlock_wrlock(&rwlock));
	EXPECT(EDEADLK, pthread_rwlock_rdlock(&rwlock));
	EXPECT(EBUSY, pthread_rwlock_tryrdlock(&rwlock));
	EXPECT(0, pthread_rwlock_unlock(&rwlock));
	EXPECT(EINVAL, pthread_rwlock_timedrdlock(&rwlock, &never));
	EXPECT(0, pthread_rwlock_timedrdlock(&rwlock, &soon));
	EXPECT(0, pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &soon_mono));
	EXPECT(ETIMEDOUT, pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &soon_mono));
	EXPECT(0, pthread_rwlock_unlock(&rwlock));
	EXPECT(0, pthread_rwlock_unlock(&rwlock));
	EXPECT(0, pthread_rwlock_trywrlock(&rwlock));
	EXPECT(EINVAL, pthread_rwlock_timedwrlock(&rwlock, &never));
	EXPECT(EINVAL, pthread_rwlock_clockrdlock(&rwlock, 99, &soon));
	EXPECT(EINVAL, pthread_rwlock_clockwrlock(&rwlock, 99, &soon));
	EXPECT(0, pthread_rwlock_unlock(&rwlock));
}

/* 1 lock, 1 unlock, 2 timedwaits, 1 clockwait, 1 signal, 1 broadcast */
static void call_conds(void)
{
	struct timespec soon = after_ms(CLOCK_REALTIME, 1);
	struct timespec soon_mono = after_ms(CLOCK_MONOTONIC, 1);

	EXPECT(0, pthread_mutex_lock(&mutex));
	EXPECT(ETIMEDOUT, pthread_cond_timedwait(&cond, &mutex, &soon));
	EXPECT(EINVAL, pthread_cond_timedwait(&cond, &mutex, &never));
	EXPECT(ETIMEDOUT, pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &soon_mono));
	EXPECT(0, pthread_cond_signal(&cond));
	EXPECT(0, pthread_cond_broadcast(&cond));
	EXPECT(0, pthread_mutex_unlock(&mutex));
}

static pthread_mutex_t contended = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

static void *hold_for_a_while(void *arg)
{
	const struct timespec hold = { 0, WAIT_MS * 1000000 };

	(void)arg;
	pthread_mutex_lock(&contended);
	pthread_barrier_wait(&barrier);
	while (__atomic_load_n(&contended.__data.__lock, __ATOMIC_RELAXED) != LOCK_IS_AWAITED)
		sched_yield();
	nanosleep(&hold, NULL);
	pthread_mutex_unlock(&contended);
	return NULL;
}

/* 2 locks, one of them waited for; 2 unlocks */
static void wait_for_a_lock(void)
{
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, hold_for_a_while, NULL);
	pthread_barrier_wait(&barrier);
	EXPECT(0, pthread_mutex_lock(&contended));
	EXPECT(0, pthread_mutex_unlock(&contended));
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&barrier);
}

static int cleanups;
static int is_waiting;

static void unlock(void *arg)
{
	cleanups++;
	pthread_mutex_unlock(arg);
}

static void *wait_for_ever(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	is_waiting = 1;
	pthread_cond_signal(&cond);
	for (;;)
		pthread_cond_wait(arg, &mutex);
	pthread_cleanup_pop(1);
	return NULL;
}

/* 2 locks, 2 unlocks, 2 waits (one of them cancelled), 1 signal, if nothing wakes up for nothing */
static void cancel_a_wait(void)
{
	pthread_cond_t nobody = PTHREAD_COND_INITIALIZER;
	pthread_t thread;
	void *result;

	cleanups = is_waiting = 0;
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, NULL, wait_for_ever, &nobody);
	while (!is_waiting)
		pthread_cond_wait(&cond, &mutex);
	pthread_mutex_unlock(&mutex);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	expect("a cancelled thread", 1, result == PTHREAD_CANCELED);
	expect("cleanups", 1, cleanups);
}

/* 2 locks, 1 unlock in this process; 1 lock in a child that dies with it */
static void die_with_a_robust_lock(void)
{
	pthread_mutex_t *robust = mmap(NULL, sizeof(*robust), PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t attr;
	pid_t pid;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(robust, &attr);
	pid = fork();
	if (!pid) {
		pthread_mutex_lock(robust);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	EXPECT(EOWNERDEAD, pthread_mutex_lock(robust));
	EXPECT(0, pthread_mutex_unlock(robust));
	EXPECT(ENOTRECOVERABLE, pthread_mutex_lock(robust));
	munmap(robust, sizeof(*robust));
}

static pthread_key_t key;

static void lock_at_the_end(void *arg)
{
	pthread_mutex_lock(arg);
	pthread_mutex_unlock(arg);
}

static void *set_key(void *arg)
{
	pthread_setspecific(key, arg);
	return NULL;
}

/* 1 lock and 1 unlock in the destructor of a thread */
static void end_a_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, set_key, &mutex);
	pthread_join(thread, NULL);
}

/* Before main(), and before the constructors of most libraries. */
static __attribute__((constructor(101))) void lock_early(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	pthread_key_create(&key, lock_at_the_end);
	for (int i = 0; i < rounds; i++) {
		call_mutexes();
		call_rwlocks();
		call_conds();
		wait_for_a_lock();
		cancel_a_wait();
		die_with_a_robust_lock();
		end_a_thread();
	}
	return wrong > 100 ? 100 : wrong;
}
