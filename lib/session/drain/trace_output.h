/* SPDX-License-Identifier: MIT */
/*
 * trace_output.h - the trace that a session's rings are copied to, and its metadata: which events
 * there are, and how the clock runs. Used by the drain and by snapshots.
 */
#ifndef TACHO_SESSION_DRAIN_TRACE_OUTPUT_H
#define TACHO_SESSION_DRAIN_TRACE_OUTPUT_H

#include "ctf/write/trace.h"
#include "session/drain/event_table.h"
#include "session/session.h"

struct trace_output {
	const struct session *session;
	struct ctf_trace *trace;  /* of programs' events */
	struct ctf_trace *kernel; /* of the kernel's; NULL: there was no channel for them yet */
	char dir[TACHO_PATH_BYTES];
	struct event_table events;
	bool has_metadata;
	bool is_limited;        /* disk_limits.h holds for it */
	bool is_of_past;        /* the clock that it was recorded with is another one now */
	uint32_t channel_count; /* that the metadata has */
	uint64_t end_ts;        /* later records are left out; 0: none */
	uint64_t refine_at_ns;  /* CLOCK_MONOTONIC when the clock is worth a new estimate */
	/* drain_carrier and drain_damaged of the session file, which outlive a drain, or what a
	 * snapshot has in their place. */
	uint32_t *carrier;
	uint32_t *damaged;
	uint32_t own_carrier;
	uint32_t own_damaged;
};

/* trace_output_open() - begin a trace in @dir, or go on with the one that is there.
 * @uuid: of a new trace; NULL: any */
int trace_output_open(const struct session *session, const char *dir, const uint8_t *uuid,
		      struct trace_output *ret_output, struct tacho_error *error);
/* trace_output_open_past() - the same of what was recorded before the machine started again. */
int trace_output_open_past(const struct session *session, const char *dir,
			   struct trace_output *ret_output, struct tacho_error *error);
/* trace_output_open_events() - the same without a trace: only to understand what the rings hold. */
int trace_output_open_events(const struct session *session, struct trace_output *ret_output,
			     struct tacho_error *error);
void trace_output_close(struct trace_output *output);

/* trace_output_of() - the trace that a channel's streams are in; after trace_output_prepare() */
struct ctf_trace *trace_output_of(const struct trace_output *output, uint32_t channel);

/* trace_output_learn() - what the ids mean of all events that are in rings by now; a negative errno */
int trace_output_learn(struct trace_output *output);

/*
 * trace_output_prepare() - before a packet is written: declare what its records may need
 *
 * To be called after the packet's content was looked at; see "events" in format/runtime.h.
 */
int trace_output_prepare(struct trace_output *output, struct tacho_error *error);

/* trace_output_finish() - write the metadata with the best estimate of the clock. */
int trace_output_finish(struct trace_output *output, struct tacho_error *error);

#endif
