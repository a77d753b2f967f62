/* SPDX-License-Identifier: MIT */
/*
 * helpers_stress.c - threads that load FILE and threads that lock, under a timer's signals, while the
 * process forks and starts programs. Exit status: how many children did not end as they should.
 *
 *	LOADERS x LOADS          dlopen() and dlclose()
 *	LOCKERS x LOCKS          a mutex and a read-write lock
 *	FORKS                    children that lock a mutex once; every STARTS_EACHth time two programs
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOADERS     3
#define LOADS       300
#define LOCKERS     3
#define LOCKS       20000
#define FORKS       100
#define STARTS_EACH 20
#define STATUS      7

extern char **environ;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static const char *file;

static void *load(void *arg)
{
	(void)arg;
	for (int i = 0; i < LOADS; i++) {
		void *handle = dlopen(file, RTLD_NOW);

		if (!handle)
			abort();
		dlclose(handle);
	}
	return NULL;
}

static void *lock(void *arg)
{
	(void)arg;
	for (int i = 0; i < LOCKS; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
		pthread_rwlock_rdlock(&rwlock);
		pthread_rwlock_unlock(&rwlock);
	}
	return NULL;
}

static int status_of(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int run_child(void)
{
	pid_t pid = fork();

	if (!pid) {
		pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

		pthread_mutex_lock(&own);
		pthread_mutex_unlock(&own);
		_exit(STATUS);
	}
	return status_of(pid) != STATUS;
}

static int run_programs(void)
{
	char *words[] = { "true", NULL };
	int wrong;
	pid_t pid;

	wrong = posix_spawn(&pid, "/bin/true", NULL, NULL, words, environ) || status_of(pid);
	pid = vfork();
	if (!pid) {
		execv("/bin/true", words);
		_exit(1);
	}
	return wrong + (status_of(pid) != 0);
}

static void ignore(int signal_number)
{
	(void)signal_number;
}

static void tick(void)
{
	const struct itimerval each_ms = { { 0, 1000 }, { 0, 1000 } };
	const struct sigaction action = { .sa_handler = ignore, .sa_flags = SA_RESTART };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &each_ms, NULL);
}

int main(int argc, char **argv)
{
	pthread_t threads[LOADERS + LOCKERS];
	int wrong = 0;

	if (argc != 2)
		return 2;
	file = argv[1];
	tick();
	for (int i = 0; i < LOADERS + LOCKERS; i++)
		pthread_create(&threads[i], NULL, i < LOADERS ? load : lock, NULL);
	for (int i = 0; i < FORKS; i++) {
		wrong += run_child();
		if (i % STARTS_EACH == 0)
			wrong += run_programs();
	}
	for (int i = 0; i < LOADERS + LOCKERS; i++)
		pthread_join(threads[i], NULL);
	return wrong > 100 ? 100 : wrong;
}
