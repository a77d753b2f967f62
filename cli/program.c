/* SPDX-License-Identifier: MIT */
/* program.c - see program.h */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "cmd.h"
#include "format/runtime.h"
#include "text.h"

/* 0 if @path can be run. */
static int runnable(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return errno == EACCES ? -EPERM : -ENOENT;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	return access(path, X_OK) ? -EACCES : 0;
}

static int find_in_path(const char *name, const char *path, char **ret_path)
{
	int found = -ENOENT;

	for (;;) {
		int length = (int)strcspn(path, ":");
		char *file = xasprintf("%.*s/%s", length ? length : 1, length ? path : ".", name);
		int err = runnable(file);

		if (!err) {
			*ret_path = file;
			return 0;
		}
		free(file);
		if (err == -EACCES)
			found = err;
		if (!path[length])
			return found;
		path += length + 1;
	}
}

int program_find(const char *name, char **ret_path)
{
	const char *path = getenv("PATH");
	int err;

	if (!*name)
		return -ENOENT;
	if (!strchr(name, '/'))
		return find_in_path(name, path ? path : "/usr/local/bin:/usr/bin:/bin", ret_path);
	err = runnable(name);
	if (!err)
		*ret_path = xstrdup(name);
	return err;
}

/* The mask that tacho was started with is the program's. */
static sigset_t mask_before;

static void ending_signals(sigset_t *ret_set)
{
	sigemptyset(ret_set);
	sigaddset(ret_set, SIGHUP);
	sigaddset(ret_set, SIGINT);
	sigaddset(ret_set, SIGTERM);
}

static void watched_signals(sigset_t *ret_set)
{
	ending_signals(ret_set);
	sigaddset(ret_set, SIGCHLD);
	sigaddset(ret_set, SIGQUIT);
}

/* SIGQUIT remains as a way out, should another tacho hold a lock for ever. */
void program_shield(void)
{
	sigset_t ending;

	ending_signals(&ending);
	sigprocmask(SIG_BLOCK, &ending, &mask_before);
}

int program_interrupted(void)
{
	const struct timespec at_once = { 0 };
	sigset_t ending;
	int signal_number;

	ending_signals(&ending);
	signal_number = sigtimedwait(&ending, NULL, &at_once);
	return signal_number > 0 ? signal_number : 0;
}

/* What was preloaded before stays, behind ours: a malloc() that calls no next one must be last. */
static void preload_add(const char *library)
{
	const char *before = getenv("LD_PRELOAD");

	if (before && *before)
		setenv("LD_PRELOAD", xasprintf("%s:%s", library, before), 1);
	else
		setenv("LD_PRELOAD", library, 1);
}

/* One `tacho record` below another: both record the program. */
static void family_join(uint64_t family)
{
	const char *before = getenv(TACHO_FAMILY_VARIABLE);

	setenv(TACHO_FAMILY_VARIABLE,
	       xasprintf("%" PRIx64 "%s%s", family, before ? ":" : "", before ? before : ""), 1);
}

static void become(const char *path, const char *const *words, const char *preload, uint64_t family,
		   int error_fd)
{
	int err;

	if (preload)
		preload_add(preload);
	family_join(family);
	execvp(path, (char *const *)words);
	err = errno;
	if (write(error_fd, &err, sizeof(err)) != sizeof(err))
		_exit(STATUS_NOT_EXECUTABLE);
	_exit(STATUS_NOT_FOUND);
}

/* Nothing arrives, as the descriptor closes itself, if exec succeeds. */
static int exec_error(int fd, pid_t pid)
{
	int err = 0;
	ssize_t n;

	do
		n = read(fd, &err, sizeof(err));
	while (n < 0 && errno == EINTR);
	if (n != sizeof(err))
		return 0;
	waitpid(pid, NULL, 0);
	return -err;
}

static struct sigaction file_limit_before;

void program_ignore_limits(void)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGXFSZ, &ignore, &file_limit_before);
}

/* In the child. */
static void wait_to_be(const struct child *program)
{
	char byte;
	ssize_t n;

	close(program->go_fd);
	do
		n = read(program->wait_fd, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(STATUS_NOT_FOUND);
}

static int make_pipes(struct child *program, int *ret_error_to)
{
	int go[2], error[2];

	if (pipe2(go, O_CLOEXEC))
		return -errno;
	program->wait_fd = go[0];
	program->go_fd = go[1];
	if (pipe2(error, O_CLOEXEC))
		return -errno;
	program->error_fd = error[0];
	*ret_error_to = error[1];
	return 0;
}

int program_fork(const char *path, const char *const *words, const char *preload, uint64_t family,
		 struct child *ret_program)
{
	const struct sigaction by_default = { .sa_handler = SIG_DFL };
	struct child program = { .go_fd = -1, .wait_fd = -1, .error_fd = -1 };
	struct sigaction child_action;
	int error_to = -1, err = make_pipes(&program, &error_to);
	sigset_t watched;

	watched_signals(&watched);
	sigprocmask(SIG_BLOCK, &watched, NULL);
	sigaction(SIGCHLD, &by_default, &child_action);
	program.pid = err ? -1 : fork();
	if (!program.pid) {
		sigaction(SIGCHLD, &child_action, NULL);
		sigaction(SIGXFSZ, &file_limit_before, NULL);
		sigprocmask(SIG_SETMASK, &mask_before, NULL);
		wait_to_be(&program);
		become(path, words, preload, family, error_to);
	}
	if (!err && program.pid < 0)
		err = -errno;
	fd_close(error_to);
	*ret_program = program;
	return err;
}

static void close_pipes(struct child *program)
{
	fd_close(program->go_fd);
	fd_close(program->wait_fd);
	fd_close(program->error_fd);
}

int program_start(struct child *program)
{
	/* We could read it ourselves, so there is no SIGPIPE if the child was killed. */
	int err = write(program->go_fd, "", 1) == 1 ? exec_error(program->error_fd, program->pid) :
						      -errno;

	close_pipes(program);
	return err;
}

void program_cancel(struct child *program)
{
	close_pipes(program);
	if (program->pid > 0)
		waitpid(program->pid, NULL, 0);
}

static bool has_ended(pid_t pid, struct program_end *end)
{
	int status;
	pid_t ended = waitpid(pid, &status, WNOHANG);

	if (ended != pid)
		return false;
	if (WIFSIGNALED(status)) {
		end->signal = WTERMSIG(status);
		end->dumped_core = WCOREDUMP(status);
		end->status = STATUS_SIGNAL + end->signal;
	} else {
		end->status = WEXITSTATUS(status);
	}
	return true;
}

/* A signal that somebody sent to tacho alone; the terminal's reach the program by themselves. */
static bool is_sent(const siginfo_t *info)
{
	return info->si_code <= 0;
}

void program_wait(pid_t pid, struct program_end *ret_end)
{
	struct program_end end = { 0 };
	sigset_t watched;
	siginfo_t info;

	watched_signals(&watched);
	while (!has_ended(pid, &end)) {
		if (sigwaitinfo(&watched, &info) < 0 || info.si_signo == SIGCHLD)
			continue;
		if (info.si_signo == SIGINT && ++end.interrupts > 1)
			kill(pid, SIGKILL);
		else if (is_sent(&info))
			kill(pid, info.si_signo);
	}
	*ret_end = end;
}
