/* SPDX-License-Identifier: MIT */
/* memory.c - the runtime directory: may we use it, and is there room for buffers? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>

#include <linux/magic.h>

#include "cli/room.h"
#include "cli/text.h"
#include "doctor.h"
#include "session/session.h"

/* "; until then: --buffer 256K", if any fits. */
static struct visible_text until_then(uint64_t free_bytes)
{
	uint64_t fits = room_largest_buffer(free_bytes);
	struct visible_text t = { "" };

	if (fits)
		snprintf(t.text, sizeof(t.text), "; until then: --buffer %s",
			 option_bytes(fits).text);
	return t;
}

static void check_room(struct findings *all, const struct runtime *runtime)
{
	uint64_t need = room_needed(TACHO_RING_BYTES_DEFAULT);
	uint64_t free_bytes = room_free(runtime->fd);
	char *remedy;

	if (free_bytes >= need) {
		found(all, "memory", VERDICT_OK, "%s free for buffers; a session takes %s",
		      bytes_text(free_bytes).text, bytes_text(need).text);
		return;
	}
	remedy = room_remedy(runtime->path, runtime->fd, need);
	found_mend(found(all, "memory", VERDICT_FAIL,
			 "%s free for buffers, but a session takes %s%s",
			 bytes_text(free_bytes).text, bytes_text(need).text,
			 until_then(free_bytes).text),
		   "%s", remedy);
	free(remedy);
}

/* Programs and tools in different directories would never meet. */
static void check_path(struct findings *all, const struct runtime *runtime)
{
	if (runtime->path[0] == '/')
		found(all, "runtime directory", VERDICT_OK, "%s is ours alone", runtime->path);
	else
		found_mend(found(all, "runtime directory", VERDICT_WARN,
				 "TACHO_RUNTIME_DIR=%s is relative, so that programs and tools in "
				 "other directories have another one",
				 runtime->path),
			   "export TACHO_RUNTIME_DIR=\"$(realpath \"$TACHO_RUNTIME_DIR\")\"");
}

/* The library says what is wrong, and behind a semicolon what helps. */
static void cannot_open(struct findings *all, const struct tacho_error *error)
{
	const char *advice = strstr(error->text, "; ");
	int length = advice ? (int)(advice - error->text) : (int)strlen(error->text);

	found_mend(found(all, "runtime directory", VERDICT_FAIL, "%.*s", length, error->text), "%s",
		   advice ? advice + 2 : "set TACHO_RUNTIME_DIR to a directory of your own");
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
		cannot_open(all, &error);
		return;
	}
	check_path(all, &runtime);
	check_room(all, &runtime);
	check_kind(all, &runtime);
	runtime_close(&runtime);
}
