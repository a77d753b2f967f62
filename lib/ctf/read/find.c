/* SPDX-License-Identifier: MIT */
/* find.c - see find.h */
#include "find.h"

#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ctf/file.h"

#define DEPTH_MAX 32

void read_paths_fini(struct read_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free(paths->path[i]);
	free(paths->path);
	*paths = (struct read_paths){ 0 };
}

/* Takes @path over, which may be NULL. */
static int add_path(struct read_paths *paths, char *path)
{
	char **bigger;

	if (!path)
		return -ENOMEM;
	bigger = realloc(paths->path, (paths->count + 1) * sizeof(*bigger));
	if (!bigger) {
		free(path);
		return -ENOMEM;
	}
	paths->path = bigger;
	paths->path[paths->count++] = path;
	return 0;
}

int read_paths_add(struct read_paths *paths, const char *path)
{
	return add_path(paths, strdup(path));
}

static int compare_entries(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_metadata(const FTSENT *entry)
{
	return entry->fts_info == FTS_F && !strcmp(entry->fts_name, "metadata");
}

static bool is_cleared(const FTSENT *entry)
{
	return entry->fts_level > 0 && entry->fts_info == FTS_D &&
	       !strncmp(entry->fts_name, CTF_CLEARED_PREFIX, strlen(CTF_CLEARED_PREFIX));
}

static bool is_failure(const FTSENT *entry)
{
	return entry->fts_info == FTS_NS || entry->fts_info == FTS_DNR ||
	       entry->fts_info == FTS_ERR;
}

static int fail(const FTSENT *entry, struct tacho_error *skipped)
{
	if (entry->fts_level == 0)
		return -entry->fts_errno;
	/* What was removed since its directory was listed is not missed. */
	if (!skipped->code && entry->fts_errno != ENOENT)
		error_set(skipped, -entry->fts_errno, "cannot read %.400s: %s", entry->fts_path,
			  strerror(entry->fts_errno));
	return 0;
}

static int visit(FTS *tree, FTSENT *entry, struct read_paths *paths, struct tacho_error *skipped)
{
	size_t bytes;

	if (is_failure(entry))
		return fail(entry, skipped);
	if (entry->fts_level == 0 && entry->fts_info != FTS_D && entry->fts_info != FTS_DP)
		return -ENOTDIR;
	if (entry->fts_level > DEPTH_MAX || is_cleared(entry))
		fts_set(tree, entry, FTS_SKIP);
	if (!is_metadata(entry))
		return 0;
	bytes = strlen(entry->fts_path) - strlen("/metadata");
	return add_path(paths, strndup(entry->fts_path, bytes));
}

static int walk(FTS *tree, struct read_paths *paths, struct tacho_error *skipped)
{
	FTSENT *entry;
	int rc = 0;

	while (!rc && (entry = fts_read(tree)))
		rc = visit(tree, entry, paths, skipped);
	return rc;
}

int read_find_traces(const char *dir, struct read_paths *ret_paths, struct tacho_error *ret_skipped)
{
	char *roots[] = { (char *)dir, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, compare_entries);
	int rc;

	*ret_paths = (struct read_paths){ 0 };
	*ret_skipped = (struct tacho_error){ 0 };
	if (!tree)
		return -errno;
	rc = walk(tree, ret_paths, ret_skipped);
	fts_close(tree);
	if (rc)
		read_paths_fini(ret_paths);
	return rc;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_stream(struct read_paths *paths, const char *dir, const char *name)
{
	struct stat st;
	char *path;

	if (name[0] == '.' || !strcmp(name, "metadata"))
		return 0;
	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return -ENOMEM;
	if (!lstat(path, &st) && S_ISREG(st.st_mode))
		return add_path(paths, path);
	free(path);
	return 0;
}

int read_find_streams(const char *dir, struct read_paths *ret_paths)
{
	DIR *handle = opendir(dir);
	struct dirent *entry;
	int rc = 0;

	*ret_paths = (struct read_paths){ 0 };
	if (!handle)
		return -errno;
	while (!rc && (entry = readdir(handle)))
		rc = add_stream(ret_paths, dir, entry->d_name);
	closedir(handle);
	if (rc)
		read_paths_fini(ret_paths);
	else if (ret_paths->count)
		qsort(ret_paths->path, ret_paths->count, sizeof(*ret_paths->path), compare_paths);
	return rc;
}
