/* SPDX-License-Identifier: MIT */
/* stream_private.h - between stream.c, which goes on, and seek.c, which jumps */
#ifndef TACHO_CTF_READ_STREAM_PRIVATE_H
#define TACHO_CTF_READ_STREAM_PRIVATE_H

#include "clock.h"
#include "stream.h"

struct read_stream {
	const struct read_trace *trace;
	char **paths;
	struct ctf_file_id *files; /* of the paths; zeroed until they are known */
	size_t path_count;
	size_t path_index;
	const char *path; /* of the file that is read */
	bool is_kept;     /* fields and contexts are wanted */
	bool is_unwanted;
	struct read_clock_pace pace;
	struct read_packet packet;
	struct read_decoder decoder;
	struct read_writer writer;
	uint64_t next_offset;  /* of the packet behind this one */
	uint64_t passed_bytes; /* of the files before this one, about */
	uint64_t event_pos;    /* where the event at hand begins in its packet, in bits */
	read_stream_fn watch;  /* or NULL */
	void *watch_data;
	bool is_in_packet;
	bool has_told_next; /* read_stream_then() was called */
	bool is_ended;
	bool has_previous; /* a packet before this one, of which these were true: */
	uint64_t previous_end_ticks;
	uint64_t previous_discarded;
	uint64_t previous_sequence;
	bool *is_disordered; /* see read_stream_watch_order(); or NULL */
	uint64_t latest_ns;  /* of the items that were watched: of the last one */
	uint64_t packet_end_ns;
	struct ctf_place place; /* of the packet at hand */
	struct ctf_item item;
	const struct read_event *filled; /* the class that the item at hand is of, or NULL */
	char damage_text[TACHO_ERROR_TEXT_BYTES];
};

/* stream_begin_file() - from the begin of one of its files on */
void stream_begin_file(struct read_stream *stream, size_t index);
/* stream_keep_packet() - the packet at hand is the one before the next */
void stream_keep_packet(struct read_stream *stream);

/* stream_place() - of the packet that is not read yet at an offset */
static inline struct ctf_place stream_place(const struct read_stream *stream, uint64_t offset)
{
	return (struct ctf_place){
		.offset = offset,
		.ticks = stream->decoder.ticks,
		.has_previous = stream->has_previous,
		.previous_end_ticks = stream->previous_end_ticks,
		.previous_discarded = stream->previous_discarded,
		.previous_sequence = stream->previous_sequence,
	};
}

static inline uint64_t stream_ns(struct read_stream *stream, uint64_t ticks)
{
	if (stream->pace.clock != stream->packet.stream->clock)
		read_clock_pace_init(&stream->pace, stream->packet.stream->clock);
	return read_clock_pace_ns(&stream->pace, ticks);
}

#endif
