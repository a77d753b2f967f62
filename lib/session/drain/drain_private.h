/* SPDX-License-Identifier: MIT */
/*
 * drain_private.h - what drain.c and drain_chunk.c share: a drain, and how it changes from one chunk
 * of the trace to the next.
 */
#ifndef TACHO_SESSION_DRAIN_DRAIN_PRIVATE_H
#define TACHO_SESSION_DRAIN_DRAIN_PRIVATE_H

#include <sys/stat.h>
#include <time.h>

#include "session/drain/disk_limits.h"
#include "session/drain/drain_doze.h"
#include "session/drain/ring_copy.h"
#include "session/kernel/pump.h"
#include "session/session.h"

struct drain {
	struct session *session;
	struct trace_output output; /* without a trace where it could not be opened */
	struct ring_set set;
	struct kernel_pumps *pumps; /* NULL: nothing of the kernel is recorded */
	uint64_t spared; /* channels of the kernel module that record nothing of this thread */
	struct ring_cuts *cuts; /* where the current chunk begins; NULL: the first */
	struct limits limits;
	struct doze doze;
	bool moved; /* did the last look find anything new? */
	uint64_t looked_ns; /* CLOCK_MONOTONIC when the session was last seen in its directory */
	ino_t inode;        /* of the session's file */
	uint64_t instance;
	struct timespec shm_changed; /* when /dev/shm was, as far as it was looked at */
	bool in_trouble;
	/* Rotation by time: since when, and how often, to notice when that is changed. */
	uint64_t scheduled_ns;
	uint64_t every_ns;
	uint64_t retry_ns; /* not before: the last chunk could not be ended */
};

uint64_t monotonic_ns(void);

/* drain_has_wishes() - of a chunk that is to end */
bool drain_has_wishes(const struct drain *drain);

/* drain_chunk_limit() - of @ns, as many as pass until the chunk is to end */
uint64_t drain_chunk_limit(const struct drain *drain, uint64_t ns);

/*
 * drain_pump_away() - for a clear: take out of the kernel what it holds, all of which is of before. Where
 * the rings are full, what is in them goes first; the ring's end is the caller's to cut.
 *
 *      pump  ->  full?  drop, release, pump again  ->  empty  ->  drop_rings(), cut_rings(), commit
 *
 * Killed in between, the wish to clear is still there, and the next drain drops the rest. Losses stay
 * counted, since the kernel's buffers are emptied and not reset.
 */
int drain_pump_away(struct drain *drain, struct tacho_error *error);

/* drain_copy_rest() - all that the rings hold, and the metadata that goes with it. */
int drain_copy_rest(struct drain *drain, struct tacho_error *error);

/* drain_chunk_open() - take up the current chunk, or begin it. Return: 0; or what kept it from being
 * written: then there is no trace, and it may be tried again. */
int drain_chunk_open(struct drain *drain, struct tacho_error *error);

/*
 * drain_chunk_end() - archive the current chunk, or remove it, with all that the rings hold
 *
 * The drain has no trace then, whatever the result. On failure the chunk is still the current one.
 */
int drain_chunk_end(struct drain *drain, bool is_clear, struct tacho_error *error);

/*
 * drain_chunk_step() - do what was asked for since the last time, or is due
 *
 * Return: 0; -EAGAIN: that failed, and it is not yet time to try again; or a negative errno. The drain
 * has a trace or not, that tells whether it can copy.
 */
int drain_chunk_step(struct drain *drain, struct tacho_error *error);

#endif
