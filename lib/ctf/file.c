/* SPDX-License-Identifier: MIT */
#include "ctf/file.h"

#include <errno.h>
#include <unistd.h>

/* One write() moves less than 2 GiB; the rest of a short one is found out by the next. */
int file_write_at(int fd, const void *data, size_t bytes, uint64_t offset)
{
	const char *from = data;

	while (bytes) {
		ssize_t done = pwrite(fd, from, bytes, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done < 0 ? -errno : -EIO;
		from += done;
		offset += (uint64_t)done;
		bytes -= (size_t)done;
	}
	return 0;
}

ssize_t file_read_at(int fd, void *data, size_t bytes, uint64_t offset)
{
	size_t total = 0;

	while (total < bytes) {
		ssize_t done =
			pread(fd, (char *)data + total, bytes - total, (off_t)(offset + total));

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		if (done == 0)
			break;
		total += (size_t)done;
	}
	return (ssize_t)total;
}

int file_resize(int fd, uint64_t bytes)
{
	while (ftruncate(fd, (off_t)bytes))
		if (errno != EINTR)
			return -errno;
	return 0;
}
