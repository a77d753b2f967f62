/* SPDX-License-Identifier: MIT */
/*
 * output_owner.c - whose is the directory that a new session is to write to?
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "session/output_owner.h"

static bool is_same(const char *path, const struct stat *st)
{
	struct stat other;

	return !stat(path, &other) && other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}

/* A session that is gone meanwhile, or cannot be read, has no output. */
static bool has_output(struct runtime *runtime, const char *name, const struct stat *st)
{
	struct session *session;
	bool has;

	if (session_open(runtime, name, &session, NULL))
		return false;
	has = is_same(session_file(session)->output, st);
	session_close(session);
	return has;
}

int output_check_free(struct runtime *runtime, const char *path, struct tacho_error *error)
{
	struct stat st;
	char **names;
	int ret;

	if (stat(path, &st))
		return error_set(error, -errno, "cannot look at the directory %s: %s", path,
				 strerror(errno));
	ret = session_names(runtime, &names, error);
	if (ret)
		return ret;
	for (char **name = names; !ret && *name; name++)
		if (has_output(runtime, *name, &st))
			ret = error_set(error, -EEXIST,
					"the directory %s is that of the session '%s'; choose "
					"another for the trace (-o DIR)",
					path, *name);
	session_names_free(names);
	return ret;
}
