/* SPDX-License-Identifier: MIT */
/*
 * fd.h - file descriptors, small files and directories. All that is opened here is closed on exec.
 */
#ifndef TACHO_BASE_FD_H
#define TACHO_BASE_FD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* fd_close() - close(), which keeps errno and takes a negative number as nothing to do. */
void fd_close(int fd);

/*
 * file_open_at() - open() of a regular file, in a place where anything may have been put
 * @flags: of open(); @mode: of a file that O_CREAT makes
 *
 * Whatever else is there, a FIFO, a device, a symbolic link, neither blocks nor is followed.
 *
 * Return: a descriptor; -EBADMSG: it is not a regular file; or a negative errno.
 */
int file_open_at(int dir_fd, const char *path, int flags, mode_t mode);

/*
 * file_lock_at() - get the flock(2) of a file that is there
 * @wait: for whoever has it
 *
 * Return: a descriptor that holds it; -EWOULDBLOCK: somebody else has it; or another negative errno.
 */
int file_lock_at(int dir_fd, const char *path, bool wait);

/* file_open_linked_at() - the same, but a symbolic link is followed: in a directory of our own. */
int file_open_linked_at(int dir_fd, const char *path, int flags, mode_t mode);

/* fd_read_at() - exactly @bytes bytes from offset @at. Return: 0; -EBADMSG if the file is too
 * short; or what pread() gave. */
int fd_read_at(int fd, void *ret_data, size_t bytes, uint64_t at);

/* fd_write_all() - all of it, or a negative errno. */
int fd_write_all(int fd, const void *data, size_t bytes);

/* fd_close_others() - close all descriptors but 0, 1, 2 and those of @keep. */
void fd_close_others(const int *keep, size_t count);

/*
 * file_read_text() - a small text file, without the white space at its end
 * @size: of @ret_text; what does not fit is cut
 *
 * Return: number of characters, or a negative errno.
 */
ssize_t file_read_text(int dir_fd, const char *path, char *ret_text, size_t size);

/* file_write_text() - make or replace a small text file. */
int file_write_text(int dir_fd, const char *path, const char *text);

/*
 * dir_list() - the names in a directory, without "." and "..", sorted by byte
 * @path: relative to @dir_fd; "." for itself
 * @ret_names: NULL-terminated; free with str_array_free()
 */
int dir_list(int dir_fd, const char *path, char ***ret_names);

/* dir_is_empty() - Return: 1, 0, or a negative errno. */
int dir_is_empty(int dir_fd, const char *path);

/* dir_remove() - remove a directory, the files in it and empty directories; not what is deeper. */
int dir_remove(int dir_fd, const char *path);

/*
 * dir_make_path() - make a directory and those above it that are missing
 * @path: absolute
 */
int dir_make_path(const char *path, mode_t mode);

#endif
