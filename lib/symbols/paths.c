/* SPDX-License-Identifier: MIT */
/* paths.c - see paths.h */
#include "paths.h"

#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols.h"

struct path {
	const char *dir, *name;
	char *full;
};

static int compare(const void *a, const void *b)
{
	const struct path *x = a, *y = b;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return x->dir == y->dir ? 0 : x->dir < y->dir ? -1 : 1;
}

static void free_path(void *data)
{
	struct path *path = data;

	free(path->full);
	free(path);
}

void paths_fini(struct paths *paths)
{
	tdestroy(paths->tree, free_path);
	*paths = (struct paths){ 0 };
}

static struct path *new_path(const struct path *wanted)
{
	struct path *path = malloc(sizeof(*path));

	if (!path)
		return NULL;
	*path = *wanted;
	if (asprintf(&path->full, "%s/%s", wanted->dir, wanted->name) >= 0)
		return path;
	free(path);
	return NULL;
}

static const char *add(struct paths *paths, const struct path *wanted)
{
	struct path *path = paths->count < SYMBOLS_PATHS_MAX ? new_path(wanted) : NULL;

	if (!path)
		return wanted->name;
	if (!tsearch(path, &paths->tree, compare)) {
		free_path(path);
		return wanted->name;
	}
	paths->count++;
	return path->full;
}

const char *paths_join(struct paths *paths, const char *dir, const char *name)
{
	const struct path wanted = { .dir = dir, .name = name };
	struct path *const *found;

	if (!name || name[0] == '/' || !dir || !dir[0] || strnlen(dir, PATH_MAX) == PATH_MAX ||
	    strnlen(name, PATH_MAX) == PATH_MAX)
		return name;
	found = tfind(&wanted, &paths->tree, compare);
	return found ? (*found)->full : add(paths, &wanted);
}
