/* SPDX-License-Identifier: MIT */
/* past.c - see past.h */
#include "session/recover/past.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/drain/disk_limits.h"
#include "session/drain/record_walk.h"
#include "session/drain/rotation.h"

/* Of a rotation that was killed behind its one step (doc/design/rotation.md). */
static void go_to_next_chunk(struct past_part *part, int dir_fd)
{
	struct ring_cuts *next;

	if (part->trace || ring_cuts_load(dir_fd, CHUNK_NEXT_FILE, &next))
		return;
	free(part->cuts);
	part->cuts = next;
}

static void open_part(const struct tacho_session *file, int dir_fd, enum tacho_domain domain,
		      struct past_part *part)
{
	if (ring_cuts_load(dir_fd, file->streaming ? CHUNK_FILE : CLEARED_FILE, &part->cuts))
		part->cuts = NULL;
	if (!file->streaming || !file->output[0] || file->mirror_of)
		return;
	if (ctf_trace_open_past(file->output, domain, geteuid(), &part->trace))
		part->trace = NULL;
	go_to_next_chunk(part, dir_fd);
}

void past_open(const struct remains *remains, struct past *ret_past)
{
	const struct tacho_session *file = remains->session.file;

	*ret_past = (struct past){ .file = file };
	open_part(file, remains->session.dir_fd, TACHO_DOMAIN_USER, &ret_past->user);
	open_part(file, remains->session.dir_fd, TACHO_DOMAIN_KERNEL, &ret_past->kernel);
}

static void close_part(struct past_part *part)
{
	ctf_trace_close(part->trace);
	free(part->cuts);
}

void past_close(struct past *past)
{
	close_part(&past->user);
	close_part(&past->kernel);
}

const struct past_part *past_part(const struct past *past, uint32_t channel)
{
	return past->file->channel[channel].domain == TACHO_DOMAIN_KERNEL ? &past->kernel :
									    &past->user;
}

static struct ctf_stream_spec spec_of(const struct past *past, const struct ring_copy *copy)
{
	return (struct ctf_stream_spec){
		.channel = past->file->channel[copy->channel].name,
		.stream_id = copy->channel,
		.cpu = copy->cpu,
		.writer_kind = ring_copy_kind(past->file, copy),
		.subbuf_bytes = 1ull << copy->rings->subbuf_shift,
		.file_bytes = limits_file_bytes(past->file, copy->channel),
	};
}

bool past_last(const struct past *past, const struct ring_copy *copy, struct ctf_packet *ret_last)
{
	const struct past_part *part = past_part(past, copy->channel);
	struct ctf_stream_spec spec;

	if (!part->trace)
		return false;
	spec = spec_of(past, copy);
	return ctf_stream_peek(part->trace, &spec, ret_last);
}

static const struct sound_part *find_part(const struct sound *sound, uint64_t number)
{
	for (uint32_t i = 0; i < sound->part_count; i++) {
		if (sound->part[i].view.number == number)
			return &sound->part[i];
	}
	return NULL;
}

/* How far into its sub-buffer the packet reaches. */
static uint64_t reach(const struct ring_cut *cut, const struct ctf_packet *last)
{
	unsigned char prefix[TACHO_WRITER_BYTES_MAX];

	if (cut->subbuf != last->seq || !cut->offset)
		return last->bytes;
	return cut->offset + last->bytes - ring_cut_prefix(cut, prefix);
}

/* The packet, of a sub-buffer that may have grown since. */
static uint64_t cut_part(const struct sound_part *part, uint64_t offset,
			 const struct event_table *events, struct ring_cut *cut)
{
	struct record_walk walk = { 0 };

	if (offset >= part->view.content_bytes ||
	    record_walk(&walk, events, part->view.content, offset) || !walk.writer_bytes) {
		cut->subbuf = part->view.number + 1;
		cut->offset = 0;
		return 0;
	}
	cut->subbuf = part->view.number;
	cut->offset = offset;
	cut->last_ts = walk.last_ts;
	cut->writer_bytes = walk.writer_bytes;
	memcpy(cut->writer, walk.writer, sizeof(cut->writer));
	return walk.event_count;
}

uint64_t past_cut(const struct ctf_packet *last, const struct sound *sound,
		  const struct event_table *events, struct ring_copy *copy)
{
	const struct sound_part *part = find_part(sound, last->seq);
	struct ring_cut *cut = &copy->cut;
	uint64_t offset = reach(cut, last);

	cut->lost_base += last->discarded;
	if (part)
		return cut_part(part, offset, events, cut);
	cut->subbuf = last->seq + 1;
	cut->offset = 0;
	return 0;
}
