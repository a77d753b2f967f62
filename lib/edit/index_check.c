/* SPDX-License-Identifier: MIT */
/* index_check.c - what was wrong with an index that is written anew; see edit_private.h */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ctf/index.h"
#include "ctf/read/file.h"
#include "edit_private.h"

#define MAGIC           0xc1f1dcc1u
#define HEADER_BYTES    16
#define INDEX_BYTES_MAX ((size_t)256 << 20)

static uint32_t word(const char *data, size_t at)
{
	uint32_t value;

	memcpy(&value, data + at * sizeof(value), sizeof(value));
	return be32toh(value);
}

/* Do its packets add up to the stream? */
static bool is_sound(const char *data, size_t bytes, uint64_t stream_bytes)
{
	uint64_t at = 0, entry[2], size;

	if (bytes < HEADER_BYTES || word(data, 0) != MAGIC)
		return false;
	size = word(data, 3);
	if (size < sizeof(entry) || (bytes - HEADER_BYTES) % size)
		return false;
	for (const char *p = data + HEADER_BYTES; p < data + bytes; p += size) {
		memcpy(entry, p, sizeof(entry));
		if (be64toh(entry[0]) != at)
			return false;
		at += be64toh(entry[1]) / 8;
	}
	return at == stream_bytes;
}

static void check(struct edit *edit, const char *index, const char *path)
{
	const char *name = source_file_name(path);
	uint64_t stream_bytes = 0;
	struct stat st;
	size_t bytes;
	char *data;
	int rc = read_file_all(index, INDEX_BYTES_MAX, &data, &bytes);

	if (!lstat(path, &st))
		stream_bytes = (uint64_t)st.st_size;
	if (rc == -ENOENT)
		edit_repaired(edit, "%s: it had no index; there is one now", name);
	else if (rc || !is_sound(data, bytes, stream_bytes))
		edit_repaired(edit, "%s: its index did not fit it; it is made anew", name);
	if (!rc)
		free(data);
}

void index_check(struct edit *edit, const struct source_trace *trace, const char *path)
{
	struct stat st;
	char *index;

	if (asprintf(&index, "%s/index", trace->dir) < 0)
		return;
	/* Not all tracers write indexes. */
	if (!lstat(index, &st) && S_ISDIR(st.st_mode)) {
		free(index);
		if (asprintf(&index, "%s/index/%s.idx", trace->dir, source_file_name(path)) < 0)
			return;
		check(edit, index, path);
	}
	free(index);
}
