/* SPDX-License-Identifier: MIT */
/*
 * upset.c SECONDS PROGRAM ARGUMENT.. - runs a stress test, and as long as it lives upsets the machine below
 * it: takes all CPUs but the first away and gives them back, sets the time of day back, and half suspends
 * (all but the last step, which nobody would wake it from). Of a guest that nobody else uses. Its status is
 * the program's; one line says how often what was done.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CPUS_MAX     64
#define TURN_NS      20000000
#define SUSPEND_EACH 4
#define CPU_DIR      "/sys/devices/system/cpu/cpu%d/online"

struct tally {
	unsigned offline, online, set_back, suspended;
};

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));

	if (fd >= 0)
		close(fd);
	return n > 0;
}

static unsigned turn_cpus(const char *to)
{
	char path[64];
	unsigned count = 0;

	for (int cpu = 1; cpu < CPUS_MAX; cpu++) {
		snprintf(path, sizeof(path), CPU_DIR, cpu);
		count += write_text(path, to);
	}
	return count;
}

static unsigned set_back(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	now.tv_sec -= 3600;
	return !clock_settime(CLOCK_REALTIME, &now);
}

/* Freezes all processes and thaws them; takes away and gives back all CPUs but one. */
static unsigned suspend(void)
{
	return write_text("/sys/power/pm_test", "processors") &&
	       write_text("/sys/power/state", "mem");
}

static void upset(struct tally *tally, unsigned turn)
{
	struct timespec pause = { 0, TURN_NS };

	tally->offline += turn_cpus("0");
	nanosleep(&pause, NULL);
	tally->online += turn_cpus("1");
	tally->set_back += set_back();
	if (turn % SUSPEND_EACH == SUSPEND_EACH - 1)
		tally->suspended += suspend();
	nanosleep(&pause, NULL);
}

int main(int argc, char **argv)
{
	struct tally tally = { 0 };
	int status = -1;
	pid_t pid;

	if (argc < 3)
		return 2;
	setenv("TACHO_STRESS_SECONDS", argv[1], 1);
	puts("# upset");
	fflush(stdout);
	pid = fork();
	if (!pid) {
		execv(argv[2], argv + 2);
		_exit(127);
	}
	for (unsigned turn = 0; waitpid(pid, &status, WNOHANG) == 0; turn++)
		upset(&tally, turn);
	printf("# CPUs taken away %u times, given back %u; time set back %u; suspended %u\n",
	       tally.offline, tally.online, tally.set_back, tally.suspended);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
