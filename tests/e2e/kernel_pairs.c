/* SPDX-License-Identifier: MIT */
/*
 * kernel_pairs.c - COUNT times: an event between two system calls
 *
 *	kernel_pairs COUNT [BURST]
 *
 * COUNT 0: until SIGTERM, in a BURST (200) each 10 ms, so that a busy machine does not make a trace of any
 * size.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <tacho/event.h>

static volatile sig_atomic_t is_over;

static void end(int number)
{
	(void)number;
	is_over = 1;
}

static void pause_after_burst(int i, int burst)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	if (i % burst == burst - 1)
		nanosleep(&pause, NULL);
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;
	int burst = argc > 2 ? atoi(argv[2]) : 200;

	if (burst < 1)
		return 2;
	signal(SIGTERM, end);
	for (int i = 0; (!count || i < count) && !is_over; i++) {
		syscall(SYS_getppid);
		tacho_event(shop, pair, "number", i);
		syscall(SYS_getppid);
		if (!count)
			pause_after_burst(i, burst);
	}
	return 0;
}
