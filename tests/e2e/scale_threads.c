/* SPDX-License-Identifier: MIT */
/*
 * scale_threads.c - many threads that live at the same time, each of which records one event.
 *
 *	scale_threads COUNT
 *
 * It prints "ready" when all have recorded, and ends with its input.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <tacho/event.h>

#define STACK_BYTES (64 << 10)

static pthread_barrier_t all_recorded;
static pthread_mutex_t until_the_end = PTHREAD_MUTEX_INITIALIZER;

static void *record(void *number)
{
	tacho_event(scale, thread, "number", (uint64_t)(uintptr_t)number);
	pthread_barrier_wait(&all_recorded);
	pthread_mutex_lock(&until_the_end);
	pthread_mutex_unlock(&until_the_end);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned int count = argc > 1 ? (unsigned int)atoi(argv[1]) : 0;
	pthread_attr_t small;
	pthread_t *threads = calloc(count + 1u, sizeof(*threads));

	if (!count || !threads)
		return 2;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK_BYTES);
	pthread_barrier_init(&all_recorded, NULL, count + 1);
	pthread_mutex_lock(&until_the_end);
	for (uintptr_t i = 0; i < count; i++) {
		if (pthread_create(&threads[i], &small, record, (void *)i))
			return 1;
	}
	pthread_barrier_wait(&all_recorded);
	puts("ready");
	fflush(stdout);
	while (getchar() != EOF)
		;
	pthread_mutex_unlock(&until_the_end);
	for (unsigned int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}
