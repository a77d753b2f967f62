/* SPDX-License-Identifier: MIT */
/* locks_threads.c - THREADS that each take one mutex, which they share, ROUNDS times. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS_MAX 64

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long rounds, counter;

static void *take_it(void *arg)
{
	(void)arg;
	for (long i = 0; i < rounds; i++) {
		pthread_mutex_lock(&mutex);
		counter++;
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	long count;

	if (argc != 3 || (count = atol(argv[1])) > THREADS_MAX)
		return 2;
	rounds = atol(argv[2]);
	for (long i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, take_it, NULL);
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return counter != count * rounds;
}
