/* SPDX-License-Identifier: MIT */
/*
 * read_packet.h - one packet of a stream's file in memory, with what its header and context say.
 */
#ifndef TACHO_CTF_READ_PACKET_H
#define TACHO_CTF_READ_PACKET_H

#include "read_decode.h"
#include "read_trace.h"

#define READ_PACKET_BYTES_MAX (1ull << 31)

struct read_packet {
	uint8_t *data;
	size_t capacity;
	const struct read_stream_layout *stream;
	uint64_t offset; /* in the file, in bytes */
	uint64_t bytes;  /* of the whole packet */
	bool is_cut;     /* the file ends before the packet does */

	uint64_t begin_ticks, end_ticks;
	uint64_t discarded;
	uint64_t sequence;
	bool has_times, has_sequence;
	int32_t cpu; /* CTF_CPU_NONE */
};

/*
 * read_packet_load() - read the packet at an offset; the decoder then stands at its first event
 * @packet: in the first call zeroed; its memory is used again
 *
 * Return: 1, 0 (the file ends at @offset), -EPROTO or -ENODATA (damaged; d->why), -ENOMEM, or what
 * reading gave.
 */
int read_packet_load(struct read_packet *packet, const struct read_trace *trace, const char *path,
		     uint64_t offset, struct read_decoder *d);
void read_packet_fini(struct read_packet *packet);

#endif
