/* SPDX-License-Identifier: MIT */
/*
 * others.h - what a command prints about the programs of other users, for root.
 *
 * It is printed by a process of each user (session/users/users.h) into memory, from where root takes it as
 * a stranger's text.
 */
#ifndef TACHO_CLI_OTHERS_H
#define TACHO_CLI_OTHERS_H

#include "session/users/users.h"

struct others {
	/* As the user: print to the standard output. */
	void (*print)(struct runtime *runtime, const void *arg);
	const void *print_arg;
	/* As root: what was printed, with a 0 byte; nothing printed, not called. */
	void (*show)(const struct user_dir *dir, const char *text, void *arg);
	void *show_arg;
};

/* others_print() - for all other users; nothing if the caller is not root. It says itself what goes
 * wrong. Return: exit status. */
int others_print(const struct others *others);

/* others_name() - "user ada (1000)", "user 1000 in a container (process 4711)"; to be freed. */
char *others_name(const struct user_dir *dir);

#endif
