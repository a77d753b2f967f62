/* SPDX-License-Identifier: MIT */
/*
 * merge.h - the items of many streams as one sequence by time.
 *
 * A binary heap of the streams by the item that each would give next. At the same time, the stream
 * that was added first comes first; each stream's own order is never changed. As long as the first
 * stream's next item comes before those of all others, which one comparison with the second one
 * tells, the heap is left as it is.
 *
 * Streams are first read by the first read_merge_next(), and by the one behind read_merge_restart():
 * until then it may be said from where on, and which ones.
 */
#ifndef TACHO_CTF_READ_MERGE_H
#define TACHO_CTF_READ_MERGE_H

#include "stream.h"

struct read_merge {
	struct read_stream **streams; /* all, in the order in which they were added */
	size_t added;
	struct read_merge_stream *heap; /* those that have an item, the earliest first */
	size_t count;
	size_t capacity;        /* of both arrays */
	size_t second;          /* which one comes after the first; 0: there is none */
	uint64_t windows_bytes; /* that all streams have in memory; 0: as many as usual */
	bool is_filled;         /* the heap is what it says */
	bool is_top_used;       /* the first one's item was given out */
};

/* Takes @stream over, also on failure. Return: 0 or -ENOMEM. */
int read_merge_add(struct read_merge *merge, struct read_stream *stream);
/* read_merge_skip_fields() - see ctf_reader_skip_fields() */
void read_merge_skip_fields(struct read_merge *merge);
/* read_merge_restart() - each stream was moved: its next item is not the one that is known */
void read_merge_restart(struct read_merge *merge);
/* Return: 1 with an item that is valid until the next call, 0 at the end, or -ENOMEM. */
int read_merge_next(struct read_merge *merge, const struct ctf_item **ret_item);
void read_merge_fini(struct read_merge *merge);

#endif
