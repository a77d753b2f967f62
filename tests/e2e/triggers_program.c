/* SPDX-License-Identifier: MIT */
/*
 * triggers_program.c - does what its standard input says, a line each, and answers with a line:
 *
 *	number N             the event demo:number           -> "done"
 *	alarm N              the event demo:alarm            -> "done"
 *	snapshot REASON      tacho_snapshot()                -> what it returned
 *	flood THREADS COUNT  each of them COUNT times demo:alarm   -> nanoseconds it took
 *	tick MS              for so long, another thread's demo:tick each 2 microseconds; after a quarter
 *	                     of it demo:alarm                -> "done"
 *	wait                 for that thread                 -> "done"
 *	state                -> number of open files, of threads
 */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tacho/control.h>
#include <tacho/event.h>

#define THREADS_MAX 64

static long flood_count;

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void *flood_thread(void *arg)
{
	(void)arg;
	for (long i = 0; i < flood_count; i++)
		tacho_event(demo, alarm, "n", i);
	return NULL;
}

static void flood(int threads, long count)
{
	pthread_t thread[THREADS_MAX];
	long long begin = now_ns();

	flood_count = count;
	for (int i = 0; i < threads && i < THREADS_MAX; i++)
		pthread_create(&thread[i], NULL, flood_thread, NULL);
	for (int i = 0; i < threads && i < THREADS_MAX; i++)
		pthread_join(thread[i], NULL);
	printf("%lld\n", now_ns() - begin);
}

static pthread_t ticker;

static void *tick_thread(void *arg)
{
	long long end = now_ns() + *(long *)arg * 1000000, next = now_ns();

	while (now_ns() < end) {
		tacho_event(demo, tick);
		for (next += 2000; now_ns() < next;)
			;
	}
	return NULL;
}

static void tick(long ms)
{
	static long for_ms;
	struct timespec quarter = { .tv_nsec = ms * 250000 };

	for_ms = ms;
	pthread_create(&ticker, NULL, tick_thread, &for_ms);
	nanosleep(&quarter, NULL);
	tacho_event(demo, alarm, "n", -1);
}

static int entries(const char *path)
{
	DIR *dir = opendir(path);
	int count = 0;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count - 2;
}

static void obey(char *line)
{
	long a = 0, b = 0;

	if (sscanf(line, "number %ld", &a) == 1) {
		tacho_event(demo, number, "n", a);
		puts("done");
	} else if (sscanf(line, "alarm %ld", &a) == 1) {
		tacho_event(demo, alarm, "n", a);
		puts("done");
	} else if (sscanf(line, "flood %ld %ld", &a, &b) == 2) {
		flood((int)a, b);
	} else if (!strncmp(line, "snapshot ", 9)) {
		printf("%d\n", tacho_snapshot(line + 9));
	} else if (sscanf(line, "tick %ld", &a) == 1) {
		tick(a);
		puts("done");
	} else if (!strcmp(line, "wait")) {
		pthread_join(ticker, NULL);
		puts("done");
	} else if (!strcmp(line, "state")) {
		printf("%d %d\n", entries("/proc/self/fd"), entries("/proc/self/task"));
	} else {
		puts("what?");
	}
	fflush(stdout);
}

int main(void)
{
	char line[1024];

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		obey(line);
	}
	return 0;
}
