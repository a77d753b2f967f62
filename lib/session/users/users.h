/* SPDX-License-Identifier: MIT */
/*
 * users.h - root reaches the programs of all users, by becoming each of them in turn.
 *
 *      tool (root)                        child, for each runtime directory of another user
 *      finds the directories  --fork-->   setgroups, setresgid, setresuid: the directory's owner
 *                                         opens the directory, does the work, as the owner could
 *      reads the report       <--pipe--   writes its report, exits
 *
 * The trace of all is one: OUTPUT/ust/uid/UID belongs to user UID. The child makes it, and goes to
 * OUTPUT, before it becomes the user, who may have no way to it otherwise. Whoever writes there as a
 * user names it from its working directory. What programs of a container record is in a directory
 * container-N of OUTPUT, in the same way.
 *
 * So root never maps or believes a file that a user's programs can write to: whatever lies there
 * can harm nobody but its owner. What comes through the pipe is of fixed length and taken for what
 * a stranger says.
 */
#ifndef TACHO_SESSION_USERS_USERS_H
#define TACHO_SESSION_USERS_USERS_H

#include "session/users/mirror_drains.h"
#include "session/session.h"
#include "session/users/user_dirs.h"

/* What a child tells. */
struct user_report {
	struct tacho_error error; /* .code 0: it is done */
	struct session_stats stats;
	struct snapshot_result snapshot;
	struct mirror_drain drain;
};

struct users_work {
	const char *output; /* of the trace, absolute, to be the child's working directory; or NULL */
	/* In the child, as the user. */
	void (*work)(struct runtime *runtime, const void *arg, struct user_report *ret_report);
	const void *work_arg;
	/* In the tool, for each user, one after the other. */
	void (*tell)(const struct user_dir *dir, const struct user_report *report, void *arg);
	void *tell_arg;
};

/* users_are_reached() - is the caller root, and not told (TACHO_RUNTIME_DIR) to stay in one place? */
bool users_are_reached(void);

/*
 * users_visit() - do it for each user but the caller
 *
 * A child that does not answer within ten seconds is killed, and reported as -ETIMEDOUT. What a
 * child forks, a drain for one, belongs to the user and stays.
 *
 * Context: one thread. Return: 0, or a negative errno if the users could not be found.
 */
int users_visit(const struct users_work *work, struct tacho_error *error);

#endif
