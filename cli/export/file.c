/* SPDX-License-Identifier: MIT */
/* file.c - see file.h */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cli/say.h"
#include "cli/text.h"

static volatile sig_atomic_t told;

static void keep(int number)
{
	told = number;
}

static void catch_signals(void)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = keep };

	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
		struct sigaction before;

		if (!sigaction(ending[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(ending[i], &action, NULL);
	}
}

static bool is_standard_output(const char *path)
{
	return !strcmp(path, "-");
}

static int make(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		return -errno;
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	close(fd);
	return -EEXIST;
}

/* One that nobody writes to was left by a command that was killed. */
static void remove_left(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return;
	if (!flock(fd, LOCK_EX | LOCK_NB))
		unlink(path);
	close(fd);
}

static int make_partial(const struct export_file *file)
{
	int fd = -EEXIST;

	if (!access(file->path, F_OK))
		return -EEXIST;
	remove_left(file->partial);
	fd = make(file->partial);
	return fd == -EEXIST ? -EBUSY : fd;
}

static int complain(const char *path, int err)
{
	if (err == -EEXIST)
		return fail("%s is there already; remove it, or name another file",
			    visible(path).text);
	if (err == -EBUSY)
		return fail("another command is writing %s; wait for it, or name another file",
			    visible(path).text);
	return fail("cannot create %s: %s; name a file where you may write", visible(path).text,
		    strerror(-err));
}

int export_file_open(const char *path, struct export_file *ret_file)
{
	struct export_file file = { .path = path, .fd = STDOUT_FILENO };

	if (!is_standard_output(path)) {
		file.partial = xasprintf("%s.partial", path);
		file.fd = make_partial(&file);
		if (file.fd < 0) {
			free(file.partial);
			return complain(path, file.fd);
		}
		catch_signals();
	}
	*ret_file = file;
	return 0;
}

/* Some file systems cannot look and rename at one stroke. */
static int publish(const struct export_file *file)
{
	if (!renameat2(AT_FDCWD, file->partial, AT_FDCWD, file->path, RENAME_NOREPLACE))
		return 0;
	if (errno == EINVAL && access(file->path, F_OK) && !rename(file->partial, file->path))
		return 0;
	return -errno;
}

int export_file_close(struct export_file *file, bool is_whole)
{
	int err = 0;

	if (is_standard_output(file->path))
		return 0;
	if (is_whole)
		err = publish(file);
	if (err || !is_whole)
		unlink(file->partial);
	if (close(file->fd) && !err)
		err = -errno;
	free(file->partial);
	return err;
}

int export_was_told_to_end(void)
{
	return told;
}
