/* SPDX-License-Identifier: MIT */
/*
 * load.h - make a session of a file that says how (saved.h).
 *
 * The whole file is read, and its lines checked, before anything is done. Then each line is done by
 * a child process, which is what the command would be: what it says on its standard output is
 * dropped, and what on the other is said with the line and the column. When a line fails, the
 * session that was made until then is taken back. A file that starts its session says so in its last
 * line, so nothing is recorded by half of the rules.
 */
#ifndef TACHO_CLI_LOAD_H
#define TACHO_CLI_LOAD_H

#include <stdbool.h>

struct load_options {
	const char *name;   /* instead of the one that the file says; or NULL */
	const char *output; /* directory of the trace, instead; or NULL */
	bool force;         /* a session of this name that there is goes first */
	bool skip;          /* leave one alone, and be content */
};

/* load_file() - Return: exit status; what went wrong was said. */
int load_file(const char *path, const struct load_options *options);

#endif
