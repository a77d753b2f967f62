/* SPDX-License-Identifier: MIT */
/*
 * start.c - a program that does nothing but say what it was given: threads, open files, and the
 * memory that is its own. BENCH_TACHO and BENCH_UST: with an event of the tracer's.
 *
 *	start [show]
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#if defined(BENCH_TACHO)
#include <tacho/event.h>
#define EVENT(value) tacho_event(bench, word, "value", (uint32_t)(value))
#elif defined(BENCH_UST)
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "ust-provider.h"
#define EVENT(value) lttng_ust_tracepoint(bench, word, (uint32_t)(value))
#else
#define EVENT(value) (void)(value)
#endif

static int count_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = -3; /* ".", "..", and the directory's own */

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

static void show_status(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];

	while (status && fgets(line, sizeof(line), status)) {
		if (!strncmp(line, "Threads:", 8) || !strncmp(line, "VmRSS:", 6))
			fputs(line, stdout);
	}
	if (status)
		fclose(status);
}

int main(int argc, char **argv)
{
	(void)argv;
	EVENT(argc);
	if (argc < 2)
		return 0;
	printf("Files: %d\n", count_files());
	show_status();
	return 0;
}
