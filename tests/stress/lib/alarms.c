/* SPDX-License-Identifier: MIT */
/* alarms.c - see alarms.h */
#include "alarms.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

static void (*record_in_handler)(void);

static void on_alarm(int signal)
{
	int saved = errno;

	(void)signal;
	errno = 4711;
	record_in_handler();
	if (errno != 4711)
		abort();
	errno = saved;
}

static void do_nothing(int signal)
{
	(void)signal;
}

static void set_timer(int us)
{
	struct itimerval every = { { 0, us }, { 0, us } };

	setitimer(ITIMER_REAL, &every, NULL);
}

static void handle(void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };

	sigaction(SIGALRM, &action, NULL);
}

void alarms_start(void (*record)(void), int us)
{
	record_in_handler = record;
	handle(on_alarm);
	set_timer(us);
}

/* Not SIG_IGN: QEMU 7.2, emulating a process, may have decided to deliver a signal when the handler
 * changes, and calls what it finds. */
void alarms_stop(void)
{
	set_timer(0);
	handle(do_nothing);
}
