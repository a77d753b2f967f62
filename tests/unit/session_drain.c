/* SPDX-License-Identifier: MIT */
/* session_drain.c - rings on their way to disk: the drain and snapshots (lib/session) */
#include "tests/unit/session_fixture.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "base/fd.h"
#include "session/drain/drain.h"
#include "session/state.h"

static void stop_writes_all_that_was_recorded(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	struct fake_writer w;

	start_recording(f, session);
	writer_open(f, "s", 0, &w);
	writer_append_all(&w, table_add(f, "s", "one"), 0, 20000);
	assert_ok(f, session_stop(session, &f->error));
	assert_trace_is_whole(f->trace, 20000);
	writer_close(&w);
	assert_ok(f, session_destroy(session, &f->error));
}

/* Kills the session's drain, and waits until it is gone. */
static void kill_drain(struct session *session)
{
	pid_t pid = (pid_t)session_file(session)->drain_pid;

	assert_true(pid > 0);
	assert_int_equal(kill(pid, SIGKILL), 0);
	fd_close(drain_lock(session, true));
}

static void stop_completes_what_a_killed_drain_left(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_stream(f, &w, &id);

	writer_append_all(&w, id, 0, 5000);
	kill_drain(session);
	for (uint32_t value = 5000; value < 5100; value++)
		assert_true(writer_append(&w, id, value));
	assert_ok(f, session_stop(session, &f->error));
	assert_trace_is_whole(f->trace, 5100);
	assert_int_equal(session_file(session)->drain_pid, 0);
	writer_close(&w);
	session_close(session);
}

static void drain_killed_again_and_again_neither_loses_nor_doubles(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_stream(f, &w, &id);

	for (uint32_t round = 0; round < 20; round++) {
		writer_append_all(&w, id, round * 3000, (round + 1) * 3000);
		kill_drain(session);
		drain_revive_all(&f->runtime);
	}
	assert_ok(f, session_stop(session, &f->error));
	assert_trace_is_whole(f->trace, 60000);
	assert_int_equal(session_file(session)->drain_damaged, 0);
	writer_close(&w);
	session_close(session);
}

static void session_goes_on_in_the_same_trace_after_a_stop(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_stream(f, &w, &id);
	struct trace_sum sum;

	for (uint32_t round = 0; round < 5; round++) {
		writer_append_all(&w, id, round * 700, (round + 1) * 700);
		assert_ok(f, session_stop(session, &f->error));
		sum = trace_read(f->trace);
		assert_int_equal(sum.events, (round + 1) * 700);
		assert_int_equal(sum.gaps, 0);
		assert_ok(f, session_stop(session, &f->error)); /* harmless */
		assert_ok(f, session_start(session, &f->error));
		assert_ok(f, session_start(session, &f->error)); /* harmless */
	}
	assert_ok(f, session_destroy(session, &f->error));
	writer_close(&w);
	assert_int_equal(trace_read(f->trace).events, 3500);
}

/* Waits until the trace on disk has as many events. */
static void await_events(struct fixture *f, uint64_t events)
{
	struct timespec pause = { .tv_nsec = 2000000 };

	for (int i = 0; i < 5000 && trace_read(f->trace).events != events; i++)
		nanosleep(&pause, NULL);
	assert_int_equal(trace_read(f->trace).events, events);
}

static void trace_grows_while_it_is_recorded(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_stream(f, &w, &id);

	writer_append_all(&w, id, 0, 3);
	await_events(f, 3);
	writer_append_all(&w, table_add(f, "s", "two"), 3, 10);
	await_events(f, 10);
	writer_append_all(&w, id, 10, 1000);
	await_events(f, 1000);
	assert_ok(f, session_destroy(session, &f->error));
	writer_close(&w);
}

static void each_id_of_the_event_table_is_declared(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	struct fake_writer w;
	char name[16];

	start_recording(f, session);
	writer_open(f, "s", 0, &w);
	for (uint32_t i = 0; i < 600; i++) {
		snprintf(name, sizeof(name), "event%u", i);
		writer_append_all(&w, table_add(f, "s", name), i, i + 1);
	}
	assert_ok(f, session_stop(session, &f->error));
	assert_trace_is_whole(f->trace, 600);
	writer_close(&w);
	session_close(session);
}

static void lost_records_are_shown_in_trace_and_stats(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_stream(f, &w, &id);
	struct session_stats stats;
	uint32_t written = 0;
	uint32_t lost = 0;

	kill_drain(session);
	for (int i = 0; i < 4000; i++) {
		if (writer_append(&w, id, written))
			written++;
		else
			lost++;
	}
	assert_true(lost > 0);
	assert_ok(f, session_stop(session, &f->error));
	assert_ok(f, session_stats(session, &stats, &f->error));
	assert_int_equal(stats.lost[TACHO_LOST_FULL], lost);
	assert_int_equal(trace_read(f->trace).events, written);
	assert_int_equal(trace_read(f->trace).lost, lost);
	writer_close(&w);
	session_close(session);
}

static void losses_of_no_ring_are_shown_in_the_first_that_is_written(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	struct fake_writer first, second;
	uint32_t id;

	start_recording(f, session);
	writer_open(f, "s", 0, &first);
	if (!ring_is_allocated(&first.rings, 1))
		test_skip("a second CPU is needed");
	writer_open(f, "s", 1, &second);
	id = table_add(f, "s", "one");
	writer_append_all(&second, id, 0, 10);
	await_events(f, 10);
	tacho_fetch_add_relaxed(&first.rings.map->unattributed[TACHO_LOST_NO_MEMORY], 7);
	assert_ok(f, session_stop(session, &f->error));
	assert_int_equal(trace_read(f->trace).lost, 7);
	assert_ok(f, session_start(session, &f->error));
	writer_append_all(&first, id, 10, 20); /* which now has a stream, too */
	assert_ok(f, session_stop(session, &f->error));
	assert_int_equal(trace_read(f->trace).lost, 7);
	assert_int_equal(trace_read(f->trace).events, 20);
	writer_close(&first);
	writer_close(&second);
	session_close(session);
}

static void losses_of_a_ring_without_a_record_are_shown(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	struct fake_writer first, second;

	start_recording(f, session);
	writer_open(f, "s", 0, &first);
	if (!ring_is_allocated(&first.rings, 1))
		test_skip("a second CPU is needed");
	writer_open(f, "s", 1, &second);
	writer_append_all(&second, table_add(f, "s", "one"), 0, 10);
	tacho_fetch_add_relaxed(&writer_ring(&first)->lost[TACHO_LOST_TOO_BIG], 5);
	assert_ok(f, session_stop(session, &f->error));
	assert_int_equal(trace_read(f->trace).lost, 5);
	writer_close(&first);
	writer_close(&second);
	session_close(session);
}

static void event_of_an_odd_level_hides_no_record(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	struct session_stats stats;
	struct fake_writer w;
	struct trace_sum sum;

	start_recording(f, session);
	writer_open(f, "s", 0, &w);
	writer_append_all(&w, table_add(f, "s", "before"), 0, 1);
	writer_append_all(&w, table_add_odd(f, "s", "odd", 15, 0), 1, 2);
	writer_append_all(&w, table_add(f, "s", "after"), 2, 3);
	assert_ok(f, session_stop(session, &f->error));
	assert_ok(f, session_stats(session, &stats, &f->error));
	sum = trace_read(f->trace);
	assert_int_equal(sum.events, 3);
	assert_int_equal(sum.damages, 0);
	assert_int_equal(stats.damaged, 0);
	writer_close(&w);
	session_close(session);
}

static void record_without_a_description_ends_its_packet_and_is_counted(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id, odd;
	struct session *session = record_stream(f, &w, &id);
	struct session_stats stats;
	struct trace_sum sum;

	odd = table_add_odd(f, "s", "odd", 6, 1);
	writer_append_all(&w, id, 0, 10);
	writer_append_all(&w, odd, 10, 11);
	writer_append_all(&w, id, 11, 1000); /* several sub-buffers */
	kill_drain(session);
	drain_revive_all(&f->runtime);
	writer_append_all(&w, odd, 1000, 1001);
	writer_append_all(&w, id, 1001, 1010);
	assert_ok(f, session_stop(session, &f->error));
	assert_ok(f, session_stats(session, &stats, &f->error));
	sum = trace_read(f->trace);
	assert_true(sum.events > 700);
	assert_int_equal(sum.first, 0);
	assert_int_equal(sum.last, 999);
	assert_int_equal(sum.gaps, 1);
	assert_int_equal(sum.damages, 0);
	assert_int_equal(sum.lost, 2);
	assert_int_equal(stats.damaged, 2);
	writer_close(&w);
	session_close(session);
}

static void damaged_subbuffer_is_left_out_and_counted(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	struct session_stats stats;
	struct fake_writer w;
	struct trace_sum sum;

	start_recording(f, session);
	kill_drain(session);
	writer_open(f, "s", 0, &w);
	writer_append_all(&w, table_add(f, "s", "one"), 0, 1000);
	writer_ring(&w)->subbuf[2].content_end = 0;
	assert_ok(f, session_stop(session, &f->error));
	assert_ok(f, session_stats(session, &stats, &f->error));
	sum = trace_read(f->trace);
	assert_int_equal(sum.last, 999);
	assert_int_equal(sum.gaps, 1);
	assert_int_equal(sum.lost_packets, 1);
	assert_int_equal(stats.damaged, 1);
	writer_close(&w);
	session_close(session);
}

static void drain_is_nobodys_child_and_holds_no_foreign_file(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	struct session_stats stats;
	char path[64];
	char target[300];
	int pipe_fds[2];
	ssize_t n;

	assert_int_equal(pipe(pipe_fds), 0);
	start_recording(f, session);
	assert_ok(f, session_stats(session, &stats, &f->error));
	assert_true(stats.drain_alive);
	assert_int_equal(waitpid(stats.drain_pid, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	snprintf(path, sizeof(path), "/proc/%d/fd/1", (int)stats.drain_pid);
	n = readlink(path, target, sizeof(target) - 1);
	assert_true(n > 0);
	target[n] = 0;
	assert_string_equal(target, "/dev/null");
	/* Nobody else has the other end: so the read ends. */
	close(pipe_fds[1]);
	assert_int_equal(read(pipe_fds[0], target, 1), 0);
	close(pipe_fds[0]);
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)stats.drain_pid);
	assert_true(file_read_text(AT_FDCWD, path, target, sizeof(target)) > 0);
	assert_string_equal(target, "tacho-drain");
	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)stats.drain_pid);
	memset(target, 0, sizeof(target));
	assert_true(file_read_text(AT_FDCWD, path, target, sizeof(target)) > 0);
	assert_string_equal(target, "tacho-drain s");
	assert_ok(f, session_destroy(session, &f->error));
}

/* A limit of the file's size is the full disk of this test. */
static void full_disk_is_told_and_loses_nothing_that_the_rings_hold(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	struct rlimit before;
	struct rlimit small;
	struct trace_sum sum;
	struct fake_writer w;
	uint32_t id;

	writer_open(f, "s", 0, &w);
	id = table_add(f, "s", "one");
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = (struct rlimit){ 6000, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	start_recording(f, session);
	for (uint32_t value = 0; value < 1500; value++)
		assert_true(writer_append(&w, id, value));
	assert_int_equal(session_destroy(session, &f->error), -EFBIG);
	assert_non_null(strstr(f->error.text, "is not complete"));
	assert_non_null(strstr(f->error.text, "mend that, then: tacho destroy 's'; "));
	assert_non_null(strstr(f->error.text, "--discard 's'"));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_ok(f, session_stop(session, &f->error));
	sum = trace_read(f->trace);
	assert_int_equal(sum.events, 1500);
	assert_int_equal(sum.gaps, 0);
	assert_false(exists(f, "sessions/s/drain-error"));
	writer_close(&w);
	assert_ok(f, session_destroy(session, &f->error));
}

/* A tool that is killed while it holds the session lock, and has a drain. */
static void lock_and_die(struct fixture *f)
{
	struct session *session;

	if (session_open(&f->runtime, "s", &session, &f->error) ||
	    session_lock(session, &f->error) || drain_begin(session, &f->error))
		_exit(1);
	raise(SIGKILL);
}

static void killed_tool_leaves_no_lock_behind(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	pid_t pid = fork();
	int status;
	int fd;

	if (!pid)
		lock_and_die(f);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(drain_lock(session, false), -EWOULDBLOCK); /* the drain is alive */
	fd = openat(f->runtime.fd, "sessions/s/session", O_RDWR);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	close(fd);
	start_recording(f, session);
	assert_ok(f, session_destroy(session, &f->error));
}

static void destroyed_session_ends_its_drain(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	pid_t pid;

	start_recording(f, session);
	pid = (pid_t)session_file(session)->drain_pid;
	assert_ok(f, session_discard(session, &f->error));
	assert_true(kill(pid, 0) || !process_is_alive(pid, 0));
}

static void drain_of_a_removed_runtime_directory_writes_the_rest_and_ends(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	struct fake_writer w;
	int lock_fd;
	pid_t pid;

	start_recording(f, session);
	lock_fd = openat(f->runtime.fd, "sessions/s/drain", O_RDWR);
	writer_open(f, "s", 0, &w);
	pid = (pid_t)session_file(session)->drain_pid;
	assert_int_equal(kill(pid, SIGSTOP), 0);
	writer_append_all(&w, table_add(f, "s", "one"), 0, 100);
	assert_int_equal(nftw(f->run, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
	assert_int_equal(kill(pid, SIGCONT), 0);
	assert_int_equal(flock(lock_fd, LOCK_EX), 0); /* its end */
	assert_int_equal(trace_read(f->trace).events, 100);
	close(lock_fd);
	writer_close(&w);
	session_close(session);
}

static void drain_of_a_damaged_or_replaced_session_ends(void **state)
{
	struct fixture *f = *state;
	struct session *session;
	int lock_fd;

	for (int round = 0; round < 2; round++) {
		session = create_session(f, "s", true, TACHO_MODE_DISCARD);
		start_recording(f, session);
		lock_fd = openat(f->runtime.fd, "sessions/s/drain", O_RDWR);
		if (round) {
			assert_int_equal(unlinkat(session->dir_fd, "session", 0), 0);
			assert_int_equal(mkfifoat(session->dir_fd, "session", 0600), 0);
		} else {
			session->file->magic ^= 1;
		}
		assert_int_equal(flock(lock_fd, LOCK_EX), 0); /* its end */
		close(lock_fd);
		session_close(session);
		assert_int_equal(dir_remove(f->runtime.fd, "sessions/s"), 0);
		nftw(f->trace, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	}
}

static void drain_stopped_during_destroy_ends_when_it_goes_on(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	int lock_fd;
	pid_t pid;

	start_recording(f, session);
	lock_fd = openat(f->runtime.fd, "sessions/s/drain", O_RDWR);
	pid = (pid_t)session_file(session)->drain_pid;
	assert_int_equal(kill(pid, SIGSTOP), 0);
	assert_ok(f, session_discard(session, &f->error));
	assert_int_equal(kill(pid, SIGCONT), 0);
	assert_int_equal(flock(lock_fd, LOCK_EX), 0); /* its end */
	close(lock_fd);
}

static void blocked_writers_are_woken(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_BLOCK);
	struct fake_writer w;
	struct timespec long_time = { .tv_sec = 20 };
	uint32_t id;

	writer_open(f, "s", 0, &w);
	id = table_add(f, "s", "one");
	while (writer_append(&w, id, 1))
		;
	start_recording(f, session);
	syscall(SYS_futex, &writer_ring(&w)->release_futex, FUTEX_WAIT, 0, &long_time, NULL, 0);
	assert_true(tacho_load_acquire(&writer_ring(&w)->released) > 0);
	assert_true(writer_append(&w, id, 1));
	writer_close(&w);
	session_close(session);
}

static int snapshot_into(struct fixture *f, struct session *session, const char *output,
			 struct snapshot_result *ret_result)
{
	struct snapshot_options options = { .output = output };

	return session_snapshot(session, &options, ret_result, &f->error);
}

static void snapshot_holds_the_newest_records(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_flight(f, &w, &id);
	struct snapshot_result result;
	struct trace_sum sum;

	writer_append_all(&w, id, 0, 50000);
	assert_ok(f, snapshot_into(f, session, f->trace, &result));
	assert_string_equal(result.path, f->trace);
	assert_int_equal(result.overwritten_while_copying, 0);
	assert_true(result.bytes > 7 * 32768 / 8 * 7 / 8);
	sum = trace_read(f->trace);
	assert_int_equal(sum.last, 49999);
	assert_int_equal(sum.gaps, 0);
	assert_int_equal(sum.damages, 0);
	assert_true(sum.events > 1400);
	writer_close(&w);
	session_close(session);
}

static void snapshots_without_a_wish_go_to_new_directories(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "a/b", false, TACHO_MODE_OVERWRITE);
	struct snapshot_result one;
	struct snapshot_result two;

	assert_ok(f, session_snapshot(session, NULL, &one, &f->error));
	assert_ok(f, session_snapshot(session, NULL, &two, &f->error));
	assert_string_not_equal(one.path, two.path);
	assert_non_null(strstr(one.path, "/tacho-traces/a%2Fb-snapshot-"));
	assert_int_equal(trace_read(two.path).events, 0);
	assert_int_equal(snapshot_into(f, session, two.path, &one), -EEXIST);
	session_close(session);
}

static void snapshot_of_a_streaming_session_takes_nothing_from_its_trace(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	struct snapshot_result result;
	struct fake_writer w;

	start_recording(f, session);
	writer_open(f, "s", 0, &w);
	writer_append_all(&w, table_add(f, "s", "one"), 0, 5000);
	assert_ok(f, session_snapshot(session, NULL, &result, &f->error));
	assert_int_equal(strncmp(result.path, f->trace, strlen(f->trace)), 0);
	assert_int_equal(trace_read(result.path).last, 4999);
	assert_ok(f, session_stop(session, &f->error));
	assert_int_equal(trace_read(f->trace).events, 5000);
	writer_close(&w);
	session_close(session);
}

/* A child that writes without end. */
/* Also a test that fails leaves no writer behind. */
static void scribble(struct fake_writer *w, uint32_t id)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (uint32_t value = 0;; value++)
		writer_append(w, id, value);
}

static void snapshots_of_a_ring_under_load_hold_no_damage(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_flight(f, &w, &id);
	struct snapshot_result result;
	uint64_t events = 0;
	pid_t pid;

	writer_append_all(&w, id, 0, 1);
	pid = fork();
	if (!pid)
		scribble(&w, id);
	/* On a slow machine the writer may be a whole ring ahead each time, for a while. */
	for (int i = 0; i < 30 || (!events && i < 1000); i++) {
		struct trace_sum sum;

		assert_ok(f, session_snapshot(session, NULL, &result, &f->error));
		sum = trace_read(result.path);
		assert_int_equal(sum.damages, 0);
		assert_true(sum.gaps <= result.overwritten_while_copying);
		events += sum.events;
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_true(events > 0);
	writer_close(&w);
	session_close(session);
}

/* Fills control block and sub-buffers with what a mad program could write. */
static void hostile_rings_are_survived(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_stream(f, &w, &id);

	srand(1);
	for (int round = 0; round < 50; round++) {
		struct tacho_ring *ring = writer_ring(&w);
		unsigned char *bytes = (unsigned char *)ring;

		for (int i = 0; i < 200; i++)
			bytes[(size_t)rand() % w.rings.stride] = (unsigned char)rand();
		ring->head = (uint64_t)rand() % 200000;
		assert_true(process_is_alive((pid_t)session_file(session)->drain_pid,
					     session_file(session)->drain_start_time));
		writer_append(&w, id, 1);
	}
	assert_int_equal(session_stop(session, &f->error), 0);
	assert_ok(f, session_destroy(session, &f->error));
	writer_close(&w);
}

static void head_of_a_mad_program_holds_up_nobody(void **state)
{
	struct fixture *f = *state;
	struct fake_writer w;
	uint32_t id;
	struct session *session = record_stream(f, &w, &id);
	struct snapshot_result result;

	writer_append_all(&w, id, 0, 10);
	writer_ring(&w)->head = UINT64_MAX - 5;
	assert_ok(f, session_snapshot(session, NULL, &result, &f->error));
	assert_ok(f, session_stop(session, &f->error));
	assert_ok(f, session_destroy(session, &f->error));
	writer_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		session_test(stop_writes_all_that_was_recorded),
		session_test(stop_completes_what_a_killed_drain_left),
		session_test(drain_killed_again_and_again_neither_loses_nor_doubles),
		session_test(session_goes_on_in_the_same_trace_after_a_stop),
		session_test(trace_grows_while_it_is_recorded),
		session_test(each_id_of_the_event_table_is_declared),
		session_test(lost_records_are_shown_in_trace_and_stats),
		session_test(losses_of_no_ring_are_shown_in_the_first_that_is_written),
		session_test(losses_of_a_ring_without_a_record_are_shown),
		session_test(event_of_an_odd_level_hides_no_record),
		session_test(record_without_a_description_ends_its_packet_and_is_counted),
		session_test(damaged_subbuffer_is_left_out_and_counted),
		session_test(drain_is_nobodys_child_and_holds_no_foreign_file),
		session_test(full_disk_is_told_and_loses_nothing_that_the_rings_hold),
		session_test(killed_tool_leaves_no_lock_behind),
		session_test(destroyed_session_ends_its_drain),
		session_test(drain_of_a_removed_runtime_directory_writes_the_rest_and_ends),
		session_test(drain_of_a_damaged_or_replaced_session_ends),
		session_test(drain_stopped_during_destroy_ends_when_it_goes_on),
		session_test(blocked_writers_are_woken),
		session_test(snapshot_holds_the_newest_records),
		session_test(snapshots_without_a_wish_go_to_new_directories),
		session_test(snapshot_of_a_streaming_session_takes_nothing_from_its_trace),
		session_test(snapshots_of_a_ring_under_load_hold_no_damage),
		session_test(hostile_rings_are_survived),
		session_test(head_of_a_mad_program_holds_up_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
