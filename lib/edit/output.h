/* SPDX-License-Identifier: MIT */
/*
 * output.h - the directory of a new trace, which is there when it is complete, and not before.
 *
 *      DIR.partial/..   while it is written
 *      DIR/..           once output_commit() has renamed it
 *
 * Whoever ends without output_commit() removes what there is; only who is killed leaves it, under
 * the name that says what it is, and with a file ".unfinished" in it. Who writes has that file locked,
 * which ends with the process: what is there unlocked was left, and is removed by the next one. A
 * directory that is there, but for that one, is never written to.
 */
#ifndef TACHO_EDIT_OUTPUT_H
#define TACHO_EDIT_OUTPUT_H

#include "base/error.h"

struct output {
	char *dir;     /* absolute, as it will be */
	char *partial; /* as it is */
	int lock_fd;   /* of its file ".unfinished"; -1 */
};

/* output_open() - Return: 0; -EEXIST: @dir, or what an earlier one left, is there; -ENOMEM; or
 * what mkdir() gave. */
int output_open(const char *dir, struct tacho_error *e, struct output *ret_output);
/* output_commit() - Return: 0; -EEXIST: somebody else was faster; or what rename() gave. */
int output_commit(struct output *output, struct tacho_error *e);
/* output_close() - takes one that is not open; removes what was not committed */
void output_close(struct output *output);

/* output_make_dir() - @place, relative, and what is missing above it. Return: its descriptor. */
int output_make_dir(const struct output *output, const char *place, struct tacho_error *e);

#endif
