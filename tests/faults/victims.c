/* SPDX-License-Identifier: MIT */
/*
 * victims.c - processes that record events until they are killed, at random instants.
 *
 *	victims BOOK KILLS SEED
 *
 * So many processes, a few at a time; every fourth is a program that was just executed, the others
 * are forked. Says "ready" when the first was killed, and "killed N" at the end.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <tacho/event.h>

#include "book.h"

#define AT_A_TIME   4
#define LIFE_MAX_US 3000
#define PAUSE_LOOPS 3000

static uint32_t random_below(uint32_t limit)
{
	static uint64_t state;

	if (!state)
		state = limit * 0x9e3779b97f4a7c15ull + 1;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % limit;
}

static void pause_a_little(void)
{
	for (volatile int i = 0; i < PAUSE_LOOPS; i++)
		;
}

static void record_until_killed(struct book *book, uint64_t writer)
{
	struct book_page *page = &book->page[writer];

	for (uint64_t number = 0;; number++) {
		__atomic_store_n(&page->begun, number + 1, __ATOMIC_SEQ_CST);
		tacho_event(fault, tick, "writer", writer, "number", number, "check",
			    book_check(writer, number));
		__atomic_store_n(&page->ended, number + 1, __ATOMIC_SEQ_CST);
		pause_a_little();
	}
}

/* None outlasts the one that is to kill it. */
static void die_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

static pid_t start(const char *path, struct book *book, uint64_t writer)
{
	char number[24];
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid < 0) {
		perror("fork");
		exit(1);
	}
	if (pid)
		return pid;
	die_with(parent);
	if (writer % 4)
		record_until_killed(book, writer);
	snprintf(number, sizeof(number), "%llu", (unsigned long long)writer);
	execl("/proc/self/exe", "victims", path, number, (char *)NULL);
	_exit(1);
}

static void end(pid_t pid)
{
	int status;

	if (!pid)
		return;
	kill(pid, SIGKILL);
	if (waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status) ||
	    WTERMSIG(status) != SIGKILL) {
		fprintf(stderr, "a victim ended by itself, with status %#x\n", (unsigned)status);
		exit(1);
	}
}

static void live(void)
{
	struct timespec some = { .tv_nsec = random_below(LIFE_MAX_US) * 1000L };

	nanosleep(&some, NULL);
}

int main(int argc, char **argv)
{
	pid_t pids[AT_A_TIME] = { 0 };
	uint64_t kills = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
	struct book *book;

	if (argc == 3)
		record_until_killed(book_open(argv[1], 0), strtoull(argv[2], NULL, 10));
	if (!kills)
		return 2;
	random_below((uint32_t)atoi(argv[3]) + 1);
	book = book_open(argv[1], kills);
	for (uint64_t i = 0; i < kills + AT_A_TIME; i++) {
		pid_t *pid = &pids[i % AT_A_TIME];

		end(*pid);
		*pid = i < kills ? start(argv[1], book, i) : 0;
		live();
		if (i == AT_A_TIME)
			puts("ready");
		fflush(stdout);
	}
	printf("killed %llu\n", (unsigned long long)kills);
	return 0;
}
