/* SPDX-License-Identifier: MIT */
/* fd.c - see fd.h */
#include "base/fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

void fd_close(int fd)
{
	int saved_errno = errno;

	if (fd >= 0)
		close(fd);
	errno = saved_errno;
}

/* What open() says of a link, a directory, and a FIFO without a reader or a device without a driver. */
static bool is_wrong_kind(int code)
{
	return code == ELOOP || code == EISDIR || code == ENXIO || code == ENODEV;
}

int file_open_linked_at(int dir_fd, const char *path, int flags, mode_t mode)
{
	int fd = openat(dir_fd, path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode);
	struct stat st;
	int ret = 0;

	if (fd < 0)
		return is_wrong_kind(errno) ? -EBADMSG : -errno;
	if (fstat(fd, &st))
		ret = -errno;
	else if (!S_ISREG(st.st_mode))
		ret = -EBADMSG;
	if (!ret)
		return fd;
	fd_close(fd);
	return ret;
}

int file_open_at(int dir_fd, const char *path, int flags, mode_t mode)
{
	return file_open_linked_at(dir_fd, path, flags | O_NOFOLLOW, mode);
}

int file_lock_at(int dir_fd, const char *path, bool wait)
{
	int fd = file_open_at(dir_fd, path, O_RDWR, 0);
	int ret;

	if (fd < 0)
		return fd;
	do {
		ret = flock(fd, LOCK_EX | (wait ? 0 : LOCK_NB)) ? -errno : 0;
	} while (ret == -EINTR);
	if (!ret)
		return fd;
	fd_close(fd);
	return ret;
}

int fd_read_at(int fd, void *ret_data, size_t bytes, uint64_t at)
{
	char *p = ret_data;

	while (bytes) {
		ssize_t n = pread(fd, p, bytes, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EBADMSG;
		p += n;
		at += (uint64_t)n;
		bytes -= (size_t)n;
	}
	return 0;
}

int fd_write_all(int fd, const void *data, size_t bytes)
{
	const char *p = data;

	while (bytes) {
		ssize_t n = write(fd, p, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		bytes -= (size_t)n;
	}
	return 0;
}

/* The smallest number to keep that is @from or more, or -1. */
static int next_kept(const int *keep, size_t count, int from)
{
	int best = -1;

	for (size_t i = 0; i < count; i++) {
		if (keep[i] >= from && (best < 0 || keep[i] < best))
			best = keep[i];
	}
	return best;
}

void fd_close_others(const int *keep, size_t count)
{
	int from = 3;
	int kept;

	while ((kept = next_kept(keep, count, from)) >= 0) {
		if (kept > from)
			close_range((unsigned)from, (unsigned)kept - 1, 0);
		from = kept + 1;
	}
	close_range((unsigned)from, UINT_MAX, 0);
}

ssize_t file_read_text(int dir_fd, const char *path, char *ret_text, size_t size)
{
	int fd = file_open_at(dir_fd, path, O_RDONLY, 0);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = read(fd, ret_text, size - 1);
	fd_close(fd);
	if (n < 0)
		return -errno;
	while (n > 0 && strchr(" \t\n", ret_text[n - 1]))
		n--;
	ret_text[n] = '\0';
	return n;
}

int file_write_text(int dir_fd, const char *path, const char *text)
{
	int fd = file_open_at(dir_fd, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	int ret;

	if (fd < 0)
		return fd;
	ret = fd_write_all(fd, text, strlen(text));
	fd_close(fd);
	return ret;
}

static bool is_itself(const struct dirent *entry)
{
	return !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
}

static int open_dir(int dir_fd, const char *path, DIR **ret_dir)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	*ret_dir = fdopendir(fd);
	if (*ret_dir)
		return 0;
	fd_close(fd);
	return -ENOMEM;
}

static int append_name(char ***names, size_t *count, size_t *room, const char *name)
{
	if (*count + 1 >= *room) {
		size_t more = *room ? *room * 2 : 16;
		char **grown = realloc(*names, more * sizeof(**names));

		if (!grown)
			return -ENOMEM;
		*names = grown;
		*room = more;
	}
	(*names)[*count + 1] = NULL;
	(*names)[*count] = strdup(name);
	if (!(*names)[*count])
		return -ENOMEM;
	(*count)++;
	return 0;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int read_names(DIR *dir, char ***ret_names)
{
	char **names = calloc(1, sizeof(*names));
	size_t count = 0;
	size_t room = 1;
	int ret = names ? 0 : -ENOMEM;
	struct dirent *entry;

	while (!ret && (entry = readdir(dir))) {
		if (!is_itself(entry))
			ret = append_name(&names, &count, &room, entry->d_name);
	}
	if (ret) {
		str_array_free(names);
		return ret;
	}
	qsort(names, count, sizeof(*names), by_bytes);
	*ret_names = names;
	return 0;
}

int dir_list(int dir_fd, const char *path, char ***ret_names)
{
	DIR *dir = NULL;
	int ret = open_dir(dir_fd, path, &dir);

	if (ret)
		return ret;
	ret = read_names(dir, ret_names);
	closedir(dir);
	return ret;
}

int dir_is_empty(int dir_fd, const char *path)
{
	DIR *dir = NULL;
	struct dirent *entry;
	int ret = open_dir(dir_fd, path, &dir);

	if (ret)
		return ret;
	do {
		entry = readdir(dir);
	} while (entry && is_itself(entry));
	closedir(dir);
	return !entry;
}

static int remove_entry(int dir_fd, const char *name)
{
	int ret = unlinkat(dir_fd, name, 0);

	if (ret && errno == EISDIR)
		ret = unlinkat(dir_fd, name, AT_REMOVEDIR);
	return ret && errno != ENOENT ? -errno : 0;
}

int dir_remove(int dir_fd, const char *path)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	char **names = NULL;
	int ret;

	if (fd < 0)
		return -errno;
	ret = dir_list(fd, ".", &names);
	for (char **name = names; !ret && *name; name++)
		ret = remove_entry(fd, *name);
	str_array_free(names);
	fd_close(fd);
	if (!ret && unlinkat(dir_fd, path, AT_REMOVEDIR))
		ret = -errno;
	return ret;
}

int dir_make_path(const char *path, mode_t mode)
{
	char part[PATH_MAX];
	int ret = str_copy(part, sizeof(part), path);

	if (ret)
		return ret;
	for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(part, mode) && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return mkdir(part, mode) && errno != EEXIST ? -errno : 0;
}
