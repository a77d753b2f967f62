/* SPDX-License-Identifier: MIT */
/*
 * stream_private.h - the inside of a stream that is written.
 *
 *      stream.c        opened, gone on with, closed
 *      stream_put.c    packets grow and are appended; draws the file
 *      stream_room.c   where they are in the file, and the room behind them
 *      stream_file.c   the file: its name, its beginning, its end
 *
 * Functions return 0 or a negative errno, unless they say otherwise.
 */
#ifndef TACHO_CTF_STREAM_PRIVATE_H
#define TACHO_CTF_STREAM_PRIVATE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet.h"

struct ctf_stream {
	struct ctf_trace *trace;
	int fd;
	bool is_hidden;          /* the file's first packet is still to come */
	bool has_last;           /* there is a packet, in this file or in one before */
	char base[NAME_MAX + 1]; /* CHANNEL_CPU */
	char name[NAME_MAX + 1];
	char hidden_name[NAME_MAX + 1];
	char index_name[NAME_MAX + 1];
	uint64_t subbuf_bytes;
	struct ctf_packet_head like; /* what all heads have in common */
	uint64_t file_bytes;
	/* Where the empty packet that owns the room is; 0 if the last packet owns it. */
	uint64_t empty_at;
	/* The last packet, and where it is in the file; the latter without meaning while is_hidden. */
	uint64_t last_at;
	struct ctf_packet last;
	/* Files of limited size; limit_bytes 0: there is one, without a number. */
	uint64_t limit_bytes;
	uint32_t limit_count;
	uint64_t number;
	uint64_t bytes_before; /* in files that are complete */
};
/* The name of a field in a packet's head, for the two functions below it. */
#define HEAD_FIELD(name) offsetof(struct ctf_packet_head, name)

/* Change one field of the head at @at; of the last packet's head. */
int stream_store_at(struct ctf_stream *stream, uint64_t at, size_t field, uint64_t value);
int stream_store(struct ctf_stream *stream, size_t field, uint64_t value);

/* A whole head, of a packet that reaches from @at to @end. */
int stream_write_head(struct ctf_stream *stream, const struct ctf_packet *packet, uint64_t at,
		      uint64_t end);

/* The packet behind the last one would begin here. */
uint64_t stream_next_at(const struct ctf_stream *stream);

/* The size of the file that has room for something up to @end. */
uint64_t stream_end_of_room(const struct ctf_stream *stream, uint64_t end);
int stream_resize(struct ctf_stream *stream, uint64_t bytes);

/* Room for one more packet, behind the end of the file; room for the last one to have @bytes. */
int stream_make_room(struct ctf_stream *stream);
int stream_widen_last(struct ctf_stream *stream, uint64_t bytes);

/* Let the file end with its last packet. */
int stream_trim(struct ctf_stream *stream);

/* The names that follow from the specification, and from the number of the file. */
int stream_set_names(struct ctf_stream *stream, const struct ctf_stream_spec *spec);
void stream_name_file(struct ctf_stream *stream);

/* A new file, unseen as long as it has no packet. */
int stream_make_file(struct ctf_stream *stream);
int stream_write_index(struct ctf_stream *stream);

/* The next file is to be made; after the one that is here is complete. */
void stream_leave_file(struct ctf_stream *stream);
int stream_end_file(struct ctf_stream *stream);

static inline uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

#endif
