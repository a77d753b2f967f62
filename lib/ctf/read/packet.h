/* SPDX-License-Identifier: MIT */
/*
 * packet.h - one packet of a stream's file in memory, with what its header and context say.
 *
 * Of a large packet a WINDOW is in memory, from which the decoder reads, and which slides: a trace
 * without sizes of packets is a single packet, of any size.
 *
 *      packet   |header|event|event|event|event|event| .. |event|
 *      window                |<-- data ------------->|              d->pos, d->end: from its begin on
 *               |<- window ->|                                      a multiple of all alignments
 *
 * An event that the window does not have in full is decoded once more, from a window that begins at
 * it; and if it is larger than that, from one of twice the size, up to READ_WINDOW_BYTES_MAX.
 *
 * The file may grow, and lose the room at its end, meanwhile. The last packet of a growing file
 * owns the room up to the file's end (stream_put.c), so a packet that reached there when it was loaded
 * is the last one for us, even if the file is longer by now. Sizes are taken before and after the
 * header is read:
 *
 *      end of the packet >= size before         it is the last
 *      end of its content > size after          the file was cut
 */
#ifndef TACHO_CTF_READ_PACKET_H
#define TACHO_CTF_READ_PACKET_H

#include "decode.h"
#include "trace.h"

#define READ_PACKET_BYTES_MAX (1ull << 31) /* that are in memory as a whole */
#define READ_WINDOW_BYTES_MAX (32ull << 20)

struct read_packet {
	uint8_t *data;
	size_t capacity;
	uint64_t window_bytes; /* so much is read at once; 0: whole packets */
	uint64_t window;       /* where in the packet `data` is, in bytes */
	uint64_t content_bits; /* by its own claim */
	uint64_t have;         /* bytes of it that there are */
	struct ctf_file_id file;
	const struct read_stream_layout *stream;
	uint64_t offset;       /* in the file, in bytes */
	uint64_t bytes;        /* of the whole packet */
	bool is_cut;           /* the file ends before the packet's content does */
	bool is_last;          /* it reaches to the end of the file */
	uint64_t forced_bytes; /* so large is the next one that is loaded, whatever it says; or 0 */

	uint64_t begin_ticks, end_ticks;
	uint64_t discarded;
	uint64_t sequence;
	bool has_times, has_sequence;
	int32_t cpu; /* CTF_CPU_NONE */

	struct ctf_value *values; /* of its context, but those that only readers need */
	uint32_t value_count;
	uint32_t value_capacity;
	bool has_values; /* there are such, or the context is declared to be empty */
	char *texts;     /* of `values`, where the window slides away below them */
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

/*
 * read_packet_peek() - header and context only, of the packet at an offset of an open file
 * @bytes: of the file
 *
 * The packet's place, size, times and counts are set; nothing of its content is there to be decoded.
 *
 * Return: as read_packet_load().
 */
int read_packet_peek(struct read_packet *packet, const struct read_trace *trace, int fd,
		     uint64_t bytes, uint64_t offset, struct read_decoder *d);

/* read_packet_has_more() - is there content behind the window? */
static inline bool read_packet_has_more(const struct read_packet *packet,
					const struct read_decoder *d)
{
	return packet->window + (d->end + 7) / 8 < packet->have;
}

/*
 * read_packet_slide() - move the window on, so that it begins at @pos, or make it larger
 * @pos: in bits, of the window; d->pos is then the same place
 *
 * Return: 0, -EPROTO (an event that is larger than a window may be), -ESTALE (the file is another
 * one by now), -ENOMEM, or what reading gave; with d->why.
 */
int read_packet_slide(struct read_packet *packet, const struct read_trace *trace, const char *path,
		      uint64_t pos, struct read_decoder *d);

/* Which stream a file is of, and where in it. */
struct read_identity {
	struct ctf_file_id file; /* zeroed: it could not be opened */
	bool is_known;           /* else the file is a stream of its own */
	uint64_t stream_id;
	uint64_t instance;
	uint64_t begin_ticks; /* of the first packet */
};

/* read_packet_identify() - look at a file's first packet. Return: 0 or -ENOMEM. */
int read_packet_identify(const struct read_trace *trace, const char *path,
			 struct read_identity *ret_identity);

#endif
