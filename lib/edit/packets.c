/* SPDX-License-Identifier: MIT */
/* packets.c - see packets.h */
#include "packets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "ctf/file.h"
#include "ctf/read/decode.h"

#define PACKET_ALIGN_BITS 64

static int fail(struct packets *packets, int rc, const char *why)
{
	packets->why = why;
	return rc;
}

static const char *text_of(int rc)
{
	switch (rc) {
	case -ENODATA:
		return "a packet ends within a field";
	case -EPROTO:
		return "a field that cannot be";
	case -EFBIG:
		return "a packet would be too large";
	default:
		return strerror(-rc);
	}
}

static int fail_with(struct packets *packets, int rc)
{
	return rc ? fail(packets, rc, text_of(rc)) : 0;
}

int packets_init(struct packets *packets, const struct read_trace *trace, bool is_plain)
{
	int rc;

	*packets = (struct packets){ .trace = trace, .fd = -1, .index_dir_fd = -1, .why = "" };
	rc = copy_init(&packets->copy, trace->slot_count, &packets->bits);
	packets->copy.is_plain = is_plain;
	if (!rc)
		rc = read_decoder_init(&packets->decoder, trace->slot_count);
	if (rc)
		copy_fini(&packets->copy);
	return rc;
}

void packets_fini(struct packets *packets)
{
	if (packets->index)
		index_drop(packets->index);
	fd_close(packets->fd);
	free(packets->index_name);
	bits_fini(&packets->bits);
	copy_fini(&packets->copy);
	read_decoder_fini(&packets->decoder);
}

/* ---- files ---- */

int packets_file(struct packets *packets, int dir_fd, int index_dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, CTF_FILE_MODE);
	int rc = 0;

	if (fd < 0)
		return fail_with(packets, -errno);
	packets->fd = fd;
	packets->offset = 0;
	packets->index_dir_fd = index_dir_fd;
	free(packets->index_name);
	if (asprintf(&packets->index_name, "%s.idx", name) < 0) {
		packets->index_name = NULL;
		return fail_with(packets, -ENOMEM);
	}
	if (index_dir_fd >= 0)
		rc = index_begin(index_dir_fd, &packets->index);
	return fail_with(packets, rc);
}

bool packets_has_file(const struct packets *packets)
{
	return packets->fd >= 0;
}

static void drop_index(struct packets *packets)
{
	index_drop(packets->index);
	packets->index = NULL;
}

int packets_close(struct packets *packets)
{
	struct ctf_index *index = packets->index;
	int rc = 0;

	packets->index = NULL;
	if (index)
		rc = index_end(index, packets->index_name);
	if (packets->fd >= 0 && close(packets->fd) && !rc)
		rc = -errno;
	packets->fd = -1;
	return fail_with(packets, rc);
}

/* ---- the head of a packet ---- */

static uint64_t data_bits(const struct read_packet *source)
{
	return (uint64_t)source->capacity * 8;
}

/* What a reader knows once it has read the head that was just made. */
static int read_head(struct packets *packets)
{
	struct read_decoder *d = &packets->decoder;
	int rc;

	d->data = packets->bits.data;
	d->end = packets->bits.pos;
	d->pos = 0;
	d->roles_seen = 0;
	rc = read_decode(d, packets->trace->packet_header, false);
	if (!rc)
		rc = read_decode(d, packets->class->packet_context, false);
	if (read_decoder_has(d, READ_ROLE_TIME_BEGIN))
		d->ticks = packets->begin_ticks;
	return rc;
}

static int make_head(struct packets *packets)
{
	const struct read_packet *source = packets->source;
	struct copy *copy = &packets->copy;
	int rc;

	bits_clear(&packets->bits);
	copy_begin(copy, source->data, data_bits(source));
	rc = copy_scope(copy, packets->trace->packet_header);
	if (!rc)
		rc = copy_scope(copy, packets->class->packet_context);
	packets->has_sizes = copy->roles[READ_ROLE_PACKET_BITS];
	packets->has_times = copy->roles[READ_ROLE_TIME_BEGIN] && copy->roles[READ_ROLE_TIME_END];
	if (!rc && copy->is_plain && copy->roles[READ_ROLE_TIME_BEGIN])
		packets->decoder.ticks = packets->begin_ticks;
	return rc || copy->is_plain ? rc : read_head(packets);
}

int packets_open(struct packets *packets, const struct read_packet *source, uint64_t begin_ticks)
{
	int rc;

	packets->source = source;
	packets->class = source->stream;
	if (begin_ticks < packets->floor_ticks)
		begin_ticks = packets->floor_ticks;
	packets->begin_ticks = begin_ticks;
	packets->last_ticks = begin_ticks;
	packets->has_records = false;
	packets->is_begin_free = false;
	if (packets->offset && !packets->has_sizes)
		return fail(packets, -ENOTSUP,
			    "its packets do not say how large they are: there can be but one");
	rc = make_head(packets);
	if (!packets->has_begun)
		packets->sequence = source->sequence;
	packets->has_begun = true;
	packets->is_open = !rc;
	if (packets->index && (!packets->has_sizes || !packets->has_times))
		drop_index(packets);
	return fail_with(packets, rc);
}

void packets_free_begin(struct packets *packets)
{
	packets->is_begin_free = true;
}

/* ---- events ---- */

static const struct read_layout *first_scope(const struct packets *packets,
					     const struct read_event *event)
{
	const struct read_stream_layout *stream = packets->class;

	if (stream->event_header)
		return stream->event_header;
	if (stream->event_context)
		return stream->event_context;
	return event->context ? event->context : event->fields;
}

static uint64_t round_up(uint64_t bits, uint32_t align)
{
	return (bits + align - 1) & ~(uint64_t)(align - 1);
}

static uint32_t event_align(const struct packets *packets, const struct read_event *event)
{
	const struct read_stream_layout *stream = packets->class;
	const struct read_layout *scopes[] = { stream->event_header, stream->event_context,
					       event->context, event->fields };
	uint32_t most = 8;

	for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++) {
		uint32_t align = copy_align(scopes[i]);

		most = align > most ? align : most;
	}
	return most;
}

/* The time that a reader finds in a header at @pos. */
static int read_time(const struct packets *packets, const uint8_t *data, uint64_t pos, uint64_t end,
		     uint64_t *ret_ticks)
{
	const struct read_stream_layout *stream = packets->class;
	struct read_decoder d = packets->decoder;
	int rc;

	d.data = data;
	d.pos = pos;
	d.end = end;
	d.roles_seen = 0;
	rc = read_decode(&d, stream->event_header, false);
	*ret_ticks = d.ticks;
	return rc;
}

/* The same, where the new header is not one that the layout of the source describes: only its time
 * matters, which is as long as it was, or, if that was of variable length, as long as any. */
static uint64_t plain_time(const struct packets *packets, uint64_t ticks)
{
	const struct read_layout *clock = packets->copy.roles[READ_ROLE_CLOCK];
	struct read_decoder d = packets->decoder;

	if (clock && (clock->kind == READ_VARINT || clock->bits >= 64))
		return ticks;
	if (clock)
		read_decoder_clock(&d, ticks & ~(~UINT64_C(0) << clock->bits), clock->bits);
	return d.ticks;
}

/* Bits of the next event may come along; they are written over, or stand in padding. */
static int copy_whole(struct packets *packets, const struct packets_record *record, uint64_t start)
{
	struct bits *bits = &packets->bits;
	uint64_t begin = bits->pos;
	int rc = bits_add_bytes(bits, record->data + start / 8, (record->to - start + 7) / 8);

	if (!rc)
		bits->pos = begin + (record->to - start);
	return rc;
}

static int copy_scopes(struct packets *packets, const struct packets_record *record)
{
	const struct read_stream_layout *stream = packets->class;
	struct copy *copy = &packets->copy;
	int rc;

	copy->data = record->data;
	copy->pos = record->from;
	copy->end = record->to;
	copy->roles[READ_ROLE_CLOCK] = NULL;
	rc = copy_scope(copy, stream->event_header);
	if (!rc && (record->is_moved || copy->is_plain))
		copy_set_clock(copy, record->ticks);
	if (!rc)
		rc = copy_scope(copy, stream->event_context);
	if (!rc)
		rc = copy_scope(copy, record->event->context);
	return rc ? rc : copy_scope(copy, record->event->fields);
}

/* Where the event stands at the same place, as far as its padding depends on it, it is its bytes. */
static int copy_record(struct packets *packets, const struct packets_record *record)
{
	const struct read_layout *scope = first_scope(packets, record->event);
	uint32_t align = scope ? scope->align : 1;
	uint64_t start = round_up(record->from, align), to = round_up(packets->bits.pos, align);
	int rc;

	if (record->is_moved || packets->copy.is_plain || start % 8 || start > record->to ||
	    (start ^ to) & (event_align(packets, record->event) - 1))
		return copy_scopes(packets, record);
	rc = bits_align(&packets->bits, align);
	return rc ? rc : copy_whole(packets, record, start);
}

/* Does a reader find its time? If not, nothing is added. */
static int try(struct packets *packets, const struct packets_record *record, bool *ret_is_right)
{
	uint64_t begin = packets->bits.pos, found;
	int rc = copy_record(packets, record);

	*ret_is_right = false;
	if (!rc && packets->copy.is_plain)
		found = plain_time(packets, record->ticks);
	else if (!rc)
		rc = read_time(packets, packets->bits.data, begin, packets->bits.pos, &found);
	if (rc)
		return rc;
	*ret_is_right = found == record->ticks;
	if (!*ret_is_right)
		packets->bits.pos = begin;
	return 0;
}

static int split(struct packets *packets, uint64_t ticks)
{
	const struct read_packet *source = packets->source;
	int rc = packets_end(packets, packets->last_ticks);

	packets->split_count++;
	return rc ? rc : packets_open(packets, source, ticks);
}

/* No packet begins behind its first event, which then says its time in full: readers would see time
 * go back. */
static void begin_by(struct packets *packets, uint64_t ticks)
{
	if (packets->has_records || (ticks >= packets->begin_ticks && !packets->is_begin_free))
		return;
	packets->begin_ticks = ticks;
	packets->last_ticks = ticks;
	packets->decoder.ticks = ticks;
}

int packets_add(struct packets *packets, const struct packets_record *record)
{
	bool is_right;
	int rc;

	begin_by(packets, record->ticks);
	rc = try(packets, record, &is_right);
	if (!rc && !is_right && packets->copy.roles[READ_ROLE_TIME_BEGIN]) {
		rc = split(packets, record->ticks);
		if (rc)
			return rc;
		rc = try(packets, record, &is_right);
	}
	if (!rc && !is_right)
		return fail(packets, -ENOTSUP, "its packets do not say when they begin");
	if (rc)
		return fail_with(packets, rc);
	packets->decoder.ticks = record->ticks;
	packets->last_ticks = record->ticks;
	packets->has_records = true;
	packets->event_count++;
	return 0;
}

/* ---- the end of a packet ---- */

static void add_to_index(struct packets *packets, uint64_t content_bits, uint64_t end_ticks)
{
	const struct ctf_index_entry entry = {
		.offset = packets->offset,
		.packet_bits = packets->bits.pos,
		.content_bits = content_bits,
		.begin_ts = packets->begin_ticks,
		.end_ts = end_ticks,
		.discarded = packets->discarded,
		.stream_id = packets->class->id,
		.instance =
			packets->copy.roles[READ_ROLE_INSTANCE] ? packets->instance : UINT64_MAX,
		.seq = packets->sequence,
	};

	if (packets->index)
		index_add(packets->index, &entry);
}

/* Counts of what is lost, and numbers of packets, may wrap; the others may not. */
static int set_roles(struct packets *packets, uint64_t content_bits, uint64_t end_ticks)
{
	struct copy *copy = &packets->copy;

	if (!copy_role_fits(copy, READ_ROLE_TIME_BEGIN, packets->begin_ticks) ||
	    !copy_role_fits(copy, READ_ROLE_TIME_END, end_ticks) ||
	    !copy_role_fits(copy, READ_ROLE_PACKET_BITS, packets->bits.pos) ||
	    !copy_role_fits(copy, READ_ROLE_CONTENT_BITS, content_bits))
		return fail(packets, -ENOTSUP,
			    "by its metadata, packets have too few bits for their sizes or times");
	copy_set_role(copy, READ_ROLE_TIME_BEGIN, packets->begin_ticks);
	copy_set_role(copy, READ_ROLE_TIME_END, end_ticks);
	copy_set_role(copy, READ_ROLE_CONTENT_BITS, content_bits);
	copy_set_role(copy, READ_ROLE_PACKET_BITS, packets->bits.pos);
	copy_set_role(copy, READ_ROLE_DISCARDED, packets->discarded);
	copy_set_role(copy, READ_ROLE_SEQUENCE, packets->sequence);
	copy_set_role(copy, READ_ROLE_INSTANCE, packets->instance);
	return 0;
}

/* Padding needs a content size that tells it from events. */
static uint32_t packet_align(const struct packets *packets)
{
	return packets->has_sizes && packets->copy.roles[READ_ROLE_CONTENT_BITS] ?
		       PACKET_ALIGN_BITS :
		       8;
}

static int write_packet(struct packets *packets)
{
	size_t bytes = packets->bits.pos / 8;
	int rc = fd_write_all(packets->fd, packets->bits.data, bytes);

	packets->offset += bytes;
	packets->bytes += bytes;
	packets->packet_count++;
	packets->sequence++;
	return rc;
}

int packets_end(struct packets *packets, uint64_t end_ticks)
{
	uint64_t content_bits = packets->bits.pos;
	int rc;

	if (!packets->is_open)
		return 0;
	packets->is_open = false;
	if (end_ticks < packets->last_ticks)
		end_ticks = packets->last_ticks;
	packets->floor_ticks = end_ticks;
	rc = bits_align(&packets->bits, packet_align(packets));
	if (rc)
		return fail_with(packets, rc);
	rc = set_roles(packets, content_bits, end_ticks);
	if (rc)
		return rc;
	add_to_index(packets, content_bits, end_ticks);
	return fail_with(packets, write_packet(packets));
}

void packets_number(struct packets *packets, uint64_t sequence)
{
	packets->sequence = sequence;
	packets->has_begun = true;
}

void packets_lose(struct packets *packets, uint64_t events, uint64_t lost_packets)
{
	packets->discarded += events;
	packets->sequence += lost_packets;
}
