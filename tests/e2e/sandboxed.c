/* SPDX-License-Identifier: MIT */
/*
 * sandboxed.c - a program that gives up nearly all system calls, and goes on recording.
 *
 *	sandboxed COUNT
 *
 * It records one event, waits for the end of its input, and then installs a filter under which any
 * system call but write(2) and exit_group(2) kills. It records COUNT events, and says "done".
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <tacho/event.h>

#define ALLOW(number)                                                                              \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1),                                       \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static int give_up_system_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(SYS_write),
		ALLOW(SYS_exit_group),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void say(const char *text, size_t bytes)
{
	if (write(STDOUT_FILENO, text, bytes) < 0)
		_exit(1);
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	char byte;

	tacho_event(sandboxed, tick, "number", 0ul);
	say("ready\n", 6);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	if (give_up_system_calls())
		return errno == EINVAL ? 77 : 1;
	for (unsigned long number = 1; number <= count; number++)
		tacho_event(sandboxed, tick, "number", number);
	say("done\n", 5);
	_exit(0);
}
