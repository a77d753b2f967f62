/* SPDX-License-Identifier: MIT */
/*
 * file.h - a file that is there only when it is whole.
 *
 * It is never one that was there before. Until it is whole its name has a suffix, .partial, and it is locked;
 * it is removed when the command fails or is told to end, and by the next one if the command was killed.
 */
#ifndef TACHO_CLI_EXPORT_FILE_H
#define TACHO_CLI_EXPORT_FILE_H

#include <stdbool.h>

struct export_file {
	const char *path; /* "-": the standard output, which is what it is */
	char *partial;    /* what it is called meanwhile; NULL for the standard output */
	int fd;
};

/* export_file_open() - says what is wrong. Return: exit status. */
int export_file_open(const char *path, struct export_file *ret_file);

/* export_file_close() - @is_whole: keep it. Return: 0 or a negative errno. */
int export_file_close(struct export_file *file, bool is_whole);

/* export_was_told_to_end() - by a signal, since a file is open. Return: the signal; 0. */
int export_was_told_to_end(void);

#endif
