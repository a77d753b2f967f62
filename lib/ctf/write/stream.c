/* SPDX-License-Identifier: MIT */
/*
 * stream.c - the packets of one ring in one file, readable at every moment.
 *
 *                packet 0               packet 1             packet 2, the last
 *      +------+-----------+----+------+-----------+----+------+------------+- - - - - - - +
 *      | head | records   | 0s | head | records   | 0s | head | records ...   room        |
 *      +------+-----------+----+------+-----------+----+------+------------+- - - - - - - +
 *      |<---- packet_size ---->|                       |<--- packet_size, up to the end ->|
 *                                                      |<-- content -->|   of the file
 *
 * The file is longer (by a hole, which costs no disk) than what is in it, and the last packet
 * owns the room: its packet_size reaches to the end of the file. So the file's size, which cannot
 * change at one stroke with a header, seldom changes:
 *
 *      grow the last packet
 *      grow:A    the new records
 *      grow:B    timestamp_end, events_discarded
 *      grow:C    content_size
 *
 *      append a packet, in the room
 *      append:A  records and head of the new packet; packet_size up to the file's end
 *      append:B  packet_size of the packet before
 *
 *      make room, where the new packet does not fit
 *      room:A    behind the file's end, the head of an empty packet with a large packet_size
 *      room:B    the file's size: up to there
 *                then the new packet as the empty one that grows (claim()); what was left of the old
 *                room stays with the packet before
 *
 *      trim the file
 *      trim:A    the head of an empty packet, in the room; packet_size up to the file's end
 *      trim:B    packet_size of the last packet: the room is the empty packet's
 *      trim:C    the file's size: the empty packet is gone
 *
 * Each of grow:C, append:B and trim:B is one aligned store of 8 bytes. Whoever looked at the file's
 * size before goes on to find packets that lead there: a packet_size never grows once it is seen
 * (but when a packet grows that was trimmed). Killed or failing before the last step, we leave
 * padding or an empty packet.
 *
 * A stream may be limited to files of a size. A packet that might not fit goes to the next file; the
 * one before is trimmed and gets its index. Where the number of files is limited as well, the next
 * file is that of the oldest packets, which is replaced at one stroke, as a new file appears:
 *
 * The first packet comes into a hidden file that is then renamed. Two gaps are left: a reader that
 * takes the file's size between room:A and room:B, a system call apart and once in many
 * sub-buffers; and one that is reading while the file is trimmed.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "ctf/file.h"
#include "ctf/index.h"
#include "packet.h"
#include "stream_files.h"
#include "stream_walk.h"
#include "trace.h"
#include "trace_private.h"

/* Room is made for this many sub-buffers at least, and for as much again as there is. */
#define ROOM_SUBBUFS   8
#define ROOM_BYTES_MAX (64ull << 20)

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

/* ---- names ---- */

static bool is_plain(unsigned char c, bool is_first)
{
	return c != '/' && c != '%' && c >= 0x20 && c != 0x7f && !(is_first && c == '.');
}

/* A channel's name as a part of a file's: runtime.h's escape. Return: 0 or -ENAMETOOLONG. */
static int escape_name(const char *name, char *ret_text, size_t bytes)
{
	char *to = ret_text;

	for (const char *p = name; *p; p++) {
		unsigned char c = (unsigned char)*p;

		if ((size_t)(to - ret_text) + sizeof("%XX") > bytes)
			return -ENAMETOOLONG;
		if (is_plain(c, p == name))
			*to++ = (char)c;
		else
			to += sprintf(to, "%%%02X", c);
	}
	*to = 0;
	return 0;
}

static void name_file(struct ctf_stream *stream)
{
	char number[24] = "";

	if (stream->limit_bytes)
		snprintf(number, sizeof(number), "_%llu", (unsigned long long)stream->number);
	snprintf(stream->name, sizeof(stream->name), "%.210s%s", stream->base, number);
	snprintf(stream->hidden_name, sizeof(stream->hidden_name), ".%.210s%s", stream->base,
		 number);
	snprintf(stream->index_name, sizeof(stream->index_name), "%.210s%s.idx", stream->base,
		 number);
}

static int set_names(struct ctf_stream *stream, const struct ctf_stream_spec *spec)
{
	const char *kind = spec->writer_kind == TACHO_WRITER_PORTABLE ? "portable_" : "";
	/* ".", "_portable_", ten digits, "_", twenty more and ".idx" have to fit as well. */
	char channel[NAME_MAX - 46];
	int err = *spec->channel ? escape_name(spec->channel, channel, sizeof(channel)) : -EINVAL;

	if (err)
		return err;
	snprintf(stream->base, sizeof(stream->base), "%s_%s%u", channel, kind, spec->cpu);
	name_file(stream);
	return 0;
}

/* ---- places in the file ---- */

/* Change one field of the head at @at. */
static int store_at(struct ctf_stream *stream, uint64_t at, size_t field, uint64_t value)
{
	return file_write_at(stream->fd, &value, sizeof(value), at + field);
}

/* Change one field of the last packet's head. */
static int store_u64(struct ctf_stream *stream, size_t field, uint64_t value)
{
	return store_at(stream, stream->last_at, field, value);
}

#define HEAD_FIELD(name) offsetof(struct ctf_packet_head, name)

/* The packet behind the last one would begin here. */
static uint64_t next_at(const struct ctf_stream *stream)
{
	return stream->is_hidden ? 0 : stream->last_at + ctf_packet_extent(stream->last.bytes);
}

/* All the room is the last packet's. */
static int own_room(struct ctf_stream *stream)
{
	int err = store_u64(stream, HEAD_FIELD(packet_bits),
			    (stream->file_bytes - stream->last_at) * 8);

	if (!err)
		stream->empty_at = 0;
	return err;
}

static int resize(struct ctf_stream *stream, uint64_t bytes)
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

static int write_head(struct ctf_stream *stream, const struct ctf_packet *packet, uint64_t at,
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

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The size of the file that has room for something up to @end, at least: a limited file has all its
 * room from the beginning. */
static uint64_t end_of_room(const struct ctf_stream *stream, uint64_t end)
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

	return write_head(stream, &empty, at, end);
}

/* More room behind the end of the file, owned by an empty packet. */
static int make_room(struct ctf_stream *stream)
{
	uint64_t at = stream->file_bytes;
	uint64_t end = end_of_room(stream, at + ctf_packet_extent(stream->subbuf_bytes));
	int err = write_empty(stream, at, end); /* room:A */

	if (!err)
		err = resize(stream, end); /* room:B */
	if (err)
		resize(stream, at);
	else
		stream->empty_at = at;
	return err;
}

/* Room for the last packet to have @bytes. */
static int widen_last(struct ctf_stream *stream, uint64_t bytes)
{
	uint64_t end = stream->last_at + ctf_packet_extent(bytes);
	uint64_t before = stream->file_bytes;
	int err;

	if (end <= (stream->empty_at ? stream->empty_at : before))
		return 0;
	err = end > before ? resize(stream, end_of_room(stream, end)) : 0;
	if (!err)
		err = own_room(stream);
	if (err && stream->file_bytes != before)
		resize(stream, before);
	return err;
}

/* trim:A, trim:B. Give the room to an empty packet. */
static int split_room(struct ctf_stream *stream, uint64_t at)
{
	int err = write_empty(stream, at, stream->file_bytes);

	return err ? err : store_u64(stream, HEAD_FIELD(packet_bits), (at - stream->last_at) * 8);
}

/* Let the file end with its last packet. Room that is too small for a head stays. */
static int trim(struct ctf_stream *stream)
{
	uint64_t end = next_at(stream);
	int err = 0;

	if (stream->file_bytes >= end + ctf_packet_extent(0)) {
		err = split_room(stream, end);
		if (!err)
			err = resize(stream, end); /* trim:C */
		if (!err)
			stream->empty_at = 0;
		return err;
	}
	/* Something else than trim() has cut the file. */
	if (stream->file_bytes < end || stream->file_bytes % CTF_PACKET_ALIGN)
		err = resize(stream, end);
	return err ? err : own_room(stream);
}

/* ---- files ---- */

static int index_packets(struct ctf_stream *stream, struct ctf_index *index)
{
	struct ctf_packet_head head;
	struct stream_walk walk;
	int more = stream_walk_init(&walk, stream->fd, &stream->like);

	if (more)
		return more;
	while ((more = stream_walk_next(&walk, &head)) > 0) {
		const struct ctf_index_entry entry = {
			.offset = walk.at,
			.packet_bits = head.packet_bits,
			.content_bits = head.content_bits,
			.begin_ts = head.begin_ts,
			.end_ts = head.end_ts,
			.discarded = head.discarded,
			.stream_id = head.stream_id,
			.instance = head.instance,
			.seq = head.seq,
		};

		index_add(index, &entry);
	}
	return more;
}

static int write_index(struct ctf_stream *stream)
{
	struct ctf_index *index;
	int err = index_begin(stream->trace->index_fd, &index);

	if (err)
		return err;
	err = index_packets(stream, index);
	if (err) {
		index_drop(index);
		return err;
	}
	return index_end(index, stream->index_name);
}

/* A new file, unseen as long as it has no packet. */
static int make_file(struct ctf_stream *stream)
{
	int fd = file_open_at(stream->trace->dir_fd, stream->hidden_name,
			      O_RDWR | O_CREAT | O_TRUNC, CTF_FILE_MODE);

	if (fd < 0)
		return fd;
	stream->is_hidden = true;
	stream->fd = fd;
	stream->file_bytes = 0;
	stream->empty_at = 0;
	return 0;
}

/* The next file is to be made; the index of what it replaces goes first. */
static void leave_file(struct ctf_stream *stream)
{
	close(stream->fd);
	stream->fd = -1;
	stream->bytes_before += next_at(stream);
	stream->is_hidden = true;
	stream->number++;
	if (stream->limit_count)
		stream->number %= stream->limit_count;
	name_file(stream);
	unlinkat(stream->trace->index_fd, stream->index_name, 0);
}

/* Complete the file. */
static int end_file(struct ctf_stream *stream)
{
	int err = trim(stream);

	if (!err)
		err = write_index(stream);
	if (!err)
		leave_file(stream);
	return err;
}

void ctf_stream_drop(struct ctf_stream *stream)
{
	if (!stream->limit_bytes || stream->is_hidden)
		return;
	unlinkat(stream->trace->dir_fd, stream->name, 0);
	leave_file(stream);
}

/* ---- put ---- */

static int confirm(const struct ctf_packet *packet)
{
	return packet->confirm ? packet->confirm(packet->confirm_arg) : 0;
}

/* The content of @packet from @from on, into its place at @at. */
static int write_content(struct ctf_stream *stream, const struct ctf_packet *packet, uint64_t at,
			 uint64_t from)
{
	const char *content = packet->content;
	const char *prefix = packet->prefix;
	uint64_t before = packet->prefix_bytes;

	at += CTF_PACKET_HEAD_BYTES;
	if (from < before) {
		int err = file_write_at(stream->fd, prefix + from, before - from, at + from);

		if (err)
			return err;
		from = before;
	}
	if (from == packet->bytes)
		return 0;
	return file_write_at(stream->fd, content + (from - before), packet->bytes - from,
			     at + from);
}

static void remember(struct ctf_stream *stream, const struct ctf_packet *packet)
{
	stream->has_last = true;
	stream->last = *packet;
	stream->last.prefix = NULL;
	stream->last.content = NULL;
	stream->last.confirm = NULL;
	stream->last.confirm_arg = NULL;
}

static int grow(struct ctf_stream *stream, const struct ctf_packet *packet)
{
	const struct ctf_packet *last = &stream->last;
	int err = widen_last(stream, packet->bytes);

	if (!err)
		err = write_content(stream, packet, stream->last_at, last->bytes); /* grow:A */
	if (!err)
		err = confirm(packet);
	if (!err && packet->end_ts != last->end_ts) /* grow:B */
		err = store_u64(stream, HEAD_FIELD(end_ts), packet->end_ts);
	if (!err && packet->discarded != last->discarded)
		err = store_u64(stream, HEAD_FIELD(discarded), packet->discarded);
	if (!err && packet->bytes != last->bytes) /* grow:C */
		err = store_u64(stream, HEAD_FIELD(content_bits),
				(CTF_PACKET_HEAD_BYTES + packet->bytes) * 8);
	if (!err)
		remember(stream, packet);
	return err;
}

/* append:B. Let readers see the packet at @at. */
static int publish(struct ctf_stream *stream, uint64_t at)
{
	int dir_fd = stream->trace->dir_fd;

	if (!stream->is_hidden)
		return store_u64(stream, HEAD_FIELD(packet_bits), (at - stream->last_at) * 8);
	if (renameat(dir_fd, stream->hidden_name, dir_fd, stream->name))
		return -errno;
	stream->is_hidden = false;
	return 0;
}

/* Turn the empty packet at @at into @packet, whose content is there. The order is that of grow(). */
static int claim(struct ctf_stream *stream, const struct ctf_packet *packet, uint64_t at)
{
	const struct {
		size_t field;
		uint64_t value;
	} stores[] = {
		{ HEAD_FIELD(end_ts), packet->end_ts },
		{ HEAD_FIELD(begin_ts), packet->begin_ts },
		{ HEAD_FIELD(seq), packet->seq },
		{ HEAD_FIELD(discarded), packet->discarded },
		{ HEAD_FIELD(content_bits), (CTF_PACKET_HEAD_BYTES + packet->bytes) * 8 },
	};
	int err = 0;

	for (size_t i = 0; i < sizeof(stores) / sizeof(stores[0]) && !err; i++)
		err = store_at(stream, at, stores[i].field, stores[i].value);
	if (!err)
		stream->empty_at = 0;
	return err;
}

/* Have room for @packet behind the last one. */
static int find_room(struct ctf_stream *stream, const struct ctf_packet *packet, uint64_t *ret_at)
{
	uint64_t most = packet->final ? packet->bytes : stream->subbuf_bytes;
	uint64_t at = next_at(stream);
	int err = 0;

	if (!stream->empty_at && at + ctf_packet_extent(most) > stream->file_bytes)
		err = stream->is_hidden ?
			      resize(stream, end_of_room(stream, ctf_packet_extent(most))) :
			      make_room(stream);
	if (!err)
		*ret_at = stream->empty_at ? stream->empty_at : at;
	return err;
}

/* Would @packet, as large as it may become, end behind the limit of the file? */
static bool is_full_for(const struct ctf_stream *stream, const struct ctf_packet *packet)
{
	uint64_t most = ctf_packet_extent(packet->final ? packet->bytes : stream->subbuf_bytes);
	uint64_t at = stream->empty_at ? stream->empty_at : next_at(stream);

	if (!stream->limit_bytes || stream->is_hidden)
		return false;
	/* Room that is too small stays with the packet before, see room. */
	if (!stream->empty_at && at + most > stream->file_bytes)
		at = stream->file_bytes;
	return at + most > stream->limit_bytes;
}

static int append(struct ctf_stream *stream, const struct ctf_packet *packet)
{
	uint64_t at;
	int err = is_full_for(stream, packet) ? end_file(stream) : 0;

	if (!err && stream->fd < 0)
		err = make_file(stream);
	if (!err)
		err = find_room(stream, packet, &at);

	if (!err)
		err = write_content(stream, packet, at, 0); /* append:A */
	if (!err)
		err = confirm(packet);
	if (!err && stream->empty_at)
		err = claim(stream, packet, at);
	else if (!err) {
		err = write_head(stream, packet, at, stream->file_bytes);
		if (!err)
			err = publish(stream, at);
	}
	if (err)
		return err;
	stream->last_at = at;
	remember(stream, packet);
	return 0;
}

/* What is wrong with @packet behind the last one, or NULL. */
static const char *refusal(const struct ctf_stream *stream, const struct ctf_packet *packet)
{
	const struct ctf_packet *last = &stream->last;

	if (packet->bytes > stream->subbuf_bytes)
		return "it is larger than a sub-buffer";
	if (!packet->bytes || packet->bytes < packet->prefix_bytes)
		return "it is empty";
	if (packet->end_ts < packet->begin_ts)
		return "it ends before it begins";
	if (packet->seq == UINT64_MAX)
		return "its number is out of range";
	if (!stream->has_last)
		return NULL;
	if (packet->seq < last->seq)
		return "its number is out of range";
	if (packet->seq > last->seq)
		return packet->begin_ts < last->end_ts ? "it begins before the one before ends" :
							 NULL;
	if (packet->bytes < last->bytes)
		return "it shrank";
	if (last->final && packet->bytes > last->bytes)
		return "it was final";
	return packet->begin_ts != last->begin_ts ? "its begin changed" : NULL;
}

/*
 * What only grows does not go back: one of us that was killed after grow:B may have stored an end
 * that is later than that of the content at hand.
 */
static struct ctf_packet settle(const struct ctf_stream *stream, const struct ctf_packet *packet)
{
	struct ctf_packet settled = *packet;

	if (!stream->has_last)
		return settled;
	settled.discarded = larger(packet->discarded, stream->last.discarded);
	if (packet->seq == stream->last.seq)
		settled.end_ts = larger(packet->end_ts, stream->last.end_ts);
	return settled;
}

/* Was all of it in the file that was dropped? */
static bool is_dropped(const struct ctf_stream *stream, const struct ctf_packet *packet)
{
	const struct ctf_packet *last = &stream->last;

	return stream->is_hidden && stream->has_last && packet->seq == last->seq &&
	       packet->bytes == last->bytes && packet->discarded == last->discarded;
}

int ctf_stream_put(struct ctf_stream *stream, const struct ctf_packet *packet,
		   struct tacho_error *error)
{
	const char *reason = refusal(stream, packet);
	struct ctf_packet settled;
	int err;

	if (reason)
		return error_set(error, -EINVAL, "cannot add packet %llu to '%s/%s': %s",
				 (unsigned long long)packet->seq, stream->trace->path, stream->name,
				 reason);
	settled = settle(stream, packet);
	if (is_dropped(stream, &settled))
		return 0;
	if (!stream->is_hidden && packet->seq == stream->last.seq)
		err = grow(stream, &settled);
	else
		err = append(stream, &settled);
	if (err)
		error_set(error, err, "cannot write packet %llu to '%s/%s': %s",
			  (unsigned long long)packet->seq, stream->trace->path, stream->name,
			  strerror(-err));
	return err;
}

bool ctf_stream_last(const struct ctf_stream *stream, struct ctf_packet *ret_packet)
{
	if (!stream->has_last)
		return false;
	*ret_packet = stream->last;
	return true;
}

uint64_t ctf_stream_bytes(const struct ctf_stream *stream)
{
	return stream->bytes_before + next_at(stream);
}

const char *ctf_stream_name(const struct ctf_stream *stream)
{
	return stream->is_hidden ? "" : stream->name;
}

/* ---- open ---- */

static void set_last(struct ctf_stream *stream, uint64_t at, const struct ctf_packet_head *head)
{
	stream->has_last = true;
	stream->last_at = at;
	stream->last = (struct ctf_packet){
		.seq = head->seq,
		.begin_ts = head->begin_ts,
		.end_ts = head->end_ts,
		.discarded = head->discarded,
		.bytes = head->content_bits / 8 - CTF_PACKET_HEAD_BYTES,
	};
}

/* Find the last whole packet of the open file. Return: whether there is one, or an errno. */
static int find_last(struct ctf_stream *stream, uint64_t *ret_end, struct tacho_error *error)
{
	struct ctf_packet_head head;
	struct stream_walk walk;
	bool is_found = false;
	int more = stream_walk_init(&walk, stream->fd, &stream->like);

	if (more)
		return error_set(error, more, "cannot read '%s/%s': %s", stream->trace->path,
				 stream->name, strerror(-more));
	stream->file_bytes = walk.file_bytes;
	while ((more = stream_walk_next(&walk, &head)) > 0) {
		/* An empty one only owns room. */
		if (head.content_bits == CTF_PACKET_HEAD_BYTES * 8)
			continue;
		set_last(stream, walk.at, &head);
		*ret_end = walk.next_at;
		is_found = true;
	}
	if (more < 0)
		return error_set(
			error, more, "cannot go on with '%s/%s': at byte %llu: %s",
			stream->trace->path, stream->name, (unsigned long long)walk.next_at,
			more == -EBADMSG ? "not a packet of this stream" : strerror(-more));
	return is_found;
}

static int start_new(struct ctf_stream *stream, struct tacho_error *error)
{
	int err = make_file(stream);

	return err ? error_set(error, err, "cannot make '%s/%s': %s", stream->trace->path,
			       stream->hidden_name, strerror(-err)) :
		     0;
}

/* Go on with the stream that is there. Return: 1; 0 if there is none; or an errno. */
static int resume(struct ctf_stream *stream, struct tacho_error *error)
{
	uint64_t end = 0;
	int is_found, err;

	stream->fd = file_open_at(stream->trace->dir_fd, stream->name, O_RDWR, 0);
	if (stream->fd == -ENOENT)
		return 0;
	if (stream->fd < 0)
		return error_set(error, stream->fd, "cannot open '%s/%s': %s", stream->trace->path,
				 stream->name, strerror(-stream->fd));
	is_found = find_last(stream, &end, error);
	if (is_found <= 0)
		return is_found;
	err = end == stream->file_bytes ? 0 : trim(stream);
	if (err)
		return error_set(error, err, "cannot trim '%s/%s': %s", stream->trace->path,
				 stream->name, strerror(-err));
	return 1;
}

/* Forget a file in which not one packet is whole. */
static void drop_file(struct ctf_stream *stream, const char *name)
{
	if (stream->fd < 0)
		return;
	close(stream->fd);
	stream->fd = -1;
	unlinkat(stream->trace->dir_fd, name, 0);
}

static struct ctf_stream *new_stream(struct ctf_trace *trace, const struct ctf_stream_spec *spec)
{
	struct ctf_stream *stream = calloc(1, sizeof(*stream));

	if (!stream)
		return NULL;
	stream->trace = trace;
	stream->fd = -1;
	stream->subbuf_bytes = spec->subbuf_bytes;
	stream->limit_bytes = spec->file_bytes;
	stream->limit_count = spec->file_count;
	stream->like.magic = CTF_PACKET_MAGIC;
	memcpy(stream->like.uuid, trace->info.uuid, CTF_UUID_BYTES);
	stream->like.stream_id = spec->stream_id;
	stream->like.cpu = spec->cpu;
	stream->like.instance = spec->cpu;
	if (spec->writer_kind == TACHO_WRITER_PORTABLE)
		stream->like.instance |= CTF_INSTANCE_PORTABLE;
	return stream;
}

static void free_stream(struct ctf_stream *stream)
{
	if (stream->fd >= 0)
		close(stream->fd);
	free(stream);
}

/* Of limited files, the one to go on with. */
static int find_file(struct ctf_stream *stream, struct tacho_error *error)
{
	int found = 0;

	if (stream->limit_bytes)
		found = stream_files_newest(stream->trace->dir_fd, stream->base, &stream->like,
					    &stream->number);
	if (found < 0)
		return error_set(error, found, "cannot look through '%s': %s", stream->trace->path,
				 strerror(-found));
	name_file(stream);
	return 0;
}

int ctf_stream_open(struct ctf_trace *trace, const struct ctf_stream_spec *spec,
		    struct ctf_stream **ret_stream, struct tacho_error *error)
{
	struct ctf_stream *stream;
	int found;

	if (!spec->subbuf_bytes || spec->subbuf_bytes > 1ull << TACHO_SUBBUF_SHIFT_MAX)
		return error_set(error, -EINVAL, "cannot write sub-buffers of %llu bytes",
				 (unsigned long long)spec->subbuf_bytes);
	stream = new_stream(trace, spec);
	if (!stream)
		return error_set(error, -ENOMEM, "cannot open a stream: out of memory");
	found = set_names(stream, spec);
	if (found) {
		error_set(error, -EINVAL, "cannot name a file after channel '%s'", spec->channel);
		found = -EINVAL;
		goto fail;
	}
	found = find_file(stream, error);
	if (found < 0)
		goto fail;
	unlinkat(trace->index_fd, stream->index_name, 0);
	found = resume(stream, error);
	if (found == 0) {
		drop_file(stream, stream->name);
		found = start_new(stream, error);
	}
	if (found < 0)
		goto fail;
	*ret_stream = stream;
	return 0;
fail:
	free_stream(stream);
	return found;
}

bool ctf_stream_peek(struct ctf_trace *trace, const struct ctf_stream_spec *spec,
		     struct ctf_packet *ret_packet)
{
	struct ctf_stream *stream = new_stream(trace, spec);
	uint64_t end;
	bool is_found;

	if (!stream)
		return false;
	if (!set_names(stream, spec) && !find_file(stream, NULL))
		stream->fd = file_open_at(trace->dir_fd, stream->name, O_RDONLY, 0);
	if (stream->fd >= 0)
		find_last(stream, &end, NULL);
	is_found = ctf_stream_last(stream, ret_packet);
	free_stream(stream);
	return is_found;
}

/* ---- close ---- */

int ctf_stream_close(struct ctf_stream *stream, struct tacho_error *error)
{
	int err = 0;

	if (!stream)
		return 0;
	if (stream->is_hidden) {
		drop_file(stream, stream->hidden_name);
	} else {
		err = trim(stream);
		if (!err)
			err = write_index(stream);
	}
	if (err)
		error_set(error, err, "cannot finish '%s/%s': %s", stream->trace->path,
			  stream->name, strerror(-err));
	free_stream(stream);
	return err;
}
