/* SPDX-License-Identifier: MIT */
/*
 * file.h - bytes of files that others may own and change meanwhile. Read with pread(), not
 * mapped: a file that is cut while it is read is a short read, and not a SIGBUS.
 */
#ifndef TACHO_CTF_READ_FILE_H
#define TACHO_CTF_READ_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "reader.h"

/* Open a regular file, following no symbolic link. Return: the fd or a negative errno. */
int read_file_open(const char *path, uint64_t *ret_bytes);
/* Return: 0, -EINVAL (no regular file), or what fstat() gave. */
int read_file_size(int fd, uint64_t *ret_bytes);

/* Return: the number of bytes read, smaller than @bytes only at the end of the file; or a negative
 * errno. */
int64_t read_file_at(int fd, uint64_t offset, void *buffer, size_t bytes);

/*
 * read_file_identify() - which file it is, and its size
 * @fd:   AT_FDCWD: that at @path, which may be a directory; else @path is ""
 *
 * Return: 0 or a negative errno.
 */
int read_file_identify(int fd, const char *path, struct ctf_file_id *ret_id, uint64_t *ret_bytes);

/* Which file it is and in which state: two of the same mean that nobody changed it in between. */
struct read_file_state {
	uint64_t device, inode, bytes;
	int64_t changed_s, changed_ns;
};

/* Return: 0 or a negative errno. */
int read_file_state(const char *path, struct read_file_state *ret_state);

/* A whole file, to be freed. Return: 0, -EFBIG (more than @max bytes), -ENOMEM, .. */
int read_file_all(const char *path, size_t max, char **ret_data, size_t *ret_bytes);

#endif
