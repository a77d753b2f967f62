/* SPDX-License-Identifier: MIT */
/* slots.c - see slots.h */
#include "session/slots.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "session/state.h"

struct link_path {
	char text[32];
};

static struct link_path link_path(int slot)
{
	struct link_path path;

	snprintf(path.text, sizeof(path.text), SLOTS_DIR "/%d", slot);
	return path;
}

/* Does the session that the link leads to think the same? */
static bool is_taken(struct runtime *runtime, int slot)
{
	char path[64];
	struct tacho_session head;
	bool taken;
	int fd;

	snprintf(path, sizeof(path), SLOTS_DIR "/%d/" SESSION_FILE, slot);
	fd = file_open_at(runtime->fd, path, O_RDONLY, 0);
	if (fd < 0)
		return false;
	taken = !fd_read_at(fd, &head, offsetof(struct tacho_session, name), 0) &&
		head.magic == TACHO_SESSION_MAGIC && head.slot == (uint32_t)slot;
	fd_close(fd);
	return taken;
}

void slots_clean(struct runtime *runtime)
{
	for (int slot = 0; slot < TACHO_SLOTS; slot++) {
		struct link_path path = link_path(slot);
		struct stat st;

		if (!fstatat(runtime->fd, path.text, &st, AT_SYMLINK_NOFOLLOW) &&
		    !is_taken(runtime, slot))
			unlinkat(runtime->fd, path.text, 0);
	}
}

int slots_find_free(struct runtime *runtime, struct tacho_error *error)
{
	slots_clean(runtime);
	for (int slot = 0; slot < TACHO_SLOTS; slot++) {
		struct stat st;

		if (fstatat(runtime->fd, link_path(slot).text, &st, AT_SYMLINK_NOFOLLOW) &&
		    errno == ENOENT)
			return slot;
	}
	return error_set(error, -EBUSY,
			 "there are %d sessions already, the most that are possible; destroy one "
			 "(tacho list shows them)",
			 TACHO_SLOTS);
}

int slots_link(struct runtime *runtime, int slot, const char *escaped, struct tacho_error *error)
{
	char target[NAME_ESCAPED_BYTES + 32];

	snprintf(target, sizeof(target), "../" SESSIONS_DIR "/%s", escaped);
	if (symlinkat(target, runtime->fd, link_path(slot).text))
		return error_set(error, -errno, "cannot make the link %s/%s: %s", runtime->path,
				 link_path(slot).text, strerror(errno));
	return 0;
}
