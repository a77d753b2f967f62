/* SPDX-License-Identifier: MIT */
/* kernel_pairs.c - COUNT times: an event between two system calls; 0: until SIGTERM, in bursts, so that a
 * busy machine does not make a trace of any size. */
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

static void pause_after_burst(int i)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	if (i % 200 == 199)
		nanosleep(&pause, NULL);
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;

	signal(SIGTERM, end);
	for (int i = 0; (!count || i < count) && !is_over; i++) {
		syscall(SYS_getppid);
		tacho_event(shop, pair, "number", i);
		syscall(SYS_getppid);
		if (!count)
			pause_after_burst(i);
	}
	return 0;
}
