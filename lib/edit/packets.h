/* SPDX-License-Identifier: MIT */
/*
 * packets.h - the packets of one stream of a new trace, made of those of another.
 *
 *      packets_file(packets, dir_fd, index_fd, "channel0_1", &error);     a file of the stream
 *      packets_open(packets, source, begin_ticks);                        head of a packet
 *      packets_add(packets, &record);                                     as often as you like
 *      packets_end(packets, end_ticks);                                   sizes, counts: written
 *      packets_close(packets);                                            with its index
 *
 * A packet's header and context are those of a packet of the source, but for times, sizes, the
 * count of lost events and the sequence number, which are made anew. An event's header may hold the
 * low bits of a clock only; what a reader would make of it behind the event before is found out
 * with the reader's own decoder. Where that is wrong, as events between them were left out, a new
 * packet begins, which says the time in full: packets_add() does that.
 *
 * Lost records are counted up by packets_lose(), and stand in the packet that is open, or the next.
 */
#ifndef TACHO_EDIT_PACKETS_H
#define TACHO_EDIT_PACKETS_H

#include "copy.h"
#include "ctf/index.h"
#include "ctf/read/packet.h"
#include "ctf/read/trace.h"

/* An event, as it stands in a packet of the source. */
struct packets_record {
	const struct read_event *event;
	const uint8_t *data;
	uint64_t from, to; /* bits of the data; as far as padding goes, those of the packet */
	uint64_t ticks;    /* its full time */
	bool is_moved;     /* it is to have that time, and not the one that stands in it */
};

struct packets {
	const struct read_trace *trace;
	int fd;           /* of the file; -1: none */
	int index_dir_fd; /* borrowed */
	char *index_name;
	struct ctf_index *index; /* NULL: none is written, as packets do not say their sizes */
	uint64_t offset;         /* of the next packet, in bytes */

	struct bits bits; /* the packet that is open */
	struct copy copy; /* .is_plain: it is CTF 1.8 that is made of CTF 2 */
	struct read_decoder decoder; /* what a reader of the new stream would know */
	bool is_open;
	bool has_records;   /* the packet that is open */
	bool is_begin_free; /* .. begins with its first event, be it later */
	bool has_sizes;     /* packets say how large they are: there may be several */
	bool has_times;
	const struct read_packet *source; /* the last one; the reader's, so soon another one */
	const struct read_stream_layout *class; /* of it */
	uint64_t begin_ticks, last_ticks;
	uint64_t floor_ticks; /* the packet before ended then; no packet begins earlier */

	uint64_t discarded; /* records that were lost so far */
	uint64_t sequence;  /* of the next packet */
	uint64_t instance;  /* of the stream, where packets say it */
	bool has_begun;     /* `sequence` is known */

	uint64_t packet_count, event_count, split_count, bytes; /* in all files */
	const char *why;                                        /* text of the last error */
};

/*
 * packets_init()
 * @is_plain: as plain.h says
 *
 * Return: 0 or -ENOMEM.
 */
int packets_init(struct packets *packets, const struct read_trace *trace, bool is_plain);
/* packets_fini() - drops a file that was not closed */
void packets_fini(struct packets *packets);

/*
 * packets_file() - begin a file; one that is open must have been closed
 * @index_dir_fd: -1: without an index
 *
 * Return: 0, -EEXIST, or what open() gave.
 */
int packets_file(struct packets *packets, int dir_fd, int index_dir_fd, const char *name);
bool packets_has_file(const struct packets *packets);
/* packets_close() - Return: 0 or a negative errno. */
int packets_close(struct packets *packets);

/*
 * packets_open() - begin a packet like @source, whose data must stay until the packet is ended
 * packets_free_begin() - its begin is not known: it is that of its first event
 *
 * Return of these: 0, -ENOMEM, -EFBIG, -ENODATA or -EPROTO (the source is damaged), -ENOTSUP (the
 * stream cannot have another packet); packets->why says which.
 */
int packets_open(struct packets *packets, const struct read_packet *source, uint64_t begin_ticks);
void packets_free_begin(struct packets *packets);
int packets_add(struct packets *packets, const struct packets_record *record);
/* Also what write() gave. No packet is open: nothing is done. */
int packets_end(struct packets *packets, uint64_t end_ticks);

/* packets_number() - the first packet has this number, and not that of its source */
void packets_number(struct packets *packets, uint64_t sequence);

void packets_lose(struct packets *packets, uint64_t events, uint64_t lost_packets);

#endif
