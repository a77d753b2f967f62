/* SPDX-License-Identifier: MIT */
/*
 * sessions_come_and_go.c - sessions are made and destroyed in the same slot while programs record
 * with threads, signals, plug-ins that are loaded and unloaded, and children of fork(), vfork()
 * and clone(). Whatever begins after a session was made known, and ends before it is stopped, must
 * be in it or in its lost counters, and nothing else.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/alarms.h"
#include "lib/audit.h"
#include "lib/home.h"
#include "lib/scenario.h"
#include "lib/work.h"

#define PROCESSES  2
#define THREADS    4
#define SECONDS    6
#define LEAST      5 /* sessions, however slow the machine is */
#define ALL_KINDS  ((1u << WORK_KINDS) - 1)
#define RING_BYTES (1u << 20)

static struct work_books *books;

/* ---- a process that records ---- */

static bool is_to_stop(void)
{
	return tacho_load_relaxed(&books->stop);
}

static bool begin(void)
{
	return !is_to_stop() && work_begin(books);
}

static void record_once(void)
{
	work_record_some(ALL_KINDS, 1);
}

static void *record_until_stopped(void *unused)
{
	if (!begin())
		return unused;
	while (!is_to_stop()) {
		for (int i = 0; i < 20; i++)
			work_record_some(ALL_KINDS, 0);
		sched_yield();
	}
	work_end();
	return unused;
}

static bool plugin_path(char *ret_path, size_t bytes)
{
	ssize_t n = readlink("/proc/self/exe", ret_path, bytes - 1);
	char *slash;

	if (n <= 0)
		return false;
	ret_path[n] = 0;
	slash = strrchr(ret_path, '/');
	snprintf(slash, bytes - (size_t)(slash - ret_path), "/libstress-plugin.so");
	return true;
}

static void *load_and_unload(void *unused)
{
	char path[512];

	if (!plugin_path(path, sizeof(path)) || !begin())
		return unused;
	while (!is_to_stop()) {
		void *plugin = dlopen(path, RTLD_NOW);
		void (*emit)(uint64_t word);

		if (!plugin)
			die("%s", dlerror());
		*(void **)&emit = dlsym(plugin, "plugin_emit");
		for (int i = 0; i < 10; i++)
			work_record_by(emit, 0);
		dlclose(plugin);
		sched_yield();
	}
	work_end();
	return unused;
}

static void record_a_few(void)
{
	if (!begin())
		return;
	for (int i = 0; i < 30; i++)
		work_record_some(ALL_KINDS, 0);
}

static void reap_child(pid_t pid)
{
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* It has the parent's memory: what it says of itself there, the parent takes back. */
static void make_vfork_child(void)
{
	pid_t pid = vfork();

	if (!pid) {
		record_a_few();
		work_end();
		_exit(0);
	}
	reap_child(pid);
	work_begin(books);
}

/* A child that the C library knows nothing of. */
static void make_raw_child(void)
{
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);

	if (!pid) {
		record_a_few();
		syscall(SYS_exit_group, 0);
	}
	reap_child(pid);
}

static void make_child(void)
{
	pid_t pid = fork();

	if (!pid) {
		record_a_few();
		_exit(0);
	}
	reap_child(pid);
}

static void *make_children(void *unused)
{
	if (!begin())
		return unused;
	while (!is_to_stop() && books->writer_count < WORK_WRITERS - 200) {
		work_record_some(ALL_KINDS, 0);
		make_vfork_child();
		make_child();
		make_raw_child();
		for (int i = 0; i < 50; i++)
			sched_yield();
	}
	work_end();
	return unused;
}

static void process_main(void)
{
	pthread_t threads[THREADS + 2];

	work_begin(books);
	alarms_start(record_once, 1000);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, record_until_stopped, NULL);
	pthread_create(&threads[THREADS], NULL, load_and_unload, NULL);
	pthread_create(&threads[THREADS + 1], NULL, make_children, NULL);
	for (int i = 0; i < THREADS + 2; i++)
		pthread_join(threads[i], NULL);
	alarms_stop();
	exit(0);
}

/* ---- a session's life ---- */

static struct home_session session;
static struct audit audit;

static void make_session(uint32_t number)
{
	struct home_channel channel = {
		"channel0",      number % 3 ? RING_BYTES : RING_BYTES / 4, TACHO_MODE_DISCARD, 0,
		number % 2 == 0,
	};
	struct home_rule rule = { "stress:*", 0 };
	char name[32];

	snprintf(name, sizeof(name), "life-%u", number);
	home_session_create(&session, name, 0, &channel, 1, &rule, 1);
	audit_init(&audit, &session, 0, ALL_KINDS, books);
	home_session_apply(&session);
}

static pid_t pids[PROCESSES];

static bool any_is_gone(void)
{
	siginfo_t info = { 0 };

	for (int i = 0; i < PROCESSES; i++) {
		if (!waitid(P_PID, (id_t)pids[i], &info, WEXITED | WNOHANG | WNOWAIT) &&
		    info.si_pid)
			return true;
	}
	return false;
}

/* Return: how many events there were at least from when this was called until it returned */
static uint64_t let_record(uint64_t events)
{
	uint64_t begun, ended, first;

	audit_books(&audit, &first, &ended);
	do {
		if (!audit_drain(&audit, false))
			sched_yield();
		audit_books(&audit, &begun, &ended);
	} while (ended < first + events && !any_is_gone());
	return ended - first;
}

static bool check_life(uint32_t number, uint64_t least, uint64_t most)
{
	uint64_t found, lost;

	work_pass(books);
	audit_drain(&audit, true);
	found = audit_found(&audit);
	lost = audit_lost(&audit);
	if (!audit.faults && found + lost >= least && found + lost <= most && found)
		return true;
	printf("# session %u: found %llu and lost %llu, not %llu to %llu; %llu faults\n", number,
	       (unsigned long long)found, (unsigned long long)lost, (unsigned long long)least,
	       (unsigned long long)most, (unsigned long long)audit.faults);
	return false;
}

static bool live(uint32_t number)
{
	uint64_t ended_before, begun_after, least, unused;
	struct audit all = { .kinds = ALL_KINDS, .books = books };
	bool good;

	audit_books(&all, &unused, &ended_before);
	make_session(number);
	least = let_record(500 + scenario_random(5000));
	home_session_stop(&session);
	audit_books(&all, &begun_after, &unused);
	good = check_life(number, least, begun_after - ended_before);
	audit_fini(&audit);
	home_session_destroy(&session);
	return good;
}

static bool reap(void)
{
	bool good = true;
	int status;

	for (int i = 0; i < PROCESSES; i++) {
		waitpid(pids[i], &status, 0);
		good &= WIFEXITED(status) && !WEXITSTATUS(status);
		if (WIFSIGNALED(status))
			printf("# a writer was killed by signal %d\n", WTERMSIG(status));
	}
	return good;
}

static bool run(const struct scenario *scenario)
{
	uint64_t deadline = scenario_deadline_ns(2, SECONDS);
	uint32_t lives = 0;
	bool good = true;

	(void)scenario;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	books = work_books_new();
	for (int i = 0; i < PROCESSES; i++) {
		pids[i] = scenario_fork();
		if (!pids[i])
			process_main();
	}
	while (good && (lives < LEAST || scenario_now_ns() < deadline) && !any_is_gone())
		good &= live(lives++);
	tacho_store_relaxed(&books->stop, 1);
	good &= reap();
	printf("# %u sessions, %u writers\n", lives, books->writer_count);
	return good && lives >= LEAST;
}

static const struct scenario scenarios[] = {
	{ .name = "sessions_replace_each_other_in_one_slot", .run = run },
	{ .name = "sessions_replace_each_other_without_rseq", .run = run, .portable = true },
};

int main(int argc, char **argv)
{
	return scenarios_main(scenarios, sizeof(scenarios) / sizeof(scenarios[0]), argc, argv);
}
