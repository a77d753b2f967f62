/* SPDX-License-Identifier: MIT */
/* loops.c - see loops.h */
#include "loops.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define THREADS_MAX 256

struct request {
	void (*run)(uint64_t count);
	uint64_t count;
	unsigned int threads;
	unsigned int pinned;
	pthread_barrier_t ready; /* all threads run at the same time */
};

struct worker {
	pthread_t thread;
	struct request *request;
	unsigned int index;
	uint64_t spent_ns;
};

static uint64_t cpu_time_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Bind the caller to the n-th CPU of those it may use, counted round and round. */
static void pin(unsigned int n)
{
	cpu_set_t allowed, one;
	int cpu = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	for (n %= (unsigned int)CPU_COUNT(&allowed); n || !CPU_ISSET(cpu, &allowed); cpu++)
		n -= CPU_ISSET(cpu, &allowed) != 0;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void *work(void *data)
{
	struct worker *worker = data;
	struct request *request = worker->request;
	uint64_t begin;

	if (request->pinned)
		pin(worker->index);
	pthread_barrier_wait(&request->ready);
	begin = cpu_time_ns();
	request->run(request->count);
	worker->spent_ns = cpu_time_ns() - begin;
	return NULL;
}

/* Return: nanoseconds per iteration, or a negative number. */
static double measure(struct request *request)
{
	struct worker worker[THREADS_MAX];
	uint64_t spent_ns = 0;

	pthread_barrier_init(&request->ready, NULL, request->threads);
	for (unsigned int i = 0; i < request->threads; i++) {
		worker[i] = (struct worker){ .request = request, .index = i };
		if (pthread_create(&worker[i].thread, NULL, work, &worker[i]))
			return -1;
	}
	for (unsigned int i = 0; i < request->threads; i++) {
		pthread_join(worker[i].thread, NULL);
		spent_ns += worker[i].spent_ns;
	}
	pthread_barrier_destroy(&request->ready);
	return (double)spent_ns / (double)request->count / request->threads;
}

static const struct loop *find(const struct loop *loops, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(loops[i].name, name))
			return &loops[i];
	}
	return NULL;
}

/* Return: a negative number if the line is no request, or cannot be done. */
static double answer(const struct loop *loops, size_t count, const char *line)
{
	struct request request;
	const struct loop *loop;
	char name[32];

	if (sscanf(line, "%31s %u %u %" SCNu64, name, &request.threads, &request.pinned,
		   &request.count) != 4)
		return -1;
	loop = find(loops, count, name);
	if (!loop || !request.count || !request.threads || request.threads > THREADS_MAX)
		return -1;
	request.run = loop->run;
	return measure(&request);
}

int loops_main(const struct loop *loops, size_t count)
{
	char line[256];

	while (fgets(line, sizeof(line), stdin)) {
		double ns = answer(loops, count, line);

		if (ns < 0) {
			fprintf(stderr, "bench: cannot do: %s", line);
			return 1;
		}
		printf("%.4f\n", ns);
		fflush(stdout);
	}
	return 0;
}
