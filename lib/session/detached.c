/* SPDX-License-Identifier: MIT */
/* detached.c - see detached.h */
#include "session/detached.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/process.h"
#include "session/state.h"

#define NAME_BYTES 16 /* of a thread, in the kernel */

static void redirect_stdio(void)
{
	int fd = open("/dev/null", O_RDWR);

	for (int i = 0; fd >= 0 && i <= 2; i++)
		dup2(fd, i);
	if (fd > 2)
		fd_close(fd);
}

static void settle_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGCHLD, SIG_DFL); /* who starts us may have ignored it, and so nobody would wait */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a file size limit is an error of write(2) then */
}

static void become(struct session *session, const struct detached *what, int lock_fd, int result_fd)
{
	int keep[] = { session->dir_fd, session->runtime->fd, lock_fd, result_fd };
	char title[NAME_BYTES + 1 + TACHO_SESSION_NAME_BYTES];

	snprintf(title, sizeof(title), "%s %s", what->name, session->file->name);
	process_set_title(title);
	prctl(PR_SET_NAME, what->name);
	redirect_stdio();
	fd_close_others(keep, sizeof(keep) / sizeof(keep[0]));
	session->lock_fd = -1; /* the tool's */
	session->life_fd = lock_fd;
	settle_signals();
	if (!session->file->mirror_of && chdir("/"))
		return; /* it stays where it is: that only keeps a file system busy */
}

static _Noreturn void detached_main(struct session *session, const struct detached *what,
				    int lock_fd, int result_fd)
{
	struct tacho_error error = { 0 };
	void *work = NULL;
	int ret;

	become(session, what, lock_fd, result_fd);
	ret = what->begin(session, &work, &error);
	/* A tool that was killed does not read it: all the same, the work is done. */
	fd_write_all(result_fd, &error, sizeof(error));
	fd_close(result_fd);
	if (!ret)
		ret = what->run(work);
	_exit(ret ? 1 : 0);
}

static _Noreturn void between_main(struct session *session, const struct detached *what,
				   int lock_fd, const int pipe_fds[2])
{
	pid_t pid;

	setsid();
	fd_close(pipe_fds[0]);
	pid = fork();
	if (!pid)
		detached_main(session, what, lock_fd, pipe_fds[1]);
	_exit(pid < 0 ? 1 : 0);
}

static void wait_for(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static int read_result(const struct session *session, const struct detached *what, int fd,
		       struct tacho_error *error)
{
	struct tacho_error result;
	size_t got = 0;

	while (got < sizeof(result)) {
		ssize_t n = read(fd, (char *)&result + got, sizeof(result) - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return error_set(error, -ECHILD, "the %s of session '%s' died at once",
					 what->what, session->file->name);
		got += (size_t)n;
	}
	if (result.code && error)
		*error = result;
	return result.code;
}

int detached_spawn(struct session *session, const struct detached *what, int lock_fd,
		   struct tacho_error *error)
{
	int pipe_fds[2];
	pid_t pid;
	int ret;

	if (pipe2(pipe_fds, O_CLOEXEC))
		return error_set(error, -errno, "cannot start a %s: %s", what->what,
				 strerror(errno));
	pid = fork();
	if (!pid)
		between_main(session, what, lock_fd, pipe_fds);
	fd_close(pipe_fds[1]);
	if (pid < 0) {
		ret = error_set(error, -errno, "cannot start a %s: %s", what->what,
				strerror(errno));
	} else {
		wait_for(pid);
		ret = read_result(session, what, pipe_fds[0], error);
	}
	fd_close(pipe_fds[0]);
	return ret;
}
