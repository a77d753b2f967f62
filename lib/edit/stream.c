/* SPDX-License-Identifier: MIT */
/* stream.c - one stream of the source to one of the new trace; see edit.h */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>

#include "ctf/read/bits.h"
#include "edit_private.h"
#include "times.h"

#define NOTES_MAX      8    /* of parts of one stream that are left out */
#define NS_PER_S UINT64_C(1000000000)
#define ITEMS_PER_STEP 4096 /* so often progress is told */

/* A record "tacho:writer" that no event needed yet: its bytes, at the same place modulo 2^20. */
struct writer {
	const struct read_event *event; /* NULL: there is none */
	uint8_t *data;
	size_t capacity;
	uint64_t from, to;
	uint64_t ticks;
};

struct stream {
	struct edit *edit;
	const struct source_trace *trace;
	struct read_stream *reader;
	struct packets packets;
	struct times times;
	const struct times_packet *known;  /* what is known of the packet at hand; NULL: nothing */
	const struct times_packet *count;  /* the last before with a right count; NULL: none */
	const struct times_packet *number; /* .. with a right number */
	int dir_fd, index_dir_fd;
	int rc; /* of what was done when a packet was begun */

	const struct read_packet *packet; /* the one at hand; NULL: none yet */
	const char *path;                 /* its file */
	uint64_t begin_ticks, end_ticks;  /* of it, as far as they are right */
	uint64_t limit_ticks;             /* no event of it is later */
	bool is_begin_cut;                /* something was dropped before the first event */
	bool is_end_cut;                  /* .. behind the last one */
	bool has_output;                  /* something of it is in the new trace */
	bool has_before;                  /* there was a packet before it .. */
	bool has_before_output;           /* .. of which something is in the new trace .. */
	uint64_t before_end_ticks;        /* .. and which ended here */
	struct writer writer;

	uint64_t believed; /* 1 + offset of the packet whose size is a guess; 0: there is none */
	uint64_t mended_count; /* of packets, what is not as they said */
	uint64_t lost_packets; /* parts of packets that were left out since the last one */
	uint64_t left_out_count;
	uint64_t impossible_count; /* events that were left out as their time cannot be */
};

static int fail(struct stream *stream, int rc)
{
	if (!rc)
		return 0;
	return error_set(stream->edit->e, rc, "cannot write what %.300s is to become: %s",
			 stream->path, stream->packets.why);
}

/* ---- packets ---- */

static int close_packet(struct stream *stream)
{
	if (!stream->packets.is_open)
		return 0;
	return packets_end(&stream->packets,
			   stream->is_end_cut ? stream->packets.last_ticks : stream->end_ticks);
}

static int need_file(struct stream *stream)
{
	if (packets_has_file(&stream->packets))
		return 0;
	if (stream->edit->request->is_repair)
		index_check(stream->edit, stream->trace, stream->path);
	return packets_file(&stream->packets, stream->dir_fd, stream->index_dir_fd,
			    source_file_name(stream->path));
}

static int need_packet(struct stream *stream, uint64_t begin_ticks)
{
	int rc;

	if (stream->packets.is_open)
		return 0;
	rc = need_file(stream);
	stream->has_output = true;
	if (!stream->packets.has_begun && stream->known && stream->known->is_sequence_wrong)
		packets_number(&stream->packets, 0);
	if (!rc)
		rc = packets_open(&stream->packets, stream->packet, begin_ticks);
	if (!rc && stream->known && stream->known->has_times && !stream->known->is_begin_right)
		packets_free_begin(&stream->packets);
	return rc;
}

/* The last packets whose counts are right. */
static void take_counts(struct stream *stream)
{
	const struct times_packet *known = stream->known;

	if (!known)
		return;
	if (!known->is_discarded_wrong)
		stream->count = known;
	if (!known->is_sequence_wrong)
		stream->number = known;
}

static bool is_foreign(const struct stream *stream)
{
	return stream->known && stream->known->is_foreign;
}

static void note_packet(struct stream *stream, const char *what)
{
	if (stream->mended_count++ < NOTES_MAX)
		edit_repaired(stream->edit, "%s: the packet at byte %llu %s",
			      source_file_name(stream->path),
			      (unsigned long long)stream->packet->offset, what);
}

/* A time that is wrong is found anew: no packet begins before the one before ended, and none ends
 * before its last event. */
static void take_times(struct stream *stream)
{
	const struct read_packet *packet = stream->packet;
	const struct times_packet *known = stream->known;

	stream->begin_ticks = packet->begin_ticks;
	stream->end_ticks = packet->end_ticks;
	if (!known || !known->has_times || known->is_foreign)
		return;
	if (!known->is_begin_right) {
		stream->begin_ticks = stream->packets.floor_ticks;
		read_stream_set_ticks(stream->reader, stream->begin_ticks);
		note_packet(stream, "has a begin that cannot be; it begins with its first event");
	}
	if (!known->is_end_right) {
		stream->end_ticks = 0;
		note_packet(stream, "has an end that cannot be; it ends with its last event");
	}
}

/* Of packets that are put into order, the next one is not the one behind it in the file. */
static uint64_t next_offset(const struct stream *stream)
{
	const struct read_packet *packet = stream->packet;
	const struct times_packet *next;

	if (!stream->times.is_sorted || !stream->known)
		return packet->offset + packet->bytes;
	next = times_next(&stream->times, stream->known);
	return next ? next->offset : UINT64_MAX;
}

/* The packets of a file that were swapped. */
static void follow_order(struct stream *stream)
{
	if (stream->times.is_sorted && stream->known)
		read_stream_then(stream->reader, next_offset(stream));
}

/* The reader has the next packet in memory; what the one before is to become is in ours. */
static void next_packet(void *data, const struct read_packet *packet, const char *path)
{
	struct stream *stream = data;
	int rc = close_packet(stream);

	if (!rc && stream->path && strcmp(stream->path, path))
		rc = packets_close(&stream->packets);
	packets_lose(&stream->packets, 0, stream->lost_packets);
	stream->edit->totals.lost_packets += stream->lost_packets;
	stream->lost_packets = 0;
	stream->has_before = stream->packet != NULL;
	stream->has_before_output = stream->has_output;
	stream->before_end_ticks = stream->end_ticks;
	stream->packet = packet;
	stream->path = path;
	take_counts(stream);
	stream->known = times_find(&stream->times, stream->known, path, packet->offset);
	stream->limit_ticks = stream->known ? stream->known->limit_ticks :
					      times_limit(packet->stream->clock);
	take_times(stream);
	follow_order(stream);
	stream->is_begin_cut = false;
	stream->is_end_cut = false;
	stream->has_output = false;
	/* Who wants all of a trace has its empty packets as well. */
	if (!rc && !stream->edit->request->judge && !is_foreign(stream))
		rc = need_packet(stream, stream->begin_ticks);
	if (rc && !stream->rc)
		stream->rc = rc;
}

/* ---- damage ---- */

struct moment {
	char text[48];
};

struct span {
	char text[128];
};

/* Behind the packet at hand, if that is what is damaged and its size can be believed. */
static uint64_t behind(const struct stream *stream, uint64_t offset)
{
	const struct read_packet *packet = stream->packet;

	if (packet && offset > packet->offset && offset < packet->offset + packet->bytes)
		return packet->offset + packet->bytes;
	return offset + 1;
}

/* "12:00:00.123456789", in local time. */
static struct moment moment_of(const struct stream *stream, uint64_t ticks)
{
	uint64_t ns = read_clock_ns(stream->packets.class->clock, ticks);
	time_t s = (time_t)(ns / NS_PER_S);
	struct moment moment = { "?" };
	struct tm tm;

	if (localtime_r(&s, &tm))
		snprintf(moment.text, sizeof(moment.text), "%02d:%02d:%02d.%09llu", tm.tm_hour,
			 tm.tm_min, tm.tm_sec, (unsigned long long)(ns % NS_PER_S));
	return moment;
}

/* What is left out was recorded between the last event before it and the packet behind it. */
static struct span span_of(const struct stream *stream, const char *path, uint64_t to)
{
	const struct times_packet *next = times_find(&stream->times, stream->known, path, to);
	struct span span = { "" };
	struct moment from;

	if (!stream->packets.has_begun)
		return span;
	from = moment_of(stream, stream->packets.last_ticks);
	if (next && next->has_times && next->is_begin_right)
		snprintf(span.text, sizeof(span.text), ", of the time from %s to %s", from.text,
			 moment_of(stream, next->begin_ticks).text);
	else
		snprintf(span.text, sizeof(span.text), ", of the time from %s on", from.text);
	return span;
}

static void note_left_out(struct stream *stream, const char *path, uint64_t from, uint64_t to,
			  bool is_end)
{
	const char *name = source_file_name(path);
	struct span span;

	if (stream->left_out_count++ >= NOTES_MAX)
		return;
	span = span_of(stream, path, to);
	if (is_end)
		edit_repaired(stream->edit, "%s: left out from byte %llu to the end%s", name,
			      (unsigned long long)from, span.text);
	else
		edit_repaired(stream->edit, "%s: left out from byte %llu to byte %llu%s", name,
			      (unsigned long long)from, (unsigned long long)to, span.text);
}

/* The rest of a packet is missing: as its events cannot be counted, that is as if a packet were. */
static void lose_rest(struct stream *stream, uint64_t offset)
{
	if (!stream->packets.is_open || offset <= stream->packet->offset)
		return;
	stream->is_end_cut = true;
	stream->lost_packets++;
}

static int find_next(const struct stream *stream, uint64_t offset, const char *path,
		     uint64_t *ret_offset)
{
	const struct times_packet *at = times_find(&stream->times, stream->known, path, offset);
	const struct times_packet *next = times_next(&stream->times, at ? at : stream->known);

	if (!stream->times.is_sorted)
		return resume_offset(stream->trace->trace, path, behind(stream, offset),
				     ret_offset);
	*ret_offset = next ? next->offset : behind(stream, offset);
	return next != NULL;
}

static int leave_out(struct stream *stream, uint64_t offset, const char *path)
{
	uint64_t next;
	int rc = find_next(stream, offset, path, &next);

	if (rc < 0)
		return error_set(stream->edit->e, rc, "no memory");
	note_left_out(stream, path, offset, next, !rc);
	if (!rc)
		return 0;
	lose_rest(stream, offset);
	read_stream_skip_to(stream->reader, next, 0);
	return 0;
}

/* A packet whose sizes cannot be, but which begins like one, may reach up to the next one. */
static int believe(struct stream *stream, uint64_t offset, const char *path)
{
	uint64_t next;
	int rc = resume_offset(stream->trace->trace, path, offset + 1, &next);

	if (rc < 0)
		return error_set(stream->edit->e, rc, "no memory");
	stream->believed = offset + 1;
	edit_repaired(stream->edit, "%s: the packet at byte %llu is taken to have %llu bytes",
		      source_file_name(path), (unsigned long long)offset,
		      (unsigned long long)(next - offset));
	read_stream_skip_to(stream->reader, offset, next - offset);
	return 0;
}

static bool is_begin_of_packet(const struct stream *stream, uint64_t offset)
{
	const struct read_packet *packet = stream->packet;

	return !packet || offset <= packet->offset || offset >= packet->offset + packet->bytes;
}

static int go_on(struct stream *stream, const struct ctf_item *item)
{
	uint64_t offset = item->damage.offset;

	if (is_begin_of_packet(stream, offset) && item->damage.code == -EPROTO &&
	    stream->believed != offset + 1 &&
	    resume_has_magic(stream->trace->trace, item->path, offset))
		return believe(stream, offset, item->path);
	return leave_out(stream, offset, item->path);
}

static int take_damage(struct stream *stream, const struct ctf_item *item)
{
	stream->edit->totals.damages++;
	if (stream->left_out_count < NOTES_MAX)
		edit_note(stream->edit, "%s", item->damage.text);
	return stream->edit->request->is_repair ? go_on(stream, item) : 0;
}

/* In a packet whose size is a guess, padding may look like events: they have no bits set, or are
 * later than the packet. */
static bool is_padding(const struct stream *stream, const struct packets_record *record)
{
	const uint8_t *at = record->data + record->from / 8;
	const uint8_t *end = record->data + record->to / 8;

	if (stream->believed != stream->packet->offset + 1)
		return false;
	if (stream->packet->has_times && record->ticks > stream->packet->end_ticks)
		return true;
	while (at < end && !*at)
		at++;
	return at == end;
}

/* Bytes that are no events often look like some, but for their times. */
static bool is_impossible(const struct stream *stream, const struct packets_record *record)
{
	const struct packets *packets = &stream->packets;
	bool is_behind = packets->is_open && packets->has_records;

	if (record->ticks < (is_behind ? packets->last_ticks : packets->floor_ticks))
		return true;
	return record->ticks > stream->limit_ticks || (stream->known && stream->known->is_foreign);
}

/* ---- events ---- */

static int end_believed(struct stream *stream)
{
	stream->believed = 0;
	read_stream_skip_to(stream->reader, next_offset(stream), 0);
	return 0;
}

static int keep_writer(struct stream *stream, const struct packets_record *record)
{
	struct writer *writer = &stream->writer;
	uint64_t begin = record->from & ~(uint64_t)(READ_ALIGN_BITS_MAX - 1);
	size_t bytes = (record->to - begin + 7) / 8;

	if (bytes > writer->capacity) {
		uint8_t *data = realloc(writer->data, bytes);

		if (!data)
			return -ENOMEM;
		writer->data = data;
		writer->capacity = bytes;
	}
	memcpy(writer->data, record->data + begin / 8, bytes);
	writer->event = record->event;
	writer->from = record->from - begin;
	writer->to = record->to - begin;
	writer->ticks = record->ticks;
	return 0;
}

/* In front of an event at @ticks, in the packet that is open. */
static int put_writer(struct stream *stream, uint64_t ticks)
{
	struct writer *writer = &stream->writer;
	struct packets_record record = {
		.event = writer->event,
		.data = writer->data,
		.from = writer->from,
		.to = writer->to,
		.ticks = ticks,
		.is_moved = true,
	};

	if (!writer->event)
		return 0;
	if (writer->ticks >= stream->packets.last_ticks && writer->ticks <= ticks)
		record.ticks = writer->ticks;
	writer->event = NULL;
	return packets_add(&stream->packets, &record);
}

/* Of a packet whose times could be, as far as other packets say. */
static void note_bounds(struct stream *stream, uint64_t ticks)
{
	const struct times_packet *known = stream->known;

	if (!known || !known->has_times)
		return;
	if (known->is_begin_right && !stream->packets.has_records && ticks < stream->begin_ticks)
		note_packet(stream, "begins later than its first event; it begins with that");
	if (!known->is_end_right || ticks <= stream->end_ticks)
		return;
	if (stream->end_ticks == known->end_ticks)
		note_packet(stream, "ends before its last event; it ends with that");
	stream->end_ticks = ticks;
}

static int put_event(struct stream *stream, const struct packets_record *record)
{
	uint64_t begin = stream->is_begin_cut ? record->ticks : stream->begin_ticks;
	int rc = need_packet(stream, begin);

	stream->is_end_cut = false;
	note_bounds(stream, record->ticks);
	if (!rc)
		rc = put_writer(stream, record->ticks);
	if (!rc)
		rc = packets_add(&stream->packets, record);
	if (rc != -ENOTSUP || !stream->edit->request->is_repair)
		return rc;
	/* A time that cannot be said. */
	stream->impossible_count++;
	stream->edit->totals.events--;
	return 0;
}

static enum edit_verdict judge(const struct stream *stream, const struct ctf_item *item)
{
	const struct edit_request *request = stream->edit->request;

	return request->judge ? request->judge(request->data, item) : EDIT_KEEP;
}

static int take_event(struct stream *stream, const struct ctf_item *item,
		      enum edit_verdict *ret_verdict)
{
	struct packets_record record = { .data = stream->packet->data, .ticks = item->event.ticks };
	int rc = 0;

	record.event = read_stream_where(stream->reader, &record.from, &record.to);
	if (is_padding(stream, &record))
		return end_believed(stream);
	if (is_impossible(stream, &record)) {
		stream->impossible_count += !item->event.is_writer;
		return 0;
	}
	if (stream->edit->request->judge && item->event.is_writer)
		return keep_writer(stream, &record);
	*ret_verdict = judge(stream, item);
	if (*ret_verdict == EDIT_KEEP) {
		stream->edit->totals.events += !item->event.is_writer;
		rc = put_event(stream, &record);
	} else if (stream->packets.is_open) {
		stream->is_end_cut = *ret_verdict == EDIT_END;
	} else {
		stream->is_begin_cut = true;
	}
	return rc;
}

/* ---- losses ---- */

/* By the counts that are right; the reader has them all. */
static struct ctf_lost lost_in(const struct stream *stream, const struct ctf_lost *lost)
{
	const struct times_packet *now = stream->known;
	const struct times_packet *count = stream->count, *number = stream->number;
	struct ctf_lost right = *lost;

	if (!now)
		return right;
	if (now->is_discarded_wrong)
		right.events = 0;
	else if (count && count + 1 != now && count->discarded <= now->discarded)
		right.events = now->discarded - count->discarded;
	if (now->is_sequence_wrong)
		right.packets = 0;
	else if (number && number + 1 != now && number->sequence < now->sequence)
		right.packets = now->sequence - number->sequence - (uint64_t)(now - number);
	return right;
}

/* The packet before, without anything: it says since when records were lost. */
static int put_before(struct stream *stream)
{
	int rc;

	if (!stream->has_before || stream->has_before_output)
		return 0;
	rc = need_packet(stream, stream->before_end_ticks);
	return rc ? rc : packets_end(&stream->packets, stream->before_end_ticks);
}

static int take_loss(struct stream *stream, const struct ctf_item *item,
		     enum edit_verdict *ret_verdict)
{
	const struct ctf_lost lost = lost_in(stream, &item->lost);
	int rc;

	*ret_verdict = judge(stream, item);
	if (*ret_verdict != EDIT_KEEP || (!lost.events && !lost.packets))
		return 0;
	rc = put_before(stream);
	if (rc)
		return rc;
	stream->edit->totals.lost_events += lost.events;
	stream->edit->totals.lost_packets += lost.packets;
	packets_lose(&stream->packets, lost.events, lost.packets);
	return is_foreign(stream) ? 0 : need_packet(stream, stream->begin_ticks);
}

/* ---- all of it ---- */

static int take(struct stream *stream, const struct ctf_item *item, enum edit_verdict *ret_verdict)
{
	int rc = stream->rc;

	*ret_verdict = EDIT_KEEP;
	if (rc)
		return fail(stream, rc);
	switch (item->kind) {
	case CTF_ITEM_EVENT:
		return fail(stream, take_event(stream, item, ret_verdict));
	case CTF_ITEM_LOST:
		return fail(stream, take_loss(stream, item, ret_verdict));
	case CTF_ITEM_DAMAGE:
		break;
	}
	return take_damage(stream, item);
}

static int take_all(struct stream *stream)
{
	enum edit_verdict verdict = EDIT_KEEP;
	const struct ctf_item *item;
	uint64_t items = 0;
	int rc = 0, more = 0;

	while (!rc && verdict != EDIT_END && (more = read_stream_next(stream->reader, &item)) > 0) {
		rc = take(stream, item, &verdict);
		if (!rc && edit_is_stopped(stream->edit))
			rc = error_set(stream->edit->e, -EINTR, "interrupted");
		if (!(++items % ITEMS_PER_STEP))
			edit_progress(stream->edit, read_stream_done_bytes(stream->reader));
	}
	stream->edit->progress.done_bytes += read_stream_done_bytes(stream->reader);
	if (!rc && more < 0)
		rc = error_set(stream->edit->e, more, "no memory");
	return rc ? rc : fail(stream, stream->rc);
}

static int finish(struct stream *stream)
{
	int rc = close_packet(stream);

	if (!rc && packets_has_file(&stream->packets))
		rc = packets_close(&stream->packets);
	return fail(stream, rc);
}

static void count(struct stream *stream)
{
	struct edit_totals *totals = &stream->edit->totals;

	totals->streams += stream->packets.packet_count != 0;
	totals->packets += stream->packets.packet_count;
	totals->bytes += stream->packets.bytes;
	if (stream->left_out_count > NOTES_MAX)
		edit_repaired(stream->edit, "%s: %llu more parts were left out",
			      source_file_name(stream->path ? stream->path : ""),
			      (unsigned long long)(stream->left_out_count - NOTES_MAX));
	if (stream->mended_count > NOTES_MAX)
		edit_repaired(stream->edit, "%s: %llu more times of packets were wrong",
			      source_file_name(stream->path),
			      (unsigned long long)(stream->mended_count - NOTES_MAX));
	if (!stream->impossible_count)
		return;
	totals->damages++;
	edit_repaired(stream->edit, "%s: left out %llu event%s that cannot have been at their time",
		      source_file_name(stream->path), (unsigned long long)stream->impossible_count,
		      stream->impossible_count == 1 ? "" : "s");
}

/* The packets of a file that were swapped are read in their order from the first one on. */
static void begin_in_order(struct stream *stream)
{
	const struct times_packet *first = times_next(&stream->times, NULL);

	if (!stream->times.is_sorted)
		return;
	edit_repaired(stream->edit, "%s: its packets were not in the order of time; they are now",
		      source_file_name(first->path));
	read_stream_skip_to(stream->reader, first->offset, 0);
}

int edit_stream(struct edit *edit, const struct source_trace *trace, size_t at, int dir_fd,
		int index_dir_fd, size_t *ret_next)
{
	struct stream stream = {
		.edit = edit,
		.trace = trace,
		.dir_fd = dir_fd,
		.index_dir_fd = index_dir_fd,
	};
	int rc = packets_init(&stream.packets, trace->trace, edit_is_plain(edit, trace->trace));

	if (rc)
		return error_set(edit->e, rc, "no memory");
	rc = source_stream(trace, at, ret_next, &stream.reader);
	if (!rc)
		rc = times_read(trace->trace, &trace->parts[at], *ret_next - at, &stream.times);
	if (rc) {
		read_stream_free(stream.reader);
		packets_fini(&stream.packets);
		return error_set(edit->e, rc, "no memory");
	}
	stream.packets.instance = stream.times.instance;
	begin_in_order(&stream);
	read_stream_watch(stream.reader, next_packet, &stream);
	rc = take_all(&stream);
	if (!rc)
		rc = finish(&stream);
	count(&stream);
	packets_fini(&stream.packets);
	times_fini(&stream.times);
	read_stream_free(stream.reader);
	free(stream.writer.data);
	return rc;
}
