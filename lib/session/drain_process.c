/* SPDX-License-Identifier: MIT */
/*
 * drain_process.c - the drain as a process of its own; see drain.h.
 *
 *      tool                      between                  drain
 *      flock, pipe, fork ------> setsid, fork ----------> opens rings and trace
 *      waitpid           <------ exit                     writes the result to the pipe
 *      reads the result  <------------------------------- closes it, runs until stopped
 *
 * The lock is taken before the fork and inherited, so that there is no moment without it. The
 * process between makes the drain nobody's child: no tool has to wait for it, or finds it by
 * waiting for something else.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/process.h"
#include "session/drain.h"
#include "session/state.h"

#define END_POLL_NS 1000000L

static void redirect_stdio(void)
{
	int fd = open("/dev/null", O_RDWR);

	for (int i = 0; fd >= 0 && i <= 2; i++)
		dup2(fd, i);
	if (fd > 2)
		fd_close(fd);
}

static void block_signals(void)
{
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_SETMASK, &ends, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a file size limit is an error of write(2) then */
}

static void become_drain(const struct session *session, int lock_fd, int result_fd)
{
	int keep[] = { session->dir_fd, lock_fd, result_fd };
	char title[sizeof("tacho-drain ") + TACHO_SESSION_NAME_BYTES];

	snprintf(title, sizeof(title), "tacho-drain %s", session->file->name);
	process_set_title(title);
	prctl(PR_SET_NAME, "tacho-drain");
	redirect_stdio();
	fd_close_others(keep, sizeof(keep) / sizeof(keep[0]));
	block_signals();
	if (chdir("/"))
		return; /* it stays where it is: that only keeps a file system busy */
}

static void sign_in(struct session *session)
{
	process_start_time(getpid(), &session->file->drain_start_time);
	tacho_store_release(&session->file->drain_pid, (uint32_t)getpid());
}

static _Noreturn void drain_main(struct session *session, int lock_fd, int result_fd)
{
	struct tacho_error error = { 0 };
	struct drain *drain = NULL;
	int ret;

	become_drain(session, lock_fd, result_fd);
	ret = drain_open(session, &drain, &error);
	if (!ret)
		sign_in(session);
	/* A tool that was killed does not read it: all the same, the session has its drain. */
	fd_write_all(result_fd, &error, sizeof(error));
	fd_close(result_fd);
	if (!ret)
		ret = drain_run(drain, &error);
	drain_close(drain);
	_exit(ret ? 1 : 0);
}

static _Noreturn void between_main(struct session *session, int lock_fd, const int pipe_fds[2])
{
	pid_t pid;

	setsid();
	fd_close(pipe_fds[0]);
	pid = fork();
	if (!pid)
		drain_main(session, lock_fd, pipe_fds[1]);
	_exit(pid < 0 ? 1 : 0);
}

static void wait_for(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static int read_result(const struct session *session, int fd, struct tacho_error *error)
{
	struct tacho_error result;
	size_t got = 0;

	while (got < sizeof(result)) {
		ssize_t n = read(fd, (char *)&result + got, sizeof(result) - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return error_set(error, -ECHILD, "the drain of session '%s' died at once",
					 session->file->name);
		got += (size_t)n;
	}
	if (result.code && error)
		*error = result;
	return result.code;
}

static int spawn_locked(struct session *session, int lock_fd, struct tacho_error *error)
{
	int pipe_fds[2];
	pid_t pid;
	int ret;

	if (pipe2(pipe_fds, O_CLOEXEC))
		return error_set(error, -errno, "cannot start a drain: %s", strerror(errno));
	pid = fork();
	if (!pid)
		between_main(session, lock_fd, pipe_fds);
	fd_close(pipe_fds[1]);
	if (pid < 0) {
		ret = error_set(error, -errno, "cannot start a drain: %s", strerror(errno));
	} else {
		wait_for(pid);
		ret = read_result(session, pipe_fds[0], error);
	}
	fd_close(pipe_fds[0]);
	return ret;
}

static int set_cannot_lock(const struct session *session, int code, struct tacho_error *error)
{
	return error_set(error, code, "cannot lock the drain of session '%s': %s",
			 session->file->name, strerror(-code));
}

int drain_spawn(struct session *session, struct tacho_error *error)
{
	int lock_fd;
	int ret;

	if (!session->file->streaming)
		return 0;
	lock_fd = drain_lock(session, false);
	if (lock_fd == -EWOULDBLOCK)
		return 0;
	if (lock_fd < 0)
		return set_cannot_lock(session, lock_fd, error);
	ret = spawn_locked(session, lock_fd, error);
	fd_close(lock_fd);
	return ret;
}

int drain_begin(struct session *session, struct tacho_error *error)
{
	struct tacho_session *file = session->file;
	int lock_fd;
	int ret;

	if (!file->streaming)
		return 0;
	if (!file->drain_stop)
		return drain_spawn(session, error);
	lock_fd = drain_lock(session, true);
	if (lock_fd < 0)
		return set_cannot_lock(session, lock_fd, error);
	tacho_store_release(&file->drain_stop, 0);
	ret = spawn_locked(session, lock_fd, error);
	if (ret)
		tacho_store_release(&file->drain_stop, 1);
	fd_close(lock_fd);
	return ret;
}

/* What the drain, which was killed or could not write, has left. */
static int drain_here(struct session *session, struct tacho_error *error)
{
	struct tacho_error reason = { 0 };
	struct drain *drain = NULL;
	int ret = drain_open(session, &drain, &reason);

	if (!ret)
		ret = drain_run(drain, &reason);
	drain_close(drain);
	if (!ret)
		return 0;
	return error_set(
		error, ret,
		"the trace of session '%s' is not complete: %s; the session keeps the rest: "
		"mend it and repeat, or give it up with: tacho destroy --discard '%s'",
		session->file->name, reason.text, session->file->name);
}

int drain_end(struct session *session, struct tacho_error *error)
{
	struct tacho_session *file = session->file;
	struct timespec period = { .tv_nsec = END_POLL_NS };
	int ret = 0;
	int lock_fd;

	while ((lock_fd = drain_lock(session, false)) == -EWOULDBLOCK) {
		if (!tacho_load_acquire(&file->drain_stop))
			return 0; /* another tool has started the session again */
		nanosleep(&period, NULL);
	}
	if (lock_fd < 0)
		return set_cannot_lock(session, lock_fd, error);
	if (file->drain_stop && file->drain_pid)
		ret = drain_here(session, error);
	fd_close(lock_fd);
	return ret;
}

static void revive(struct runtime *runtime, const char *name)
{
	struct session *session;

	if (session_open_at(runtime, name, &session, NULL))
		return;
	if (session->file->state != TACHO_SESSION_DEAD && drain_is_needed(session))
		drain_spawn(session, NULL);
	session_close(session);
}

void drain_revive_all(struct runtime *runtime)
{
	char **names;

	if (dir_list(runtime->fd, SESSIONS_DIR, &names))
		return;
	for (char **name = names; *name; name++) {
		if (**name != '.')
			revive(runtime, *name);
	}
	session_names_free(names);
}
