/* SPDX-License-Identifier: MIT */
/* state_source.c - see state_source.h */
#include "session/kernel/state_source.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "kernel/tracefs.h"

#define FILES_MAX       65536u /* of a process */
#define PATH_TEXT_BYTES 2048
#define STAT_BYTES      1024
#define MINOR_BITS      20          /* of a device's number in the kernel */
#define FLAG_KERNEL     0x00200000u /* in a thread's flags */

/* As LTTng numbers them. */
enum { USER_THREAD, KERNEL_THREAD };
enum { MODE_UNKNOWN = 5, SUBMODE_UNKNOWN = 1 };
enum { UNNAMED, WAIT_CPU = 2, ZOMBIE = 4, WAIT, DEAD = 7 };

#define OF_PROCESSES                                                                               \
	(1u << KERNEL_STATE_PROCESS | 1u << KERNEL_STATE_PID_NS | 1u << KERNEL_STATE_FILE)

struct source {
	const struct state_wish *wish;
	struct kernel_state state; /* the record that is being made */
	uint64_t own_pid_ns;
};

static bool is_wanted(const struct source *s, enum kernel_state_kind kind)
{
	return s->wish->wanted & 1u << kind;
}

static void begin(struct source *s, enum kernel_state_kind kind)
{
	kernel_state_begin(&s->state, kind);
}

static void put_int(struct source *s, int value)
{
	kernel_state_add_number(&s->state, (uint64_t)(int64_t)value, sizeof(uint32_t));
}

static void put_uint(struct source *s, uint32_t value)
{
	kernel_state_add_number(&s->state, value, sizeof(value));
}

static void put_address(struct source *s, uint64_t value)
{
	kernel_state_add_number(&s->state, value, sizeof(value));
}

static void put_text(struct source *s, const char *text, uint32_t spare)
{
	kernel_state_add_text(&s->state, text, spare);
}

static void tell(struct source *s, enum kernel_state_kind kind)
{
	s->wish->tell(s->wish->arg, kind, &s->state);
}

static void tell_bare(struct source *s, enum kernel_state_kind kind)
{
	begin(s, kind);
	tell(s, kind);
}

/* Each name in a directory that is a number, up to @most of them. */
static void visit_numbers(int dir_fd, const char *path, uint32_t most,
			  void (*visit)(struct source *s, int dir_fd, const char *name, void *arg),
			  struct source *s, void *arg)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		fd_close(fd);
		return;
	}
	while (most && (entry = readdir(dir))) {
		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		visit(s, fd, entry->d_name, arg);
		most--;
	}
	closedir(dir);
}

static bool read_link(int dir_fd, const char *path, char *ret_text, size_t size)
{
	ssize_t length = readlinkat(dir_fd, path, ret_text, size - 1);

	ret_text[length > 0 ? length : 0] = 0;
	return length >= 0;
}

/* ---- threads ---- */

/* The name may hold anything, also what looks like the rest; after the last ')' there is none of it. */
bool state_thread_parse(const char *text, struct state_thread *ret_thread)
{
	const char *open = strchr(text, '('), *close = strrchr(text, ')');
	unsigned int flags;
	size_t length;

	if (!open || !close || close < open)
		return false;
	length = (size_t)(close - open) - 1;
	if (length >= sizeof(ret_thread->name))
		length = sizeof(ret_thread->name) - 1;
	memcpy(ret_thread->name, open + 1, length);
	ret_thread->name[length] = 0;
	if (sscanf(close + 1, " %c %d %*d %*d %*d %*d %u", &ret_thread->state, &ret_thread->ppid,
		   &flags) != 3)
		return false;
	ret_thread->is_kernel = flags & FLAG_KERNEL;
	ret_thread->cpu = 0;
	for (int field = 0; field < 37 && close; field++)
		close = strchr(close + 1, ' ');
	if (close)
		ret_thread->cpu = (uint32_t)strtoul(close, NULL, 10);
	return true;
}

static int status_of(char state)
{
	switch (state) {
	case 'R':
		return WAIT_CPU;
	case 'S':
	case 'D':
	case 'I':
		return WAIT;
	case 'Z':
		return ZOMBIE;
	case 'X':
		return DEAD;
	default:
		return UNNAMED;
	}
}

/* "pid:[4026531836]"; 0: not known */
static uint64_t pid_ns_of(int dir_fd, const char *path)
{
	char link[64];
	const char *bracket;

	if (!read_link(dir_fd, path, link, sizeof(link)))
		return 0;
	bracket = strchr(link, '[');
	return bracket ? strtoull(bracket + 1, NULL, 10) : 0;
}

/* A list of a line of status, "NSpid:\t12\t1": the last one, and how many come before it. */
static int last_number(const char *status, const char *key, int *ret_level)
{
	const char *at = strstr(status, key);
	int number = 0, used;

	*ret_level = -1;
	for (at = at ? at + strlen(key) : "";
	     *ret_level < 64 && sscanf(at, "%d%n", &number, &used) == 1; at += used) {
		++*ret_level;
		if (at[used] == '\n')
			break;
	}
	return number;
}

/* The kernel makes the text of status slowly: it is read only where there are other pids than ours. */
static void tell_pid_ns(struct source *s, int dir_fd, int tid, int pid, int ppid)
{
	uint64_t inode = pid_ns_of(dir_fd, "ns/pid");
	int vtid = tid, vpid = pid, vppid = ppid, level = 0;
	char *status;

	if (inode && inode != s->own_pid_ns && tracefs_read(dir_fd, "status", &status) >= 0) {
		vtid = last_number(status, "\nNSpid:", &level);
		vpid = last_number(status, "\nNStgid:", &level);
		vppid = 0; /* not told */
		free(status);
	}
	begin(s, KERNEL_STATE_PID_NS);
	put_int(s, tid);
	put_int(s, vtid);
	put_int(s, vpid);
	put_int(s, vppid);
	put_int(s, level < 0 ? 0 : level);
	put_uint(s, (uint32_t)inode);
	tell(s, KERNEL_STATE_PID_NS);
}

static void tell_process(struct source *s, const struct state_thread *thread, int tid, int pid)
{
	begin(s, KERNEL_STATE_PROCESS);
	put_int(s, tid);
	put_int(s, pid);
	put_int(s, thread->ppid);
	kernel_state_add_name(&s->state, thread->name);
	put_int(s, thread->is_kernel ? KERNEL_THREAD : USER_THREAD);
	put_int(s, MODE_UNKNOWN);
	put_int(s, SUBMODE_UNKNOWN);
	put_int(s, status_of(thread->state));
	put_uint(s, thread->cpu);
	put_address(s, (uint64_t)pid);
	tell(s, KERNEL_STATE_PROCESS);
}

static void visit_thread(struct source *s, int task_fd, const char *name, void *arg)
{
	const int *pid = arg;
	int fd = openat(task_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int tid = atoi(name);
	struct state_thread thread;
	char text[STAT_BYTES];

	if (fd >= 0 && file_read_text(fd, "stat", text, sizeof(text)) > 0 &&
	    state_thread_parse(text, &thread)) {
		if (is_wanted(s, KERNEL_STATE_PROCESS))
			tell_process(s, &thread, tid, *pid);
		if (is_wanted(s, KERNEL_STATE_PID_NS))
			tell_pid_ns(s, fd, tid, *pid, thread.ppid);
	}
	fd_close(fd);
}

/* ---- files ---- */

/* A process with open files. */
struct owner {
	int pid;
	int fdinfo_fd;
};

/* "pos:\t0\nflags:\t0100002\n..": as open(2) has them, O_CLOEXEC included. One read(2) is enough for what
 * comes first, and a hundred thousand files are read here. */
static uint32_t flags_of(int fdinfo_fd, const char *name)
{
	char text[64];
	int fd = openat(fdinfo_fd, name, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	const char *at;

	fd_close(fd);
	text[length > 0 ? length : 0] = 0;
	at = strstr(text, "flags:");
	return at ? (uint32_t)strtoul(at + strlen("flags:"), NULL, 8) : 0;
}

static void visit_file(struct source *s, int dir_fd, const char *name, void *arg)
{
	const struct owner *owner = arg;
	char path[PATH_TEXT_BYTES];
	uint32_t flags;

	if (!read_link(dir_fd, name, path, sizeof(path)))
		return;
	flags = flags_of(owner->fdinfo_fd, name);
	begin(s, KERNEL_STATE_FILE);
	put_address(s, (uint64_t)owner->pid);
	put_int(s, atoi(name));
	put_uint(s, flags);
	put_uint(s, (flags + 1) & 3); /* 1: read, 2: write, 3: both */
	put_text(s, path, 0);
	tell(s, KERNEL_STATE_FILE);
}

static bool has_files_told(const struct source *s, uint32_t pid)
{
	const uint8_t *followed = s->wish->followed;

	return is_wanted(s, KERNEL_STATE_FILE) &&
	       (!followed || (pid < STATE_PIDS && followed[pid / 8] & 1u << pid % 8));
}

static void tell_files(struct source *s, int process_fd, int pid)
{
	struct owner owner = { .pid = pid };

	owner.fdinfo_fd = openat(process_fd, "fdinfo", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	visit_numbers(process_fd, "fd", FILES_MAX, visit_file, s, &owner);
	fd_close(owner.fdinfo_fd);
}

static void visit_process(struct source *s, int proc_fd, const char *name, void *arg)
{
	int fd = openat(proc_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), pid = atoi(name);

	(void)arg;
	if (fd < 0)
		return;
	if (is_wanted(s, KERNEL_STATE_PROCESS) || is_wanted(s, KERNEL_STATE_PID_NS))
		visit_numbers(fd, "task", UINT32_MAX, visit_thread, s, &pid);
	if (has_files_told(s, (uint32_t)pid))
		tell_files(s, fd, pid);
	fd_close(fd);
}

/* ---- the machine ---- */

static void tell_action(struct source *s, uint32_t irq, const char *chip, const char *action)
{
	begin(s, KERNEL_STATE_INTERRUPT);
	put_uint(s, irq);
	put_text(s, chip, STAT_BYTES);
	put_text(s, action, sizeof(uint32_t));
	put_int(s, 0);
	tell(s, KERNEL_STATE_INTERRUPT);
}

/* /sys/kernel/irq/N: who shares a line stands in "actions" with commas between. */
static void visit_interrupt(struct source *s, int dir_fd, const char *name, void *arg)
{
	char path[64], chip[STAT_BYTES], actions[STAT_BYTES], *rest;

	(void)arg;
	snprintf(path, sizeof(path), "%.16s/chip_name", name);
	if (file_read_text(dir_fd, path, chip, sizeof(chip)) < 0)
		return;
	snprintf(path, sizeof(path), "%.16s/actions", name);
	if (file_read_text(dir_fd, path, actions, sizeof(actions)) < 0)
		return;
	for (char *action = strtok_r(actions, ",", &rest); action;
	     action = strtok_r(NULL, ",", &rest))
		tell_action(s, (uint32_t)strtoul(name, NULL, 10), chip, action);
}

static void tell_interface(struct source *s, const char *name, uint32_t address)
{
	begin(s, KERNEL_STATE_INTERFACE);
	put_text(s, name, sizeof(address));
	kernel_state_add_number(&s->state, address, sizeof(address));
	tell(s, KERNEL_STATE_INTERFACE);
}

static bool has_address(const struct ifaddrs *list, const char *name)
{
	for (; list; list = list->ifa_next)
		if (list->ifa_addr && list->ifa_addr->sa_family == AF_INET &&
		    !strcmp(list->ifa_name, name))
			return true;
	return false;
}

/* Each address; an interface without one has 0.0.0.0. */
static void tell_interfaces(struct source *s)
{
	struct ifaddrs *list;

	if (getifaddrs(&list))
		return;
	for (const struct ifaddrs *i = list; i; i = i->ifa_next) {
		int family = i->ifa_addr ? i->ifa_addr->sa_family : AF_UNSPEC;

		if (family == AF_INET)
			tell_interface(s, i->ifa_name,
				       ((const struct sockaddr_in *)(const void *)i->ifa_addr)
					       ->sin_addr.s_addr);
		else if (family == AF_PACKET && !has_address(list, i->ifa_name))
			tell_interface(s, i->ifa_name, 0);
	}
	freeifaddrs(list);
}

static void visit_lines(const char *path, void (*visit)(struct source *s, const char *line),
			struct source *s)
{
	char *text, *rest;

	if (tracefs_read(AT_FDCWD, path, &text) < 0)
		return;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		visit(s, line);
	free(text);
}

/* "   8        1  123456 sda1" */
static void visit_disk(struct source *s, const char *line)
{
	unsigned int major, minor;
	char name[64];

	if (sscanf(line, "%u %u %*u %63s", &major, &minor, name) != 3)
		return;
	begin(s, KERNEL_STATE_DISK);
	put_uint(s, major << MINOR_BITS | minor);
	put_text(s, name, 0);
	tell(s, KERNEL_STATE_DISK);
}

/* "36 35 98:0 /root /mnt rw,noatime master:1 - ext3 /dev/sda1 rw", odd characters as \040 */
static void visit_mount(struct source *s, const char *line)
{
	char mountpoint[PATH_TEXT_BYTES / 2 + 1], type[65], source[PATH_TEXT_BYTES / 4 + 1] = "";
	const char *second = strstr(line, " - ");
	unsigned int major, minor;

	if (!second || sscanf(line, "%*d %*d %u:%u %*s %1024s", &major, &minor, mountpoint) != 3 ||
	    sscanf(second, " - %64s %512s", type, source) < 1)
		return;
	begin(s, KERNEL_STATE_MOUNT);
	put_uint(s, major << MINOR_BITS | minor);
	put_text(s, type, 0);
	put_text(s, source, 0);
	put_text(s, mountpoint, 0);
	tell(s, KERNEL_STATE_MOUNT);
}

void state_source_read(const struct state_wish *wish)
{
	struct source s = { .wish = wish };

	s.own_pid_ns = pid_ns_of(AT_FDCWD, "/proc/self/ns/pid");
	tell_bare(&s, KERNEL_STATE_START);
	if (is_wanted(&s, KERNEL_STATE_DISK))
		visit_lines("/proc/partitions", visit_disk, &s);
	if (is_wanted(&s, KERNEL_STATE_MOUNT))
		visit_lines("/proc/self/mountinfo", visit_mount, &s);
	if (is_wanted(&s, KERNEL_STATE_INTERFACE))
		tell_interfaces(&s);
	if (is_wanted(&s, KERNEL_STATE_INTERRUPT))
		visit_numbers(AT_FDCWD, "/sys/kernel/irq", UINT32_MAX, visit_interrupt, &s, NULL);
	if (wish->wanted & OF_PROCESSES)
		visit_numbers(AT_FDCWD, "/proc", UINT32_MAX, visit_process, &s, NULL);
	tell_bare(&s, KERNEL_STATE_END);
}
