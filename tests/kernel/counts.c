/* SPDX-License-Identifier: MIT */
/*
 * counts.c - what an event costs, in instructions: run where the CPU's counter counts them (QEMU, -icount
 * shift=0, one CPU). The same workload with the module, with the kernel's own tracer, and with neither.
 *
 * Prints "count NAME INSTRUCTIONS" for each: of one event, one system call with entry and exit, one
 * transaction. The smallest of many batches; they differ in the last digit, if at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "lib/guest.h"
#include "lib/ring_file.h"

#define BATCHES    31
#define RING_BYTES (4u << 20)
#define TRACEFS    "/tmp/tracefs"
#define INSTANCE   TRACEFS "/instances/counts"

/* Where the members of the kernel's structures are: tacho_fire.ko was compiled with them. */
static struct {
	unsigned int comm, pid, prio;
} task;

/* Without what it asks for there is nothing to count. */
static void must(bool is_right, const char *what)
{
	if (is_right)
		return;
	printf("not ok - %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Workloads */

struct workload {
	void (*turn)(struct workload *workload);
	unsigned int turns;
	int to, from;
	pid_t peer;
};

static void call(struct workload *w)
{
	(void)w;
	syscall(SYS_getppid);
}

/* Two switches between threads */
static void ping_pong(struct workload *w)
{
	char byte = 0;

	must(write(w->to, &byte, 1) == 1 && read(w->from, &byte, 1) == 1, "a byte goes and comes");
}

static void transact(struct workload *w)
{
	static char bytes[4096];

	must(send(w->to, bytes, 100, 0) == 100 &&
		     recv(w->to, bytes, sizeof(bytes), MSG_WAITALL) > 0,
	     "a transaction");
}

static void start_ping_pong(struct workload *w)
{
	int there[2], back[2];
	char byte;

	must(!pipe(there) && !pipe(back), "pipes");
	w->to = there[1];
	w->from = back[0];
	w->peer = fork();
	if (w->peer)
		return;
	close(there[1]);
	while (read(there[0], &byte, 1) == 1)
		if (write(back[1], &byte, 1) != 1)
			break;
	_exit(0);
}

static int listen_on_loopback(struct sockaddr_in *address)
{
	socklen_t bytes = sizeof(*address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct ifreq up = { .ifr_name = "lo", .ifr_flags = IFF_UP };

	*address = (struct sockaddr_in){ .sin_family = AF_INET,
					 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	must(!ioctl(fd, SIOCSIFFLAGS, &up) &&
		     !bind(fd, (struct sockaddr *)address, sizeof(*address)) && !listen(fd, 1) &&
		     !getsockname(fd, (struct sockaddr *)address, &bytes),
	     "the loopback");
	return fd;
}

static void start_transactions(struct workload *w)
{
	static char bytes[4096];
	struct sockaddr_in address;
	int one = 1, listener = listen_on_loopback(&address), fd;

	w->peer = fork();
	if (!w->peer) {
		fd = accept(listener, NULL, NULL);
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		while (recv(fd, bytes, 100, MSG_WAITALL) == 100)
			send(fd, bytes, sizeof(bytes), 0);
		_exit(0);
	}
	w->to = socket(AF_INET, SOCK_STREAM, 0);
	must(!connect(w->to, (struct sockaddr *)&address, sizeof(address)), "connect");
	setsockopt(w->to, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
}

static double measure(struct workload *w)
{
	unsigned long long least = ~0ull;

	for (int batch = 0; batch < BATCHES; batch++) {
		unsigned long long begin = __rdtsc(), took;

		for (unsigned int i = 0; i < w->turns; i++)
			w->turn(w);
		took = __rdtsc() - begin;
		least = took < least ? took : least;
	}
	return (double)least / w->turns;
}

static struct workload calls = { .turn = call, .turns = 500 };
static struct workload switches = { .turn = ping_pong, .turns = 100 };
static struct workload transactions = { .turn = transact, .turns = 100 };

/* Tracers */

#define WORD(bytes, n)                                                                             \
	{                                                                                          \
		.kind = TACHO_FETCH_WORD_##bytes, .word = (n)                                      \
	}
#define LOAD(bytes, n, o)                                                                          \
	{                                                                                          \
		.kind = TACHO_FETCH_LOAD_##bytes, .word = (n), .offset = (uint16_t)(o)             \
	}
#define LOADS(bytes, n, o, p)                                                                      \
	{                                                                                          \
		.kind = TACHO_FETCH_LOAD_##bytes##_##bytes, .word = (n), .offset = (uint16_t)(o),  \
		.second_offset = (uint16_t)(p)                                                     \
	}
#define RECORD(file, name, id, fetch)                                                              \
	must(!ring_file_record_recipe((file), (name), (id), (fetch),                               \
				      sizeof(fetch) / sizeof((fetch)[0])),                         \
	     (name))

static void record_system_calls(struct ring_file *file)
{
	const struct tacho_fetch enter[] = { WORD(8, 1),
					     { .kind = TACHO_FETCH_ARGUMENTS, .word = 0 } };
	const struct tacho_fetch leave[] = { WORD(8, 1) };

	RECORD(file, "sys_enter", 1, enter);
	RECORD(file, "sys_exit", 2, leave);
}

/* The words are preempt, prev, next, prev_state. All that a trace of the scheduler has. */
static void record_switches(struct ring_file *file)
{
	const struct tacho_fetch all[] = { LOAD(16, 1, task.comm), LOADS(4, 1, task.pid, task.prio),
					   WORD(8, 3), LOAD(16, 2, task.comm),
					   LOADS(4, 2, task.pid, task.prio) };

	RECORD(file, "sched_switch", 3, all);
}

/* Who comes; who goes is known. */
static void record_next(struct ring_file *file)
{
	const struct tacho_fetch next[] = { LOAD(4, 2, task.pid) };

	RECORD(file, "sched_switch", 3, next);
}

static void record_transactions(struct ring_file *file)
{
	record_system_calls(file);
	record_switches(file);
}

static double with_module(struct workload *w, void (*record)(struct ring_file *file))
{
	struct ring_file file;
	double count;

	must(!ring_file_open(&file, TACHO_MODE_OVERWRITE, RING_BYTES, 1), "the module records");
	record(&file);
	count = measure(w);
	ring_file_detach(&file);
	ring_file_close(&file);
	return count;
}

static void say_to(const char *file, const char *text)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), INSTANCE "/%s", file);
	fd = open(path, O_WRONLY);
	must(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text), path);
	close(fd);
}

static double with_ftrace(struct workload *w, const char *events, const char *more_events)
{
	double count;

	say_to(events, "1");
	if (more_events)
		say_to(more_events, "1");
	count = measure(w);
	say_to(events, "0");
	if (more_events)
		say_to(more_events, "0");
	return count;
}

static void set_up(void)
{
	FILE *offsets;
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	must(!guest_load(GUEST_MODULE) && !guest_load(GUEST_FIRE), "the modules load");
	offsets = fopen("/sys/module/tacho_fire/parameters/task_offsets", "r");
	must(offsets && fscanf(offsets, "%u %u %u", &task.comm, &task.pid, &task.prio) == 3,
	     "offsets");
	fclose(offsets);
	mkdir(TRACEFS, 0700);
	must(!mount("tracefs", TRACEFS, "tracefs", 0, NULL), "tracefs");
	must(!mkdir(INSTANCE, 0700), INSTANCE);
	say_to("buffer_size_kb", "4096");
	say_to("trace_clock", "x86-tsc");
	start_ping_pong(&switches);
	start_transactions(&transactions);
}

static void print(const char *name, double count)
{
	printf("count %s %.1f\n", name, count);
	fflush(stdout);
}

int main(void)
{
	double call_alone, switch_alone, alone;

	set_up();
	call_alone = measure(&calls);
	switch_alone = measure(&switches);
	alone = measure(&transactions);
	print("getppid_untraced", call_alone);
	print("system_call", with_module(&calls, record_system_calls) - call_alone);
	print("sched_switch_next", (with_module(&switches, record_next) - switch_alone) / 2);
	print("sched_switch", (with_module(&switches, record_switches) - switch_alone) / 2);
	print("transaction_untraced", alone);
	print("transaction", with_module(&transactions, record_transactions) - alone);
	print("ftrace_system_call",
	      with_ftrace(&calls, "events/raw_syscalls/enable", NULL) - call_alone);
	print("ftrace_sched_switch",
	      (with_ftrace(&switches, "events/sched/sched_switch/enable", NULL) - switch_alone) /
		      2);
	print("ftrace_transaction", with_ftrace(&transactions, "events/raw_syscalls/enable",
						"events/sched/sched_switch/enable") -
					    alone);
	guest_say("the_kernel_does_not_complain", !guest_kernel_complains(), "after counting");
	return 0;
}
