/* SPDX-License-Identifier: MIT */
/* stream.c - streams of a trace: opened, gone on with, closed; stream_put.c writes to them */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "stream_files.h"
#include "stream_private.h"
#include "stream_walk.h"
#include "trace_private.h"

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
	int err = stream_make_file(stream);

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
	err = end == stream->file_bytes ? 0 : stream_trim(stream);
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
	stream_name_file(stream);
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
	found = stream_set_names(stream, spec);
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
	if (!stream_set_names(stream, spec) && !find_file(stream, NULL))
		stream->fd = file_open_at(trace->dir_fd, stream->name, O_RDONLY, 0);
	if (stream->fd >= 0)
		find_last(stream, &end, NULL);
	is_found = ctf_stream_last(stream, ret_packet);
	free_stream(stream);
	return is_found;
}

void ctf_stream_drop(struct ctf_stream *stream)
{
	if (!stream->limit_bytes || stream->is_hidden)
		return;
	unlinkat(stream->trace->dir_fd, stream->name, 0);
	stream_leave_file(stream);
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
	return stream->bytes_before + stream_next_at(stream);
}

const char *ctf_stream_name(const struct ctf_stream *stream)
{
	return stream->is_hidden ? "" : stream->name;
}

int ctf_stream_close(struct ctf_stream *stream, struct tacho_error *error)
{
	int err = 0;

	if (!stream)
		return 0;
	if (stream->is_hidden) {
		drop_file(stream, stream->hidden_name);
	} else {
		err = stream_trim(stream);
		if (!err)
			err = stream_write_index(stream);
	}
	if (err)
		error_set(error, err, "cannot finish '%s/%s': %s", stream->trace->path,
			  stream->name, strerror(-err));
	free_stream(stream);
	return err;
}
