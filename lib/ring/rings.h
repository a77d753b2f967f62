/* SPDX-License-Identifier: MIT */
/*
 * rings.h - a channel's ring file (format/ring.h), from the side of the tools: make it, map it,
 * read it. The tracer has its own, smaller way to map rings (tracer/attach.c).
 *
 *	struct ring_geometry g;
 *	ring_geometry_init(&g, buffer_bytes);
 *	rings_create(dir_fd, "channel0.rings", &parameters, &error);
 *
 *	struct rings rings;
 *	rings_open(dir_fd, "channel0.rings", true, &rings, &error);
 *	for each cpu: ring_newest(), ring_oldest(), ring_view(), copy, ring_view_is_intact(),
 *		      ring_release()
 *	rings_close(&rings);
 *
 * Everything in the file may be changed by a traced program at any time, also by a malicious one:
 * the header is checked once and copied; positions are checked at each use; a view never reaches
 * beyond the mapping. The file may shrink under the mapping: copy a view's content with write(2)
 * and friends, which then fail with EFAULT. rings_open() refuses a file that is too short.
 */
#ifndef TACHO_RING_RINGS_H
#define TACHO_RING_RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/ring.h"

/* How many bytes a user asked for, as sub-buffers. */
struct ring_geometry {
	uint32_t subbuf_count;
	uint32_t subbuf_shift;
	uint64_t stride; /* of a ring in the file: control block and data */
};

/*
 * ring_geometry_init() - the geometry of a ring of about so many bytes
 * @buffer_bytes: TACHO_RING_BYTES_MIN to TACHO_RING_BYTES_MAX; any number, not just powers of two
 *
 * The data is at most @buffer_bytes, and more than 7/8 of it (from 32 KiB up).
 *
 * Return: 0, or -EINVAL if out of range.
 */
int ring_geometry_init(struct ring_geometry *g, uint64_t buffer_bytes);

struct rings_parameters {
	struct ring_geometry geometry;
	uint64_t session_instance;
	uint64_t block_timeout_ns;
	uint32_t ring_count;  /* possible CPUs */
	uint32_t mode;        /* enum tacho_mode */
	uint32_t writer_kind; /* enum tacho_writer_kind */
	uint32_t clock_kind;  /* enum tacho_clock_kind */
};

/*
 * rings_create() - make a ring file; rings are allocated by ring_allocate()
 *
 * Return: 0; -EEXIST; or another negative errno, with @error filled.
 */
int rings_create(int dir_fd, const char *name, const struct rings_parameters *p,
		 struct tacho_error *error);

/* A mapped ring file. Read only, but for the words that a drain writes. */
struct rings {
	struct tacho_rings *map;
	size_t map_bytes;
	int fd;
	/* The header's values, checked. */
	uint32_t ring_count;
	uint32_t subbuf_count;
	uint32_t subbuf_shift;
	uint32_t mode;
	uint32_t clock_kind;
	uint32_t writer_kind;
	uint64_t stride;
	uint64_t session_instance;
};

int rings_open(int dir_fd, const char *name, struct rings *ret_rings, struct tacho_error *error);
void rings_close(struct rings *rings);

/*
 * ring_allocate() - give ring @cpu its memory, now, so that nobody is killed by a full tmpfs later
 *
 * Return: 0 (also if it had it); -ENOSPC and other negative errnos.
 */
int ring_allocate(struct rings *rings, uint32_t cpu);
bool ring_is_allocated(const struct rings *rings, uint32_t cpu);

/* Wake blocked writers; after ring_release(), in blocking mode. */
void ring_wake(struct rings *rings, uint32_t cpu);

/*
 * The sub-buffers of a ring that can be read now are the numbers
 *	ring_oldest() <= k < ring_end()
 * (none if they are equal; also if the ring is not allocated); all but the last, ring_end() - 1,
 * are closed. In discard mode the oldest is the first that was not released.
 */
struct ring_range {
	uint64_t oldest;
	uint64_t end;
	uint64_t head; /* position that `end` was computed from */
	uint64_t released; /* what the ring says; nothing else may be made of it */
};
struct ring_range ring_range(const struct rings *rings, uint32_t cpu);
/* ring_range_kept() - the same, with what was released but is still there. */
struct ring_range ring_range_kept(const struct rings *rings, uint32_t cpu);

/* One sub-buffer, in place. */
struct ring_view {
	uint64_t number;
	const void *content;
	uint64_t content_bytes; /* 0 only for a damaged ring */
	uint64_t begin_ts;
	uint64_t end_ts;        /* of an open one: UINT64_MAX; its last record tells */
	uint64_t lost[TACHO_LOST_REASONS]; /* the ring's, up to when it was closed; for an open one
					    * up to now */
	bool is_open;
};

/*
 * ring_view() - look at sub-buffer @number
 *
 * Return: 0; -EAGAIN: not there yet; -ESTALE: overwritten; -EBADMSG: its description makes no
 * sense (someone wrote to the ring who should not).
 */
int ring_view(const struct rings *rings, uint32_t cpu, uint64_t number, struct ring_view *ret_view);
/* ring_view_kept() - the same, also of one that was released but is still there. */
int ring_view_kept(const struct rings *rings, uint32_t cpu, uint64_t number,
		   struct ring_view *ret_view);

/* ring_view_read() - copy the content from byte @from on, also where the file has become too short
 * for it: then the result is -EFAULT, else 0 or what pread() gave. */
int ring_view_read(const struct rings *rings, uint32_t cpu, const struct ring_view *view,
		   uint64_t from, void *ret_content);

/*
 * ring_view_is_intact() - was it not overwritten before this call? If so, what was copied before
 * the call is good.
 */
bool ring_view_is_intact(const struct rings *rings, uint32_t cpu, const struct ring_view *view);

/* ring_release() - the drain has copied all sub-buffers below @end; writers may reuse them. */
void ring_release(struct rings *rings, uint32_t cpu, uint64_t end);

/* ring_lost() - what was lost on this CPU so far, by reason. */
void ring_lost(const struct rings *rings, uint32_t cpu, uint64_t ret_lost[TACHO_LOST_REASONS]);
/* rings_lost_unattributed() - the same, of records whose CPU is not known. */
void rings_lost_unattributed(const struct rings *rings, uint64_t ret_lost[TACHO_LOST_REASONS]);

#endif
