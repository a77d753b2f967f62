/* SPDX-License-Identifier: MIT */
/*
 * kill_at.c - run a command and kill it after so many of its system calls.
 *
 *	kill_at N COMMAND [ARG..]
 *	kill_at N:rename COMMAND [ARG..]	only those count that rename a file
 *
 * Only the command itself: what it forks goes on undisturbed. Exit status 9: it was killed; 8: it had
 * ended before, of a signal; else the command's own.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define KILLED     9
#define BY_SIGNAL  8
#define IS_SYSCALL (SIGTRAP | 0x80)

static int run(char **argv)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		perror("ptrace");
	raise(SIGSTOP);
	execvp(argv[0], argv);
	perror(argv[0]);
	return 127;
}

static int result(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : BY_SIGNAL;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* Until the next stop. Return: has it ended? */
static int go_on(pid_t pid, int signal, int *status)
{
	if (ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(long)signal))
		fail("PTRACE_SYSCALL");
	if (waitpid(pid, status, 0) != pid)
		fail("waitpid");
	return !WIFSTOPPED(*status);
}

/* What is to be given to it: stops of ours are not its. */
static int signal_of(int status)
{
	int signal = WSTOPSIG(status);

	return signal == IS_SYSCALL || signal == SIGTRAP || signal == SIGSTOP ? 0 : signal;
}

static int is_rename(unsigned long long number)
{
#ifdef SYS_rename
	if (number == SYS_rename)
		return 1;
#endif
#ifdef SYS_renameat
	if (number == SYS_renameat)
		return 1;
#endif
	return number == SYS_renameat2;
}

/* Each system call stops twice: when it begins, and when it is done. Return: does it begin, and count? */
static int counts(pid_t pid, int only_renames)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof(info), &info) < 0)
		fail("PTRACE_GET_SYSCALL_INFO");
	return info.op == PTRACE_SYSCALL_INFO_ENTRY && (!only_renames || is_rename(info.entry.nr));
}

static int kill_after(pid_t pid, long calls, int only_renames, int status)
{
	int is_counted = 0;

	/* The last one may come to its end. */
	while (calls || is_counted) {
		if (go_on(pid, signal_of(status), &status))
			return result(status);
		if (WSTOPSIG(status) != IS_SYSCALL)
			continue;
		is_counted = calls && counts(pid, only_renames);
		calls -= is_counted;
	}
	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
		;
	return KILLED;
}

int main(int argc, char **argv)
{
	long calls = argc > 2 ? atol(argv[1]) : 0;
	int status;
	pid_t pid;

	if (calls < 1)
		return 2;
	pid = fork();
	if (!pid)
		return run(argv + 2);
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		fail("waitpid");
	if (ptrace(PTRACE_SETOPTIONS, pid, NULL,
		   (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)))
		fail("PTRACE_SETOPTIONS");
	return kill_after(pid, calls, strstr(argv[1], ":rename") != NULL, status);
}
