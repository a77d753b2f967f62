/* SPDX-License-Identifier: MIT */
/*
 * torture.c - processes x threads x signals every 200 us x migrations x forks x SIGKILL, through
 * libtacho into rings so small that they wrap all the time, while a drain reads. Every record must
 * be intact, in order and counted.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/alarms.h"
#include "lib/audit.h"
#include "lib/home.h"
#include "lib/scenario.h"
#include "lib/work.h"

#define PROCESSES 3
#define THREADS   4
#define SECONDS   14
#define ALL_KINDS ((1u << WORK_KINDS) - 1)
#define NOT_HUGE  (ALL_KINDS & ~(1u << WORK_HUGE))
#define WORDS     (1u << WORK_WORD8 | 1u << WORK_WORD5 | 1u << WORK_WORD0)

static struct work_books *books;
static uint32_t kinds;

/* ---- a process that records ---- */

static void record_once(void)
{
	work_record_some(kinds, 1);
}

static bool is_to_stop(void)
{
	return __atomic_load_n(&books->stop, __ATOMIC_RELAXED);
}

static void *record_until_stopped(void *tid)
{
	if (!work_begin(books))
		return NULL;
	__atomic_store_n((pid_t *)tid, (pid_t)syscall(SYS_gettid), __ATOMIC_RELAXED);
	while (!is_to_stop()) {
		for (int i = 0; i < 50; i++)
			work_record_some(kinds, 0);
	}
	work_end();
	return NULL;
}

static void fork_once(void)
{
	pid_t pid = fork();

	if (!pid) {
		if (work_begin(books)) {
			for (int i = 0; i < 100; i++)
				work_record_some(kinds, 0);
		}
		_exit(0);
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static void migrate(pid_t tid)
{
	uint32_t choice = scenario_random(3);
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		if (choice == 2 || cpu % 2 == (int)choice)
			CPU_SET(cpu, &set);
	}
	if (tid)
		sched_setaffinity(tid, sizeof(set), &set);
}

static void shake(pid_t *tids)
{
	for (uint32_t round = 1; !is_to_stop(); round++) {
		for (int i = 0; i < THREADS; i++)
			migrate(__atomic_load_n(&tids[i], __ATOMIC_RELAXED));
		for (int i = 0; i < 100; i++)
			work_record_some(kinds, 0);
		if (round % 64 == 0)
			fork_once();
	}
}

static void process_main(void)
{
	static pid_t tids[THREADS];
	pthread_t threads[THREADS];

	work_begin(books);
	alarms_start(record_once, 200);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, record_until_stopped, &tids[i]);
	shake(tids);
	alarms_stop();
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	exit(0);
}

/* ---- the supervisor ---- */

#define AUDITS_MAX 8

static struct home_session session[3];
static struct audit audits[AUDITS_MAX];
static int audit_count;

static void watch(const struct home_session *s, uint32_t channel, uint32_t kinds_there)
{
	audit_init(&audits[audit_count++], s, channel, kinds_there & kinds, books);
}

static void make_one_session(const struct scenario *s)
{
	struct home_channel channel = { "channel0", s->ring_bytes, s->mode, UINT64_MAX, false };
	struct home_rule rule = { "stress:*", 0 };

	if (s->kill)
		home_first_id(TACHO_ID_COMPACT_MAX - 2);
	home_session_create(&session[0], "one", 0, &channel, 1, &rule, 1);
	watch(&session[0], 0, ALL_KINDS);
}

static void make_many_sessions(const struct scenario *s)
{
	struct home_channel small[] = {
		{ "channel0", s->ring_bytes, TACHO_MODE_DISCARD, 0, false },
		{ "second", s->ring_bytes * 2, TACHO_MODE_OVERWRITE, 0, false },
	};
	struct home_channel late = { "late", s->ring_bytes, TACHO_MODE_DISCARD, 0, true };
	struct home_rule words[] = { { "stress:word*", 0 },
				     { "stress:word8", 1 },
				     { "*:blob", 1 } };
	struct home_rule all = { "*", 0 };

	/* Some ids fit a compact header, and some do not; then none does. */
	home_first_id(TACHO_ID_COMPACT_MAX - 2);
	home_session_create(&session[0], "words", 0, small, 2, words, 3);
	home_first_id(60000);
	home_session_create(&session[1], "all", 1, small, 1, &all, 1);
	home_session_create(&session[2], "late", 30, &late, 1, &all, 1);
	watch(&session[0], 0, WORDS);
	watch(&session[0], 1, 1u << WORK_WORD8 | 1u << WORK_BLOB);
	watch(&session[1], 0, ALL_KINDS);
	watch(&session[2], 0, ALL_KINDS);
}

/* What the fast path does, too: a second channel, with contexts and ids that take a medium header. */
static void make_two_sessions(const struct scenario *s)
{
	struct home_channel channel = { "channel0", s->ring_bytes, s->mode, UINT64_MAX, false };
	struct home_rule words = { "stress:word*", 0 }, all = { "*", 0 };

	home_session_create(&session[0], "words", 0, &channel, 1, &words, 1);
	home_first_id(TACHO_ID_COMPACT_MAX - 2);
	home_session_create(&session[1], "all", 1, &channel, 1, &all, 1);
	session[1].file->channel[0].contexts = 1 << TACHO_CONTEXT_VPID | 1 << TACHO_CONTEXT_VTID |
					       1 << TACHO_CONTEXT_PROCNAME | 1 << TACHO_CONTEXT_IP;
	watch(&session[0], 0, WORDS);
	watch(&session[1], 0, ALL_KINDS);
}

static void make_sessions(const struct scenario *s)
{
	if (s->sessions == 1)
		make_one_session(s);
	else if (s->sessions == 2)
		make_two_sessions(s);
	else
		make_many_sessions(s);
}

static uint64_t drain(bool all)
{
	uint64_t count = 0;

	for (int i = 0; i < audit_count; i++)
		count += audit_drain(&audits[i], all);
	return count;
}

static void spawn(pid_t *pids)
{
	for (int i = 0; i < PROCESSES; i++) {
		pids[i] = scenario_fork();
		if (!pids[i])
			process_main();
	}
}

/* Drain until @until; then the processes are killed, or told to stop. */
static void work_until(uint64_t until, pid_t *pids, bool with_kill)
{
	while (scenario_now_ns() < until) {
		if (!drain(false))
			sched_yield();
		if (scenario_random(500) == 0)
			audit_look(&audits[scenario_random((uint32_t)audit_count)]);
	}
	for (int i = 0; i < PROCESSES && with_kill; i++) {
		if (scenario_random(2))
			kill(pids[i], SIGKILL);
		drain(false);
	}
	__atomic_store_n(&books->stop, 1, __ATOMIC_RELAXED);
}

/* Return: false if one of them did not end as it should. */
static bool reap(const pid_t *pids, bool with_kill)
{
	bool good = true;
	int status;

	for (int i = 0; i < PROCESSES; i++) {
		while (waitpid(pids[i], &status, WNOHANG) == 0) {
			if (!drain(false))
				sched_yield();
		}
		if (WIFSIGNALED(status) && !(with_kill && WTERMSIG(status) == SIGKILL)) {
			printf("# a writer was killed by signal %d\n", WTERMSIG(status));
			good = false;
		}
	}
	/* What forked children of killed ones still record must not disturb the books. */
	while (with_kill && waitpid(-1, NULL, 0) > 0)
		drain(false);
	__atomic_store_n(&books->stop, 0, __ATOMIC_RELAXED);
	return good;
}

static bool settle(const struct scenario *s)
{
	uint64_t faults = 0;

	if (s->mode == TACHO_MODE_BLOCK && !s->portable && audit_lost(&audits[0])) {
		printf("# a blocking channel lost something\n");
		faults++;
	}
	for (int i = 0; i < audit_count; i++) {
		audit_drain(&audits[i], true);
		audit_settle(&audits[i], !s->kill);
		faults += audits[i].faults;
		audit_fini(&audits[i]);
	}
	return !faults;
}

static int scenario_count(void);

static bool run(const struct scenario *s)
{
	uint64_t deadline = scenario_deadline_ns(scenario_count(), SECONDS);
	pid_t pids[PROCESSES];
	bool good = true;

	/* Children of children come to us, so that we know when all have ended. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	books = work_books_new();
	kinds = s->kinds;
	make_sessions(s);
	do {
		uint64_t round = scenario_now_ns() + 10000000u + scenario_random(300) * 1000000ull;

		spawn(pids);
		work_until(round < deadline ? round : deadline, pids, s->kill);
		good &= reap(pids, s->kill);
	} while (scenario_now_ns() < deadline && books->writer_count < WORK_WRITERS - 1000);
	return settle(s) && good;
}

#define SMALL (16u << 10)
#define LARGE (4u << 20)
#define RSEQ(name, ...)                                                                            \
	{                                                                                          \
		"rseq_writers_" name, run, false, __VA_ARGS__                                      \
	}
#define PORTABLE(name, ...)                                                                        \
	{                                                                                          \
		"portable_writers_" name, run, true, __VA_ARGS__                                   \
	}
#define BOTH(name, ...) RSEQ(name, __VA_ARGS__), PORTABLE(name, __VA_ARGS__)

static const struct scenario scenarios[] = {
	BOTH("that_discard_count_every_loss", TACHO_MODE_DISCARD, SMALL, ALL_KINDS, false, 1),
	BOTH("that_overwrite_leave_whole_records", TACHO_MODE_OVERWRITE, SMALL, ALL_KINDS, false,
	     1),
	RSEQ("that_block_lose_nothing", TACHO_MODE_BLOCK, 4 * SMALL, NOT_HUGE, false, 1),
	/* They lose what finds all shards owned. */
	PORTABLE("that_block_count_every_loss", TACHO_MODE_BLOCK, 4 * SMALL, NOT_HUGE, false, 1),
	BOTH("may_be_killed_in_large_rings", TACHO_MODE_DISCARD, LARGE, ALL_KINDS, true, 1),
	BOTH("may_be_killed_while_they_overwrite", TACHO_MODE_OVERWRITE, SMALL, ALL_KINDS, true, 1),
	BOTH("serve_many_sessions", TACHO_MODE_DISCARD, SMALL, ALL_KINDS, true, 3),
	BOTH("serve_two_sessions_with_contexts", TACHO_MODE_DISCARD, SMALL, ALL_KINDS, false, 2),
	BOTH("may_be_killed_between_two_sessions", TACHO_MODE_OVERWRITE, SMALL, ALL_KINDS, true, 2),
};

static int scenario_count(void)
{
	return (int)(sizeof(scenarios) / sizeof(scenarios[0]));
}

int main(int argc, char **argv)
{
	return scenarios_main(scenarios, scenario_count(), argc, argv);
}
