/* SPDX-License-Identifier: MIT */
/*
 * stream_put.c - the packets of one ring in one file, readable at every moment.
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
#include <stdio.h>
#include <string.h>

#include "ctf/file.h"
#include "stream_private.h"
#include "trace_private.h"

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
	int err = stream_widen_last(stream, packet->bytes);

	if (!err)
		err = write_content(stream, packet, stream->last_at, last->bytes); /* grow:A */
	if (!err)
		err = confirm(packet);
	if (!err && packet->end_ts != last->end_ts) /* grow:B */
		err = stream_store(stream, HEAD_FIELD(end_ts), packet->end_ts);
	if (!err && packet->discarded != last->discarded)
		err = stream_store(stream, HEAD_FIELD(discarded), packet->discarded);
	if (!err && packet->bytes != last->bytes) /* grow:C */
		err = stream_store(stream, HEAD_FIELD(content_bits),
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
		return stream_store(stream, HEAD_FIELD(packet_bits), (at - stream->last_at) * 8);
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
		err = stream_store_at(stream, at, stores[i].field, stores[i].value);
	if (!err)
		stream->empty_at = 0;
	return err;
}

/* Have room for @packet behind the last one. */
static int find_room(struct ctf_stream *stream, const struct ctf_packet *packet, uint64_t *ret_at)
{
	uint64_t most = packet->final ? packet->bytes : stream->subbuf_bytes;
	uint64_t at = stream_next_at(stream);
	int err = 0;

	if (!stream->empty_at && at + ctf_packet_extent(most) > stream->file_bytes)
		err = stream->is_hidden ?
			      stream_resize(stream,
					    stream_end_of_room(stream, ctf_packet_extent(most))) :
			      stream_make_room(stream);
	if (!err)
		*ret_at = stream->empty_at ? stream->empty_at : at;
	return err;
}

/* Would @packet, as large as it may become, end behind the limit of the file? */
static bool is_full_for(const struct ctf_stream *stream, const struct ctf_packet *packet)
{
	uint64_t most = ctf_packet_extent(packet->final ? packet->bytes : stream->subbuf_bytes);
	uint64_t at = stream->empty_at ? stream->empty_at : stream_next_at(stream);

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
	int err = is_full_for(stream, packet) ? stream_end_file(stream) : 0;

	if (!err && stream->fd < 0)
		err = stream_make_file(stream);
	if (!err)
		err = find_room(stream, packet, &at);

	if (!err)
		err = write_content(stream, packet, at, 0); /* append:A */
	if (!err)
		err = confirm(packet);
	if (!err && stream->empty_at)
		err = claim(stream, packet, at);
	else if (!err) {
		err = stream_write_head(stream, packet, at, stream->file_bytes);
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
