/* SPDX-License-Identifier: MIT */
/*
 * ring_copy.h - copy a session's rings to a trace, one stream a ring.
 *
 * Where a copy stands is not kept anywhere but in the trace itself: the number of a sub-buffer is
 * the number of its packet. So a copy that was killed is taken up without a gap and without a
 * doubled packet.
 */
#ifndef TACHO_SESSION_DRAIN_RING_COPY_H
#define TACHO_SESSION_DRAIN_RING_COPY_H

#include "ctf/write/trace.h"
#include "ring/rings.h"
#include "session/drain/record_walk.h"
#include "session/drain/ring_cut.h"
#include "session/drain/trace_output.h"

/* One ring on its way to its stream. */
struct ring_copy {
	const struct ring_set *set; /* that it is in */
	struct rings *rings;
	uint32_t cpu;
	uint32_t channel; /* index in the session */
	uint32_t writer_kind;
	struct ctf_stream *stream; /* NULL: nothing was copied yet */
	struct ring_cut cut;       /* where the trace begins in the ring */
	uint64_t next;             /* number of the sub-buffer to copy next */
	uint64_t closed_end;       /* below it, all was written that there will be; 0: unknown */
	uint64_t lost_put;         /* of the ring, as the last packet that was written tells */
	uint64_t lost_streamless;  /* of the ring, while it has no record, when last counted */
	uint64_t bytes; /* of records that were copied; those of a growing one each time */
	/* Of the open sub-buffer, which is copied again as it grows. */
	struct record_walk walk;
	uint64_t walk_number; /* the sub-buffer that @walk is in */
	/* Packets that end before their sub-buffer, since a record in it cannot be described; each
	 * is shown as one lost record at least. */
	uint64_t cut_count;
	uint64_t damaged_end; /* damage in sub-buffers below it is counted */
	uint64_t head_seen;   /* when last looked at */
	uint64_t head_copied;
	uint64_t copied_ns; /* CLOCK_MONOTONIC */
};

/* All rings of a session, in the order of its channels: who comes later has a higher number. */
struct ring_set {
	struct rings rings[2 * TACHO_CHANNELS_MAX];
	uint32_t channel[2 * TACHO_CHANNELS_MAX]; /* that they are of: index in the session */
	uint32_t rings_count;
	uint32_t channel_count;
	struct ring_copy *copies;
	uint32_t copy_count;
	const struct ring_cuts *cuts; /* where the trace begins; NULL: with all that there is */
	uint64_t lost_unattributed;   /* when last counted */
};

int ring_set_open(const struct session *session, struct ring_set *ret_set,
		  struct tacho_error *error);

/* ring_set_refresh() - add the rings of channels that the session got meanwhile. What is there stays
 * as it is, also on failure; but a struct ring_copy moves. */
int ring_set_refresh(const struct session *session, struct ring_set *set,
		     struct tacho_error *error);

/* ring_set_add_copies() - one for each ring of set->rings[@first_rings] and all behind it, which
 * come in pairs: of a channel the one of either kind. Return: 0 or -ENOMEM. */
int ring_set_add_copies(struct ring_set *set, uint32_t first_rings);

/* ring_set_begin() - close all streams; from now on the rings are copied to another trace, which
 * begins at @cuts (kept). Return: 0, or the first error of closing a stream. */
int ring_set_begin(struct ring_set *set, const struct ring_cuts *cuts, struct tacho_error *error);

/* ring_set_count_losses() - look at what no stream of its own tells of; once a round. */
void ring_set_count_losses(struct ring_set *set);

/* ring_set_close() - Return: 0, or the first error of closing a stream. */
int ring_set_close(struct ring_set *set, struct tacho_error *error);

/* How an open sub-buffer is copied. */
enum copy_purpose {
	COPY_GROWING,  /* live: it will be copied again */
	COPY_STOPPED,  /* the last time for now; it may be copied again after the next start */
	COPY_SNAPSHOT, /* the last time */
	COPY_IN_PLACE, /* the same of a complete one that may be overwritten meanwhile */
};

/*
 * ring_copy_put() - copy one sub-buffer
 *
 * Return: 0; -EAGAIN: not there yet, or its end cannot be told yet; -ESTALE: overwritten before or
 * during the copy; -EBADMSG: the ring is damaged there; or an error of the trace. The first two
 * leave @error alone.
 */
int ring_copy_put(struct ring_copy *copy, struct trace_output *output, uint64_t number,
		  enum copy_purpose purpose, struct tacho_error *error);

/* ring_copy_put_view() - the same of a view that cannot change any more: its content was copied. */
int ring_copy_put_view(struct ring_copy *copy, struct trace_output *output,
		       const struct ring_view *view, struct tacho_error *error);
/* ring_copy_put_in_place() - the same of a complete one whose content is still in the ring; -ESTALE as
 * above. */
int ring_copy_put_in_place(struct ring_copy *copy, struct trace_output *output,
			   const struct ring_view *view, struct tacho_error *error);

/* ring_copy_last_ts() - the clock of the last record of an open sub-buffer; 0: it cannot be told */
uint64_t ring_copy_last_ts(struct ring_copy *copy, const struct trace_output *output,
			   const struct ring_view *view);

/*
 * ring_copy_cut() - where the next chunk begins, after all of the ring was copied or dropped
 * @is_told: this one tells of what was lost in rings without a record
 */
struct ring_cut ring_copy_cut(const struct ring_copy *copy, bool is_told);

/* ring_copy_drop() - pass over all that the ring holds now. */
void ring_copy_drop(struct ring_copy *copy, struct trace_output *output);

/* ring_copy_view_bytes() - how many bytes of records ring_copy_put_view() would write of it; their
 * events must be known (trace_output_prepare()). */
uint64_t ring_copy_view_bytes(struct ring_copy *copy, const struct trace_output *output,
			      const struct ring_view *view);

/* ring_copy_note_damage() - count that sub-buffer @number, or a part of it, is not copied since it is
 * damaged: once, however often it is found. */
void ring_copy_note_damage(struct ring_copy *copy, struct trace_output *output, uint64_t number);

/* ring_copy_is_skipped() - does this result of ring_copy_put() mean that the sub-buffer can never
 * be copied, so that the next one's turn is now? Otherwise trying again may help. */
bool ring_copy_is_skipped(int result);

/* ring_copy_kind() - as streams are named: of the kernel's rings there is but one file, so that they need
 * no name of their own. */
enum tacho_writer_kind ring_copy_kind(const struct tacho_session *file,
				      const struct ring_copy *copy);

/* ring_copy_resume() - open the stream, if there is anything to copy, and find out what is in it
 * already. */
int ring_copy_resume(struct ring_copy *copy, struct trace_output *output,
		     struct tacho_error *error);

#endif
