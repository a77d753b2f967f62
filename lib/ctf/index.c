/* SPDX-License-Identifier: MIT */
#include "ctf/index.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"
#include "ctf/file.h"

#define MINOR     1
#define BATCH     64
#define TEMPORARY ".new"

struct ctf_index {
	int dir_fd;
	int fd;
	int err;
	size_t count; /* in batch[] */
	uint64_t at;  /* where batch[] goes */
	struct ctf_index_entry batch[BATCH];
};

static int write_header(struct ctf_index *index)
{
	const uint32_t header[] = {
		htobe32(CTF_INDEX_MAGIC),
		htobe32(CTF_INDEX_MAJOR),
		htobe32(MINOR),
		htobe32(sizeof(struct ctf_index_entry)),
	};

	index->at = sizeof(header);
	return file_write_at(index->fd, header, sizeof(header), 0);
}

static void flush(struct ctf_index *index)
{
	size_t bytes = index->count * sizeof(index->batch[0]);

	if (!index->err)
		index->err = file_write_at(index->fd, index->batch, bytes, index->at);
	index->at += bytes;
	index->count = 0;
}

int index_begin(int dir_fd, struct ctf_index **ret_index)
{
	struct ctf_index *index = calloc(1, sizeof(*index));

	if (!index)
		return -ENOMEM;
	index->dir_fd = dir_fd;
	index->fd = file_open_at(dir_fd, TEMPORARY, O_WRONLY | O_CREAT | O_TRUNC, CTF_FILE_MODE);
	if (index->fd < 0) {
		int err = index->fd;

		free(index);
		return err;
	}
	index->err = write_header(index);
	*ret_index = index;
	return 0;
}

void index_add(struct ctf_index *index, const struct ctf_index_entry *entry)
{
	struct ctf_index_entry *to = &index->batch[index->count++];

	to->offset = htobe64(entry->offset);
	to->packet_bits = htobe64(entry->packet_bits);
	to->content_bits = htobe64(entry->content_bits);
	to->begin_ts = htobe64(entry->begin_ts);
	to->end_ts = htobe64(entry->end_ts);
	to->discarded = htobe64(entry->discarded);
	to->stream_id = htobe64(entry->stream_id);
	to->instance = htobe64(entry->instance);
	to->seq = htobe64(entry->seq);
	if (index->count == BATCH)
		flush(index);
}

static void free_index(struct ctf_index *index)
{
	close(index->fd);
	free(index);
}

void index_drop(struct ctf_index *index)
{
	unlinkat(index->dir_fd, TEMPORARY, 0);
	free_index(index);
}

int index_end(struct ctf_index *index, const char *name)
{
	int err;

	flush(index);
	err = index->err;
	if (!err && renameat(index->dir_fd, TEMPORARY, index->dir_fd, name))
		err = -errno;
	if (err)
		index_drop(index);
	else
		free_index(index);
	return err;
}
