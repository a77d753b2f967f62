/* SPDX-License-Identifier: MIT */
/* doctor-memory.c - the runtime directory: may we use it, and is there room for buffers? */
#include <errno.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "doctor.h"
#include "session/cpus.h"
#include "session/session.h"
#include "text.h"

/* What a session with the default buffer takes. */
static uint64_t session_bytes(void)
{
	struct cpu_set online;

	cpus_online(&online);
	return cpu_set_count(&online) * (TACHO_RING_BYTES_DEFAULT + TACHO_RING_CONTROL_BYTES) +
	       TACHO_EVENTS_FIRST_BYTES + sizeof(struct tacho_session);
}

static void check_room(struct findings *all, const struct runtime *runtime)
{
	uint64_t need = session_bytes();
	struct statfs fs;
	uint64_t free_bytes;

	if (fstatfs(runtime->fd, &fs)) {
		found(all, "memory", VERDICT_FAIL, "%s: %s", runtime->path, strerror(errno));
		return;
	}
	free_bytes = (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize;
	if (free_bytes >= need)
		found(all, "memory", VERDICT_OK, "%s free for buffers; a session takes %s",
		      bytes_text(free_bytes).text, bytes_text(need).text);
	else
		found_mend(found(all, "memory", VERDICT_FAIL,
				 "%s free for buffers, but a session "
				 "takes %s; until then: --buffer 256K",
				 bytes_text(free_bytes).text, bytes_text(need).text),
			   "mount -o remount,size=50%% /dev/shm (in a container: docker run "
			   "--shm-size=1g)");
}

static void check_kind(struct findings *all, const struct runtime *runtime)
{
	struct statfs fs;

	if (fstatfs(runtime->fd, &fs) || fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC)
		return;
	found_mend(found(all, "file system", VERDICT_WARN,
			 "%s is not in memory (tmpfs), so the "
			 "kernel writes the buffers to disk all the time",
			 runtime->path),
		   "unset TACHO_RUNTIME_DIR, or let it name a directory on a tmpfs");
}

void doctor_memory(struct findings *all)
{
	struct tacho_error error;
	struct runtime runtime;

	if (runtime_open(&runtime, &error)) {
		found(all, "runtime directory", VERDICT_FAIL, "%s", error.text);
		return;
	}
	found(all, "runtime directory", VERDICT_OK, "%s is ours alone", runtime.path);
	check_room(all, &runtime);
	check_kind(all, &runtime);
	runtime_close(&runtime);
}
