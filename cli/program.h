/* SPDX-License-Identifier: MIT */
/*
 * program.h - run a program as a shell does, and end as it ended.
 *
 *	terminal --^C--> program and tacho   tacho ignores the first, the second kills the program
 *	kill     ------> tacho only          passed on to the program
 */
#ifndef TACHO_CLI_PROGRAM_H
#define TACHO_CLI_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * program_ignore_limits() - a file that gets too large (ulimit -f) is an error of write(2) from here
 * on, and does not kill tacho; programs that it starts get back what was
 */
void program_ignore_limits(void);

/*
 * program_find() - the file that a shell would run for @name; to be freed
 *
 * Return: 0; -ENOENT; -EACCES: there is a file, but it may not be run; -EISDIR; -EPERM: its
 * directory may not be searched. The last two only for a name with a slash: a search goes on.
 */
int program_find(const char *name, char **ret_path);

/*
 * program_shield() - from here on signals do not end tacho: there is a session to be taken down
 *
 * program_interrupted() - the signal that came since then, and not to a program, or 0. Only the
 * program's start may lie between this call and program_wait().
 */
void program_shield(void);
int program_interrupted(void);

/* A program that waits to be. */
struct child {
	pid_t pid;
	int go_fd, wait_fd; /* it goes on when there is a byte, and ends at the end of the pipe */
	int error_fd;       /* what exec gave, if that failed */
};

/*
 * program_fork() - a child that will be the program, after program_shield(): so that its pid can be told
 *                  before anything of it happens
 * @path:    of the file
 * @words:   the program's argv
 * @preload: library to preload, or NULL
 * @family:  that it and its descendants belong to (format/runtime.h)
 *
 * program_start() - let it be. Return: 0, or what exec gave.
 * program_cancel() - or not; also after program_fork() failed
 */
int program_fork(const char *path, const char *const *words, const char *preload, uint64_t family,
		 struct child *ret_program);
int program_start(struct child *program);
void program_cancel(struct child *program);

/* How it ended. */
struct program_end {
	int status; /* its own, or 128 + the signal that killed it: what a shell makes of it */
	int signal; /* that killed it, or 0 */
	bool dumped_core;
	unsigned int interrupts; /* that tacho got meanwhile */
};
void program_wait(pid_t pid, struct program_end *ret_end);

#endif
