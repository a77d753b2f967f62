/* SPDX-License-Identifier: MIT */
/*
 * batch.h - write many records to a ring by a tool, which holds its owner word (writer.h): what the
 * kernel recorded (session/kernel/pump.h). The protocol is that of format/ring.h; but records are
 * many to a commit.
 *
 *      ring_batch_open()                  own the ring
 *      ring_batch_begin()     +           a header, and tacho:writer where another thread goes on
 *      ring_batch_end()       | repeated  the payload ends here
 *      ring_batch_publish()               ONE store of head makes all of them exist
 *      ring_batch_switch()                where a sub-buffer is full
 *      ring_batch_close()
 *
 * Killed at any instruction, what was not published does not exist, and the next to open the ring
 * goes on at the same head.
 */
#ifndef TACHO_RING_BATCH_H
#define TACHO_RING_BATCH_H

#include <string.h>

#include "format/record.h"
#include "ring/rings.h"

/* Whom a record is about: the thread that the CPU ran. */
struct ring_batch_thread {
	uint32_t pid;
	uint32_t tid;
	char name[TACHO_THREAD_NAME_BYTES]; /* zeros behind it, at least one */
};

struct ring_batch {
	const struct rings *rings;
	struct tacho_ring *ring;
	uint64_t head;     /* published */
	uint64_t position; /* behind what was written, but not yet published */
	uint64_t limit;    /* no record may pass it; 0: no sub-buffer is open */
	uint8_t *bias;     /* address of a byte - its position */
	uint64_t last_ts;
	bool has_last;     /* of the open sub-buffer, by this batch: short headers can follow */
	struct ring_batch_thread thread; /* as long as has_last */
};

/* ring_batch_open() - Return: 0; -EBUSY: another process that lives owns the ring; -EAGAIN: the ring
 * has no memory yet (ring_allocate()). */
int ring_batch_open(struct ring_batch *batch, const struct rings *rings, uint32_t cpu);
/* ring_batch_close() - what was not published is dropped. */
void ring_batch_close(struct ring_batch *batch);

/* Both headers, and what tells who writes. */
#define RING_BATCH_HEADERS_BYTES_MAX (TACHO_WRITER_BYTES_MAX + TACHO_EXTENDED_BYTES)

/* ring_batch_is_of() - is the thread the one of the record before? */
static inline bool ring_batch_is_of(const struct ring_batch *batch,
				    const struct ring_batch_thread *thread)
{
	return batch->has_last && !memcmp(&batch->thread, thread, sizeof(*thread));
}

/* ring_batch_begin_any() - ring_batch_begin(), whatever header it takes */
int ring_batch_begin_any(struct ring_batch *batch, const struct ring_batch_thread *thread,
			 uint32_t id, uint64_t timestamp, uint64_t room, uint8_t **ret_payload);

/*
 * ring_batch_begin() - the header of a record
 * @timestamp: not before that of the record before; one that is, is taken as equal
 * @room: that the payload can need at most
 * @ret_payload: where it is to be written
 *
 * Return: 0; -ENOBUFS: the sub-buffer is full: publish, switch, try again; -E2BIG: not even an empty
 * one would hold it.
 */
static inline int ring_batch_begin(struct ring_batch *batch, const struct ring_batch_thread *thread,
				   uint32_t id, uint64_t timestamp, uint64_t room,
				   uint8_t **ret_payload)
{
	uint32_t word = tacho_header_word(timestamp, id);
	bool is_next = timestamp >= batch->last_ts && timestamp >> TACHO_WINDOW_SHIFT ==
							      batch->last_ts >> TACHO_WINDOW_SHIFT;

	/* Nearly always a word is enough. */
	if (!is_next || id > TACHO_ID_COMPACT_MAX || !ring_batch_is_of(batch, thread) ||
	    batch->position + RING_BATCH_HEADERS_BYTES_MAX + room > batch->limit)
		return ring_batch_begin_any(batch, thread, id, timestamp, room, ret_payload);
	memcpy(batch->bias + batch->position, &word, sizeof(word));
	*ret_payload = batch->bias + batch->position + sizeof(word);
	batch->last_ts = timestamp;
	return 0;
}

static inline void ring_batch_end(struct ring_batch *batch, const uint8_t *payload_end)
{
	batch->position = (uint64_t)(payload_end - batch->bias);
}

/* ring_batch_publish() - all that has ended exists from now on. */
void ring_batch_publish(struct ring_batch *batch);

/*
 * ring_batch_switch() - open the next sub-buffer, after everything was published
 * @timestamp: of the record that comes next
 *
 * Return: 0; -ENOSPC: it was not drained yet (discard mode).
 */
int ring_batch_switch(struct ring_batch *batch, uint64_t timestamp);

#endif
