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

int program_start(const char *path, const char *const *words, const char *preload, uint64_t family,
		  pid_t *ret_pid)
{
	const struct sigaction by_default = { .sa_handler = SIG_DFL };
	struct sigaction child_action;
	sigset_t watched;
	int fds[2], err;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	watched_signals(&watched);
	sigprocmask(SIG_BLOCK, &watched, NULL);
	sigaction(SIGCHLD, &by_default, &child_action);
	pid = fork();
	if (!pid) {
		sigaction(SIGCHLD, &child_action, NULL);
		sigaction(SIGXFSZ, &file_limit_before, NULL);
		sigprocmask(SIG_SETMASK, &mask_before, NULL);
		become(path, words, preload, family, fds[1]);
	}
	err = pid < 0 ? -errno : 0;
	close(fds[1]);
	if (!err)
		err = exec_error(fds[0], pid);
	close(fds[0]);
	*ret_pid = pid;
	return err;
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
