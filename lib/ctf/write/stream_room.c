/* SPDX-License-Identifier: MIT */
/* stream_room.c - where packets are in their file, and the room behind them (stream_put.c) */
#include "ctf/file.h"
#include "stream_private.h"

/* Room is made for this many sub-buffers at least, and for as much again as there is. */
#define ROOM_SUBBUFS   8
#define ROOM_BYTES_MAX (64ull << 20)

/* Change one field of the head at @at. */
int stream_store_at(struct ctf_stream *stream, uint64_t at, size_t field, uint64_t value)
{
	return file_write_at(stream->fd, &value, sizeof(value), at + field);
}

/* Change one field of the last packet's head. */
int stream_store(struct ctf_stream *stream, size_t field, uint64_t value)
{
	return stream_store_at(stream, stream->last_at, field, value);
}

/* The packet behind the last one would begin here. */
uint64_t stream_next_at(const struct ctf_stream *stream)
{
	return stream->is_hidden ? 0 : stream->last_at + ctf_packet_extent(stream->last.bytes);
}

/* All the room is the last packet's. */
static int own_room(struct ctf_stream *stream)
{
	int err = stream_store(stream, HEAD_FIELD(packet_bits),
			       (stream->file_bytes - stream->last_at) * 8);

	if (!err)
		stream->empty_at = 0;
	return err;
}

int stream_resize(struct ctf_stream *stream, uint64_t bytes)
{
	int err = file_resize(stream->fd, bytes);

	if (!err)
		stream->file_bytes = bytes;
	return err;
}

/* How much room to make at once. */
static uint64_t room_bytes(const struct ctf_stream *stream)
{
	uint64_t least = ROOM_SUBBUFS * ctf_packet_extent(stream->subbuf_bytes);
	uint64_t room = stream->file_bytes / CTF_PACKET_ALIGN * CTF_PACKET_ALIGN;

	if (room > ROOM_BYTES_MAX)
		room = ROOM_BYTES_MAX;
	return room > least ? room : least;
}

int stream_write_head(struct ctf_stream *stream, const struct ctf_packet *packet, uint64_t at,
		      uint64_t end)
{
	struct ctf_packet_head head = stream->like;

	head.content_bits = (CTF_PACKET_HEAD_BYTES + packet->bytes) * 8;
	head.packet_bits = (end - at) * 8;
	head.begin_ts = packet->begin_ts;
	head.end_ts = packet->end_ts;
	head.seq = packet->seq;
	head.discarded = packet->discarded;
	return file_write_at(stream->fd, &head, sizeof(head), at);
}

/* The size of the file that has room for something up to @end, at least: a limited file has all its
 * room from the beginning. */
uint64_t stream_end_of_room(const struct ctf_stream *stream, uint64_t end)
{
	if (!stream->limit_bytes)
		return end + room_bytes(stream);
	return larger(end, stream->limit_bytes / CTF_PACKET_ALIGN * CTF_PACKET_ALIGN);
}

/* An empty packet behind the last one, from @at to @end. */
static int write_empty(struct ctf_stream *stream, uint64_t at, uint64_t end)
{
	const struct ctf_packet empty = {
		.seq = stream->last.seq + 1,
		.begin_ts = stream->last.end_ts,
		.end_ts = stream->last.end_ts,
		.discarded = stream->last.discarded,
	};

	return stream_write_head(stream, &empty, at, end);
}

/* More room behind the end of the file, owned by an empty packet. */
int stream_make_room(struct ctf_stream *stream)
{
	uint64_t at = stream->file_bytes;
	uint64_t end = stream_end_of_room(stream, at + ctf_packet_extent(stream->subbuf_bytes));
	int err = write_empty(stream, at, end); /* room:A */

	if (!err)
		err = stream_resize(stream, end); /* room:B */
	if (err)
		stream_resize(stream, at);
	else
		stream->empty_at = at;
	return err;
}

/* Room for the last packet to have @bytes. */
int stream_widen_last(struct ctf_stream *stream, uint64_t bytes)
{
	uint64_t end = stream->last_at + ctf_packet_extent(bytes);
	uint64_t before = stream->file_bytes;
	int err;

	if (end <= (stream->empty_at ? stream->empty_at : before))
		return 0;
	err = end > before ? stream_resize(stream, stream_end_of_room(stream, end)) : 0;
	if (!err)
		err = own_room(stream);
	if (err && stream->file_bytes != before)
		stream_resize(stream, before);
	return err;
}

/* trim:A, trim:B. Give the room to an empty packet. */
static int split_room(struct ctf_stream *stream, uint64_t at)
{
	int err = write_empty(stream, at, stream->file_bytes);

	return err ? err :
		     stream_store(stream, HEAD_FIELD(packet_bits), (at - stream->last_at) * 8);
}

/* Let the file end with its last packet. Room that is too small for a head stays. */
int stream_trim(struct ctf_stream *stream)
{
	uint64_t end = stream_next_at(stream);
	int err = 0;

	if (stream->file_bytes >= end + ctf_packet_extent(0)) {
		err = split_room(stream, end);
		if (!err)
			err = stream_resize(stream, end); /* trim:C */
		if (!err)
			stream->empty_at = 0;
		return err;
	}
	/* Something else than stream_trim() has cut the file. */
	if (stream->file_bytes < end || stream->file_bytes % CTF_PACKET_ALIGN)
		err = stream_resize(stream, end);
	return err ? err : own_room(stream);
}
