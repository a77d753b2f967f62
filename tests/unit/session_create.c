/* SPDX-License-Identifier: MIT */
/* session_create.c - the life of sessions in the runtime directory (lib/session) */
#include "tests/unit/session_fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>

#include "base/fd.h"
#include "session/cpus.h"

/* How many entries, hidden ones too. */
static size_t count_entries(const struct fixture *f, const char *path)
{
	char **names;
	size_t count = 0;

	assert_int_equal(dir_list(f->runtime.fd, path, &names), 0);
	while (names[count])
		count++;
	str_array_free(names);
	return count;
}

static int try_create(struct fixture *f, const char *name, const char *output,
		      uint64_t buffer_bytes)
{
	struct session_options options = {
		.name = name,
		.output = output,
		.streaming = output != NULL,
		.channel = { .buffer_bytes = buffer_bytes },
	};
	struct session *session = NULL;
	int ret = session_create(&f->runtime, &options, &session, &f->error);

	session_close(session);
	return ret;
}

static void new_session_has_its_files_and_its_slot(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	const struct tacho_session *file = session_file(session);

	assert_true(exists(f, "sessions/s/session"));
	assert_true(exists(f, "sessions/s/events"));
	assert_true(exists(f, "sessions/s/drain"));
	assert_true(exists(f, "sessions/s/channel0.rings"));
	assert_true(exists(f, "sessions/s/channel0.shards"));
	assert_true(exists(f, "slots/0/session"));
	assert_int_equal(count_entries(f, "sessions"), 1);
	assert_int_equal(file->slot, 0);
	assert_int_equal(file->state, TACHO_SESSION_STOPPED);
	assert_int_not_equal(file->instance, 0);
	assert_true(file->counter_hz > 1000000);
	assert_string_equal(file->output, f->trace);
	session_close(session);
}

static void names_may_hold_anything(void **state)
{
	static const char *const wanted[] = { ".hidden", "Zoë 100%", "a/b", "two words" };
	struct fixture *f = *state;
	char **names;

	for (size_t i = 0; i < 4; i++) {
		struct session *session;

		assert_ok(f, try_create(f, wanted[i], NULL, 32768));
		assert_ok(f, session_open(&f->runtime, wanted[i], &session, &f->error));
		assert_string_equal(session_file(session)->name, wanted[i]);
		session_close(session);
	}
	assert_ok(f, session_names(&f->runtime, &names, &f->error));
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(names[i], wanted[i]);
	assert_null(names[4]);
	session_names_free(names);
}

static void session_without_a_name_gets_one(void **state)
{
	struct fixture *f = *state;
	char **names;

	assert_ok(f, try_create(f, NULL, NULL, 32768));
	assert_ok(f, try_create(f, NULL, NULL, 32768));
	assert_ok(f, session_names(&f->runtime, &names, &f->error));
	assert_non_null(names[0]);
	assert_non_null(names[1]);
	assert_int_equal(strncmp(names[0], "auto-20", 7), 0);
	session_names_free(names);
}

static void second_session_of_a_name_is_refused(void **state)
{
	struct fixture *f = *state;

	assert_ok(f, try_create(f, "s", NULL, 32768));
	assert_int_equal(try_create(f, "s", NULL, 32768), -EEXIST);
	assert_non_null(strstr(f->error.text, "choose another name"));
	assert_non_null(strstr(f->error.text, "tacho destroy"));
	assert_int_equal(count_entries(f, "sessions"), 1);
	assert_int_equal(count_entries(f, "slots"), 1);
}

static void unknown_session_names_those_there_are(void **state)
{
	struct fixture *f = *state;
	struct session *session;

	assert_int_equal(session_open(&f->runtime, "x", &session, &f->error), -ENOENT);
	assert_ok(f, try_create(f, "one", NULL, 32768));
	assert_ok(f, try_create(f, "two", NULL, 32768));
	assert_int_equal(session_open(&f->runtime, "x", &session, &f->error), -ENOENT);
	assert_string_equal(f->error.text, "there is no session 'x'; there are: one, two");
}

static void all_slots_taken_is_refused(void **state)
{
	struct fixture *f = *state;
	char name[16];

	for (int i = 0; i < TACHO_SLOTS; i++) {
		snprintf(name, sizeof(name), "s%d", i);
		assert_ok(f, try_create(f, name, NULL, 16384));
	}
	assert_int_equal(try_create(f, "more", NULL, 16384), -EBUSY);
	assert_int_equal(count_entries(f, "sessions"), TACHO_SLOTS);
}

static void destroy_gives_back_name_slot_and_memory(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct fake_writer w;
	struct stat st;

	writer_open(f, "s", 0, &w); /* an idle program still maps the rings */
	assert_true(writer_append(&w, 1, 1));
	assert_ok(f, session_destroy(session, &f->error));
	assert_int_equal(count_entries(f, "sessions"), 0);
	assert_int_equal(count_entries(f, "slots"), 0);
	assert_int_equal(fstat(w.rings.fd, &st), 0);
	assert_int_equal(st.st_blocks, 0);
	assert_int_equal(writer_ring(&w)->head, 0); /* and can still touch them */
	writer_close(&w);
	assert_ok(f, try_create(f, "s", NULL, 32768));
}

static void what_a_killed_creator_left_is_removed(void **state)
{
	struct fixture *f = *state;
	struct runtime again;

	assert_int_equal(mkdirat(f->runtime.fd, "sessions/.new-1", 0700), 0);
	assert_int_equal(file_write_text(f->runtime.fd, "sessions/.new-1/session", "half"), 0);
	assert_int_equal(symlinkat("../sessions/gone", f->runtime.fd, "slots/0"), 0);
	assert_ok(f, runtime_open(&again, &f->error));
	runtime_close(&again);
	assert_int_equal(count_entries(f, "sessions"), 0);
	assert_int_equal(count_entries(f, "slots"), 0);
}

static void what_a_living_creator_makes_is_left_alone(void **state)
{
	struct fixture *f = *state;
	struct runtime again;
	int fd = openat(f->runtime.fd, "sessions", O_RDONLY | O_DIRECTORY);

	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(mkdirat(f->runtime.fd, "sessions/.new-1", 0700), 0);
	assert_ok(f, runtime_open(&again, &f->error));
	runtime_close(&again);
	assert_int_equal(count_entries(f, "sessions"), 1);
	close(fd);
}

static void half_destroyed_session_is_buried_by_the_next_tool(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct runtime again;

	((struct tacho_session *)session_file(session))->state = TACHO_SESSION_DEAD;
	session_close(session);
	assert_int_equal(session_open(&f->runtime, "s", &session, &f->error), -ENOENT);
	assert_ok(f, runtime_open(&again, &f->error));
	runtime_close(&again);
	assert_int_equal(count_entries(f, "sessions"), 0);
	assert_int_equal(count_entries(f, "slots"), 0);
}

/* A child that creates and destroys sessions until it is killed. */
static void churn(struct fixture *f)
{
	for (;;) {
		struct session_options options = { .name = "s",
						   .channel = { .buffer_bytes = 16384 } };
		struct session *session;

		if (session_create(&f->runtime, &options, &session, &f->error) ||
		    session_discard(session, &f->error))
			_exit(1);
	}
}

static void creator_killed_anywhere_leaves_nothing_that_confuses(void **state)
{
	struct fixture *f = *state;

	for (int round = 0; round < 40; round++) {
		struct timespec pause = { .tv_nsec = 10000000 + round * 700000 };
		struct session *session;
		struct runtime again;
		pid_t pid = fork();
		int status;

		if (!pid)
			churn(f);
		nanosleep(&pause, NULL);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		assert_ok(f, runtime_open(&again, &f->error));
		runtime_close(&again);
		if (!session_open(&f->runtime, "s", &session, NULL))
			assert_ok(f, session_destroy(session, &f->error));
		assert_int_equal(count_entries(f, "sessions"), 0);
		assert_int_equal(count_entries(f, "slots"), 0);
	}
}

static void buffers_that_do_not_fit_leave_nothing_behind(void **state)
{
	struct fixture *f = *state;
	struct cpu_set online;
	struct statvfs st;

	cpus_online(&online);
	assert_int_equal(fstatvfs(f->runtime.fd, &st), 0);
	if ((uint64_t)st.f_bavail * st.f_frsize > TACHO_RING_BYTES_MAX * cpu_set_count(&online))
		test_skip("/dev/shm is larger than the largest buffers");
	assert_int_equal(try_create(f, "s", f->trace, TACHO_RING_BYTES_MAX), -ENOSPC);
	assert_non_null(strstr(f->error.text, "bytes"));
	assert_non_null(strstr(f->error.text, "free"));
	assert_non_null(strstr(f->error.text, "--buffer"));
	assert_int_equal(count_entries(f, "sessions"), 0);
	assert_int_equal(count_entries(f, "slots"), 0);
	assert_int_equal(access(f->trace, F_OK), -1);
}

static void buffer_out_of_range_is_refused(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(try_create(f, "s", NULL, 16383), -EINVAL);
	assert_int_equal(try_create(f, "s", NULL, TACHO_RING_BYTES_MAX + 1), -EINVAL);
	assert_int_equal(count_entries(f, "sessions"), 0);
}

static void flight_recorder_that_blocks_is_refused(void **state)
{
	struct fixture *f = *state;
	struct session_options options = { .channel = { .mode = TACHO_MODE_BLOCK } };
	struct session *session;

	assert_int_equal(session_create(&f->runtime, &options, &session, &f->error), -EINVAL);
	assert_non_null(strstr(f->error.text, "streaming"));
	assert_int_equal(count_entries(f, "sessions"), 0);
}

static void trace_directory_that_cannot_be_made_is_refused(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(try_create(f, "s", "/dev/null/trace", 32768), -ENOTDIR);
	assert_non_null(strstr(f->error.text, "/dev/null/trace"));
	assert_int_equal(count_entries(f, "sessions"), 0);
	assert_int_equal(count_entries(f, "slots"), 0);
}

static void directory_of_a_session_that_never_started_goes_with_it(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);

	assert_int_equal(access(f->trace, F_OK), 0);
	assert_ok(f, session_stop(session, &f->error)); /* harmless */
	assert_ok(f, session_destroy(session, &f->error));
	assert_int_equal(access(f->trace, F_OK), -1);
	session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	assert_ok(f, session_discard(session, &f->error));
	assert_int_equal(access(f->trace, F_OK), -1);
	assert_int_equal(mkdir(f->trace, 0700), 0); /* the user's own */
	session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	assert_ok(f, session_destroy(session, &f->error));
	assert_int_equal(access(f->trace, F_OK), 0);
}

static void directory_of_a_killed_destroyer_goes_with_the_next_tool(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	struct runtime again;

	((struct tacho_session *)session_file(session))->state = TACHO_SESSION_DEAD;
	session_close(session);
	assert_ok(f, runtime_open(&again, &f->error));
	runtime_close(&again);
	assert_int_equal(access(f->trace, F_OK), -1);
}

static void session_that_recorded_nothing_leaves_an_empty_trace(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);

	assert_ok(f, session_start(session, &f->error));
	assert_ok(f, session_destroy(session, &f->error));
	assert_int_equal(trace_read(f->trace).events, 0);
}

static void start_that_fails_leaves_no_half_trace(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	struct rlimit before, small;

	/* The metadata does not fit. */
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = (struct rlimit){ .rlim_cur = 100, .rlim_max = before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(session_start(session, &f->error), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(dir_is_empty(AT_FDCWD, f->trace), 1);
	assert_ok(f, session_destroy(session, &f->error));
	assert_int_equal(access(f->trace, F_OK), -1);
}

static void trace_directory_with_something_in_it_is_refused(void **state)
{
	struct fixture *f = *state;
	char path[100];

	assert_int_equal(mkdir(f->trace, 0700), 0);
	snprintf(path, sizeof(path), "%s/precious", f->trace);
	assert_int_equal(file_write_text(AT_FDCWD, path, "data"), 0);
	assert_int_equal(try_create(f, "s", f->trace, 32768), -EEXIST);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(count_entries(f, "sessions"), 0);
}

static void runtime_directory_that_others_may_write_to_is_refused(void **state)
{
	struct fixture *f = *state;
	struct runtime again;

	assert_int_equal(chmod(f->run, 0770), 0);
	assert_int_equal(runtime_open(&again, &f->error), -EPERM);
	assert_non_null(strstr(f->error.text, "chmod 700"));
	assert_int_equal(chmod(f->run, 0700), 0);
}

static void runtime_directory_of_another_user_is_refused(void **state)
{
	struct fixture *f = *state;
	struct runtime again;

	if (chown(f->run, 4711, (gid_t)-1))
		test_skip("only root can give a directory away");
	assert_int_equal(runtime_open(&again, &f->error), -EPERM);
	assert_non_null(strstr(f->error.text, "4711"));
	assert_non_null(strstr(f->error.text, "TACHO_RUNTIME_DIR"));
	assert_int_equal(chown(f->run, geteuid(), (gid_t)-1), 0);
}

static void damaged_session_file_is_refused(void **state)
{
	struct fixture *f = *state;
	struct session *session;

	session_close(create_session(f, "s", false, TACHO_MODE_OVERWRITE));
	assert_int_equal(file_write_text(f->runtime.fd, "sessions/s/session", "short"), 0);
	assert_int_equal(session_open(&f->runtime, "s", &session, &f->error), -EBADMSG);
	assert_non_null(strstr(f->error.text, "damaged"));
}

/* Puts something else in the place of a file of session "s". */
static void put_fifo(const struct fixture *f, const char *path)
{
	assert_int_equal(mkfifoat(f->runtime.fd, path, 0600), 0);
}

static void put_directory(const struct fixture *f, const char *path)
{
	assert_int_equal(mkdirat(f->runtime.fd, path, 0700), 0);
}

static void put_link(const struct fixture *f, const char *path)
{
	assert_int_equal(symlinkat("/dev/zero", f->runtime.fd, path), 0);
}

/* What tools do with sessions, whatever comes of it. */
static void use_sessions(struct fixture *f)
{
	struct rule_options rule = { .pattern = "*" };
	struct snapshot_result snapshot;
	struct session_stats stats;
	struct session *session;
	struct program *programs;
	struct runtime again;
	size_t count;

	assert_ok(f, runtime_open(&again, &f->error));
	drain_revive_all(&again);
	if (!session_open(&again, "s", &session, NULL)) {
		session_enable_event(session, &rule, NULL);
		session_start(session, NULL);
		session_stats(session, &stats, NULL);
		session_snapshot(session, NULL, &snapshot, NULL);
		session_stop(session, NULL);
		assert_ok(f, session_discard(session, &f->error));
	}
	assert_ok(f, programs_list(&again, &programs, &count, &f->error));
	programs_free(programs, count);
	runtime_close(&again);
}

static void what_is_no_file_holds_up_no_tool(void **state)
{
	static void (*const put[])(const struct fixture *, const char *) = { put_fifo,
									     put_directory,
									     put_link };
	static const char *const names[] = { "session", "events", "drain", "channel0.rings",
					     "channel0.shards", "unrecorded", "drain-error" };
	struct fixture *f = *state;
	char path[64];

	put_fifo(f, "apps/1.1");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) * 3; i++) {
		struct session_options options = { .name = "s",
						   .streaming = true,
						   .channel = { .buffer_bytes = 16384 } };
		struct session *session;

		assert_ok(f, session_create(&f->runtime, &options, &session, &f->error));
		session_close(session);
		snprintf(path, sizeof(path), "sessions/s/%s", names[i / 3]);
		unlinkat(f->runtime.fd, path, 0);
		put[i % 3](f, path);
		use_sessions(f);
		if (i / 3 == 0)
			assert_int_equal(dir_remove(f->runtime.fd, "sessions/s"), 0);
		assert_int_equal(count_entries(f, "sessions"), 0);
	}
}

/* Somebody has put a link of the kind that --shm-path makes, or another, to a file of theirs. */
static void what_a_link_leads_to_is_not_removed(void **state)
{
	static const char *const names[] = { "channel0.rings", "events", "anything" };
	struct fixture *f = *state;
	char precious[128], path[64], text[16];

	snprintf(precious, sizeof(precious), "%s/precious", f->dir);
	assert_int_equal(file_write_text(AT_FDCWD, precious, "kept"), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);

		snprintf(path, sizeof(path), "sessions/s/%s", names[i]);
		unlinkat(f->runtime.fd, path, 0);
		assert_int_equal(symlinkat(precious, f->runtime.fd, path), 0);
		assert_ok(f, session_discard(session, &f->error));
		assert_int_equal(file_read_text(AT_FDCWD, precious, text, sizeof(text)), 4);
		assert_string_equal(text, "kept");
	}
}

/* Nor one of the name of its rings that is something else. */
static void destroying_a_session_leaves_a_file_alone_that_is_no_ring_file(void **state)
{
	struct fixture *f = *state;
	char dir[96], precious[128], text[16];
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);

	snprintf(dir, sizeof(dir), "%s/elsewhere", f->dir);
	snprintf(precious, sizeof(precious), "%s/channel0.rings", dir);
	assert_int_equal(mkdir(dir, 0700), 0);
	assert_int_equal(file_write_text(AT_FDCWD, precious, "kept"), 0);
	unlinkat(f->runtime.fd, "sessions/s/channel0.rings", 0);
	assert_int_equal(symlinkat(precious, f->runtime.fd, "sessions/s/channel0.rings"), 0);
	assert_ok(f, session_discard(session, &f->error));
	assert_int_equal(file_read_text(AT_FDCWD, precious, text, sizeof(text)), 4);
	assert_string_equal(text, "kept");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		session_test(new_session_has_its_files_and_its_slot),
		session_test(names_may_hold_anything),
		session_test(session_without_a_name_gets_one),
		session_test(second_session_of_a_name_is_refused),
		session_test(unknown_session_names_those_there_are),
		session_test(all_slots_taken_is_refused),
		session_test(destroy_gives_back_name_slot_and_memory),
		session_test(what_a_killed_creator_left_is_removed),
		session_test(what_a_living_creator_makes_is_left_alone),
		session_test(half_destroyed_session_is_buried_by_the_next_tool),
		session_test(creator_killed_anywhere_leaves_nothing_that_confuses),
		session_test(buffers_that_do_not_fit_leave_nothing_behind),
		session_test(buffer_out_of_range_is_refused),
		session_test(flight_recorder_that_blocks_is_refused),
		session_test(trace_directory_that_cannot_be_made_is_refused),
		session_test(directory_of_a_session_that_never_started_goes_with_it),
		session_test(directory_of_a_killed_destroyer_goes_with_the_next_tool),
		session_test(session_that_recorded_nothing_leaves_an_empty_trace),
		session_test(start_that_fails_leaves_no_half_trace),
		session_test(trace_directory_with_something_in_it_is_refused),
		session_test(runtime_directory_that_others_may_write_to_is_refused),
		session_test(runtime_directory_of_another_user_is_refused),
		session_test(damaged_session_file_is_refused),
		session_test(what_is_no_file_holds_up_no_tool),
		session_test(what_a_link_leads_to_is_not_removed),
		session_test(destroying_a_session_leaves_a_file_alone_that_is_no_ring_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
