/* SPDX-License-Identifier: MIT */
/*
 * forks_below_owner.c - a signal handler forks while its thread owns a ring of the portable writer, at
 * each instruction in turn. The child returns from the handler only when its parent has disowned the
 * ring, and written more to it. Nothing of the parent's may be damaged by what the child does then; and
 * what both record afterwards is there.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/audit.h"
#include "lib/home.h"
#include "lib/scenario.h"
#include "lib/stepper.h"
#include "lib/work.h"
#include "ring/writer.h"

/* At least what ring_append_owned() has. Who is behind it, and owns nothing, does not fork. */
#define LAST_FUNCTION_BYTES 1024
#define RECORDS_OF_PARENT   5
#define RECORDS_OF_CHILD    3
/* Instructions of what is looked at: fewer would mean that it is not what is run. */
#define FORKS_MIN 100

static struct work_books *books;
static struct home_session session;
static struct audit audit;
static int go[2];
static uint32_t *forks; /* shared with those who do */
static volatile sig_atomic_t is_child, has_child;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void record(int count)
{
	for (int i = 0; i < count; i++)
		work_record(WORK_WORD8, 0);
}

static void fork_here(int signal)
{
	char byte;
	pid_t pid;

	(void)signal;
	if (!tacho_thread.owning)
		return;
	++*forks;
	pid = fork();
	has_child = pid > 0;
	is_child = !pid;
	if (is_child && read(go[0], &byte, 1) != 1)
		_exit(1);
}

static void let_child_go(void)
{
	int status;

	record(RECORDS_OF_PARENT);
	if (write(go[1], "", 1) != 1 || wait(&status) < 0 || status)
		_exit(1);
	has_child = 0;
}

static void be_traced(void)
{
	struct sigaction action = { .sa_handler = fork_here };
	sigset_t child_ends;

	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&child_ends);
	sigaddset(&child_ends, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child_ends, NULL);
	stepper_attach_me();
	work_begin(books);
	for (;;) {
		stepper_mark();
		record(1);
		if (is_child) {
			work_begin(books);
			record(RECORDS_OF_CHILD);
			_exit(0);
		}
		if (has_child)
			let_child_go();
	}
}

static void expect_mark(pid_t pid)
{
	if (stepper_wait(pid, 0) != STEPPER_MARK)
		fail("the program that forks does not go on");
}

/* It may not come there. */
static void fork_at(pid_t pid, uint64_t there)
{
	stepper_go(pid, there, 0);
	if (stepper_wait(pid, there) != STEPPER_THERE)
		return;
	stepper_go(pid, 0, SIGUSR1);
	expect_mark(pid);
}

static bool is_all_there(uint64_t events)
{
	uint64_t expected = events + *forks * (RECORDS_OF_PARENT + RECORDS_OF_CHILD);

	audit_drain(&audit, true);
	printf("# %u forks; found %llu of %llu, lost %llu\n", *forks,
	       (unsigned long long)audit_found(&audit), (unsigned long long)expected,
	       (unsigned long long)audit_lost(&audit));
	return !audit.faults && audit_found(&audit) == expected && !audit_lost(&audit) &&
	       *forks >= FORKS_MIN;
}

static bool forks_everywhere(const struct scenario *scenario)
{
	uint64_t at = (uint64_t)ring_own;
	uint64_t end = (uint64_t)ring_append_owned + LAST_FUNCTION_BYTES;
	struct home_channel channel = { "channel0", 4 << 20, TACHO_MODE_DISCARD, UINT64_MAX, false };
	struct home_rule rule = { "*", 0 };
	uint64_t events = 0;
	pid_t pid;

	(void)scenario;
	if (!stepper_works())
		scenario_skip("no hardware breakpoints");
	books = work_books_new();
	home_session_create(&session, "forks", 0, &channel, 1, &rule, 1);
	audit_init(&audit, &session, 0, 1u << WORK_WORD8, books);
	home_session_apply(&session);
	forks = mmap(NULL, sizeof(*forks), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (forks == MAP_FAILED || pipe(go))
		fail("cannot begin");
	pid = scenario_fork();
	if (!pid)
		be_traced();
	expect_mark(pid);
	for (; at < end; at++, events++)
		fork_at(pid, at);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, __WALL);
	return is_all_there(events);
}

static const struct scenario scenarios[] = {
	{ .name = "a_child_forked_below_the_owner_of_a_ring_leaves_it_alone",
	  .run = forks_everywhere,
	  .portable = true },
};

int main(int argc, char **argv)
{
	return scenarios_main(scenarios, sizeof(scenarios) / sizeof(scenarios[0]), argc, argv);
}
