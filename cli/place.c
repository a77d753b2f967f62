/* SPDX-License-Identifier: MIT */
/* place.c - see place.h */
#include "place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

/* Where things are, seen from the directory of the executable: built, then installed. */
static const char *const module_dirs[] = { "../preload", "../lib/tacho", "../lib64/tacho", NULL };
static const char *const library_dirs[] = { "../lib/tracer", "../lib", "../lib64", NULL };

static int own_directory(char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (n < 0)
		return -errno;
	path[n] = 0;
	dirname(path);
	return 0;
}

static int find_beside(const char *const *dirs, const char *name, char **ret_path)
{
	char own[PATH_MAX];
	char *path = NULL;
	int err = own_directory(own);

	if (err)
		return err;
	for (; !path && *dirs; dirs++) {
		char *candidate = xasprintf("%s/%s/%s", own, *dirs, name);

		path = realpath(candidate, NULL);
		free(candidate);
	}
	if (!path)
		return -ENOENT;
	*ret_path = path;
	return 0;
}

int place_of_module(const char *name, char **ret_path)
{
	int err = find_beside(module_dirs, name, ret_path);

	if (err || !strpbrk(*ret_path, " :"))
		return err;
	free(*ret_path);
	return -EINVAL;
}

int place_of_library(const char *name, char **ret_path)
{
	return find_beside(library_dirs, name, ret_path);
}

static int is_empty(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int err = 0;

	if (!dir)
		return -errno;
	while (!err && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			err = -ENOTEMPTY;
	closedir(dir);
	return err;
}

/* Directories above that are missing are made with the trace. */
static int parent_is_usable(const char *dir)
{
	char *copy = xstrdup(dir);
	const char *parent = dirname(copy);
	struct stat st;
	int err = !strcmp(parent, dir) || !stat(parent, &st) ? -ENOENT : place_is_usable(parent);

	free(copy);
	return err;
}

/* Finds out by trying: permissions are not all that can be in the way. */
int place_is_usable(const char *dir)
{
	int err;

	if (!mkdir(dir, 0777)) {
		rmdir(dir);
		return 0;
	}
	if (errno == ENOENT)
		return parent_is_usable(dir);
	if (errno != EEXIST)
		return -errno;
	err = is_empty(dir);
	if (err)
		return err;
	return access(dir, W_OK | X_OK) ? -errno : 0;
}
