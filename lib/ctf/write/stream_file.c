/* SPDX-License-Identifier: MIT */
/* stream_file.c - the file a stream is writing: its name, its beginning, its end */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/fd.h"
#include "ctf/file.h"
#include "ctf/index.h"
#include "stream_private.h"
#include "stream_walk.h"
#include "trace_private.h"

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

void stream_name_file(struct ctf_stream *stream)
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

int stream_set_names(struct ctf_stream *stream, const struct ctf_stream_spec *spec)
{
	const char *kind = spec->writer_kind == TACHO_WRITER_PORTABLE ? "portable_" : "";
	/* ".", "_portable_", ten digits, "_", twenty more and ".idx" have to fit as well. */
	char channel[NAME_MAX - 46];
	int err = *spec->channel ? escape_name(spec->channel, channel, sizeof(channel)) : -EINVAL;

	if (err)
		return err;
	snprintf(stream->base, sizeof(stream->base), "%s_%s%u", channel, kind, spec->cpu);
	stream_name_file(stream);
	return 0;
}

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

int stream_write_index(struct ctf_stream *stream)
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
int stream_make_file(struct ctf_stream *stream)
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
void stream_leave_file(struct ctf_stream *stream)
{
	close(stream->fd);
	stream->fd = -1;
	stream->bytes_before += stream_next_at(stream);
	stream->is_hidden = true;
	stream->number++;
	if (stream->limit_count)
		stream->number %= stream->limit_count;
	stream_name_file(stream);
	unlinkat(stream->trace->index_fd, stream->index_name, 0);
}

/* Complete the file. */
int stream_end_file(struct ctf_stream *stream)
{
	int err = stream_trim(stream);

	if (!err)
		err = stream_write_index(stream);
	if (!err)
		stream_leave_file(stream);
	return err;
}
