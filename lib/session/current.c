/* SPDX-License-Identifier: MIT */
/* current.c - see current.h */
#include "session/current.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "session/state.h"

#define CURRENT_LINK "current"
/* What it points to, and a name for it until it is in place: of this process alone. */
#define TARGET_PREFIX SESSIONS_DIR "/"
#define TARGET_BYTES  (sizeof(TARGET_PREFIX) + NAME_ESCAPED_BYTES)

static int replace_link(struct runtime *runtime, const char *target)
{
	char made[64];

	snprintf(made, sizeof(made), "." CURRENT_LINK "-%d", (int)getpid());
	unlinkat(runtime->fd, made, 0); /* of a process with this number that was killed */
	if (symlinkat(target, runtime->fd, made))
		return -errno;
	if (!renameat(runtime->fd, made, runtime->fd, CURRENT_LINK))
		return 0;
	unlinkat(runtime->fd, made, 0);
	return -errno;
}

int current_set(struct runtime *runtime, const struct session *session, struct tacho_error *error)
{
	char target[TARGET_BYTES];
	int ret = str_print(target, sizeof(target), TARGET_PREFIX "%s", session->escaped);

	if (!ret)
		ret = replace_link(runtime, target);
	if (ret)
		error_set(error, ret, "cannot note in %s that '%s' is the current session: %s",
			  runtime->path, session->file->name, strerror(-ret));
	return ret;
}

/* The name of the directory below sessions/, whether it is there or not. */
static int read_link(struct runtime *runtime, char ret_escaped[NAME_ESCAPED_BYTES])
{
	char target[TARGET_BYTES + 1];
	ssize_t bytes = readlinkat(runtime->fd, CURRENT_LINK, target, sizeof(target) - 1);

	if (bytes < 0)
		return -errno;
	target[bytes] = 0;
	if (strncmp(target, TARGET_PREFIX, strlen(TARGET_PREFIX)) ||
	    strchr(target + strlen(TARGET_PREFIX), '/'))
		return -ENOENT;
	return str_copy(ret_escaped, NAME_ESCAPED_BYTES, target + strlen(TARGET_PREFIX));
}

void current_clear(struct runtime *runtime, const struct session *session)
{
	char escaped[NAME_ESCAPED_BYTES];

	if (!read_link(runtime, escaped) && !strcmp(escaped, session->escaped))
		unlinkat(runtime->fd, CURRENT_LINK, 0);
}

int current_get(struct runtime *runtime, char ret_name[TACHO_SESSION_NAME_BYTES])
{
	char escaped[NAME_ESCAPED_BYTES];
	struct session *session;
	int ret;

	if (read_link(runtime, escaped) || escaped[0] == '.' ||
	    session_open_at(runtime, escaped, &session, NULL))
		return -ENOENT;
	ret = session->file->state == TACHO_SESSION_DEAD ? -ENOENT : 0;
	if (!ret)
		ret = str_copy(ret_name, TACHO_SESSION_NAME_BYTES, session->file->name);
	session_close(session);
	return ret;
}
