/* SPDX-License-Identifier: MIT */
/*
 * thread_names.c - a thread that is recorded, is named by another, is recorded again, names itself,
 * and is recorded once more.
 */
#include <pthread.h>
#include <stddef.h>

#include <tacho/event.h>

static pthread_barrier_t step;

static void *thread(void *arg)
{
	tacho_event(names, unnamed);
	pthread_barrier_wait(&step);
	pthread_barrier_wait(&step);
	tacho_event(names, by_other);
	pthread_setname_np(pthread_self(), "by-itself");
	tacho_event(names, by_itself);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_barrier_init(&step, NULL, 2);
	pthread_create(&t, NULL, thread, NULL);
	pthread_barrier_wait(&step);
	pthread_setname_np(t, "by-other");
	pthread_barrier_wait(&step);
	return pthread_join(t, NULL);
}
