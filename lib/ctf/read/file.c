/* SPDX-License-Identifier: MIT */
/* file.c - see file.h */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

int read_file_size(int fd, uint64_t *ret_bytes)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	*ret_bytes = (uint64_t)st.st_size;
	return 0;
}

int read_file_open(const char *path, uint64_t *ret_bytes)
{
	/* O_NONBLOCK: a FIFO in the place of a file must not block us. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	int rc;

	if (fd < 0)
		return -errno;
	rc = read_file_size(fd, ret_bytes);
	if (!rc)
		return fd;
	close(fd);
	return rc;
}

int read_file_identify(int fd, const char *path, struct ctf_file_id *ret_id, uint64_t *ret_bytes)
{
	struct statx st;

	if (statx(fd, path, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW,
		  STATX_INO | STATX_SIZE | STATX_BTIME, &st))
		return -errno;
	*ret_id = (struct ctf_file_id){ .device = makedev(st.stx_dev_major, st.stx_dev_minor),
					.inode = st.stx_ino };
	if (st.stx_mask & STATX_BTIME)
		ret_id->born_ns = st.stx_btime.tv_sec * 1000000000 + st.stx_btime.tv_nsec;
	*ret_bytes = st.stx_size;
	return 0;
}

int read_file_state(const char *path, struct read_file_state *ret_state)
{
	struct stat st;

	if (lstat(path, &st))
		return -errno;
	*ret_state = (struct read_file_state){
		.device = st.st_dev,
		.inode = st.st_ino,
		.bytes = (uint64_t)st.st_size,
		.changed_s = st.st_ctim.tv_sec,
		.changed_ns = st.st_ctim.tv_nsec,
	};
	return 0;
}

int64_t read_file_at(int fd, uint64_t offset, void *buffer, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t n = pread(fd, (char *)buffer + done, bytes - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		done += (size_t)n;
	}
	return (int64_t)done;
}

int read_file_all(const char *path, size_t max, char **ret_data, size_t *ret_bytes)
{
	uint64_t bytes;
	int64_t got = -ENOMEM;
	char *data;
	int fd = read_file_open(path, &bytes);

	if (fd < 0)
		return fd;
	if (bytes > max) {
		close(fd);
		return -EFBIG;
	}
	data = malloc(bytes + 1);
	if (data)
		got = read_file_at(fd, 0, data, bytes);
	close(fd);
	if (got < 0) {
		free(data);
		return (int)got;
	}
	*ret_data = data;
	*ret_bytes = (size_t)got;
	return 0;
}
