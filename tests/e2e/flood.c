/* SPDX-License-Identifier: MIT */
/*
 * flood.c - a program that records as fast as it can, or somewhat slower.
 *
 *	flood THREADS COUNT [PAUSE_US]
 *
 * Each thread, on a CPU of its own if there are so many, records flood:tick COUNT times, or until the
 * end of the input if COUNT is 0, with a number that grows by one; after each 1000 it pauses. It
 * prints "ready" when all have begun, and what each has recorded: "THREAD COUNT".
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <tacho/event.h>

#define THREADS_MAX 64
#define BATCH       1000

struct thread {
	pthread_t id;
	int number;
	unsigned long count;
};

static atomic_int is_over;
static atomic_int begun;
static unsigned long wanted;
static useconds_t pause_us;

static void choose_cpu(int number)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(number % sysconf(_SC_NPROCESSORS_ONLN), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

static int has_more(const struct thread *thread)
{
	return wanted ? thread->count < wanted : !is_over;
}

static void *run(void *arg)
{
	struct thread *thread = arg;

	choose_cpu(thread->number);
	while (has_more(thread)) {
		tacho_event(flood, tick, "thread", thread->number, "number", thread->count);
		if (++thread->count == 1)
			begun++;
		if (pause_us && thread->count % BATCH == 0)
			usleep(pause_us);
	}
	return NULL;
}

static void await_the_end(int threads)
{
	while (begun < threads)
		usleep(1000);
	puts("ready");
	fflush(stdout);
	while (!wanted && getchar() != EOF)
		;
	is_over = 1;
}

int main(int argc, char **argv)
{
	struct thread threads[THREADS_MAX] = { 0 };
	int count = argc > 2 ? atoi(argv[1]) : 0;

	if (count < 1 || count > THREADS_MAX)
		return 2;
	wanted = strtoul(argv[2], NULL, 10);
	pause_us = argc > 3 ? (useconds_t)atoi(argv[3]) : 0;
	for (int i = 0; i < count; i++) {
		threads[i].number = i;
		if (pthread_create(&threads[i].id, NULL, run, &threads[i]))
			return 1;
	}
	await_the_end(count);
	for (int i = 0; i < count; i++) {
		pthread_join(threads[i].id, NULL);
		printf("%d %lu\n", i, threads[i].count);
	}
	return 0;
}
