/* SPDX-License-Identifier: MIT */
/* find.c - see recover_find() in recover.h */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"
#include "session/paths.h"
#include "session/recover/recover.h"
#include "session/state.h"

#define FOUND_MAX 256

/* Directories of sessions. */
struct finds {
	char *path[FOUND_MAX + 1]; /* NULL-terminated */
	size_t count;
};

static bool ends_with(const char *name, const char *suffix)
{
	size_t length = strlen(name), suffix_length = strlen(suffix);

	return length > suffix_length && !strcmp(name + length - suffix_length, suffix);
}

static bool is_of_session(const char *name)
{
	return !strcmp(name, SESSION_FILE) || !strcmp(name, SESSION_COPY_FILE) ||
	       ends_with(name, RINGS_SUFFIX) || ends_with(name, SHARDS_SUFFIX);
}

static bool is_session_dir(const char *path)
{
	bool is_one = false;
	char **names;

	if (dir_list(AT_FDCWD, path, &names))
		return false;
	for (char **name = names; *name; name++)
		is_one |= is_of_session(*name);
	str_array_free(names);
	return is_one;
}

static int add(struct finds *finds, const char *path)
{
	if (finds->count == FOUND_MAX)
		return 0;
	finds->path[finds->count] = strdup(path);
	return finds->path[finds->count++] ? 0 : -ENOMEM;
}

/* @path itself, or those in it. */
static int look_into(struct finds *finds, const char *path)
{
	char below[TACHO_PATH_BYTES];
	char **names;
	int ret;

	if (is_session_dir(path))
		return add(finds, path);
	ret = dir_list(AT_FDCWD, path, &names);
	if (ret)
		return ret;
	for (char **name = names; !ret && *name; name++) {
		if (**name != '.' && !str_print(below, sizeof(below), "%s/%s", path, *name) &&
		    is_session_dir(below))
			ret = add(finds, below);
	}
	str_array_free(names);
	return ret;
}

static int look_into_runtime(struct finds *finds, const char *path)
{
	char sessions[TACHO_PATH_BYTES];
	struct stat st;

	if (str_print(sessions, sizeof(sessions), "%s/" SESSIONS_DIR, path) || stat(sessions, &st))
		return look_into(finds, path);
	return look_into(finds, sessions);
}

/* Not by runtime_open(), which would clean it up. */
static int runtime_path(char ret_path[TACHO_PATH_BYTES])
{
	const char *wanted = secure_getenv("TACHO_RUNTIME_DIR");

	if (wanted && *wanted)
		return trace_absolute_path(wanted, ret_path, NULL);
	return str_print(ret_path, TACHO_PATH_BYTES, "/dev/shm/tacho-%u", (unsigned)geteuid());
}

static int find_named(struct finds *finds, const char *name)
{
	char runtime[TACHO_PATH_BYTES], path[TACHO_PATH_BYTES], escaped[NAME_ESCAPED_BYTES];
	int ret = name_escape("session", name, TACHO_SESSION_NAME_BYTES - 1, escaped, NULL);

	if (!ret)
		ret = runtime_path(runtime);
	if (!ret)
		ret = str_print(path, sizeof(path), "%s/" SESSIONS_DIR "/%s", runtime, escaped);
	return !ret && is_session_dir(path) ? add(finds, path) : ret;
}

static int find(struct finds *finds, const char *word, char *ret_path)
{
	int ret = word ? find_named(finds, word) : 0;

	if (ret || finds->count)
		return ret;
	ret = word ? trace_absolute_path(word, ret_path, NULL) : runtime_path(ret_path);
	return ret ? ret : look_into_runtime(finds, ret_path);
}

int recover_find(const char *word, char ***ret_dirs, struct tacho_error *error)
{
	struct finds *finds = calloc(1, sizeof(*finds));
	char path[TACHO_PATH_BYTES] = "";
	int ret = finds ? find(finds, word, path) : -ENOMEM;

	if (!ret && finds->count) {
		*ret_dirs = (char **)finds; /* its first member is the array */
		return 0;
	}
	for (size_t i = 0; finds && i < finds->count; i++)
		free(finds->path[i]);
	free(finds);
	if (ret && ret != -ENOENT && ret != -ENOTDIR)
		return error_set(error, ret, "cannot look for sessions in %s: %s", path,
				 strerror(-ret));
	if (!word)
		return error_set(error, -ENOENT,
				 "there is nothing to recover: no session is in %s; say where the "
				 "buffers are: tacho recover DIR -o OUT",
				 path);
	return error_set(error, -ENOENT,
			 "there is nothing to recover: no session is called '%s', and none is in "
			 "%s; say where the buffers are: tacho recover DIR -o OUT",
			 word, path);
}
