/* SPDX-License-Identifier: MIT */
/* index.c - see index.h */
#include "index.h"

#include <endian.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"

/* Older ones have no instance and no number behind the stream's id. */
#define ENTRY_BYTES_MIN offsetof(struct ctf_index_entry, instance)
#define ENTRY_BYTES_MAX 4096u

struct header {
	uint32_t magic, major, minor, entry_bytes;
};

static int open_beside(const char *stream_path, uint64_t *ret_bytes)
{
	const char *name = strrchr(stream_path, '/');
	char *path;
	int fd;

	name = name ? name + 1 : stream_path;
	if (asprintf(&path, "%.*sindex/%s.idx", (int)(name - stream_path), stream_path, name) < 0)
		return -ENOMEM;
	fd = read_file_open(path, ret_bytes);
	free(path);
	return fd;
}

static int take_header(struct read_index *index, uint64_t bytes)
{
	struct header header;
	int64_t got = read_file_at(index->fd, 0, &header, sizeof(header));

	if (got < 0)
		return (int)got;
	if (got < (int64_t)sizeof(header) || be32toh(header.magic) != CTF_INDEX_MAGIC ||
	    be32toh(header.major) != CTF_INDEX_MAJOR)
		return -EPROTO;
	index->entry_bytes = be32toh(header.entry_bytes);
	if (index->entry_bytes < ENTRY_BYTES_MIN || index->entry_bytes > ENTRY_BYTES_MAX)
		return -EPROTO;
	index->count = (bytes - sizeof(header)) / index->entry_bytes;
	return (bytes - sizeof(header)) % index->entry_bytes ? -EPROTO : 0;
}

int read_index_entry(const struct read_index *index, uint64_t number,
		     struct ctf_index_entry *ret_entry)
{
	uint64_t at = sizeof(struct header) + number * index->entry_bytes;
	size_t bytes =
		index->entry_bytes < sizeof(*ret_entry) ? index->entry_bytes : sizeof(*ret_entry);
	uint64_t raw[sizeof(*ret_entry) / sizeof(uint64_t)] = { 0 };
	int64_t got = read_file_at(index->fd, at, raw, bytes);

	if (got < 0)
		return (int)got;
	if (got < (int64_t)bytes)
		return -EPROTO;
	for (size_t i = 0; i < sizeof(raw) / sizeof(raw[0]); i++)
		raw[i] = be64toh(raw[i]);
	memcpy(ret_entry, raw, sizeof(raw));
	return 0;
}

/* Does the last packet end where the file ends? */
static int check_end(const struct read_index *index, uint64_t stream_bytes)
{
	struct ctf_index_entry last;
	int rc;

	if (!index->count)
		return -EPROTO;
	rc = read_index_entry(index, index->count - 1, &last);
	if (rc)
		return rc;
	return last.offset > stream_bytes || last.packet_bits != (stream_bytes - last.offset) * 8 ?
		       -EPROTO :
		       0;
}

int read_index_open(const char *stream_path, uint64_t stream_bytes, struct read_index *ret_index)
{
	struct read_index index;
	uint64_t bytes;
	int rc;

	index.fd = open_beside(stream_path, &bytes);
	if (index.fd < 0)
		return index.fd;
	rc = bytes < sizeof(struct header) ? -EPROTO : take_header(&index, bytes);
	if (!rc)
		rc = check_end(&index, stream_bytes);
	if (rc)
		read_index_close(&index);
	else
		*ret_index = index;
	return rc;
}

void read_index_close(struct read_index *index)
{
	close(index->fd);
}
