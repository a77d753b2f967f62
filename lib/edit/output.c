/* SPDX-License-Identifier: MIT */
/* output.c - see output.h */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/tree.h"
#include "ctf/file.h"

#define PARTIAL ".partial"

static char *absolute(const char *dir)
{
	char *cwd, *path = NULL;
	size_t length = strlen(dir);

	while (length > 1 && dir[length - 1] == '/')
		length--;
	if (dir[0] == '/')
		return strndup(dir, length);
	cwd = getcwd(NULL, 0);
	if (cwd && asprintf(&path, "%s/%.*s", cwd, (int)length, dir) < 0)
		path = NULL;
	free(cwd);
	return path;
}

/* The directory above, which may be missing, and the partial one. */
static int make(struct output *output)
{
	char *slash = strrchr(output->partial, '/');
	int rc = 0;

	if (slash != output->partial) {
		*slash = 0;
		rc = dir_make_path(output->partial, CTF_DIRECTORY_MODE);
		*slash = '/';
	}
	if (!rc && mkdir(output->partial, CTF_DIRECTORY_MODE))
		rc = -errno;
	return rc;
}

static int complain(const struct output *output, int rc, struct tacho_error *e)
{
	struct stat st;

	if (!lstat(output->dir, &st))
		return error_set(e, -EEXIST, "%s is there already; name a directory that is not",
				 output->dir);
	if (rc == -EEXIST)
		return error_set(e, rc,
				 "%s is there: an earlier command was killed, or one still "
				 "runs; if not, remove it",
				 output->partial);
	return error_set(e, rc, "cannot make %s: %s", output->partial, strerror(-rc));
}

static void forget(struct output *output)
{
	free(output->dir);
	free(output->partial);
	*output = (struct output){ 0 };
}

int output_open(const char *dir, struct tacho_error *e, struct output *ret_output)
{
	struct output output = { .dir = absolute(dir) };
	struct stat st;
	int rc;

	if (!output.dir || asprintf(&output.partial, "%s" PARTIAL, output.dir) < 0) {
		free(output.dir);
		return error_set(e, -ENOMEM, "no memory");
	}
	rc = lstat(output.dir, &st) ? make(&output) : -EEXIST;
	if (rc) {
		complain(&output, rc, e);
		forget(&output);
		return rc;
	}
	*ret_output = output;
	return 0;
}

int output_commit(struct output *output, struct tacho_error *e)
{
	if (renameat2(AT_FDCWD, output->partial, AT_FDCWD, output->dir, RENAME_NOREPLACE))
		return complain(output, -errno, e);
	forget(output);
	return 0;
}

void output_close(struct output *output)
{
	if (output->partial)
		tree_remove(output->partial, false);
	forget(output);
}

int output_make_dir(const struct output *output, const char *place, struct tacho_error *e)
{
	char path[PATH_MAX];
	int rc, fd;

	if (snprintf(path, sizeof(path), "%s%s%s", output->partial, *place ? "/" : "", place) >=
	    (int)sizeof(path))
		return error_set(e, -ENAMETOOLONG, "a path that is too long: %.256s", place);
	rc = dir_make_path(path, CTF_DIRECTORY_MODE);
	if (rc)
		return error_set(e, rc, "cannot make %s: %s", path, strerror(-rc));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 ? fd : error_set(e, -errno, "cannot open %s: %s", path, strerror(errno));
}
