/* SPDX-License-Identifier: MIT */
/* stream_files.c - see stream_files.h */
#include "stream_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "ctf/file.h"

bool stream_files_number(const char *name, const char *base, uint64_t *ret_number)
{
	size_t length = strlen(base);
	const char *digits = name + length + 1;
	char *end;

	if (strncmp(name, base, length) || name[length] != '_' ||
	    !isdigit((unsigned char)*digits) || (*digits == '0' && digits[1]))
		return false;
	errno = 0;
	*ret_number = strtoull(digits, &end, 10);
	return !*end && !errno;
}

/* The number of the first packet in the file @name. Return: 1; 0: it is none of ours; an errno. */
static int first_seq(int dir_fd, const char *name, const struct ctf_packet_head *like,
		     uint64_t *ret_seq)
{
	struct ctf_packet_head head;
	int fd = file_open_at(dir_fd, name, O_RDONLY, 0);
	ssize_t bytes;

	if (fd < 0)
		return fd == -ENOENT || fd == -EBADMSG ? 0 : fd;
	bytes = file_read_at(fd, &head, sizeof(head), 0);
	close(fd);
	if (bytes < 0)
		return (int)bytes;
	if ((size_t)bytes < sizeof(head) ||
	    memcmp(&head, like, offsetof(struct ctf_packet_head, content_bits)))
		return 0;
	*ret_seq = head.seq;
	return 1;
}

static int find_newest(DIR *dir, const char *base, const struct ctf_packet_head *like,
		       uint64_t *ret_number)
{
	const struct dirent *entry;
	uint64_t newest = 0;
	int found = 0;

	while ((entry = readdir(dir))) {
		uint64_t number;
		uint64_t seq = 0;
		int ours;

		if (!stream_files_number(entry->d_name, base, &number))
			continue;
		ours = first_seq(dirfd(dir), entry->d_name, like, &seq);
		if (ours < 0)
			return ours;
		if (!ours || (found && seq < newest))
			continue;
		found = 1;
		newest = seq;
		*ret_number = number;
	}
	return found;
}

int stream_files_newest(int dir_fd, const char *base, const struct ctf_packet_head *like,
			uint64_t *ret_number)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	int found;

	if (!dir) {
		found = -errno;
		fd_close(fd);
		return found;
	}
	found = find_newest(dir, base, like, ret_number);
	closedir(dir);
	return found;
}
