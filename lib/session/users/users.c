/* SPDX-License-Identifier: MIT */
/* users.c - see users.h */
#include "session/users/users.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* Parts of the path of a user's trace, below the directory of the whole. */
static int make_below(int dir_fd, const char *name, mode_t mode)
{
	int fd;

	if (mkdirat(dir_fd, name, mode) && errno != EEXIST)
		return -errno;
	fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int make_user_dir(int uids_fd, const struct user_dir *dir)
{
	char name[16];
	int ret = 0;
	int fd;

	snprintf(name, sizeof(name), "%u", (unsigned)dir->uid);
	fd = make_below(uids_fd, name, 0700);
	if (fd < 0)
		return fd;
	if (fchown(fd, dir->uid, dir->gid))
		ret = -errno;
	fd_close(fd);
	return ret;
}

static int let_enter(int dir_fd)
{
	struct stat st;

	if (fstat(dir_fd, &st) || fchmod(dir_fd, (st.st_mode & 07777) | S_IXOTH))
		return -errno;
	return 0;
}

/* The directory of the trace; of what is recorded in a container, which may have users of the same
 * numbers, one below it. */
static int open_output(const char *output, const struct user_dir *dir)
{
	int fd = open(output, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char name[32];
	int below;

	if (fd < 0)
		return -errno;
	if (!dir->pid)
		return fd;
	snprintf(name, sizeof(name), "container-%llu", (unsigned long long)dir->inode);
	let_enter(fd);
	below = make_below(fd, name, 0711);
	fd_close(fd);
	return below;
}

/* As root; what is above the user's own directory can be entered by all, who know its name. */
static int make_dirs(const char *output, const struct user_dir *dir)
{
	int output_fd = open_output(output, dir);
	int ust_fd = output_fd < 0 ? output_fd : make_below(output_fd, "ust", 0711);
	int uids_fd = ust_fd < 0 ? ust_fd : make_below(ust_fd, "uid", 0711);
	int ret = uids_fd < 0 ? uids_fd : make_user_dir(uids_fd, dir);

	if (!ret)
		ret = let_enter(output_fd);
	if (!ret)
		ret = let_enter(ust_fd);
	if (!ret)
		ret = let_enter(uids_fd);
	if (!ret && fchdir(output_fd))
		ret = -errno;
	fd_close(uids_fd);
	fd_close(ust_fd);
	fd_close(output_fd);
	return ret;
}

static int enter_output(const char *output, const struct user_dir *dir, struct tacho_error *error)
{
	int ret = output && *output ? make_dirs(output, dir) : 0;

	return ret ? error_set(error, ret,
			       "cannot make the part of user %u of the trace in %s: %s",
			       (unsigned)dir->uid, output, strerror(-ret)) :
		     0;
}

static void do_work(const struct users_work *work, const struct user_dir *dir,
		    struct user_report *report)
{
	struct runtime runtime;

	if (enter_output(work->output, dir, &report->error) || become(dir, &report->error) ||
	    runtime_open_fd(dir->fd, &runtime, &report->error))
		return;
	runtime.is_visited = true;
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
