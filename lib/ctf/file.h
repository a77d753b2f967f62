/* SPDX-License-Identifier: MIT */
/*
 * file.h - reads and writes that are whole, or fail.
 */
#ifndef TACHO_CTF_FILE_H
#define TACHO_CTF_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CTF_FILE_MODE      0640
#define CTF_DIRECTORY_MODE 0750

/* A directory with such a name waits to be removed; what is in it is no trace any more. */
#define CTF_CLEARED_PREFIX ".cleared-"

/* All of @data at @offset. Return: 0 or a negative errno; then any part of it may be there. */
int file_write_at(int fd, const void *data, size_t bytes, uint64_t offset);

/* Return: the bytes read, fewer than @bytes only at the end of the file; or a negative errno. */
ssize_t file_read_at(int fd, void *data, size_t bytes, uint64_t offset);

/* Set a file's size. Return: 0 or a negative errno. */
int file_resize(int fd, uint64_t bytes);

#endif
