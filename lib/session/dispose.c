/* SPDX-License-Identifier: MIT */
/* dispose.c - see dispose.h */
#include "session/dispose.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"
#include "ctf/write/trace.h"
#include "session/current.h"
#include "session/kernel/channel.h"
#include "session/ring_place.h"
#include "session/rules/apply.h"
#include "session/slots.h"
#include "session/state.h"

/* The page that holds `state`. */
#define SESSION_KEPT_BYTES 4096
_Static_assert(offsetof(struct tacho_session, name) <= SESSION_KEPT_BYTES, "state is in it");

/* Whoever still maps the session file, a drain that was stopped at the time for one, must go on
 * seeing that it is dead. */
static off_t first_to_punch(const char *name)
{
	return strcmp(name, SESSION_FILE) ? 0 : SESSION_KEPT_BYTES;
}

static void punch(int dir_fd, const char *name)
{
	int fd = file_open_at(dir_fd, name, O_RDWR, 0);
	off_t first = first_to_punch(name);
	struct stat st;

	if (fd < 0) {
		ring_place_remove(dir_fd, name);
		return;
	}
	if (!fstat(fd, &st) && st.st_size > first)
		fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, first,
			  st.st_size - first);
	fd_close(fd);
}

static void punch_all(int dir_fd)
{
	char **names;

	if (dir_list(dir_fd, ".", &names))
		return;
	for (char **name = names; *name; name++)
		punch(dir_fd, *name);
	str_array_free(names);
}

int session_dir_remove(int sessions_fd, const char *name)
{
	int fd = openat(sessions_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	punch_all(fd);
	fd_close(fd);
	return dir_remove(sessions_fd, name);
}

/* Each thread of the machine that runs now, so also one that just saw its bit still set, passes a
 * context switch or an idle moment before this returns: it has left its section, or restarts. */
static void wait_for_writers(void)
{
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

/* A directory in which no trace was begun is of no use to anybody; one that was the user's own stays. */
static void remove_unused_output(const struct session *session)
{
	const struct tacho_session *file = session->file;

	if (!file->output[0] || file->mirror_of)
		return;
	ctf_trace_remove_unused(file->output, geteuid());
	if (file->output_made)
		rmdir(file->output);
}

int session_bury(struct session *session, int sessions_fd)
{
	char place[TACHO_PATH_BYTES], gone[64];
	int ret;

	snprintf(place, sizeof(place), "%s", session->file->shm_path);
	apply_rules(session);
	wait_for_writers();
	kernel_session_remove(session);
	remove_unused_output(session);
	current_clear(session->runtime, session);
	snprintf(gone, sizeof(gone), GONE_PREFIX "%016llx",
		 (unsigned long long)session->file->instance);
	if (renameat(sessions_fd, session->escaped, sessions_fd, gone))
		return errno == ENOENT ? 0 : -errno;
	slots_clean(session->runtime);
	ret = session_dir_remove(sessions_fd, gone);
	if (place[0])
		rmdir(place); /* of the ring files, which are gone with their links */
	return ret;
}
