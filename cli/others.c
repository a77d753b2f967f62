/* SPDX-License-Identifier: MIT */
/* others.c - see others.h */
#include "others.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmd.h"
#include "say.h"
#include "text.h"

/* More than that is no listing. */
#define TEXT_BYTES_MAX (64u << 20)

struct catching {
	const struct others *others;
	int fd;       /* what all of them print */
	off_t shown;  /* of it */
	int status;
};

static void print(struct runtime *runtime, const void *arg, struct user_report *ret_report)
{
	const struct catching *c = arg;

	(void)ret_report;
	if (dup2(c->fd, STDOUT_FILENO) < 0)
		return;
	c->others->print(runtime, c->others->print_arg);
	fflush(stdout);
}

/* What was printed since the last time; to be freed. NULL: nothing. */
static char *take_text(struct catching *c)
{
	off_t end = lseek(c->fd, 0, SEEK_END);
	size_t bytes = end > c->shown ? (size_t)(end - c->shown) : 0;
	char *text;

	if (!bytes || bytes > TEXT_BYTES_MAX)
		return NULL;
	text = xcalloc(bytes + 1, 1);
	if (pread(c->fd, text, bytes, c->shown) != (ssize_t)bytes)
		text[0] = '\0';
	c->shown = end;
	return text;
}

static void show(const struct user_dir *dir, const struct user_report *report, void *arg)
{
	struct catching *c = arg;
	char *text = take_text(c);

	if (report->error.code)
		c->status = fail("user %u: %s", (unsigned)dir->uid, report->error.text);
	if (text && *text)
		c->others->show(dir, text, c->others->show_arg);
	free(text);
}

int others_print(const struct others *others)
{
	struct catching c = { .others = others, .fd = -1 };
	struct users_work work = {
		.work = print, .work_arg = &c, .tell = show, .tell_arg = &c
	};
	struct tacho_error error;

	if (!users_are_reached())
		return STATUS_DONE;
	c.fd = memfd_create("tacho-others", MFD_CLOEXEC);
	if (c.fd < 0)
		return fail("cannot list the programs of other users: %s", strerror(errno));
	if (users_visit(&work, &error))
		c.status = fail_with(&error);
	close(c.fd);
	return c.status;
}

char *others_name(const struct user_dir *dir)
{
	const struct passwd *entry = dir->pid ? NULL : getpwuid(dir->uid);

	if (dir->pid)
		return xasprintf("user %u in a container (with process %d)", (unsigned)dir->uid,
				 (int)dir->pid);
	if (!entry)
		return xasprintf("user %u", (unsigned)dir->uid);
	return xasprintf("user %s (%u)", entry->pw_name, (unsigned)dir->uid);
}
