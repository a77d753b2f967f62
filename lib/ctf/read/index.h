/* SPDX-License-Identifier: MIT */
/*
 * index.h - the index of a stream's file (index.h), to begin a walk through its packets further
 * on. It is believed only as far as the file bears it out: whoever takes an offset from it looks at
 * the packet that is there.
 */
#ifndef TACHO_CTF_READ_INDEX_H
#define TACHO_CTF_READ_INDEX_H

#include "ctf/index.h"

struct read_index {
	int fd;
	uint64_t count; /* of its entries */
	uint32_t entry_bytes;
};

/*
 * read_index_open() - the index of the file @stream_path, which has @stream_bytes
 *
 * Return: 0; -ENOENT; -EPROTO (it is none, or does not end where the file does); -ENOMEM; or what
 * reading gave.
 */
int read_index_open(const char *stream_path, uint64_t stream_bytes, struct read_index *ret_index);
void read_index_close(struct read_index *index);

/* Return: 0, -EPROTO, or what reading gave. */
int read_index_entry(const struct read_index *index, uint64_t number,
		     struct ctf_index_entry *ret_entry);

#endif
