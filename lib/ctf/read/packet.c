/* SPDX-License-Identifier: MIT */
/* packet.c - see packet.h */
#include "packet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"

#define MAGIC            0xc1fc1fc1u
#define FIRST_READ_BYTES 4096 /* enough for the header and context of most packets */

static int fail(struct read_decoder *d, int code, const char *why)
{
	d->why = why;
	return code;
}

/* The first @bytes behind the window's begin; what was read before is read again, which is rare. */
static int read_data(struct read_packet *packet, int fd, uint64_t bytes, struct read_decoder *d)
{
	int64_t got;

	if (bytes > packet->capacity) {
		uint8_t *data = realloc(packet->data, bytes + READ_SLACK_BYTES);

		if (!data)
			return fail(d, -ENOMEM, "no memory for a packet");
		packet->data = data;
		packet->capacity = bytes;
	}
	got = read_file_at(fd, packet->offset + packet->window, packet->data, bytes);
	if (got < 0)
		return fail(d, (int)got, strerror((int)-got));
	memset(packet->data + got, 0, READ_SLACK_BYTES);
	d->data = packet->data;
	d->end = (uint64_t)got * 8;
	d->text_used = 0;
	return 0;
}

static int decode_header(struct read_packet *packet, const struct read_trace *trace,
			 struct read_decoder *d)
{
	uint64_t stream_id = 0;
	int rc = read_decode(d, trace->packet_header, false);

	if (rc)
		return rc;
	if (read_decoder_has(d, READ_ROLE_MAGIC) && d->roles[READ_ROLE_MAGIC] != MAGIC)
		return fail(d, -EPROTO, "no packet starts here (wrong magic number)");
	if (read_decoder_has(d, READ_ROLE_STREAM_ID))
		stream_id = d->roles[READ_ROLE_STREAM_ID];
	else if (trace->stream_count == 1)
		stream_id = trace->streams[0].id;
	packet->stream = read_trace_stream(trace, stream_id);
	if (!packet->stream)
		return fail(d, -EPROTO, "a packet of a stream that the metadata does not describe");
	return read_decode(d, packet->stream->packet_context, false);
}

/* Header and context, from as few bytes of the packet as it takes. */
static int read_header(struct read_packet *packet, const struct read_trace *trace, int fd,
		       uint64_t left, struct read_decoder *d)
{
	uint64_t bytes = left < FIRST_READ_BYTES ? left : FIRST_READ_BYTES;
	int rc;

	packet->window = 0;
	for (;;) {
		rc = read_data(packet, fd, bytes, d);
		if (rc)
			return rc;
		d->pos = 0;
		d->roles_seen = 0;
		rc = decode_header(packet, trace, d);
		if (rc != -ENODATA || bytes == left || bytes >= READ_WINDOW_BYTES_MAX)
			return rc;
		bytes = bytes * 2 < left ? bytes * 2 : left;
	}
}

static uint64_t role_or(const struct read_decoder *d, enum read_role role, uint64_t otherwise)
{
	return read_decoder_has(d, role) ? d->roles[role] : otherwise;
}

static void take_context(struct read_packet *packet, struct read_decoder *d)
{
	packet->has_times = read_decoder_has(d, READ_ROLE_TIME_BEGIN) &&
			    read_decoder_has(d, READ_ROLE_TIME_END);
	packet->begin_ticks = role_or(d, READ_ROLE_TIME_BEGIN, d->ticks);
	packet->end_ticks = role_or(d, READ_ROLE_TIME_END, packet->begin_ticks);
	packet->discarded = role_or(d, READ_ROLE_DISCARDED, 0);
	packet->has_sequence = read_decoder_has(d, READ_ROLE_SEQUENCE);
	packet->sequence = role_or(d, READ_ROLE_SEQUENCE, 0);
	packet->cpu = CTF_CPU_NONE;
	if (read_decoder_has(d, READ_ROLE_CPU) && d->roles[READ_ROLE_CPU] <= INT32_MAX)
		packet->cpu = (int32_t)d->roles[READ_ROLE_CPU];
	d->ticks = packet->begin_ticks;
}

/* How much the packet holds, by its own claim and by the size of the file. */
static int take_sizes(struct read_packet *packet, uint64_t left_before, uint64_t left,
		      struct read_decoder *d)
{
	uint64_t packet_bits = role_or(d, READ_ROLE_PACKET_BITS, left * 8);

	packet->content_bits = role_or(d, READ_ROLE_CONTENT_BITS, packet_bits);
	if (packet->forced_bytes) {
		packet_bits = packet->forced_bytes * 8;
		packet->forced_bytes = 0;
		if (packet->content_bits > packet_bits || packet->content_bits < d->pos)
			packet->content_bits = packet_bits;
	}
	if (packet_bits % 8 || packet->content_bits > packet_bits || packet->content_bits < d->pos)
		return fail(d, -EPROTO, "a packet with sizes that cannot be");
	packet->bytes = packet_bits / 8;
	packet->is_last = packet->bytes >= left_before;
	packet->have = (packet->content_bits + 7) / 8;
	packet->is_cut = packet->have > left;
	if (packet->is_cut)
		packet->have = left;
	if (packet->have > READ_PACKET_BYTES_MAX && !packet->window_bytes)
		return fail(d, -EPROTO, "a packet of an absurd size");
	return 0;
}

/* So much of the packet as there is behind the window's begin, but not more than @bytes. */
static uint64_t wanted_bytes(const struct read_packet *packet, uint64_t bytes)
{
	uint64_t left = packet->have - packet->window;

	return bytes < left ? bytes : left;
}

static int read_window(struct read_packet *packet, int fd, uint64_t bytes, struct read_decoder *d)
{
	int rc = read_data(packet, fd, wanted_bytes(packet, bytes), d);

	if (!rc && d->end > packet->content_bits - packet->window * 8)
		d->end = packet->content_bits - packet->window * 8;
	return rc;
}

/* All of the packet, or a first window, which also has the header. */
static int read_content(struct read_packet *packet, int fd, struct read_decoder *d)
{
	uint64_t bytes = packet->window_bytes ? packet->window_bytes : packet->have;
	int rc = read_window(packet, fd, bytes > d->pos / 8 ? bytes : d->pos / 8 + 1, d);

	if (!rc && d->pos > d->end)
		return fail(d, -ENODATA, "the file became shorter while it was read");
	return rc;
}

/* What only readers need, to find packets and to know what is missing. */
static bool is_for_readers(const struct read_layout *node)
{
	return node->role != READ_ROLE_NONE && node->role != READ_ROLE_CPU;
}

static int reserve_values(struct read_packet *packet, uint32_t count)
{
	struct ctf_value *values;

	if (count <= packet->value_capacity)
		return 0;
	values = realloc(packet->values, count * sizeof(*values));
	if (!values)
		return -ENOMEM;
	packet->values = values;
	packet->value_capacity = count;
	return 0;
}

/* The decoder has the values of the whole context, one for each child and those within. */
static int keep_values(struct read_packet *packet, const struct read_decoder *d)
{
	const struct read_layout *layout = packet->stream->packet_context;
	const struct ctf_value *value = d->values;
	int rc = reserve_values(packet, d->value_count);

	if (rc)
		return rc;
	packet->has_values = !layout->child_count;
	for (uint32_t i = 0; i < layout->child_count; i++, value += value->span) {
		if (is_for_readers(&layout->children[i]))
			continue;
		memcpy(packet->values + packet->value_count, value, value->span * sizeof(*value));
		packet->value_count += value->span;
		packet->has_values = true;
	}
	return 0;
}

static bool has_bytes(const struct ctf_value *value)
{
	return value->kind == CTF_VALUE_STRING || value->kind == CTF_VALUE_BYTES;
}

/* Strings are where the window is, and the values stay when it slides. */
static int keep_texts(struct read_packet *packet)
{
	size_t bytes = 0;

	for (uint32_t i = 0; i < packet->value_count; i++)
		bytes += has_bytes(&packet->values[i]) ? packet->values[i].length : 0;
	free(packet->texts);
	packet->texts = malloc(bytes + 1);
	if (!packet->texts)
		return -ENOMEM;
	bytes = 0;
	for (uint32_t i = 0; i < packet->value_count; i++) {
		struct ctf_value *value = &packet->values[i];

		if (!has_bytes(value))
			continue;
		memcpy(packet->texts + bytes, value->bytes, value->length);
		value->bytes = packet->texts + bytes;
		bytes += value->length;
	}
	return 0;
}

/* Header and context once more, now that all of the packet is where it stays. */
static int take_values(struct read_packet *packet, const struct read_trace *trace,
		       struct read_decoder *d)
{
	uint64_t pos = d->pos;
	int rc;

	packet->value_count = 0;
	packet->has_values = false;
	if (!packet->stream->packet_context)
		return 0;
	d->pos = 0;
	d->value_count = 0;
	rc = read_decode(d, trace->packet_header, false);
	if (!rc)
		rc = read_decode(d, packet->stream->packet_context, true);
	d->pos = pos;
	if (!rc)
		rc = keep_values(packet, d);
	return rc || !read_packet_has_more(packet, d) ? rc : keep_texts(packet);
}

static int load(struct read_packet *packet, const struct read_trace *trace, int fd,
		uint64_t bytes_before, struct read_decoder *d)
{
	uint64_t left = bytes_before - packet->offset;
	uint64_t bytes = 0;
	int rc = read_header(packet, trace, fd, left, d);

	if (rc)
		return rc;
	take_context(packet, d);
	rc = read_file_identify(fd, "", &packet->file, &bytes);
	if (rc || bytes <= packet->offset)
		return fail(d, rc ? rc : -ENODATA, "the file became shorter while it was read");
	rc = take_sizes(packet, left, bytes - packet->offset, d);
	if (!rc)
		rc = read_content(packet, fd, d);
	if (!rc)
		rc = take_values(packet, trace, d);
	return rc ? rc : 1;
}

int read_packet_load(struct read_packet *packet, const struct read_trace *trace, const char *path,
		     uint64_t offset, struct read_decoder *d)
{
	uint64_t bytes;
	int fd = read_file_open(path, &bytes);
	int rc;

	packet->offset = offset;
	if (fd < 0)
		return fail(d, fd, strerror(-fd));
	rc = offset < bytes ? load(packet, trace, fd, bytes, d) : 0;
	close(fd);
	return rc;
}

int read_packet_peek(struct read_packet *packet, const struct read_trace *trace, int fd,
		     uint64_t bytes, uint64_t offset, struct read_decoder *d)
{
	int rc;

	packet->offset = offset;
	if (offset >= bytes)
		return 0;
	rc = read_header(packet, trace, fd, bytes - offset, d);
	if (rc)
		return rc;
	take_context(packet, d);
	rc = take_sizes(packet, bytes - offset, bytes - offset, d);
	return rc ? rc : 1;
}

/* How large the window is to be, if it begins @skip bytes further on. */
static uint64_t next_window_bytes(const struct read_packet *packet, uint64_t skip,
				  const struct read_decoder *d)
{
	uint64_t bytes = packet->window_bytes;

	while (!skip && bytes <= d->end / 8)
		bytes *= 2;
	return bytes;
}

static int slide(struct read_packet *packet, int fd, uint64_t skip, struct read_decoder *d)
{
	struct ctf_file_id file;
	uint64_t window_bytes = next_window_bytes(packet, skip, d);
	uint64_t bytes;
	int rc = read_file_identify(fd, "", &file, &bytes);

	if (rc)
		return fail(d, rc, strerror(-rc));
	if (!ctf_file_is_same(&file, &packet->file))
		return fail(d, -ESTALE, "the file was replaced while it was read");
	if (window_bytes > READ_WINDOW_BYTES_MAX)
		return fail(d, -EPROTO, "an event of an absurd size");
	packet->window += skip;
	rc = read_window(packet, fd, window_bytes, d);
	if (!rc && (d->end + 7) / 8 < wanted_bytes(packet, window_bytes))
		return fail(d, -ENODATA, "the file became shorter while it was read");
	return rc;
}

int read_packet_slide(struct read_packet *packet, const struct read_trace *trace, const char *path,
		      uint64_t pos, struct read_decoder *d)
{
	uint64_t skip = pos / 8 & ~(uint64_t)(trace->align_bytes - 1);
	uint64_t bytes;
	int fd = read_file_open(path, &bytes);
	int rc;

	if (fd < 0)
		return fail(d, fd, strerror(-fd));
	rc = slide(packet, fd, skip, d);
	close(fd);
	if (!rc)
		d->pos = pos - skip * 8;
	return rc;
}

void read_packet_fini(struct read_packet *packet)
{
	free(packet->data);
	free(packet->texts);
	packet->texts = NULL;
	free(packet->values);
	packet->values = NULL;
	packet->data = NULL;
	packet->capacity = 0;
	packet->value_capacity = 0;
}

static int identify(const struct read_trace *trace, const char *path, struct read_packet *packet,
		    struct read_decoder *d)
{
	uint64_t bytes;
	int fd = read_file_open(path, &bytes);
	int rc;

	if (fd < 0)
		return fd;
	rc = read_file_identify(fd, "", &packet->file, &bytes);
	if (!rc)
		rc = bytes ? read_header(packet, trace, fd, bytes, d) : -ENODATA;
	close(fd);
	if (!rc)
		take_context(packet, d);
	return rc;
}

int read_packet_identify(const struct read_trace *trace, const char *path,
			 struct read_identity *ret_identity)
{
	struct read_packet packet = { 0 };
	struct read_decoder d;
	int rc = read_decoder_init(&d, trace->slot_count);

	*ret_identity = (struct read_identity){ 0 };
	if (!rc)
		rc = identify(trace, path, &packet, &d);
	ret_identity->file = packet.file;
	if (!rc && packet.has_times && read_decoder_has(&d, READ_ROLE_INSTANCE)) {
		ret_identity->is_known = true;
		ret_identity->stream_id = packet.stream->id;
		ret_identity->instance = d.roles[READ_ROLE_INSTANCE];
		ret_identity->begin_ticks = packet.begin_ticks;
	}
	read_decoder_fini(&d);
	read_packet_fini(&packet);
	return rc == -ENOMEM ? rc : 0;
}
