/* SPDX-License-Identifier: MIT */
/* tracefs.c - see tracefs.h */
#include "kernel/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/fd.h"

#define TRACEFS_MAGIC 0x74726163u
/* Formats have a few KiB, lists of events 100. */
#define READ_BYTES_MAX (8u << 20)
#define READ_BYTES     16384u

static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

static bool is_tracefs(int fd)
{
	struct statfs st;

	return !fstatfs(fd, &st) && (unsigned int)st.f_type == TRACEFS_MAGIC;
}

static int open_mounted(void)
{
	int ret = -ENOENT;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int fd = open(places[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (fd >= 0 && is_tracefs(fd))
			return fd;
		if (fd < 0 && errno == EACCES)
			ret = -EACCES;
		fd_close(fd);
	}
	return ret;
}

/* A mount that is in no directory; it ends with its descriptor. */
static int open_detached(void)
{
	int fs = fsopen("tracefs", FSOPEN_CLOEXEC);
	int fd = -1, ret = fs < 0 ? -errno : 0;

	if (!ret && fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		ret = -errno;
	if (!ret)
		fd = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	if (!ret && fd < 0)
		ret = -errno;
	fd_close(fs);
	return ret ? ret : fd;
}

static int explain(int err, struct tacho_error *error)
{
	if (geteuid())
		return error_set(error, -EACCES,
				 "the kernel's events can be recorded by root only; use sudo, or have "
				 "root mount tracefs for a group (mount -o remount,gid=GROUP "
				 "/sys/kernel/tracing)");
	if (err == -ENODEV)
		return error_set(error, err,
				 "this kernel was built without its tracer (CONFIG_FTRACE), so that its "
				 "events cannot be recorded; programs' events can");
	if (err == -EPERM || err == -EACCES)
		return error_set(error, err,
				 "this root may not use the kernel's tracer: neither is tracefs mounted "
				 "in /sys/kernel/tracing, nor may it be mounted here (a container "
				 "without CAP_SYS_ADMIN, or a kernel that is locked down for "
				 "confidentiality); record on the host");
	return error_set(error, err, "cannot open tracefs, the files of the kernel's tracer: %s",
			 strerror(-err));
}

int tracefs_open(struct tacho_error *error)
{
	int fd = open_mounted();

	if (fd < 0 && !geteuid())
		fd = open_detached();
	if (fd >= 0 && faccessat(fd, "instances", W_OK, AT_EACCESS)) {
		int err = -errno;

		fd_close(fd);
		return explain(err, error);
	}
	return fd < 0 ? explain(fd, error) : fd;
}

static long read_all(int fd, char **ret_text)
{
	char *text = NULL;
	size_t size = 0, used = 0;
	ssize_t got = 1;

	while (got > 0) {
		if (used + READ_BYTES > size) {
			char *larger = size < READ_BYTES_MAX ?
					       realloc(text, 2 * size + 2 * READ_BYTES) : NULL;

			if (!larger) {
				free(text);
				return -ENOMEM;
			}
			text = larger;
			size = 2 * size + 2 * READ_BYTES;
		}
		got = read(fd, text + used, READ_BYTES - 1);
		used += got > 0 ? (size_t)got : 0;
	}
	if (got < 0) {
		got = -errno;
		free(text);
		return got;
	}
	text[used] = 0;
	*ret_text = text;
	return (long)used;
}

long tracefs_read(int dir_fd, const char *path, char **ret_text)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);
	long ret = fd < 0 ? -errno : read_all(fd, ret_text);

	fd_close(fd);
	return ret;
}

static int write_with(int dir_fd, const char *path, const char *text, int flags)
{
	int fd = openat(dir_fd, path, O_WRONLY | O_CLOEXEC | flags);
	int ret = fd < 0 ? -errno : 0;

	if (!ret && write(fd, text, strlen(text)) < 0)
		ret = -errno;
	fd_close(fd);
	return ret;
}

int tracefs_write(int dir_fd, const char *path, const char *text)
{
	return write_with(dir_fd, path, text, O_TRUNC);
}

int tracefs_append(int dir_fd, const char *path, const char *text)
{
	return write_with(dir_fd, path, text, O_APPEND);
}

int tracefs_choose(int dir_fd, const char *path, const char *const *choices)
{
	int ret = -EINVAL;

	for (int i = 0; choices[i]; i++) {
		ret = tracefs_write(dir_fd, path, choices[i]);
		if (!ret)
			return i;
	}
	return ret;
}
