/* SPDX-License-Identifier: MIT */
/* instance.c - see instance.h */
#include "kernel/instance.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"
#include "kernel/tracefs.h"

#define PATH_BYTES 512
#define INSTANCES  "instances/"

int kernel_instance_open(int tracefs_fd, const char *name)
{
	char path[PATH_BYTES];
	int fd;

	if (str_print(path, sizeof(path), INSTANCES "%s", name))
		return -ENAMETOOLONG;
	fd = openat(tracefs_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int kernel_instance_remove(int tracefs_fd, const char *name)
{
	char path[PATH_BYTES];

	if (str_print(path, sizeof(path), INSTANCES "%s", name))
		return -ENAMETOOLONG;
	return unlinkat(tracefs_fd, path, AT_REMOVEDIR) && errno != ENOENT ? -errno : 0;
}

static int set_clock(int fd, enum tacho_clock_kind kind, struct tacho_error *error)
{
	/* The counter as it is, as programs read it. */
	static const char *const counters[] = { "x86-tsc", "ppc-tb", NULL };
	static const char *const monotonic[] = { "mono", NULL };
	int ret = tracefs_choose(fd, "trace_clock",
				 kind == TACHO_CLOCK_COUNTER ? counters : monotonic);

	return ret >= 0 ? 0 :
			  error_set(error, -ENOTSUP,
				    "the kernel cannot take the time of its events from the clock of "
				    "this session, so that the two would not go together; create the "
				    "session with TACHO_CLOCK=monotonic");
}

/* The kernel gives away whole pages, one a call: with larger ones, that takes less. It counts what is lost by
 * them as well, so that a buffer has 32 at least. Kernels before 6.8, and those without so much memory in
 * one piece, have pages of 4 KiB. */
static void enlarge_pages(int fd, uint64_t buffer_bytes)
{
	char text[16];

	for (unsigned int kib = 64; kib > 4; kib /= 2) {
		snprintf(text, sizeof(text), "%u", kib);
		if (kib * 1024ull * 32 <= buffer_bytes &&
		    !tracefs_write(fd, "buffer_subbuf_size_kb", text))
			return;
	}
}

static int set_buffer(int fd, const struct kernel_instance_options *options,
		      struct tacho_error *error)
{
	uint64_t kib = options->buffer_bytes / 1024;
	char text[32];
	int ret;

	enlarge_pages(fd, options->buffer_bytes);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)(kib ? kib : 1));
	ret = tracefs_write(fd, "buffer_size_kb", text);
	if (!ret)
		ret = tracefs_write(fd, "options/overwrite", options->is_overwrite ? "1" : "0");
	return ret ? error_set(error, ret,
			       "the kernel has no %s KiB for each CPU's buffer: %s; choose smaller "
			       "ones (--buffer)",
			       text, strerror(-ret)) :
		     0;
}

static int configure(int fd, const struct kernel_instance_options *options,
		     struct tacho_error *error)
{
	int ret = kernel_instance_switch(fd, false);

	if (ret)
		return error_set(error, ret, "cannot use the kernel's tracer: %s", strerror(-ret));
	tracefs_write(fd, "options/record-tgid", "1"); /* for names of what has ended: threads.h */
	ret = set_clock(fd, options->clock_kind, error);
	return ret ? ret : set_buffer(fd, options, error);
}

int kernel_instance_make(int tracefs_fd, const char *name,
			 const struct kernel_instance_options *options, struct tacho_error *error)
{
	char path[PATH_BYTES];
	int fd, ret;

	if (str_print(path, sizeof(path), INSTANCES "%s", name))
		return error_set(error, -ENAMETOOLONG, "a name is too long: '%s'", name);
	if (mkdirat(tracefs_fd, path, 0700) && errno != EEXIST)
		return error_set(error, -errno, "cannot make buffers in the kernel: %s",
				 strerror(errno));
	fd = kernel_instance_open(tracefs_fd, name);
	if (fd < 0)
		return error_set(error, fd, "cannot open the kernel's buffers: %s", strerror(-fd));
	ret = configure(fd, options, error);
	if (!ret)
		return fd;
	fd_close(fd);
	kernel_instance_remove(tracefs_fd, name);
	return ret;
}

int kernel_instance_switch(int fd, bool is_on)
{
	return tracefs_write(fd, "tracing_on", is_on ? "1" : "0");
}

int kernel_instance_enable(int fd, const char *system, const char *event, bool is_enabled)
{
	char path[PATH_BYTES];

	if (str_print(path, sizeof(path), "events/%s/%s/enable", system, event))
		return -ENAMETOOLONG;
	return tracefs_write(fd, path, is_enabled ? "1" : "0");
}

static bool is_text(int fd, const char *path, const char *text)
{
	size_t length = strlen(text);
	char *now;
	bool is_same;

	if (tracefs_read(fd, path, &now) < 0)
		return false;
	is_same = !strncmp(now, text, length) && (!now[length] || !strcmp(now + length, "\n"));
	free(now);
	return is_same;
}

int kernel_instance_filter(int fd, const char *system, const char *event, const char *filter)
{
	char path[PATH_BYTES];

	if (str_print(path, sizeof(path), "events/%s/%s/filter", system, event))
		return -ENAMETOOLONG;
	if (is_text(fd, path, filter ? filter : "none"))
		return 0;
	return tracefs_write(fd, path, filter ? filter : "0");
}

static int append_tid(int fd, const char *path, int tid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", tid);
	return tracefs_append(fd, path, text);
}

int kernel_instance_follow(int fd, int tid, bool descendants)
{
	int ret = descendants ? tracefs_write(fd, "options/event-fork", "1") : 0;

	return ret ? ret : append_tid(fd, "set_event_pid", tid);
}

int kernel_instance_follow_all(int fd)
{
	return tracefs_write(fd, "set_event_pid", "\n");
}

int kernel_instance_spare(int fd, int tid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", tid);
	return tracefs_write(fd, "set_event_notrace_pid", text);
}

static uint64_t find_number(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

long kernel_instance_followed(int fd, char **ret_text)
{
	long length = tracefs_read(fd, "set_event_pid", ret_text);

	if (length > 0 && !strchr("0123456789", **ret_text))
		length = 0;
	if (!length)
		free(*ret_text);
	return length;
}

#define STATS_BYTES 512

static int read_stats(int fd, uint32_t cpu, char text[STATS_BYTES])
{
	char path[64];
	ssize_t ret;

	snprintf(path, sizeof(path), "per_cpu/cpu%u/stats", cpu);
	ret = file_read_text(fd, path, text, STATS_BYTES);
	return ret < 0 ? (int)ret : 0;
}

int kernel_instance_losses(int fd, uint32_t cpu, struct kernel_losses *ret_losses)
{
	char text[STATS_BYTES];
	int ret = read_stats(fd, cpu, text);

	if (ret)
		return ret;
	*ret_losses = (struct kernel_losses){
		.overrun = find_number(text, "\noverrun: "),
		.dropped = find_number(text, "\ndropped events: "),
	};
	return 0;
}

int kernel_instance_used(int fd, uint32_t cpu, uint64_t *ret_bytes)
{
	char text[STATS_BYTES];
	int ret = read_stats(fd, cpu, text);

	if (!ret)
		*ret_bytes = find_number(text, "\nbytes: ");
	return ret;
}

int kernel_instance_open_marker(int fd)
{
	int marker = openat(fd, "trace_marker_raw", O_WRONLY | O_CLOEXEC);

	return marker < 0 ? -errno : marker;
}

int kernel_instance_open_pages(int fd, uint32_t cpu)
{
	char path[64];
	int pages;

	snprintf(path, sizeof(path), "per_cpu/cpu%u/trace_pipe_raw", cpu);
	pages = openat(fd, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return pages < 0 ? -errno : pages;
}

int kernel_instance_format(int fd, const char *system, const char *event,
			   struct kernel_format *ret_format, struct tacho_error *error)
{
	char path[PATH_BYTES];
	char *text;
	long ret = str_print(path, sizeof(path), "events/%s/%s/format", system, event);

	if (!ret)
		ret = tracefs_read(fd, path, &text);
	if (ret < 0)
		return error_set(error, (int)ret, "cannot read what the kernel's event '%s' is: %s",
				 event, strerror((int)-ret));
	ret = kernel_format_parse(text, ret_format, error);
	free(text);
	return (int)ret;
}
