/* SPDX-License-Identifier: MIT */
/* output.c - see output.h */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/tree.h"
#include "ctf/file.h"

#define PARTIAL ".partial"
#define MARK    ".unfinished"

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

/* ---- the mark of what is not finished ---- */

/* Return: its descriptor, locked; -EWOULDBLOCK: somebody else has it locked; or what open() gave. */
static int open_mark(const char *partial, int flags)
{
	char path[PATH_MAX];
	int fd, rc;

	if (snprintf(path, sizeof(path), "%s/" MARK, partial) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, flags | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, CTF_FILE_MODE);
	if (fd < 0)
		return -errno;
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	rc = -errno;
	close(fd);
	return rc;
}

/* What a command left that was killed. Return: 0; -EEXIST: it is none, or one still writes it. */
static int remove_left(const char *partial)
{
	int fd = open_mark(partial, 0);

	if (fd < 0)
		return -EEXIST;
	tree_remove(partial, false);
	close(fd);
	return 0;
}

static int make_partial(const char *partial)
{
	int rc = mkdir(partial, CTF_DIRECTORY_MODE) ? -errno : 0;

	/* An empty one is of a command that was killed before it made the mark. */
	if (rc == -EEXIST && (!rmdir(partial) || !remove_left(partial)))
		rc = mkdir(partial, CTF_DIRECTORY_MODE) ? -errno : 0;
	return rc;
}

static void remove_mark(struct output *output)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/" MARK, output->partial) < (int)sizeof(path))
		unlink(path);
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
	if (!rc)
		rc = make_partial(output->partial);
	if (rc)
		return rc;
	output->lock_fd = open_mark(output->partial, O_CREAT | O_EXCL);
	return output->lock_fd < 0 ? output->lock_fd : 0;
}

static int complain(const struct output *output, int rc, struct tacho_error *e)
{
	struct stat st;

	if (!lstat(output->dir, &st))
		return error_set(e, -EEXIST, "%s is there already; name a directory that is not",
				 output->dir);
	if (rc == -EEXIST)
		return error_set(e, rc,
				 "%s is there: another command writes it, or it is not one's; "
				 "name another directory, or remove it",
				 output->partial);
	return error_set(e, rc,
			 "cannot make the directory %s: %s; name one where you may write: -o DIR",
			 output->dir, strerror(-rc));
}

static void forget(struct output *output)
{
	free(output->dir);
	free(output->partial);
	fd_close(output->lock_fd);
	*output = (struct output){ .lock_fd = -1 };
}

int output_open(const char *dir, struct tacho_error *e, struct output *ret_output)
{
	struct output output = { .dir = absolute(dir), .lock_fd = -1 };
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
	remove_mark(output);
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
