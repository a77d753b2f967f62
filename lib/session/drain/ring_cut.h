/* SPDX-License-Identifier: MIT */
/*
 * ring_cut.h - where a chunk of a trace begins in each ring, when that is in the middle of a
 * sub-buffer; doc/design/rotation.md tells when a chunk begins.
 *
 *                       sub-buffer k, open when the cut was made
 *      +------------------------------+------------------------------- - - -
 *      | tacho:writer, records        | records
 *      +------------------------------+------------------------------- - - -
 *      |<---------- offset ---------->|
 *       the last packet of the chunk    the first packet of the next one, behind a tacho:writer
 *       before                          that is made from what is noted here: it has an extended
 *                                       header with the time of the record before, so that the
 *                                       short headers that follow mean what they did
 *
 * Written by whoever holds the drain lock, into the session's directory; whole or not at all.
 */
#ifndef TACHO_SESSION_DRAIN_RING_CUT_H
#define TACHO_SESSION_DRAIN_RING_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ctf/write/trace.h"
#include "session/drain/record_walk.h"

#define CUT_ARCHIVE_BYTES 96

/* Of one ring. Zeros: the chunk has all that the ring holds. */
struct ring_cut {
	uint64_t subbuf;    /* the first sub-buffer of the chunk */
	uint64_t offset;    /* from where on in it; 0: from its beginning */
	uint64_t last_ts;   /* of the record before */
	uint64_t lost_base; /* records lost in this ring of which chunks before it tell */
	uint32_t writer_bytes;
	unsigned char writer[RECORD_WRITER_BYTES]; /* payload of the tacho:writer in force */
	uint32_t reserved;
};

/* Of a session: the beginning of its current chunk, and what became of the one before. */
struct ring_cuts {
	uint64_t magic;
	uint32_t version;
	uint32_t ring_count;        /* entries of cut[], in the order of struct ring_set */
	uint64_t chunk;             /* number of the chunk that begins here, the first is 0 */
	uint64_t began_ns;          /* CLOCK_REALTIME */
	uint64_t unattributed_base; /* records lost of no ring, of which chunks before tell */
	uint32_t rotate_wanted;     /* wishes that are fulfilled with it */
	uint32_t clear_wanted;
	uint8_t uuid[CTF_UUID_BYTES];    /* of the trace that begins here */
	char archive[CUT_ARCHIVE_BYTES]; /* name of the chunk before; "": it was cleared away */
	struct ring_cut cut[];
};

/* ring_cuts_new() - zeros, with room for so many rings; NULL: no memory. */
struct ring_cuts *ring_cuts_new(uint32_t ring_count);

/* ring_cuts_get() - that of a ring; zeros for a ring that came later. @cuts may be NULL. */
struct ring_cut ring_cuts_get(const struct ring_cuts *cuts, uint32_t ring);

/* ring_cuts_load() - Return: 0; -ENOENT; -EBADMSG: damaged; -ENOMEM; what read(2) gave. */
int ring_cuts_load(int dir_fd, const char *name, struct ring_cuts **ret_cuts);
int ring_cuts_save(int dir_fd, const char *name, const struct ring_cuts *cuts);

/* ring_cut_prefix() - the tacho:writer that the first packet begins with; @ret_record holds
 * TACHO_WRITER_BYTES_MAX bytes. Return: its bytes; 0 if the packet begins with its sub-buffer. */
uint32_t ring_cut_prefix(const struct ring_cut *cut, unsigned char *ret_record);

#endif
