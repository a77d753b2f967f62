/* SPDX-License-Identifier: MIT */
/*
 * times.h - which of the times and counts that the packets of a stream say can be believed.
 *
 * Of a sound stream they never go back:
 *
 *      begin 0 <= end 0 <= begin 1 <= end 1 <= ..
 *
 * Where they do, as few as possible are taken to be wrong: the others are a longest sequence that
 * does not go back. What is wrong is found anew from the events, which are between what was written
 * before and the first time behind their packet that is right. Packets of a file of which fewer are
 * wrong in the order of their begins were swapped, and are read in that order.
 *
 * A count of lost events, or a packet's number, is wrong where without it the one before and the one
 * behind fit together. Counters may start anew, so it is not more than one that is.
 */
#ifndef TACHO_EDIT_TIMES_H
#define TACHO_EDIT_TIMES_H

#include "source.h"

struct times_packet {
	const char *path; /* of its file, as the source has it */
	uint64_t offset;
	const struct read_stream_layout *class;
	uint64_t begin_ticks, end_ticks;
	uint64_t instance; /* number of the stream, among those of its class */
	uint64_t discarded, sequence;
	bool has_times, has_sequence;
	bool is_begin_right, is_end_right;
	bool is_discarded_wrong, is_sequence_wrong;
	bool is_foreign;      /* of another stream than most packets of these files */
	uint64_t limit_ticks; /* no event of it is later */
};

/* Packets in the order in which they are to be read. */
struct times {
	struct times_packet *packets;
	size_t count, capacity;
	bool is_sorted;    /* which is not that of the file */
	uint64_t instance; /* that of most of them */
};

/*
 * times_read() - look at the heads of all packets of a stream
 * @parts: its files
 *
 * Return: 0 or -ENOMEM; with what was read nothing has to be done then.
 */
int times_read(const struct read_trace *trace, const struct read_part *parts, size_t count,
	       struct times *ret_times);
void times_fini(struct times *times);

/* times_find() - the packet at a place, near the one that was @last; NULL: it is not known */
const struct times_packet *times_find(const struct times *times, const struct times_packet *last,
				      const char *path, uint64_t offset);
/* times_next() - the packet to be read behind another one, or first; NULL: there is none */
const struct times_packet *times_next(const struct times *times, const struct times_packet *packet);

/* times_limit() - the last time of a clock that can be said in nanoseconds since 1970, in 63 bits */
uint64_t times_limit(const struct read_clock *clock);

#endif
