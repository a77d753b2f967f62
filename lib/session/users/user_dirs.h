/* SPDX-License-Identifier: MIT */
/*
 * user_dirs.h - find the runtime directories of all users, for root.
 *
 * They lie in /dev/shm, which each container may have of its own. So the /dev/shm of every mount
 * namespace is looked at, through /proc/PID/root of some process in it: a container need not know
 * of us.
 *
 * Whatever lies there is made by others: a directory counts if it is named after its owner, and
 * nobody but its owner may write to it. What is in it is not looked at.
 */
#ifndef TACHO_SESSION_USERS_USER_DIRS_H
#define TACHO_SESSION_USERS_USER_DIRS_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct user_dir {
	int fd; /* of the directory, which may have no path from here */
	uid_t uid;
	gid_t gid;
	dev_t device; /* this and the inode tell two apart */
	ino_t inode;
	pid_t pid; /* in whose mount namespace it was found; 0: in ours */
};

/*
 * user_dirs_find() - all but that of the caller
 *
 * Return: 0 or a negative errno. Free what was found with user_dirs_free().
 */
int user_dirs_find(struct user_dir **ret_dirs, size_t *ret_count, struct tacho_error *error);
void user_dirs_free(struct user_dir *dirs, size_t count);

#endif
