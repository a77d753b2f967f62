/* SPDX-License-Identifier: MIT */
/*
 * malloc_stress.c - allocates in many threads, while the program forks, execs, loads libraries and
 * is interrupted by signals. How often is known.
 *
 *      malloc_stress THREADS LOOPS CHILDREN
 *
 * In each process, 1 + 2 x CHILDREN of them (forked ones; forked ones that exec this program
 * again, by vfork), each thread calls
 *
 *      LOOPS x malloc(MARK), then of every four blocks: one is freed, one is reallocated to
 *      MARK + 1 and freed, one is freed by another thread, one by the thread's destructors.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define MARK 70001

struct block {
	struct block *next;
};

static pthread_key_t at_exit_key;
static _Atomic(struct block *) handed_over;
static int loops;

static void on_alarm(int signal)
{
	(void)signal;
}

static void free_list(struct block *list)
{
	while (list) {
		struct block *next = list->next;

		free(list);
		list = next;
	}
}

static void at_thread_exit(void *list)
{
	free_list(list);
}

static void hand_over(struct block *block)
{
	block->next = atomic_load(&handed_over);
	while (!atomic_compare_exchange_weak(&handed_over, &block->next, block))
		;
}

static struct block *allocate(void)
{
	struct block *block = malloc(MARK);

	if (!block)
		abort();
	block->next = NULL;
	return block;
}

static void *work(void *unused)
{
	struct block *list = NULL;

	for (int i = 0; i < loops; i++) {
		struct block *block = allocate();

		if (i % 4 == 0) {
			free(block);
		} else if (i % 4 == 1) {
			free(realloc(block, MARK + 1));
		} else if (i % 4 == 2) {
			hand_over(block);
			free_list(atomic_exchange(&handed_over, NULL));
		} else {
			block->next = list;
			list = block;
		}
	}
	pthread_setspecific(at_exit_key, list);
	return unused;
}

static void start_alarms(void)
{
	const struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	const struct itimerval every = { { 0, 700 }, { 0, 700 } };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
}

static void load_libraries(void)
{
	for (int i = 0; i < 10; i++) {
		void *library = dlopen("libresolv.so.2", RTLD_NOW);

		dlsym(library, "no such symbol");
		dlerror();
		if (library)
			dlclose(library);
	}
}

/* Every second thread has the smallest stack that there is: recording has to fit. */
static void start_thread(pthread_t *thread, bool is_small)
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	if (is_small)
		pthread_attr_setstacksize(&attributes, (size_t)sysconf(_SC_THREAD_STACK_MIN));
	if (pthread_create(thread, &attributes, work, NULL))
		abort();
	pthread_attr_destroy(&attributes);
}

static void run_threads(int count)
{
	pthread_t thread[64];

	for (int i = 0; i < count; i++)
		start_thread(&thread[i], i % 2);
	load_libraries();
	for (int i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
	free_list(atomic_exchange(&handed_over, NULL));
}

static void start_child(int number, int threads, char **argv)
{
	char *again[] = { argv[0], argv[1], argv[2], "0", NULL };

	if (number % 2) {
		if (!vfork()) {
			execv("/proc/self/exe", again);
			_exit(127);
		}
	} else if (!fork()) {
		start_alarms();
		run_threads(threads);
		exit(0);
	}
}

static int wait_for_all(void)
{
	int failed = 0, status;

	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}

int main(int argc, char **argv)
{
	int threads, children;

	if (argc != 4)
		return 2;
	threads = atoi(argv[1]);
	loops = atoi(argv[2]);
	children = atoi(argv[3]);
	if (threads > 64)
		return 2;
	pthread_key_create(&at_exit_key, at_thread_exit);
	for (int i = 0; i < 2 * children; i++)
		start_child(i, threads, argv);
	start_alarms();
	run_threads(threads);
	return wait_for_all();
}
