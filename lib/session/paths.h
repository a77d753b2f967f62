/* SPDX-License-Identifier: MIT */
/*
 * paths.h - where traces go.
 */
#ifndef TACHO_SESSION_PATHS_H
#define TACHO_SESSION_PATHS_H

#include <stdbool.h>

#include "base/error.h"
#include "format/runtime.h"
#include "format/session.h"

/* "20151021-072800", local time; TRACE_DATE_BYTES bytes. */
#define TRACE_DATE_BYTES 16
void trace_date(char ret_date[TRACE_DATE_BYTES]);

/*
 * trace_default_prefix() - $HOME/tacho-traces/NAME: where traces go when nobody says where
 * @escaped: the session's name as the name of a file
 */
int trace_default_prefix(const char *escaped, char ret_prefix[TACHO_PATH_BYTES],
			 struct tacho_error *error);

/* trace_make_dated() - make the directory PREFIX-DATE, or PREFIX-DATE-2, .. */
int trace_make_dated(const char *prefix, char ret_path[TACHO_PATH_BYTES],
		     struct tacho_error *error);

/* trace_absolute_path() - @path, seen from the working directory. */
int trace_absolute_path(const char *path, char ret_path[TACHO_PATH_BYTES],
			struct tacho_error *error);

/*
 * trace_make_dir() - make a directory for a new trace, where the user wants it
 * @ret_made: it was not there before
 *
 * Return: 0; -EEXIST if it is there and not empty; or another negative errno.
 */
int trace_make_dir(const char *path, bool *ret_made, struct tacho_error *error);

#endif
