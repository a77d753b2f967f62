/* SPDX-License-Identifier: MIT */
/* stream.c - see stream.h */
#include "stream_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flat.h"

int read_stream_add(struct read_stream *stream, const char *path)
{
	size_t count = stream->path_count + 1;
	char **paths = realloc(stream->paths, count * sizeof(*paths));
	struct ctf_file_id *files;

	if (!paths)
		return -ENOMEM;
	stream->paths = paths;
	files = realloc(stream->files, count * sizeof(*files));
	if (!files)
		return -ENOMEM;
	stream->files = files;
	files[stream->path_count] = (struct ctf_file_id){ 0 };
	paths[stream->path_count] = strdup(path);
	return paths[stream->path_count++] ? 0 : -ENOMEM;
}

static void set_path(struct read_stream *stream, size_t index)
{
	stream->path_index = index;
	stream->path = stream->paths[index];
	stream->item.path = stream->path;
}

int read_stream_new(const struct read_trace *trace, const char *path,
		    struct read_stream **ret_stream)
{
	struct read_stream *stream = calloc(1, sizeof(*stream));

	if (!stream)
		return -ENOMEM;
	stream->trace = trace;
	stream->is_kept = true;
	stream->writer = trace->writer;
	if (read_stream_add(stream, path) ||
	    read_decoder_init(&stream->decoder, trace->slot_count)) {
		read_stream_free(stream);
		return -ENOMEM;
	}
	set_path(stream, 0);
	stream->item.place = &stream->place;
	*ret_stream = stream;
	return 0;
}

void read_stream_free(struct read_stream *stream)
{
	if (!stream)
		return;
	read_decoder_fini(&stream->decoder);
	read_packet_fini(&stream->packet);
	for (size_t i = 0; i < stream->path_count; i++)
		free(stream->paths[i]);
	free(stream->paths);
	free(stream->files);
	free(stream);
}

void read_stream_rest(struct read_stream *stream)
{
	read_packet_fini(&stream->packet);
}

void read_stream_number(struct read_stream *stream, uint32_t number)
{
	stream->item.stream = number;
}

const char *read_stream_path(const struct read_stream *stream, size_t index)
{
	return index < stream->path_count ? stream->paths[index] : NULL;
}

const struct ctf_file_id *read_stream_file(const struct read_stream *stream, size_t index)
{
	return index < stream->path_count ? &stream->files[index] : NULL;
}

void read_stream_expect(struct read_stream *stream, size_t index, const struct ctf_file_id *file)
{
	stream->files[index] = *file;
}

const struct read_trace *read_stream_trace(const struct read_stream *stream)
{
	return stream->trace;
}

uint64_t read_stream_done_bytes(const struct read_stream *stream)
{
	const struct read_packet *packet = &stream->packet;

	if (!stream->is_in_packet || stream->is_ended)
		return stream->passed_bytes + stream->next_offset;
	return stream->passed_bytes + packet->offset + packet->window + stream->decoder.pos / 8;
}

void read_stream_select(struct read_stream *stream, bool is_wanted)
{
	stream->is_unwanted = !is_wanted;
}

void read_stream_watch_order(struct read_stream *stream, bool *ret_is_disordered)
{
	stream->is_disordered = ret_is_disordered;
}

void read_stream_skip_fields(struct read_stream *stream)
{
	stream->is_kept = false;
	stream->filled = NULL;
}

void read_stream_watch(struct read_stream *stream, read_stream_fn fn, void *data)
{
	stream->watch = fn;
	stream->watch_data = data;
}

const struct read_event *read_stream_where(const struct read_stream *stream, uint64_t *ret_begin,
					   uint64_t *ret_end)
{
	*ret_begin = stream->packet.window * 8 + stream->event_pos;
	*ret_end = stream->packet.window * 8 + stream->decoder.pos;
	return stream->filled;
}

void read_stream_set_window(struct read_stream *stream, uint64_t bytes)
{
	uint64_t least = 4 * (uint64_t)stream->trace->align_bytes;

	stream->packet.window_bytes = stream->watch ? 0 : bytes > least ? bytes : least;
}

void read_stream_skip_to(struct read_stream *stream, uint64_t offset, uint64_t bytes)
{
	stream->packet.forced_bytes = bytes;
	stream->next_offset = offset;
	stream->is_in_packet = false;
	stream->is_ended = false;
}

void read_stream_then(struct read_stream *stream, uint64_t offset)
{
	stream->next_offset = offset;
	stream->has_told_next = true;
}

void read_stream_set_ticks(struct read_stream *stream, uint64_t ticks)
{
	stream->decoder.ticks = ticks;
}

/* ---- damage ---- */

static int damage(struct read_stream *stream, int code, uint64_t offset)
{
	snprintf(stream->damage_text, sizeof(stream->damage_text), "%.400s, byte %llu: %s",
		 stream->path, (unsigned long long)offset, stream->decoder.why);
	stream->is_ended = true;
	stream->filled = NULL;
	stream->item.kind = CTF_ITEM_DAMAGE;
	stream->item.damage = (struct ctf_damage){
		.code = code,
		.offset = offset,
		.text = stream->damage_text,
	};
	return 1;
}

static int damage_in_packet(struct read_stream *stream, int code, uint64_t pos)
{
	return damage(stream, code, stream->packet.offset + stream->packet.window + pos / 8);
}

/* ---- packets ---- */

static uint64_t lost_events(const struct read_stream *stream)
{
	uint32_t bits = stream->packet.stream->discarded_bits;
	uint64_t now = stream->packet.discarded;
	uint64_t before = stream->has_previous ? stream->previous_discarded : 0;
	uint64_t mask = bits < 64 ? (1ull << bits) - 1 : ~0ull;

	/* A counter that went back was started anew; only a narrow one can have wrapped. */
	if (now < before && bits == 64)
		return now;
	return (now - before) & mask;
}

static uint64_t lost_packets(const struct read_stream *stream)
{
	const struct read_packet *packet = &stream->packet;

	if (!stream->has_previous || !packet->has_sequence ||
	    packet->sequence <= stream->previous_sequence)
		return 0;
	return packet->sequence - stream->previous_sequence - 1;
}

void stream_keep_packet(struct read_stream *stream)
{
	stream->has_previous = true;
	stream->previous_end_ticks = stream->packet.end_ticks;
	stream->previous_discarded = stream->packet.discarded;
	stream->previous_sequence = stream->packet.sequence;
}

/* Return: 1 if records are missing before the end of the packet that was just loaded. */
static int note_lost(struct read_stream *stream)
{
	const struct read_packet *packet = &stream->packet;
	uint64_t begin = stream->has_previous ? stream->previous_end_ticks : packet->begin_ticks;
	struct ctf_lost lost = {
		.begin_ns = stream_ns(stream, begin),
		.end_ns = stream_ns(stream, packet->end_ticks),
		.events = lost_events(stream),
		.packets = lost_packets(stream),
		.cpu = packet->cpu,
	};

	stream_keep_packet(stream);
	if (!lost.events && !lost.packets)
		return 0;
	stream->item.kind = CTF_ITEM_LOST;
	stream->item.time_ns = stream_ns(stream, packet->begin_ticks);
	stream->item.lost = lost;
	return 1;
}

static void watch_packet(struct read_stream *stream)
{
	const struct read_packet *packet = &stream->packet;
	uint64_t begin_ns = stream_ns(stream, packet->begin_ticks);
	uint64_t end_ns = stream_ns(stream, packet->end_ticks);

	if (!packet->has_times || end_ns < begin_ns || begin_ns < stream->packet_end_ns)
		*stream->is_disordered = true;
	stream->packet_end_ns = end_ns;
}

static void watch_item(struct read_stream *stream)
{
	const struct ctf_item *item = &stream->item;

	/* Damage has the time of the item before it. */
	if (item->kind == CTF_ITEM_DAMAGE)
		return;
	if (item->time_ns < stream->latest_ns || item->time_ns > stream->packet_end_ns)
		*stream->is_disordered = true;
	stream->latest_ns = item->time_ns;
}

/* The packet that was just loaded: is it of the file that the stream is in? */
static bool is_of_file(struct read_stream *stream)
{
	struct ctf_file_id *file = &stream->files[stream->path_index];

	if (!file->inode)
		*file = stream->packet.file;
	return ctf_file_is_same(file, &stream->packet.file);
}

/* Return: 1 with an item, 0 without one (also at the end: is_ended), or -ENOMEM. */
static int begin_packet(struct read_stream *stream)
{
	int rc;

	stream->place = stream_place(stream, stream->next_offset);
	rc = read_packet_load(&stream->packet, stream->trace, stream->path, stream->next_offset,
			      &stream->decoder);
	if (rc == -ENOMEM)
		return rc;
	if (rc < 0)
		return damage(stream, rc, stream->next_offset);
	stream->is_ended = !rc;
	if (!rc)
		return 0;
	if (!is_of_file(stream)) {
		stream->decoder.why = "the file was replaced while it was read";
		return damage(stream, -ESTALE, stream->next_offset);
	}
	stream->is_in_packet = true;
	stream->has_told_next = false;
	stream->filled = NULL;
	stream->place.begin_ticks = stream->packet.begin_ticks;
	stream->place.file = stream->packet.file;
	stream->next_offset += stream->packet.bytes;
	if (stream->is_disordered)
		watch_packet(stream);
	if (stream->watch)
		stream->watch(stream->watch_data, &stream->packet, stream->path);
	return note_lost(stream);
}

static int end_packet(struct read_stream *stream)
{
	stream->is_in_packet = false;
	stream->is_ended = stream->packet.is_last && !stream->has_told_next;
	if (!stream->packet.is_cut)
		return 0;
	stream->decoder.why = "the file ends within a packet";
	return damage_in_packet(stream, -ENODATA, stream->decoder.pos);
}

/* ---- events ---- */

static void take_thread(struct read_writer *writer, const struct read_decoder *d)
{
	size_t bytes = d->thread_bytes;

	if (bytes > sizeof(writer->thread) - 1)
		bytes = sizeof(writer->thread) - 1;
	memcpy(writer->thread, d->thread, bytes);
	writer->thread[bytes] = 0;
}

static void take_writer(struct read_stream *stream)
{
	const struct read_decoder *d = &stream->decoder;

	if (read_decoder_has(d, READ_ROLE_PID))
		stream->writer.pid = (uint32_t)d->roles[READ_ROLE_PID];
	if (read_decoder_has(d, READ_ROLE_TID))
		stream->writer.tid = (uint32_t)d->roles[READ_ROLE_TID];
	if (read_decoder_has(d, READ_ROLE_THREAD))
		take_thread(&stream->writer, d);
}

static int decode_any_header(struct read_stream *stream, uint64_t *ret_id)
{
	struct read_decoder *d = &stream->decoder;
	int rc;

	d->roles_seen = 0;
	rc = read_decode(d, stream->packet.stream->event_header, false);
	if (rc)
		return rc;
	*ret_id = read_decoder_has(d, READ_ROLE_EVENT_ID) ? d->roles[READ_ROLE_EVENT_ID] : 0;
	return 0;
}

static int decode_header(struct read_stream *stream, const struct read_event **ret_event)
{
	const struct read_stream_layout *layout = stream->packet.stream;
	struct read_decoder *d = &stream->decoder;
	uint64_t id;
	int rc = read_header_decode(&layout->header, d, &id);

	if (rc)
		rc = decode_any_header(stream, &id);
	if (rc)
		return rc;
	*ret_event = read_trace_event(layout, id);
	if (*ret_event)
		return 0;
	d->why = "an event that the metadata does not describe";
	return -ENOMSG;
}

struct context_counts {
	uint32_t stream;
	uint32_t all;
};

static int decode_contexts(struct read_stream *stream, const struct read_event *event,
			   struct context_counts *ret_counts)
{
	struct read_decoder *d = &stream->decoder;
	int rc = read_decode(d, stream->packet.stream->event_context, stream->is_kept);

	ret_counts->stream = d->value_count;
	if (!rc)
		rc = read_decode(d, event->context, stream->is_kept);
	ret_counts->all = d->value_count;
	return rc;
}

static int decode_body(struct read_stream *stream, const struct read_event *event,
		       struct context_counts *ret_counts)
{
	const struct read_stream_layout *layout = stream->packet.stream;
	struct read_decoder *d = &stream->decoder;
	bool is_kept = stream->is_kept;
	int rc;

	d->roles_seen = 0;
	d->value_count = 0;
	*ret_counts = (struct context_counts){ 0 };
	if (layout->event_context || event->context) {
		rc = decode_contexts(stream, event, ret_counts);
		if (rc)
			return rc;
		take_writer(stream);
		d->roles_seen = 0;
	}
	rc = read_decode(d, event->fields, is_kept);
	if (!rc && event->is_writer)
		take_writer(stream);
	return rc;
}

static uint8_t scopes_of(const struct read_packet *packet, const struct read_event *event)
{
	return (uint8_t)((packet->has_values ? CTF_SCOPE_PACKET : 0) |
			 (packet->stream->event_context ? CTF_SCOPE_STREAM_CONTEXT : 0) |
			 (event->context ? CTF_SCOPE_EVENT_CONTEXT : 0) |
			 (event->fields ? CTF_SCOPE_FIELDS : 0));
}

/* What all events of one packet have in common. */
static void fill_packet(struct read_stream *stream)
{
	stream->item.kind = CTF_ITEM_EVENT;
	stream->item.event = (struct ctf_event){
		.cpu = stream->packet.cpu,
		.thread = stream->writer.thread,
		.packet = stream->packet.values,
		.packet_count = stream->packet.value_count,
		.trace = stream->trace,
		.clock = stream->packet.stream->clock,
	};
}

/* .. and those of a class. */
static void fill_class(struct read_stream *stream, const struct read_event *event)
{
	struct ctf_event *filled = &stream->item.event;

	if (!stream->filled)
		fill_packet(stream);
	filled->name = event->name;
	filled->provider = event->provider;
	filled->base_name = event->base_name;
	filled->level = event->level;
	filled->source = event->source;
	filled->is_writer = event->is_writer;
	filled->scopes = scopes_of(&stream->packet, event);
	filled->class = event;
	stream->filled = event;
}

static void fill_event(struct read_stream *stream, const struct read_event *event,
		       const struct context_counts *counts)
{
	const struct read_decoder *d = &stream->decoder;
	struct ctf_event *filled = &stream->item.event;

	if (stream->filled != event)
		fill_class(stream, event);
	stream->item.time_ns = stream_ns(stream, d->ticks);
	filled->ticks = d->ticks;
	filled->pid = stream->writer.pid;
	filled->tid = stream->writer.tid;
	filled->context = d->values;
	filled->context_count = counts->all;
	filled->stream_context_count = counts->stream;
	filled->fields = d->values + counts->all;
	filled->field_count = d->value_count - counts->all;
}

/* More of the packet, from an event on. */
static int slide(struct read_stream *stream, uint64_t start)
{
	int rc = read_packet_slide(&stream->packet, stream->trace, stream->path, start,
				   &stream->decoder);

	return rc && rc != -ENOMEM ? damage_in_packet(stream, rc, start) : rc;
}

/* What the item and its values have in common with the one before, if that was of the same class, is
 * left as it is. */
static int next_flat(struct read_stream *stream, const struct read_event *event)
{
	const struct read_flat *flat = event->flat;
	struct read_decoder *d = &stream->decoder;
	struct context_counts counts = { 0 };
	bool is_filled = stream->filled == event;
	int rc = read_decode_flat(d, flat, stream->is_kept, is_filled);

	if (rc)
		return rc;
	if (is_filled && !flat->has_contexts) {
		stream->item.time_ns = stream_ns(stream, d->ticks);
		stream->item.event.ticks = d->ticks;
		return 0;
	}
	if (flat->has_contexts && d->roles_seen)
		take_writer(stream);
	if (stream->is_kept) {
		counts.stream = flat->stream_context_count;
		counts.all = flat->context_count;
	}
	fill_event(stream, event, &counts);
	return 0;
}

static int next_event(struct read_stream *stream)
{
	struct read_decoder *d = &stream->decoder;
	const struct read_event *event = NULL;
	struct context_counts counts;
	uint64_t start = d->pos, ticks = d->ticks;
	int rc = decode_header(stream, &event);

	stream->event_pos = start;
	if (!rc && event->flat && !next_flat(stream, event) && d->pos != start)
		return 1;
	if (!rc)
		rc = decode_body(stream, event, &counts);
	if (rc == -ENODATA && read_packet_has_more(&stream->packet, d)) {
		d->ticks = ticks;
		return slide(stream, start);
	}
	if (!rc && d->pos == start) {
		d->why = "events without any data";
		rc = -EPROTO;
	}
	if (rc == -ENOMEM)
		return rc;
	if (rc == -ENOMSG && read_trace_is_outdated(stream->trace)) {
		stream->is_ended = true;
		return 0;
	}
	if (rc == -ENODATA && stream->packet.is_cut)
		d->why = "the file ends within an event";
	if (rc)
		return damage_in_packet(stream, rc, start);
	fill_event(stream, event, &counts);
	return 1;
}

/* The next item of the file. */
static int next_of_file(struct read_stream *stream)
{
	int rc = 0;

	while (!rc && !stream->is_ended) {
		if (!stream->is_in_packet)
			rc = begin_packet(stream);
		else if (stream->decoder.pos < stream->decoder.end)
			rc = next_event(stream);
		else if (read_packet_has_more(&stream->packet, &stream->decoder))
			rc = slide(stream, stream->decoder.pos);
		else
			rc = end_packet(stream);
	}
	return rc;
}

void stream_begin_file(struct read_stream *stream, size_t index)
{
	stream->passed_bytes = index ? stream->passed_bytes + stream->next_offset : 0;
	set_path(stream, index);
	stream->next_offset = 0;
	stream->is_in_packet = false;
	stream->is_ended = false;
}

/* Also behind damage: the next file is not to blame. */
static bool next_file(struct read_stream *stream)
{
	if (stream->path_index + 1 >= stream->path_count)
		return false;
	stream_begin_file(stream, stream->path_index + 1);
	return true;
}

static int next_item(struct read_stream *stream)
{
	int rc;

	if (stream->is_in_packet && !stream->is_ended &&
	    stream->decoder.pos < stream->decoder.end) {
		rc = next_event(stream);
		if (rc)
			return rc;
	}
	do {
		rc = next_of_file(stream);
	} while (!rc && next_file(stream));
	return rc;
}

int read_stream_next(struct read_stream *stream, const struct ctf_item **ret_item)
{
	int rc;

	*ret_item = &stream->item;
	if (stream->is_unwanted)
		return 0;
	rc = next_item(stream);
	if (rc > 0 && stream->is_disordered)
		watch_item(stream);
	return rc;
}
