/* SPDX-License-Identifier: MIT */
/* find.c - see find.h */
#include "find.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/say.h"
#include "cli/text.h"
#include "cli/traces.h"

/* What was named may be a session: then its trace is meant. */
static char *find_named(const char *named)
{
	struct stat st;
	char *dir, *home;
	int err = stat(named, &st) ? errno : 0;

	if (!err && S_ISDIR(st.st_mode))
		return xstrdup(named);
	if (!err) {
		fail("cannot read %s: it is no directory; name that of a trace", named);
		return NULL;
	}
	if (!trace_of_session(named, &dir))
		return dir;
	home = traces_home();
	if (strchr(named, '/'))
		fail("cannot read %s: %s; there are traces in: ls -t %s", named, strerror(err),
		     home);
	else
		fail("cannot read '%s': there is no such directory here, nor a trace or snapshot "
		     "of "
		     "a session of that name; sessions: tacho list; traces: ls -t %s",
		     named, home);
	free(home);
	return NULL;
}

char *view_find(const struct command *command, const char *named)
{
	char *dir;

	if (named && strcmp(named, "last"))
		return find_named(named);
	if (!trace_newest(&dir))
		return dir;
	if (!getenv("HOME")) {
		fail("HOME is not set; say where the trace is: tacho %s DIR", command->name);
		return NULL;
	}
	dir = traces_home();
	fail("there is no trace in %s; make one: tacho record -- PROGRAM; or say where one is: "
	     "tacho %s DIR",
	     dir, command->name);
	free(dir);
	return NULL;
}
