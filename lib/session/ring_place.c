/* SPDX-License-Identifier: MIT */
/* ring_place.c - see ring_place.h */
#include "session/ring_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"
#include "session/paths.h"
#include "session/state.h"

#define COPY_NEW SESSION_COPY_FILE ".new"

int ring_place_make(const char *dir, const char *escaped_name, char ret_path[TACHO_PATH_BYTES],
		    struct tacho_error *error)
{
	char above[TACHO_PATH_BYTES], prefix[TACHO_PATH_BYTES];
	int ret = trace_absolute_path(dir, above, error);

	if (ret)
		return ret;
	ret = str_print(prefix, sizeof(prefix), "%s/%s", above, escaped_name);
	if (ret)
		return error_set(error, ret, "the path of the buffers is too long: %.60s..", above);
	return trace_make_dated(prefix, ret_path, error);
}

int ring_place_open(int dir_fd, const struct tacho_session *file, struct tacho_error *error)
{
	const char *path = file->shm_path[0] ? file->shm_path : ".";
	int fd = openat(dir_fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return error_set(error, -errno, "cannot open the directory %s for the buffers: %s",
				 file->shm_path, strerror(errno));
	return fd;
}

int ring_place_link(int dir_fd, const struct tacho_session *file, const char *name)
{
	char target[TACHO_PATH_BYTES];
	int ret;

	if (!file->shm_path[0])
		return 0;
	ret = str_print(target, sizeof(target), "%s/%s", file->shm_path, name);
	if (!ret && symlinkat(target, dir_fd, name))
		ret = -errno;
	return ret;
}

void ring_place_unlink(int dir_fd, const struct tacho_session *file, const char *name)
{
	int fd = ring_place_open(dir_fd, file, NULL);

	if (fd >= 0)
		unlinkat(fd, name, 0);
	fd_close(fd);
	unlinkat(dir_fd, name, 0);
}

static int write_copy(int fd, const struct tacho_session *file)
{
	int ret = fd_write_all(fd, file, TACHO_SESSION_FIXED_BYTES + file->text_allocated);

	return !ret && fdatasync(fd) ? -errno : ret;
}

/* Whole, or as it was. */
void ring_place_copy_session(const struct tacho_session *file)
{
	int dir_fd = file->shm_path[0] ? ring_place_open(AT_FDCWD, file, NULL) : -1;
	int fd = dir_fd < 0 ? dir_fd :
			      file_open_at(dir_fd, COPY_NEW, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd >= 0 &&
	    (write_copy(fd, file) || renameat(dir_fd, COPY_NEW, dir_fd, SESSION_COPY_FILE)))
		unlinkat(dir_fd, COPY_NEW, 0);
	fd_close(fd);
	fd_close(dir_fd);
}

/* Anything may be at the other end of a link; a file of ours says so itself. */
static bool is_our_file(int fd, const struct stat *st)
{
	uint64_t magic;

	return st->st_uid == geteuid() && st->st_nlink == 1 &&
	       !fd_read_at(fd, &magic, sizeof(magic), 0) &&
	       (magic == TACHO_RINGS_MAGIC || magic == TACHO_EVENTS_MAGIC ||
		magic == TACHO_SESSION_MAGIC);
}

static bool remove_file(const char *path)
{
	int fd = file_open_at(AT_FDCWD, path, O_RDWR, 0);
	struct stat st;
	bool is_ours;

	if (fd < 0)
		return false;
	is_ours = !fstat(fd, &st) && is_our_file(fd, &st);
	if (is_ours)
		fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, st.st_size);
	fd_close(fd);
	return is_ours && !unlink(path);
}

static bool ends_with(const char *name, size_t length, const char *suffix)
{
	size_t suffix_length = strlen(suffix);

	return length > suffix_length && !strcmp(name + length - suffix_length, suffix);
}

/* ring_place_link() makes links to files of the same name, and to no others. */
static bool is_our_link(const char *target, const char *name)
{
	const char *slash = strrchr(target, '/');
	size_t length = strlen(name);

	return *target == '/' && slash && !strcmp(slash + 1, name) &&
	       (!strcmp(name, EVENTS_FILE) || !strcmp(name, SESSION_COPY_FILE) ||
		ends_with(name, length, RINGS_SUFFIX) || ends_with(name, length, SHARDS_SUFFIX) ||
		ends_with(name, length, KERNEL_SUFFIX));
}

/* Of a tool that was killed. */
static void remove_unfinished_copy(const char *dir, const char *name)
{
	char path[TACHO_PATH_BYTES];

	if (!strcmp(name, SESSION_COPY_FILE) && !str_print(path, sizeof(path), "%s/" COPY_NEW, dir))
		unlink(path);
}

void ring_place_remove(int dir_fd, const char *name)
{
	char target[TACHO_PATH_BYTES];
	ssize_t bytes = readlinkat(dir_fd, name, target, sizeof(target) - 1);
	char *slash;

	if (bytes <= 0)
		return;
	target[bytes] = 0;
	if (!is_our_link(target, name) || !remove_file(target))
		return;
	slash = strrchr(target, '/');
	if (slash == target)
		return;
	*slash = 0;
	remove_unfinished_copy(target, name);
	rmdir(target); /* unless another one is in it */
}
