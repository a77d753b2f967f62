/* SPDX-License-Identifier: MIT */
/* room.c - see room.h */
#include "room.h"

#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include <linux/magic.h>

#include "format/ring.h"
#include "format/runtime.h"
#include "format/session.h"
#include "ring/rings.h"
#include "session/cpus.h"

#define MIB ((uint64_t)1 << 20)
/* A writer at full speed takes 7 ms to fill it; making it takes 8 ms of CPU time more than 4M. */
#define AMPLE_BYTES (8 * MIB)

uint64_t room_needed(uint64_t buffer_bytes)
{
	struct ring_geometry geometry;
	struct cpu_set online;

	if (ring_geometry_init(&geometry, buffer_bytes))
		return UINT64_MAX;
	cpus_online(&online);
	return tacho_rings_file_bytes(cpu_set_count(&online), geometry.stride) +
	       TACHO_EVENTS_FIRST_HEAD + TACHO_EVENTS_FIRST_DESCS + TACHO_SESSION_FIXED_BYTES +
	       TACHO_UNRECORDED_BYTES + TACHO_RINGS_HEADER_BYTES;
}

uint64_t room_free(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) ? 0 : (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize;
}

uint64_t room_largest_buffer(uint64_t free_bytes)
{
	uint64_t bytes = 0;

	for (uint64_t larger = TACHO_RING_BYTES_MIN; larger <= TACHO_RING_BYTES_MAX; larger *= 2)
		if (room_needed(larger) <= free_bytes)
			bytes = larger;
	return bytes;
}

uint64_t room_ample_buffer(int fd)
{
	uint64_t bytes = room_largest_buffer(room_free(fd) / 4);

	if (bytes > AMPLE_BYTES)
		return AMPLE_BYTES;
	return bytes > TACHO_RING_BYTES_DEFAULT ? bytes : TACHO_RING_BYTES_DEFAULT;
}

/* The directory that the file system of @path is mounted on; to be freed. */
static char *mount_point(const char *path)
{
	char *at = realpath(path, NULL);
	struct stat here, above;

	if (!at || stat(at, &here))
		return at;
	while (strcmp(at, "/")) {
		char *copy = xstrdup(at);
		char *parent = xstrdup(dirname(copy));

		free(copy);
		if (stat(parent, &above) || above.st_dev != here.st_dev) {
			free(parent);
			break;
		}
		free(at);
		at = parent;
	}
	return at;
}

char *room_remedy(const char *path, int fd, uint64_t needed_bytes)
{
	struct statfs fs;
	char *at, *word, *remedy;
	uint64_t wanted;

	if (fstatfs(fd, &fs) || fs.f_type != TMPFS_MAGIC)
		return xasprintf("make room in %s, or let TACHO_RUNTIME_DIR name a directory on a "
				 "larger tmpfs",
				 path);
	at = mount_point(path);
	word = shell_word(at ? at : path);
	wanted = (uint64_t)(fs.f_blocks - fs.f_bavail) * (uint64_t)fs.f_bsize + 2 * needed_bytes;
	remedy = xasprintf(
		"mount -o remount,size=%" PRIu64 "M %s%s", (wanted + MIB - 1) / MIB, word,
		at && !strcmp(at, "/dev/shm") ? " (in a container: docker run --shm-size=1g)" : "");
	free(word);
	free(at);
	return remedy;
}

struct short_text option_bytes(uint64_t bytes)
{
	struct short_text t;

	if (bytes < MIB)
		snprintf(t.text, sizeof(t.text), "%" PRIu64 "K", (bytes + 1023) >> 10);
	else
		snprintf(t.text, sizeof(t.text), "%" PRIu64 "M", (bytes + MIB - 1) / MIB);
	return t;
}
