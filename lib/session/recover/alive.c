/* SPDX-License-Identifier: MIT */
/* alive.c - see alive.h */
#include "session/recover/alive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/process.h"
#include "base/str.h"
#include "session/drain/drain.h"

static int refuse(const struct tacho_session *file, const char *who, struct tacho_error *error)
{
	if (file->streaming)
		return error_set(error, -EBUSY,
				 "the session '%s' is alive: %s; to complete its trace: tacho stop "
				 "-- '%s'",
				 file->name, who, file->name);
	return error_set(error, -EBUSY,
			 "the session '%s' is alive: %s; to have what it holds: tacho snapshot "
			 "record -- '%s'",
			 file->name, who, file->name);
}

/* The name of a registry: PID.STARTTIME. */
static bool is_alive(const char *name)
{
	unsigned long long start_time;
	unsigned int pid;
	char behind;

	return sscanf(name, "%u.%llu%c", &pid, &start_time, &behind) == 2 &&
	       process_is_alive((pid_t)pid, start_time);
}

/* In the runtime directory that the session's is in; elsewhere there are none. */
static bool has_program(const struct remains *remains)
{
	bool is_found = false;
	char **names;

	if (dir_list(remains->session.dir_fd, "../../" APPS_DIR, &names))
		return false;
	for (char **name = names; *name && !is_found; name++)
		is_found = is_alive(*name);
	str_array_free(names);
	return is_found;
}

int alive_check(struct remains *remains, struct tacho_error *error)
{
	const struct tacho_session *file = remains->session.file;

	if (!remains->is_of_this_boot)
		return 0;
	remains->session.life_fd = drain_lock(&remains->session, false);
	if (remains->session.life_fd == -EWOULDBLOCK)
		return refuse(file, "its drain writes its trace", error);
	if (file->state == TACHO_SESSION_ACTIVE && has_program(remains))
		return refuse(file, "it records, and programs run", error);
	return 0;
}
