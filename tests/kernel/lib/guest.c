/* SPDX-License-Identifier: MIT */
/* guest.c - see guest.h */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct guest_load {
	uint32_t count;
	bool is_over;
	uint64_t done;
	pthread_t threads[];
};

bool guest_say(const char *name, bool passed, const char *fmt, ...)
{
	struct timespec now;
	char why[256];
	va_list arguments;

	va_start(arguments, fmt);
	vsnprintf(why, sizeof(why), fmt, arguments);
	va_end(arguments);
	clock_gettime(CLOCK_BOOTTIME, &now);
	printf("%s - %s\n# at %lld s: %s\n", passed ? "ok" : "not ok", name, (long long)now.tv_sec,
	       why);
	fflush(stdout);
	return passed;
}

int guest_load(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return ret;
}

int guest_unload(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

uint32_t guest_cpus(void)
{
	return (uint32_t)sysconf(_SC_NPROCESSORS_CONF);
}

static void call_a_lot(int *pipe_fds, uint64_t turn)
{
	char name[16], byte = 0;

	for (int i = 0; i < 20; i++)
		syscall(SYS_getppid);
	if (write(pipe_fds[1], &byte, 1) != 1 || read(pipe_fds[0], &byte, 1) != 1)
		return;
	if (turn % 8 == 0) {
		snprintf(name, sizeof(name), "load-%u", (unsigned int)turn % 1000);
		prctl(PR_SET_NAME, name);
	}
	sched_yield();
	/* An emulated CPU that never rests keeps the other from what this one waits for. */
	if (turn % 4 == 0)
		usleep(200);
}

static void *load_cpu(void *data)
{
	struct guest_load *load = data;
	int pipe_fds[2];
	uint64_t turn = 0;

	if (pipe(pipe_fds))
		return NULL;
	for (; !__atomic_load_n(&load->is_over, __ATOMIC_RELAXED); turn++)
		call_a_lot(pipe_fds, turn);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	__atomic_add_fetch(&load->done, turn, __ATOMIC_RELAXED);
	return NULL;
}

struct guest_load *guest_load_start(uint32_t threads)
{
	struct guest_load *load = calloc(1, sizeof(*load) + threads * sizeof(load->threads[0]));

	while (load->count < threads &&
	       !pthread_create(&load->threads[load->count], NULL, load_cpu, load))
		load->count++;
	return load;
}

uint64_t guest_load_stop(struct guest_load *load)
{
	uint64_t done;

	__atomic_store_n(&load->is_over, true, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < load->count; i++)
		pthread_join(load->threads[i], NULL);
	done = load->done;
	free(load);
	return done;
}

static bool is_complaint(const char *line)
{
	static const char *const words[] = { "BUG:",   "WARNING:",    "Oops",
					     "stall",  "Call Trace:", "protection fault",
					     "lockup", "hung task",   "scheduling while atomic" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strstr(line, words[i]))
			return true;
	}
	return false;
}

bool guest_kernel_complains(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	bool complains = false;
	char line[8192];
	ssize_t n;

	while ((n = read(fd, line, sizeof(line) - 1)) > 0 || errno == EPIPE) {
		line[n > 0 ? n : 0] = '\0';
		errno = 0;
		if (!is_complaint(line))
			continue;
		printf("# the kernel says: %.200s\n", line);
		complains = true;
	}
	close(fd);
	return complains;
}

static bool load_modules(void)
{
	int ret = guest_load(GUEST_MODULE);
	int fire_ret = guest_load(GUEST_FIRE);

	return !ret && !fire_ret;
}

static bool unload_modules(void)
{
	int fire_ret = guest_unload("tacho_fire");
	int ret = guest_unload("tacho");

	if (ret || fire_ret)
		printf("# unloading: %s, %s\n", strerror(-ret), strerror(-fire_ret));
	return !ret && !fire_ret;
}

int guest_main(const struct guest_case *cases, int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	unsigned int number = argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 10) : 0;

	if (!load_modules())
		return !guest_say("the_modules_load", false, "%s", strerror(errno));
	for (; cases->name; cases++) {
		if (!strcmp(cases->name, name))
			cases->run(number);
	}
	guest_say("the_modules_are_unloaded_and_the_kernel_does_not_complain",
		  unload_modules() && !guest_kernel_complains(), "after %s", name);
	return 0;
}
