/* SPDX-License-Identifier: MIT */
/*
 * seek.c - go to a time, by what the headers of packets say of their first and last event.
 *
 *      file     | packet | packet | packet | packet | packet |
 *      index                      ^ the last that ends before the time, minus one
 *      walk                       |------->|------->| header by header
 *                                                   ^ the first that ends at or behind it
 *
 * Headers are looked at one by one, since only they lead to the next. An index that fits the file
 * saves most of the way: the packet before the one that it tells is looked at first, and has to be
 * what the index says; else the walk begins with the file. So an index can be wrong, but not lead
 * further than to where a packet is that ends before the time. Whether headers lead there as well,
 * and past no packet that ends later, only a walk through all tells (read_stream_check_index()).
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "index.h"
#include "stream_private.h"

/* An open file of the stream. */
struct file {
	int fd;
	uint64_t bytes;
};

static void go_on(struct read_stream *stream, const struct ctf_place *place)
{
	stream->next_offset = place->offset;
	stream->decoder.ticks = place->ticks;
	stream->has_previous = place->has_previous;
	stream->previous_end_ticks = place->previous_end_ticks;
	stream->previous_discarded = place->previous_discarded;
	stream->previous_sequence = place->previous_sequence;
	stream->filled = NULL;
}

static int peek(struct read_stream *stream, const struct file *file, uint64_t offset)
{
	return read_packet_peek(&stream->packet, stream->trace, file->fd, file->bytes, offset,
				&stream->decoder);
}

static bool ends_before(struct read_stream *stream, uint64_t time_ns)
{
	return stream->packet.has_times && stream_ns(stream, stream->packet.end_ticks) < time_ns;
}

/* ---- index ---- */

/* The first entry whose packet ends at or behind a time; the last one if there is none. */
static int search(struct read_stream *stream, const struct read_index *index, uint64_t time_ns,
		  uint64_t *ret_number)
{
	uint64_t low = 0, high = index->count - 1;
	int rc = 0;

	while (low < high && !rc) {
		uint64_t middle = low + (high - low) / 2;
		struct ctf_index_entry entry;

		rc = read_index_entry(index, middle, &entry);
		if (rc)
			break;
		if (stream_ns(stream, entry.end_ts) < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	*ret_number = low;
	return rc;
}

/* Is the packet that it leads to the one that it describes? */
static bool is_true(struct read_stream *stream, const struct file *file,
		    const struct ctf_index_entry *entry)
{
	const struct read_packet *packet = &stream->packet;

	stream->decoder.ticks = entry->begin_ts;
	return peek(stream, file, entry->offset) > 0 && packet->has_times &&
	       packet->begin_ticks == entry->begin_ts && packet->end_ticks == entry->end_ts &&
	       packet->bytes == entry->packet_bits / 8 &&
	       packet->content_bits == entry->content_bits;
}

static uint64_t search_from(struct read_stream *stream, const struct file *file,
			    const struct read_index *index, uint64_t time_ns)
{
	struct ctf_index_entry entry;
	uint64_t number;

	/* The first packet says which clock it is. */
	if (peek(stream, file, 0) <= 0 || search(stream, index, time_ns, &number) || number < 2)
		return 0;
	if (read_index_entry(index, number - 2, &entry) || !is_true(stream, file, &entry) ||
	    !ends_before(stream, time_ns))
		return 0;
	return entry.offset;
}

/* Where the walk may begin. */
static uint64_t begin_of_walk(struct read_stream *stream, const struct file *file, uint64_t time_ns)
{
	uint64_t ticks = stream->decoder.ticks;
	struct read_index index;
	uint64_t offset;

	if (read_index_open(stream->path, file->bytes, &index))
		return 0;
	offset = search_from(stream, file, &index, time_ns);
	read_index_close(&index);
	if (!offset)
		stream->decoder.ticks = ticks;
	return offset;
}

/* ---- walk ---- */

/* Return: 1: a packet of this file is to be read next; 0: none; or -ENOMEM. */
static int walk(struct read_stream *stream, const struct file *file, uint64_t time_ns)
{
	uint64_t offset = begin_of_walk(stream, file, time_ns);

	for (;;) {
		struct ctf_place before = stream_place(stream, offset);
		int rc = peek(stream, file, offset);

		if (!rc || rc == -ENOMEM)
			return rc;
		if (rc < 0 || !ends_before(stream, time_ns)) {
			go_on(stream, &before);
			return 1;
		}
		stream_keep_packet(stream);
		if (stream->packet.is_last)
			return 0;
		offset += stream->packet.bytes;
	}
}

/* The last packet that holds anything. Return: as walk(). */
static int walk_to_last(struct read_stream *stream, const struct file *file)
{
	uint64_t offset = begin_of_walk(stream, file, UINT64_MAX);
	struct ctf_place last = { 0 };
	bool is_found = false;
	int rc;

	for (;;) {
		struct ctf_place before = stream_place(stream, offset);

		rc = peek(stream, file, offset);
		if (rc <= 0)
			break;
		if (stream->packet.content_bits > stream->decoder.pos) {
			last = before;
			is_found = true;
		}
		if (stream->packet.is_last)
			break;
		offset += stream->packet.bytes;
	}
	if (is_found)
		go_on(stream, &last);
	return rc == -ENOMEM ? rc : is_found;
}

/* ---- streams ---- */

static void rewind_stream(struct read_stream *stream)
{
	const struct ctf_place begin = { 0 };

	go_on(stream, &begin);
	stream->writer = stream->trace->writer;
	stream->item.time_ns = 0;
	stream->latest_ns = 0;
	stream->packet_end_ns = 0;
}

/* Return: as walk(); what cannot be opened is left to be found damaged. */
static int open_file(struct read_stream *stream, struct file *ret_file)
{
	ret_file->fd = read_file_open(stream->path, &ret_file->bytes);
	return ret_file->fd < 0 ? 1 : 0;
}

int read_stream_seek(struct read_stream *stream, uint64_t time_ns)
{
	int rc = 0;

	rewind_stream(stream);
	for (size_t i = 0; i < stream->path_count && !rc; i++) {
		struct file file;

		stream_begin_file(stream, i);
		if (!time_ns || open_file(stream, &file))
			return 0;
		rc = walk(stream, &file, time_ns);
		close(file.fd);
	}
	stream->is_ended = !rc;
	return rc < 0 ? rc : 0;
}

/* Do the headers of the file lead to each entry of its index, from one time to a later one? */
static bool check_entries(struct read_stream *stream, const struct file *file,
			  const struct read_index *index)
{
	uint64_t offset = 0, end_ns = 0;

	for (uint64_t i = 0; i < index->count; i++) {
		struct ctf_index_entry entry;

		if (read_index_entry(index, i, &entry) || entry.offset != offset ||
		    !is_true(stream, file, &entry) || stream_ns(stream, entry.begin_ts) < end_ns ||
		    entry.begin_ts > entry.end_ts)
			return false;
		end_ns = stream_ns(stream, entry.end_ts);
		offset += stream->packet.bytes;
	}
	return true;
}

static bool check_index(struct read_stream *stream)
{
	struct read_index index;
	struct file file;
	bool is_right = true;

	if (open_file(stream, &file))
		return true;
	if (!read_index_open(stream->path, file.bytes, &index)) {
		is_right = check_entries(stream, &file, &index);
		read_index_close(&index);
	}
	close(file.fd);
	return is_right;
}

bool read_stream_check_index(struct read_stream *stream)
{
	bool is_right = true;

	rewind_stream(stream);
	for (size_t i = 0; i < stream->path_count && is_right; i++) {
		stream_begin_file(stream, i);
		is_right = check_index(stream);
	}
	return is_right;
}

/* Is the packet that it leads to the one that it was taken from? */
static int is_there(struct read_stream *stream, const struct ctf_place *place)
{
	struct ctf_file_id id;
	struct file file;
	int rc;

	if (open_file(stream, &file))
		return 0;
	go_on(stream, place);
	rc = read_file_identify(file.fd, "", &id, &file.bytes);
	if (!rc && ctf_file_is_same(&id, &place->file))
		rc = peek(stream, &file, place->offset);
	close(file.fd);
	if (rc <= 0)
		return rc == -ENOMEM ? rc : 0;
	return stream->packet.has_times && stream->packet.begin_ticks == place->begin_ticks;
}

int read_stream_go(struct read_stream *stream, const struct ctf_place *place)
{
	size_t index = 0;
	int rc;

	while (index < stream->path_count && !ctf_file_is_same(&stream->files[index], &place->file))
		index++;
	if (index == stream->path_count)
		return 0;
	stream_begin_file(stream, index);
	rc = is_there(stream, place);
	rewind_stream(stream);
	if (rc > 0)
		go_on(stream, place);
	else
		stream_begin_file(stream, 0);
	return rc;
}

static int last_of_file(struct read_stream *stream, uint64_t *ret_time_ns)
{
	const struct ctf_item *item;
	bool is_found = false;
	int rc;

	while ((rc = read_stream_next(stream, &item)) > 0) {
		if (item->kind == CTF_ITEM_DAMAGE)
			continue;
		if (!is_found || item->time_ns > *ret_time_ns)
			*ret_time_ns = item->time_ns;
		is_found = true;
	}
	return rc ? rc : is_found;
}

/* Files from the last one on, until one has something. */
static int find_last(struct read_stream *stream, uint64_t *ret_time_ns)
{
	int rc = 0;

	for (size_t i = stream->path_count; i-- && !rc;) {
		struct file file;

		rewind_stream(stream);
		stream_begin_file(stream, i);
		if (open_file(stream, &file))
			continue;
		rc = walk_to_last(stream, &file);
		close(file.fd);
		if (rc > 0)
			rc = last_of_file(stream, ret_time_ns);
	}
	return rc;
}

int read_stream_find_last(struct read_stream *stream, uint64_t *ret_time_ns)
{
	bool is_kept = stream->is_kept;
	int rc;

	stream->is_kept = false;
	rc = find_last(stream, ret_time_ns);
	stream->is_kept = is_kept;
	return rc;
}
