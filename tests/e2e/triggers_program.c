/* SPDX-License-Identifier: MIT */
/*
 * triggers_program.c - does what its standard input says, a line each, and answers with a line:
 *
 *	number N             the event demo:number           -> "done"
 *	alarm N              the event demo:alarm            -> "done"
 *	snapshot REASON      tacho_snapshot()                -> what it returned
 *	flood THREADS COUNT  each of them COUNT times demo:alarm   -> nanoseconds it took
 *	latency              demo:alarm; -> CLOCK_MONOTONIC in nanoseconds, just before it
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
	} else if (!strcmp(line, "latency")) {
		long long begin = now_ns();

		tacho_event(demo, alarm, "n", -1);
		printf("%lld\n", begin);
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
