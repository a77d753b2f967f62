/* SPDX-License-Identifier: MIT */
/* paths.c - see paths.h */
#include "session/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"

/* A trace may hold secrets of the program; the user's group may share them. */
#define TRACE_DIR_MODE 0770
/* Traces of one name that can begin within one second. */
#define DATED_TRIES 10000

void trace_date(char ret_date[TRACE_DATE_BYTES])
{
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	if (!strftime(ret_date, TRACE_DATE_BYTES, "%Y%m%d-%H%M%S", &tm))
		ret_date[0] = '\0';
}

int trace_default_prefix(const char *escaped, char ret_prefix[TACHO_PATH_BYTES],
			 struct tacho_error *error)
{
	const char *home = getenv("HOME");

	if (!home || *home != '/')
		return error_set(error, -ENOENT,
				 "HOME is not set, so there is no place for the "
				 "trace; say where it is to go (-o DIR)");
	if (str_print(ret_prefix, TACHO_PATH_BYTES, "%s/tacho-traces/%s", home, escaped))
		return error_set(error, -ENAMETOOLONG, "HOME is too long for the path of a trace");
	return 0;
}

static int set_cannot_make(const char *path, int ret, struct tacho_error *error)
{
	return error_set(error, ret,
			 "cannot make the directory %s for the trace: %s; choose "
			 "another (-o DIR)",
			 path, strerror(-ret));
}

/* All above the last part of @path. */
static int make_parents(const char *path)
{
	char parent[TACHO_PATH_BYTES];
	char *slash;

	if (str_copy(parent, sizeof(parent), path))
		return -ENAMETOOLONG;
	slash = strrchr(parent, '/');
	if (!slash || slash == parent)
		return 0;
	*slash = '\0';
	return dir_make_path(parent, TRACE_DIR_MODE);
}

int trace_make_dated(const char *prefix, char ret_path[TACHO_PATH_BYTES], struct tacho_error *error)
{
	char date[TRACE_DATE_BYTES];
	int ret = make_parents(prefix);

	if (ret)
		return set_cannot_make(prefix, ret, error);
	trace_date(date);
	for (int i = 1; i <= DATED_TRIES; i++) {
		char suffix[16] = "";

		if (i > 1)
			str_print(suffix, sizeof(suffix), "-%d", i);
		ret = str_print(ret_path, TACHO_PATH_BYTES, "%s-%s%s", prefix, date, suffix);
		if (!ret && mkdir(ret_path, TRACE_DIR_MODE))
			ret = -errno;
		if (ret != -EEXIST)
			break;
	}
	return ret ? set_cannot_make(ret_path, ret, error) : 0;
}

int trace_absolute_path(const char *path, char ret_path[TACHO_PATH_BYTES],
			struct tacho_error *error)
{
	char here[TACHO_PATH_BYTES] = "";
	int ret;

	if (!*path)
		return error_set(error, -EINVAL, "the directory for the trace has no name");
	if (*path != '/' && !getcwd(here, sizeof(here)))
		return error_set(error, -errno, "cannot tell the working directory: %s",
				 strerror(errno));
	ret = str_print(ret_path, TACHO_PATH_BYTES, "%s%s%s", here, *here ? "/" : "", path);
	if (ret)
		error_set(error, ret, "the path of the trace is too long: at most %d bytes",
			  TACHO_PATH_BYTES - 1);
	return ret;
}

int trace_make_dir(const char *path, bool *ret_made, struct tacho_error *error)
{
	struct stat st;
	bool was_there = !stat(path, &st);
	int ret = dir_make_path(path, TRACE_DIR_MODE);

	if (ret)
		return set_cannot_make(path, ret, error);
	ret = dir_is_empty(AT_FDCWD, path);
	if (ret < 0)
		return set_cannot_make(path, ret, error);
	if (!ret)
		return error_set(error, -EEXIST,
				 "the directory %s is not empty; choose another "
				 "for the trace (-o DIR), or remove it",
				 path);
	if (access(path, W_OK | X_OK))
		return set_cannot_make(path, -errno, error);
	*ret_made = !was_there;
	return 0;
}
