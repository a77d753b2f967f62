/* SPDX-License-Identifier: MIT */
/*
 * find.h - which directories are traces, and which of their files are streams.
 *
 * Both calls give paths in alphabetic order, so that the same trace is always read in the same
 * order, and follow no symbolic links but that of the directory they are given.
 */
#ifndef TACHO_CTF_READ_FIND_H
#define TACHO_CTF_READ_FIND_H

#include <stddef.h>

#include "base/error.h"

struct read_paths {
	char **path;
	size_t count;
};

/*
 * read_find_traces() - directories at or below @dir that hold a file `metadata`, but those that wait
 *                      to be removed (CTF_CLEARED_PREFIX)
 * @ret_skipped: the first directory below that could not be read; code 0 if there is none
 *
 * Return: 0 or a negative errno.
 */
int read_find_traces(const char *dir, struct read_paths *ret_paths,
		     struct tacho_error *ret_skipped);
/* read_paths_add() - @path is copied. Return: 0 or -ENOMEM. */
int read_paths_add(struct read_paths *paths, const char *path);
/* The files of a trace but `metadata` and hidden ones. Return: 0 or a negative errno. */
int read_find_streams(const char *dir, struct read_paths *ret_paths);
void read_paths_fini(struct read_paths *paths);

#endif
