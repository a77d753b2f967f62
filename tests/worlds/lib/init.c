/* SPDX-License-Identifier: MIT */
/* init.c - the first process of a booted kernel: runs each line of /run, and switches the machine off. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void mount_on(const char *what, const char *where)
{
	mkdir(where, 0755);
	mount(what, where, what, 0, NULL);
}

#define WORDS_MAX 8

/* "PROGRAM ARGUMENT.." */
static void run(char *line)
{
	char *argv[WORDS_MAX + 1] = { strtok(line, " \n") };
	int status = -1;
	pid_t pid;

	if (!argv[0])
		return;
	for (int i = 1; i < WORDS_MAX && argv[i - 1]; i++)
		argv[i] = strtok(NULL, " \n");
	pid = fork();
	if (!pid) {
		execv(argv[0], argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	printf("# %s left with %d\n", argv[0], status);
	fflush(stdout);
}

int main(void)
{
	char line[256];
	FILE *script;
	int fd;

	mount_on("proc", "/proc");
	mount_on("sysfs", "/sys");
	mount_on("devtmpfs", "/dev");
	mount_on("tmpfs", "/dev/shm");
	mount_on("tmpfs", "/tmp");
	fd = open("/dev/console", O_RDWR);
	dup2(fd, 0);
	dup2(fd, 1);
	dup2(fd, 2);
	setenv("TACHO_STRESS_SECONDS", "5", 1);
	setenv("TACHO_RUNTIME_DIR", "/dev/shm/run", 1);
	script = fopen("/run", "r");
	while (script && fgets(line, sizeof(line), script))
		run(line);
	printf("# all was run\n");
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 1;
}
