/* SPDX-License-Identifier: MIT */
/* users.c - see users.h */
#include "session/users.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "session/state.h"

#define ANSWER_MS 10000

bool users_are_reached(void)
{
	const char *own_place = secure_getenv("TACHO_RUNTIME_DIR");

	return !geteuid() && !(own_place && *own_place);
}

/* ---- the child ---- */

static int become(const struct user_dir *dir, struct tacho_error *error)
{
	if (setgroups(1, &dir->gid) || setresgid(dir->gid, dir->gid, dir->gid) ||
	    setresuid(dir->uid, dir->uid, dir->uid))
		return error_set(error, -errno, "cannot become user %u: %s", (unsigned)dir->uid,
				 strerror(errno));
	return 0;
}

static void do_work(const struct users_work *work, const struct user_dir *dir,
		    struct user_report *report)
{
	struct runtime runtime;

	if (become(dir, &report->error) || runtime_open_fd(dir->fd, &runtime, &report->error))
		return;
	work->work(&runtime, work->work_arg, report);
	runtime_close(&runtime);
}

static _Noreturn void child_main(const struct users_work *work, const struct user_dir *dir,
				 int result_fd)
{
	struct user_report report = { 0 };

	do_work(work, dir, &report);
	fd_write_all(result_fd, &report, sizeof(report));
	_exit(0);
}

/* ---- the tool ---- */

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Return: 0, -ETIMEDOUT, or -ECHILD if it ended without a report. */
static int read_report(int fd, struct user_report *ret_report)
{
	int64_t deadline = now_ms() + ANSWER_MS;
	size_t got = 0;

	while (got < sizeof(*ret_report)) {
		struct pollfd wanted = { .fd = fd, .events = POLLIN };
		int64_t left = deadline - now_ms();
		ssize_t n;

		if (left <= 0)
			return -ETIMEDOUT;
		if (poll(&wanted, 1, (int)left) <= 0)
			continue;
		n = read(fd, (char *)ret_report + got, sizeof(*ret_report) - got);
		if (n <= 0 && errno != EINTR)
			return -ECHILD;
		got += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* Texts that do not end would be read beyond their end. */
static void end_texts(struct user_report *report)
{
	report->error.text[sizeof(report->error.text) - 1] = '\0';
	report->stats.drain_error[sizeof(report->stats.drain_error) - 1] = '\0';
	report->stats.unrecorded_why[sizeof(report->stats.unrecorded_why) - 1] = '\0';
	report->stats.unrecorded_version[sizeof(report->stats.unrecorded_version) - 1] = '\0';
}

static void get_report(pid_t pid, int fd, const struct user_dir *dir, struct user_report *report)
{
	int ret = read_report(fd, report);

	if (ret) {
		kill(pid, SIGKILL);
		*report = (struct user_report){ 0 };
		error_set(&report->error, ret, "the programs of user %u could not be reached: %s",
			  (unsigned)dir->uid,
			  ret == -ETIMEDOUT ? "no answer within 10 s" : "the child died");
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	end_texts(report);
}

static void visit(const struct users_work *work, const struct user_dir *dir)
{
	struct user_report report = { 0 };
	int pipe_fds[2];
	pid_t pid;

	fflush(NULL); /* else what is still to be printed would be printed by both */
	if (pipe2(pipe_fds, O_CLOEXEC)) {
		error_set(&report.error, -errno, "cannot make a pipe: %s", strerror(errno));
		work->tell(dir, &report, work->tell_arg);
		return;
	}
	pid = fork();
	if (!pid)
		child_main(work, dir, pipe_fds[1]);
	fd_close(pipe_fds[1]);
	if (pid < 0)
		error_set(&report.error, -errno, "cannot fork: %s", strerror(errno));
	else
		get_report(pid, pipe_fds[0], dir, &report);
	fd_close(pipe_fds[0]);
	work->tell(dir, &report, work->tell_arg);
}

int users_visit(const struct users_work *work, struct tacho_error *error)
{
	struct user_dir *dirs;
	size_t count;
	int ret = user_dirs_find(&dirs, &count, error);

	for (size_t i = 0; !ret && i < count; i++)
		visit(work, &dirs[i]);
	if (!ret)
		user_dirs_free(dirs, count);
	return ret;
}
