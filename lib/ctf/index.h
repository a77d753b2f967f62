/* SPDX-License-Identifier: MIT */
/*
 * index.h - the list of a stream's packets, in the format of LTTng 2.x (version 1.1).
 *
 *      0    magic 0xC1F1DCC1, major 1, minor 1, bytes of an entry    (u32 each)
 *      16   entries of 72 bytes: struct ctf_index_entry
 *
 * All big-endian. It saves a reader a walk through the stream, and has to fit it exactly:
 * babeltrace2 warns of an index whose packets do not add up to the size of the stream. Two files
 * cannot change at one stroke, so a stream that may still grow has no index; it is written when
 * the stream is closed, and taken away when one goes on.
 */
#ifndef TACHO_CTF_INDEX_H
#define TACHO_CTF_INDEX_H

#include <stdint.h>

#define CTF_INDEX_MAGIC 0xc1f1dcc1u
#define CTF_INDEX_MAJOR 1

struct ctf_index_entry {
	uint64_t offset; /* of the packet, in bytes */
	uint64_t packet_bits;
	uint64_t content_bits;
	uint64_t begin_ts;
	uint64_t end_ts;
	uint64_t discarded;
	uint64_t stream_id;
	uint64_t instance;
	uint64_t seq;
};

struct ctf_index;

/*
 * index_begin() - start a new index, unseen
 * index_add() - the next packet
 * index_end() - let it be seen as @name, or drop it if an error occurred
 * index_drop() - drop it
 *
 * Return: 0 or a negative errno; index_end() the first one of all, and frees in any case.
 */
int index_begin(int dir_fd, struct ctf_index **ret_index);
void index_add(struct ctf_index *index, const struct ctf_index_entry *entry);
int index_end(struct ctf_index *index, const char *name);
void index_drop(struct ctf_index *index);

#endif
