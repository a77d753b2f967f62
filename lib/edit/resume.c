/* SPDX-License-Identifier: MIT */
/* resume.c - where a stream goes on behind damage; see edit_private.h */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctf/read/bits.h"
#include "ctf/read/file.h"
#include "edit_private.h"

#define MAGIC       0xc1fc1fc1u
#define MAGIC_BYTES 4
#define CHUNK_BYTES ((size_t)64 << 10)
#define TRIES_MAX   1000 /* places with the magic number that are no packet */

struct search {
	const struct read_trace *trace;
	const char *path;
	struct read_packet packet;
	struct read_decoder decoder;
	uint8_t magic[MAGIC_BYTES]; /* as it stands in the file */
	bool has_magic;
	unsigned int tries;
};

/* Packets can be found only where each begins with the magic number. */
static void find_magic(struct search *search)
{
	const struct read_layout *header = search->trace->packet_header;
	const struct read_layout *first = header && header->child_count ? header->children : NULL;

	if (!first || first->role != READ_ROLE_MAGIC || first->bits != 32)
		return;
	for (int i = 0; i < MAGIC_BYTES; i++)
		search->magic[i] = (uint8_t)(MAGIC >> 8 * (first->is_big ? 3 - i : i));
	search->has_magic = true;
}

static int is_packet(struct search *search, uint64_t offset)
{
	int rc = read_packet_load(&search->packet, search->trace, search->path, offset,
				  &search->decoder);

	return rc == -ENOMEM || rc == 1 ? rc : 0;
}

/* The next packet that begins in a chunk of the file. */
static int search_chunk(struct search *search, const uint8_t *data, size_t bytes, uint64_t offset,
			uint64_t *ret_offset)
{
	const uint8_t *at = data;
	int rc;

	while ((at = memmem(at, bytes - (size_t)(at - data), search->magic, MAGIC_BYTES))) {
		if (search->tries++ == TRIES_MAX)
			return 0;
		*ret_offset = offset + (uint64_t)(at - data);
		rc = is_packet(search, *ret_offset);
		if (rc)
			return rc;
		at++;
	}
	return 0;
}

static int search_file(struct search *search, int fd, uint64_t from, uint64_t *ret_offset)
{
	uint8_t *data = malloc(CHUNK_BYTES);
	int64_t got = 0;
	int rc = data ? 0 : -ENOMEM;

	while (!rc && search->tries <= TRIES_MAX) {
		got = read_file_at(fd, from, data, CHUNK_BYTES);
		if (got < MAGIC_BYTES)
			break;
		rc = search_chunk(search, data, (size_t)got, from, ret_offset);
		/* The number may stand across the end of the chunk. */
		from += (uint64_t)got - (MAGIC_BYTES - 1);
	}
	free(data);
	return rc;
}

static int search_from(struct search *search, int fd, uint64_t from, uint64_t *ret_offset)
{
	int rc = is_packet(search, from);

	*ret_offset = from;
	if (rc)
		return rc;
	find_magic(search);
	return search->has_magic ? search_file(search, fd, from, ret_offset) : 0;
}

int resume_offset(const struct read_trace *trace, const char *path, uint64_t from,
		  uint64_t *ret_offset)
{
	struct search search = { .trace = trace, .path = path };
	uint64_t bytes = 0;
	int fd = read_file_open(path, &bytes);
	int rc;

	*ret_offset = bytes;
	if (fd < 0)
		return 0;
	rc = read_decoder_init(&search.decoder, trace->slot_count);
	if (!rc && from < bytes)
		rc = search_from(&search, fd, from, ret_offset);
	if (!rc)
		*ret_offset = bytes;
	read_decoder_fini(&search.decoder);
	read_packet_fini(&search.packet);
	close(fd);
	return rc;
}

bool resume_has_magic(const struct read_trace *trace, const char *path, uint64_t offset)
{
	struct search search = { .trace = trace, .path = path };
	uint8_t data[MAGIC_BYTES] = { 0 };
	uint64_t bytes;
	int fd = read_file_open(path, &bytes);

	if (fd < 0)
		return false;
	find_magic(&search);
	if (read_file_at(fd, offset, data, sizeof(data)) < MAGIC_BYTES)
		search.has_magic = false;
	close(fd);
	return search.has_magic && !memcmp(data, search.magic, sizeof(data));
}
