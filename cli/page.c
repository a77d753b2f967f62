/* SPDX-License-Identifier: MIT */
/* page.c - see page.h */
#include "page.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *page_name(const struct command *command)
{
	static char name[64];

	if (command == &cmd_help || command == &cmd_version)
		return "tacho";
	snprintf(name, sizeof(name), "tacho-%.*s", (int)strcspn(command->name, " "), command->name);
	return name;
}

static void be_silent(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
}

/* Return: did man(1) find it? */
static bool run_man(const char *option, const char *page)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (option)
			be_silent();
		execlp("man", "man", option ? option : page, option ? page : NULL, NULL);
		_exit(STATUS_NOT_FOUND);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

bool page_show(const struct command *command)
{
	const char *page = page_name(command);

	return run_man("-w", page) && run_man(NULL, page);
}
