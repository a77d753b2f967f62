/* SPDX-License-Identifier: MIT */
#include "scenario.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "home.h"

uint64_t scenario_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

uint64_t scenario_deadline_ns(int count, double seconds)
{
	const char *wanted = getenv("TACHO_STRESS_SECONDS");

	if (wanted)
		seconds = atof(wanted);
	return scenario_now_ns() + (uint64_t)(seconds / count * 1e9);
}

uint32_t scenario_random(uint32_t below)
{
	static uint64_t state;

	if (!state) {
		const char *seed = getenv("TACHO_STRESS_SEED");

		state = seed ? strtoull(seed, NULL, 0) | 1 : 0x2545f4914f6cdd1dull;
	}
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32) % below;
}

#define EXIT_SKIP 77

void scenario_skip(const char *reason)
{
	printf("# skip: %s\n", reason);
	exit(EXIT_SKIP);
}

pid_t scenario_fork(void)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(1);
	return 0;
}

/* Return: its exit status */
static int run_in_child(const struct scenario *s, char *program)
{
	char name[256];
	char *args[] = { program, name, NULL };
	int status;
	pid_t pid;

	snprintf(name, sizeof(name), "%s", s->name);
	fflush(stdout);
	pid = scenario_fork();
	if (!pid) {
		close_range(3, ~0u, 0); /* what our caller left open is not the scenario's */
		home_enter(args, s->portable);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		printf("# killed by signal %d\n", WTERMSIG(status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int scenarios_main(const struct scenario *scenarios, int count, int argc, char **argv)
{
	int failed = 0, status;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 0; i < count; i++) {
		const struct scenario *s = &scenarios[i];

		if (argc > 1 && strcmp(argv[1], s->name))
			continue;
		if (home_is_entered())
			return !s->run(s);
		status = run_in_child(s, argv[0]);
		printf("%s %d - %s%s\n", status && status != EXIT_SKIP ? "not ok" : "ok", i + 1,
		       s->name, status == EXIT_SKIP ? " # SKIP" : "");
		failed |= status && status != EXIT_SKIP;
	}
	return failed;
}
