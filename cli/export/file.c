/* SPDX-License-Identifier: MIT */
/* file.c - see file.h */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
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

int export_file_open(const char *path, struct export_file *ret_file)
{
	int fd = STDOUT_FILENO;

	if (!is_standard_output(path))
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0 && errno == EEXIST)
		return fail("%s is there already; remove it, or name another file",
			    visible(path).text);
	if (fd < 0)
		return fail("cannot create %s: %s; name a file where you may write",
			    visible(path).text, strerror(errno));
	if (!is_standard_output(path))
		catch_signals();
	*ret_file = (struct export_file){ path, fd };
	return 0;
}

int export_file_close(struct export_file *file, bool is_whole)
{
	int err = 0;

	if (is_standard_output(file->path))
		return 0;
	if (close(file->fd))
		err = -errno;
	if (err || !is_whole)
		unlink(file->path);
	return err;
}

int export_was_told_to_end(void)
{
	return told;
}
