/* SPDX-License-Identifier: MIT */
/* session_rotation.c - chunks of a trace, and what is cleared away (lib/session/drain/rotation.h) */
#include "tests/unit/session_fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#include "base/fd.h"
#include "session/drain/drain.h"
#include "session/drain/rotation.h"
#include "session/state.h"

/* One archived chunk after the other, in order, then the current trace: is it 0 .. @end - 1? */
static void assert_chunks_hold_all(struct fixture *f, uint32_t end, int at_least)
{
	char archives[128];
	uint32_t next = 0;
	char **names;
	int count = 0;

	snprintf(archives, sizeof(archives), "%s/" ARCHIVES_DIR, f->trace);
	assert_int_equal(dir_list(AT_FDCWD, archives, &names), 0);
	while (names[count])
		count++;
	assert_true(count >= at_least);
	for (int chunk = 0; chunk <= count; chunk++) {
		char path[512];
		struct trace_sum sum;

		snprintf(path, sizeof(path), "%s/ust", f->trace);
		for (int i = 0; chunk < count && i < count; i++) {
			if (*names[i] != '.' && atoi(strrchr(names[i], '-') + 1) == chunk)
				snprintf(path, sizeof(path), "%s/%s", archives, names[i]);
		}
		if (access(path, F_OK))
			continue;
		sum = trace_read(path);
		assert_int_equal(sum.gaps, 0);
		assert_int_equal(sum.damages, 0);
		assert_int_equal(sum.lost_packets, 0);
		if (!sum.events)
			continue;
		assert_int_equal(sum.first, next);
		next = (uint32_t)sum.last + 1;
	}
	assert_int_equal(next, end);
	str_array_free(names);
}

static void each_record_is_in_exactly_one_chunk(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_stream(f, &w, &id);
	char path[TACHO_PATH_BYTES];
	uint32_t end = 0;

	for (int i = 0; i < 30; i++) {
		uint32_t more = (uint32_t)(i * i * 3 % 400);

		writer_append_all(&w, id, end, end + more);
		end += more;
		assert_ok(f, session_rotate(session, true, path, &f->error));
		assert_int_equal(access(path, F_OK), 0);
	}
	writer_append_all(&w, id, end, end + 7);
	assert_ok(f, session_stop(session, &f->error));
	assert_chunks_hold_all(f, end + 7, 30);
	writer_close(&w);
	session_close(session);
}

static void stopped_session_is_rotated_once(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	char path[TACHO_PATH_BYTES];
	struct fake_writer w;
	uint32_t id;

	assert_int_equal(session_rotate(session, true, path, &f->error), -ENODATA);
	start_recording(f, session);
	writer_open(f, "s", 0, &w);
	id = table_add(f, "s", "one");
	writer_append_all(&w, id, 0, 100);
	assert_ok(f, session_stop(session, &f->error));
	assert_ok(f, session_rotate(session, true, path, &f->error));
	assert_int_equal(trace_read(path).events, 100);
	assert_int_equal(session_rotate(session, true, path, &f->error), -ENODATA);
	assert_ok(f, session_start(session, &f->error));
	writer_append_all(&w, id, 100, 200);
	assert_ok(f, session_stop(session, &f->error));
	assert_chunks_hold_all(f, 200, 1);
	writer_close(&w);
	session_close(session);
}

/* As on a full file system, where there is no room for a word about it either. */
static void drain_that_can_write_nothing_at_all_is_not_waited_for(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	char path[TACHO_PATH_BYTES];
	struct session_stats stats;

	start_recording(f, session);
	assert_int_equal(mkdirat(session->dir_fd, TROUBLE_FILE, 0700), 0);
	assert_int_equal(mkdirat(session->dir_fd, CHUNK_NEXT_FILE, 0700), 0);
	assert_int_equal(session_rotate(session, true, path, &f->error), -EIO);
	assert_ok(f, session_stats(session, &stats, &f->error));
	assert_true(*stats.drain_error);
	assert_non_null(strstr(f->error.text, stats.drain_error));
	assert_int_equal(unlinkat(session->dir_fd, CHUNK_NEXT_FILE, AT_REMOVEDIR), 0);
	assert_int_equal(unlinkat(session->dir_fd, TROUBLE_FILE, AT_REMOVEDIR), 0);
	assert_ok(f, session_stop(session, &f->error));
	assert_int_equal(session_file(session)->drain_trouble, 0);
	session_close(session);
}

static void flight_recorder_is_not_rotated(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	char path[TACHO_PATH_BYTES];

	assert_int_equal(session_rotate(session, true, path, &f->error), -ENOTSUP);
	assert_non_null(strstr(f->error.text, "tacho snapshot record"));
	session_close(session);
}

static void losses_are_told_by_one_chunk_only(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_stream(f, &w, &id);
	char path[TACHO_PATH_BYTES];

	writer_append_all(&w, id, 0, 10);
	tacho_fetch_add_relaxed(&writer_ring(&w)->lost[TACHO_LOST_FULL], 5);
	tacho_fetch_add_relaxed(&w.rings.map->unattributed[TACHO_LOST_NO_MEMORY], 3);
	assert_ok(f, session_rotate(session, true, path, &f->error));
	assert_int_equal(trace_read(path).lost, 8);
	writer_append_all(&w, id, 10, 20);
	tacho_fetch_add_relaxed(&writer_ring(&w)->lost[TACHO_LOST_FULL], 2);
	assert_ok(f, session_rotate(session, true, path, &f->error));
	assert_int_equal(trace_read(path).lost, 2);
	writer_append_all(&w, id, 20, 30);
	assert_ok(f, session_stop(session, &f->error));
	snprintf(path, sizeof(path), "%s/ust", f->trace);
	assert_int_equal(trace_read(path).lost, 0);
	writer_close(&w);
	session_close(session);
}

/* A child that rotates without end. */
static void rotate_on_and_on(struct session *session)
{
	char path[TACHO_PATH_BYTES];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		session_rotate(session, true, path, NULL);
}

static void drain_killed_while_it_rotates_neither_loses_nor_doubles(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_stream(f, &w, &id);
	uint32_t end = 0;
	pid_t pid;

	pid = fork();
	if (!pid)
		rotate_on_and_on(session);
	for (int i = 0; i < 150; i++) {
		pid_t drain = (pid_t)session_file(session)->drain_pid;
		struct timespec pause = { .tv_nsec = 50000 * (i % 40) };

		writer_append_all(&w, id, end, end + 300);
		end += 300;
		nanosleep(&pause, NULL);
		if (drain > 0 && process_is_alive(drain, session_file(session)->drain_start_time))
			kill(drain, SIGKILL);
		drain_revive_all(&f->runtime);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	drain_revive_all(&f->runtime);
	assert_ok(f, session_stop(session, &f->error));
	assert_chunks_hold_all(f, end, 5);
	assert_int_equal(session_file(session)->drain_damaged, 0);
	writer_close(&w);
	session_close(session);
}

/* A child of which the parent decides how far it comes. */
static pid_t fork_traced(struct session *session, bool is_clear)
{
	char path[TACHO_PATH_BYTES];
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || raise(SIGSTOP))
		_exit(2);
	if (is_clear)
		_exit(session_clear(session, NULL) != 0);
	_exit(session_rotate(session, true, path, NULL) != 0);
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

static void rotation_killed_at_any_system_call_neither_loses_nor_doubles(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_stream(f, &w, &id);
	bool is_over = false;
	uint32_t end = 0;
	int stops;

	for (stops = 1; !is_over; stops++) {
		writer_append_all(&w, id, end, end + 5);
		end += 5;
		assert_ok(f, session_stop(session, &f->error));
		is_over = kill_after(fork_traced(session, false), stops);
		assert_ok(f, session_start(session, &f->error));
		writer_append_all(&w, id, end, end + 3);
		end += 3;
	}
	assert_true(stops > 50);
	assert_ok(f, session_stop(session, &f->error));
	assert_chunks_hold_all(f, end, 1);
	writer_close(&w);
	session_close(session);
}

static bool is_there(const struct fixture *f, const char *below)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/%s", f->trace, below);
	return !access(path, F_OK);
}

/* Of a session that stays stopped: either there is one to be completed, or one has been. */
static void rotation_killed_at_any_system_call_is_completed_by_the_next(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_stream(f, &w, &id);
	char path[TACHO_PATH_BYTES], hidden[64];
	bool is_over = false;
	uint32_t end = 0;
	int ret;

	snprintf(hidden, sizeof(hidden), ARCHIVES_DIR "/.new-%u", geteuid());
	for (int stops = 1; !is_over; stops++) {
		writer_append_all(&w, id, end, end + 5);
		end += 5;
		assert_ok(f, session_stop(session, &f->error));
		is_over = kill_after(fork_traced(session, false), stops);
		ret = session_rotate(session, true, path, &f->error);
		if (ret)
			assert_int_equal(ret, -ENODATA);
		assert_false(is_there(f, "ust"));
		assert_false(is_there(f, hidden));
		assert_ok(f, session_start(session, &f->error));
	}
	assert_ok(f, session_stop(session, &f->error));
	assert_chunks_hold_all(f, end, 1);
	writer_close(&w);
	session_close(session);
}

static void clear_killed_at_any_system_call_leaves_a_trace(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_stream(f, &w, &id);
	struct trace_sum sum;
	bool is_over = false;
	uint32_t end = 0;

	for (int stops = 1; !is_over; stops++) {
		writer_append_all(&w, id, end, end + 5);
		end += 5;
		assert_ok(f, session_stop(session, &f->error));
		is_over = kill_after(fork_traced(session, true), stops);
		assert_ok(f, session_start(session, &f->error));
		writer_append_all(&w, id, end, end + 3);
		end += 3;
		assert_ok(f, session_stop(session, &f->error));
		sum = trace_read(f->trace);
		assert_int_equal(sum.gaps, 0);
		assert_int_equal(sum.damages, 0);
		assert_int_equal(sum.last, end - 1);
		assert_ok(f, session_start(session, &f->error));
	}
	assert_int_equal(sum.first, end - 3);
	assert_ok(f, session_stop(session, &f->error));
	writer_close(&w);
	session_close(session);
}

/* Waits until there are @count archived chunks. */
static void await_chunks(struct fixture *f, int count)
{
	struct timespec pause = { .tv_nsec = 1000000 };
	char archives[128];

	snprintf(archives, sizeof(archives), "%s/" ARCHIVES_DIR, f->trace);
	for (int i = 0; i < 20000; i++) {
		char **names;
		int found = 0;

		if (!dir_list(AT_FDCWD, archives, &names)) {
			for (char **name = names; *name; name++)
				found += **name != '.';
			str_array_free(names);
		}
		if (found >= count)
			return;
		nanosleep(&pause, NULL);
	}
	fail_msg("no %d chunks", count);
}

static void schedule_rotates_by_time_and_by_size(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	struct fake_writer w;
	uint32_t id;

	assert_ok(f, session_schedule_rotation(session, 20000000, 0, &f->error));
	start_recording(f, session);
	writer_open(f, "s", 0, &w);
	id = table_add(f, "s", "one");
	writer_append_all(&w, id, 0, 10);
	await_chunks(f, 1);
	writer_append_all(&w, id, 10, 20);
	await_chunks(f, 2);
	assert_ok(f, session_schedule_rotation(session, 0, 20000, &f->error));
	writer_append_all(&w, id, 20, 4000);
	await_chunks(f, 3);
	assert_ok(f, session_stop(session, &f->error));
	assert_chunks_hold_all(f, 4000, 3);
	writer_close(&w);
	session_close(session);
}

static void clear_drops_what_was_recorded_and_goes_on(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_stream(f, &w, &id);
	struct snapshot_result snapshot;
	struct trace_sum sum;

	writer_append_all(&w, id, 0, 3000);
	tacho_fetch_add_relaxed(&writer_ring(&w)->lost[TACHO_LOST_FULL], 5);
	assert_ok(f, session_clear(session, &f->error));
	writer_append_all(&w, id, 3000, 3100);
	assert_ok(f, session_snapshot(session, NULL, &snapshot, &f->error));
	assert_int_equal(trace_read(snapshot.path).first, 3000);
	assert_ok(f, session_stop(session, &f->error));
	sum = trace_read(f->trace);
	assert_int_equal(sum.first, 3000);
	assert_int_equal(sum.events, 100);
	assert_int_equal(sum.lost, 0);
	assert_int_equal(sum.gaps, 0);
	assert_ok(f, session_clear(session, &f->error));
	assert_ok(f, session_start(session, &f->error));
	writer_append_all(&w, id, 3100, 3150);
	assert_ok(f, session_stop(session, &f->error));
	sum = trace_read(f->trace);
	assert_int_equal(sum.first, 3100);
	assert_int_equal(sum.events, 50);
	writer_close(&w);
	session_close(session);
}

static void cleared_flight_recorder_has_only_what_came_later(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_flight(f, &w, &id);
	struct snapshot_result snapshot;
	struct trace_sum sum;

	writer_append_all(&w, id, 0, 555);
	assert_ok(f, session_clear(session, &f->error));
	writer_append_all(&w, id, 555, 600);
	assert_ok(f, session_snapshot(session, NULL, &snapshot, &f->error));
	sum = trace_read(snapshot.path);
	assert_int_equal(sum.first, 555);
	assert_int_equal(sum.events, 45);
	assert_int_equal(sum.damages, 0);
	writer_close(&w);
	session_close(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		session_test(each_record_is_in_exactly_one_chunk),
		session_test(stopped_session_is_rotated_once),
		session_test(flight_recorder_is_not_rotated),
		session_test(losses_are_told_by_one_chunk_only),
		session_test(drain_killed_while_it_rotates_neither_loses_nor_doubles),
		session_test(rotation_killed_at_any_system_call_neither_loses_nor_doubles),
		session_test(rotation_killed_at_any_system_call_is_completed_by_the_next),
		session_test(clear_killed_at_any_system_call_leaves_a_trace),
		session_test(drain_that_can_write_nothing_at_all_is_not_waited_for),
		session_test(schedule_rotates_by_time_and_by_size),
		session_test(clear_drops_what_was_recorded_and_goes_on),
		session_test(cleared_flight_recorder_has_only_what_came_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
