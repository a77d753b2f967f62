/* SPDX-License-Identifier: MIT */
/*
 * edit.h - make a new trace of others: a part of one, a sound one of a damaged one, one of several.
 *
 *      source.h     the traces that there are, stream by stream
 *        |  an item of a stream: an event, a loss, damage
 *        v
 *      edit.c       is it wanted? (request.judge)
 *        |
 *        v
 *      packets.h    packets of the new stream, and their index
 *      output.h     the new directory
 *
 * Every event is copied bit by bit, so that its fields mean what they meant. The metadata are those
 * of the source; or they are written anew (tsdl.h, ctf/write/ctf2.h), where another format is asked for
 * or a part of them cannot be read. What CTF 2 has and CTF 1.8 has not is written as something else
 * then (plain.h).
 *
 * Packets of the new trace are those of the source, without what is not wanted; those of which
 * nothing is wanted are left out. Losses that are wanted are kept with their span of time: the
 * packet before one is there, be it empty. Sequence numbers go on by 1, and by as many as there
 * are packets lost.
 *
 * Several inputs become several directories of one: each trace keeps its streams and ids. Of their
 * clocks, those that are one and the same (their UUIDs say so, LTTng's and Tacho's are the boot's)
 * are given one offset to the time of day, that of the first trace, as each trace has measured its
 * own; and all can be compared then, which their metadata says. A correction is one of the clocks:
 * of their offsets, and of their frequencies.
 *
 * Records "tacho:writer", which say which thread wrote what follows them, are no events of their
 * own: they are kept as far as an event needs one, and have the time of that event where their own
 * is no longer in the trace.
 */
#ifndef TACHO_EDIT_EDIT_H
#define TACHO_EDIT_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "ctf/read/reader.h"

enum edit_verdict {
	EDIT_DROP,
	EDIT_KEEP,
	EDIT_END, /* nor is anything behind it in its stream */
};

enum edit_format {
	EDIT_AS_IS, /* each trace in that of its source */
	EDIT_CTF1,  /* 1.8 */
	EDIT_CTF2,
};

/*
 * What is to be added to the times of a trace: the same to all, or so much at one time and so much at
 * another one, and in proportion between and around them, for a clock that is too fast or too slow. Times
 * are those that the trace has, in nanoseconds since 1970; two that are the same: the first is added.
 */
struct edit_correction {
	int64_t offset_ns[2];
	uint64_t at_ns[2];
};

struct edit_request {
	const char *const *inputs; /* directories */
	size_t input_count;
	const char *output;
	enum edit_format format;
	bool is_repair; /* go on behind damage, and say all that is done about it */

	/* Is an event or loss wanted? Stream by stream, not by time. NULL: all are. */
	enum edit_verdict (*judge)(void *data, const struct ctf_item *item);
	/* Of a trace of an input. NULL: none. */
	struct edit_correction (*correct)(void *data, size_t input, const struct read_trace *trace);
	/* What is done, or was found to be wrong, in words. */
	void (*note)(void *data, const char *text);
	/* Is it to be given up? */
	bool (*is_stopped)(void *data);
	/* So much of so much is done. Called often. NULL: nobody wants to know. */
	void (*progress)(void *data, uint64_t done, uint64_t total);
	void *data;
};

struct edit_totals {
	uint64_t traces, streams, packets, events, bytes;
	uint64_t lost_events, lost_packets;
	uint64_t damages; /* parts that could not be read */
	uint64_t repairs; /* things that are other than in the source, as that was wrong */
};

/*
 * edit_run() - Return: 0; -EINTR: it was given up; -EEXIST: the output is there; -ENOENT: there is
 * no trace; or what reading or writing gave. Then there is no output.
 */
int edit_run(const struct edit_request *request, struct tacho_error *e,
	     struct edit_totals *ret_totals);

#endif
