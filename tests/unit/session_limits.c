/* SPDX-License-Identifier: MIT */
/* session_limits.c - trace files of bounded size (lib/session/drain/disk_limits.h, lib/ctf/write/trace.h) */
#include "tests/unit/session_fixture.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#include "base/fd.h"
#include "session/drain/drain.h"
#include "session/state.h"

static struct session *create_limited(struct fixture *f, uint64_t file_bytes, uint32_t file_count,
				      uint64_t max_bytes)
{
	struct session_options options = {
		.name = "s",
		.output = f->trace,
		.streaming = true,
		.max_bytes = max_bytes,
		.channel = {
			.buffer_bytes = 32768,
			.mode = TACHO_MODE_DISCARD,
			.tracefile_bytes = file_bytes,
			.tracefile_count = file_count,
		},
	};
	struct rule_options rule = { .pattern = "*" };
	struct session *session;

	assert_ok(f, session_create(&f->runtime, &options, &session, &f->error));
	assert_ok(f, session_enable_event(session, &rule, &f->error));
	assert_ok(f, session_start(session, &f->error));
	return session;
}

/* The files of streams. */
static int count_files(struct fixture *f, uint64_t *ret_bytes)
{
	char path[256];
	char **names;
	int count = 0;

	snprintf(path, sizeof(path), "%s/ust/uid/%u/64-bit", f->trace, geteuid());
	assert_int_equal(dir_list(AT_FDCWD, path, &names), 0);
	*ret_bytes = 0;
	for (char **name = names; *name; name++) {
		char file[600];
		struct stat st;

		if (strncmp(*name, "channel0_", 9))
			continue;
		snprintf(file, sizeof(file), "%s/%s", path, *name);
		if (stat(file, &st)) /* the drain was faster */
			continue;
		*ret_bytes += (uint64_t)st.st_size;
		count++;
	}
	str_array_free(names);
	return count;
}

static void files_of_bounded_size_hold_all(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_limited(f, 10000, 0, 0);
	struct fake_writer w;
	struct trace_sum sum;
	uint64_t bytes;
	int files;

	writer_open(f, "s", 0, &w);
	writer_append_all(&w, table_add(f, "s", "one"), 0, 10000);
	tacho_fetch_add_relaxed(&writer_ring(&w)->lost[TACHO_LOST_FULL], 4);
	assert_ok(f, session_stop(session, &f->error));
	files = count_files(f, &bytes);
	assert_true(files > 10);
	assert_true(bytes <= (uint64_t)files * 10000);
	sum = trace_read(f->trace);
	assert_int_equal(sum.events, 10000);
	assert_int_equal(sum.gaps, 0);
	assert_int_equal(sum.damages, 0);
	assert_int_equal(sum.lost_packets, 0);
	assert_int_equal(sum.lost, 4); /* not in each file anew */
	writer_close(&w);
	session_close(session);
}

static void bounded_number_of_files_keeps_the_newest(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_limited(f, 10000, 3, 0);
	struct fake_writer w;
	struct trace_sum sum;
	uint64_t bytes;
	uint32_t id;

	writer_open(f, "s", 0, &w);
	id = table_add(f, "s", "one");
	for (uint32_t round = 0; round < 5; round++) {
		writer_append_all(&w, id, round * 3000, (round + 1) * 3000);
		assert_ok(f, session_stop(session, &f->error));
		assert_int_equal(count_files(f, &bytes), 3);
		sum = trace_read(f->trace);
		assert_int_equal(sum.last, round * 3000 + 2999);
		assert_int_equal(sum.gaps, 0);
		assert_int_equal(sum.damages, 0);
		assert_true(sum.events > 700);
		assert_ok(f, session_start(session, &f->error));
	}
	writer_close(&w);
	session_close(session);
}

static void bounded_trace_keeps_the_newest_of_all_streams(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_limited(f, 0, 0, 200000);
	struct fake_writer idle;
	struct fake_writer w;
	struct trace_sum sum;
	uint64_t bytes;
	uint32_t id;

	id = table_add(f, "s", "one");
	writer_open(f, "s", 0, &w);
	if (ring_is_allocated(&w.rings, 1)) {
		writer_open(f, "s", 1, &idle); /* whose records are the oldest */
		writer_append_all(&idle, id, 0, 1);
		writer_close(&idle);
	}
	writer_close(&w);
	writer_open(f, "s", 0, &w);
	for (uint32_t round = 0; round < 10; round++) {
		writer_append_all(&w, id, round * 5000, (round + 1) * 5000);
		count_files(f, &bytes);
		assert_true(bytes <= 200000 + 200000 / 16);
	}
	assert_ok(f, session_stop(session, &f->error));
	count_files(f, &bytes);
	assert_true(bytes > 100000);
	sum = trace_read(f->trace);
	assert_int_equal(sum.gaps, 0); /* also: nothing is left of the ring that is idle */
	assert_int_equal(sum.damages, 0);
	assert_int_equal(sum.last, 49999);
	assert_int_equal(session_file(session)->drain_damaged, 0);
	writer_close(&w);
	session_close(session);
}

/* ---- killed at any system call ---- */

static void kill_drain(struct session *session)
{
	kill((pid_t)session_file(session)->drain_pid, SIGKILL);
	fd_close(drain_lock(session, true));
}

static void stop_traced(struct session *session)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || raise(SIGSTOP))
		_exit(2);
	_exit(session_stop(session, NULL) != 0);
}

/* Lets @pid begin or end @stops system calls, then kills it. Return: did it end before? */
static bool kill_after(pid_t pid, int stops)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid); /* its SIGSTOP */
	for (int i = 0; i < stops; i++) {
		assert_int_equal(ptrace(PTRACE_SYSCALL, pid, NULL, NULL), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (WIFEXITED(status)) {
			assert_int_equal(WEXITSTATUS(status), 0);
			return true;
		}
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return false;
}

static void change_of_files_killed_at_any_system_call_loses_nothing(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_limited(f, 9000, 4, 0);
	struct fake_writer w;
	bool is_over = false;
	uint32_t end = 0;
	uint32_t id;
	int stops;

	writer_open(f, "s", 0, &w);
	id = table_add(f, "s", "one");
	for (stops = 1; !is_over; stops++) {
		struct trace_sum sum;
		pid_t pid;

		kill_drain(session);
		writer_append_all(&w, id, end, end + 500);
		end += 500;
		pid = fork();
		if (!pid)
			stop_traced(session);
		is_over = kill_after(pid, stops);
		assert_ok(f, session_stop(session, &f->error));
		sum = trace_read(f->trace);
		assert_int_equal(sum.gaps, 0);
		assert_int_equal(sum.damages, 0);
		assert_int_equal(sum.lost_packets, 0);
		assert_int_equal(sum.last, end - 1);
		assert_true(sum.events >= 500);
		assert_ok(f, session_start(session, &f->error));
	}
	assert_true(stops > 50);
	assert_ok(f, session_stop(session, &f->error));
	writer_close(&w);
	session_close(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		session_test(files_of_bounded_size_hold_all),
		session_test(bounded_number_of_files_keeps_the_newest),
		session_test(bounded_trace_keeps_the_newest_of_all_streams),
		session_test(change_of_files_killed_at_any_system_call_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
