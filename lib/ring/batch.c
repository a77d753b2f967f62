/* SPDX-License-Identifier: MIT */
/* batch.c - see batch.h */
#include "ring/batch.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/process.h"
#include "ring/writer.h"

static uint64_t subbuf_bytes(const struct ring_batch *batch)
{
	return 1ull << batch->rings->subbuf_shift;
}

static void take_up(struct ring_batch *batch, uint64_t number)
{
	uint64_t begin = number << batch->rings->subbuf_shift;

	batch->limit = begin + subbuf_bytes(batch) - TACHO_SLACK_BYTES;
	batch->bias = (uint8_t *)batch->ring +
		      tacho_subbuf_at(number, batch->rings->subbuf_count,
				      batch->rings->subbuf_shift) -
		      begin;
	batch->has_last = false;
}

/* A process that was killed is a zombie until its parent has time for it; the kernel says that it lives. */
static bool own(struct tacho_ring *ring, uint64_t me)
{
	uint64_t owner;

	if (ring_own(ring, me, true))
		return true;
	owner = tacho_load_acquire(&ring->owner);
	return owner != me && owner >> 32 && owner >> 32 == me >> 32 &&
	       process_is_over((pid_t)owner) && tacho_cmpxchg_acq_rel(&ring->owner, &owner, me);
}

int ring_batch_open(struct ring_batch *batch, const struct rings *rings, uint32_t cpu)
{
	uint64_t me = tacho_ring_owner(process_pid_namespace(), (uint32_t)syscall(SYS_gettid));
	struct tacho_ring *ring;

	if (!ring_is_allocated(rings, cpu))
		return -EAGAIN;
	ring = (struct tacho_ring *)((char *)rings->map + tacho_ring_at(cpu, rings->stride));
	if (!own(ring, me))
		return -EBUSY;
	*batch = (struct ring_batch){ .rings = rings, .ring = ring };
	batch->head = tacho_load_relaxed(&ring->head);
	batch->position = batch->head;
	if (batch->head)
		take_up(batch, tacho_open_subbuf(batch->head, rings->subbuf_shift));
	/* What others have written before is not looked at: the next header is a long one. */
	batch->last_ts = tacho_load_relaxed(&ring->state_ts);
	return 0;
}

void ring_batch_close(struct ring_batch *batch)
{
	ring_disown(batch->ring);
}

static uint8_t *put_word(uint8_t *at, uint64_t timestamp, uint32_t mark)
{
	uint32_t word = tacho_header_word(timestamp, mark);

	memcpy(at, &word, sizeof(word));
	return at + sizeof(word);
}

static uint8_t *put_short(uint8_t *at, uint32_t id, uint64_t timestamp)
{
	uint16_t id16 = (uint16_t)id;

	if (id <= TACHO_ID_COMPACT_MAX)
		return put_word(at, timestamp, id);
	at = put_word(at, timestamp, TACHO_ID_MEDIUM);
	memcpy(at, &id16, sizeof(id16));
	return at + sizeof(id16);
}

static uint8_t *put_extended(uint8_t *at, uint32_t id, uint64_t timestamp)
{
	*at = TACHO_BIG_ENDIAN ? TACHO_ID_EXTENDED << 3 : TACHO_ID_EXTENDED;
	memcpy(at + TACHO_EXTENDED_ID, &id, sizeof(id));
	memcpy(at + TACHO_EXTENDED_TS, &timestamp, sizeof(timestamp));
	return at + TACHO_EXTENDED_BYTES;
}

static uint8_t *put_header(struct ring_batch *batch, uint8_t *at, uint32_t id, uint64_t timestamp)
{
	bool is_short = batch->has_last && id <= TACHO_ID_MEDIUM_MAX &&
			timestamp >> TACHO_WINDOW_SHIFT == batch->last_ts >> TACHO_WINDOW_SHIFT;

	at = is_short ? put_short(at, id, timestamp) : put_extended(at, id, timestamp);
	batch->last_ts = timestamp;
	batch->has_last = true;
	return at;
}

static uint8_t *put_writer(struct ring_batch *batch, uint8_t *at,
			   const struct ring_batch_thread *thread, uint64_t timestamp)
{
	size_t length = strnlen(thread->name, sizeof(thread->name) - 1);

	at = put_header(batch, at, TACHO_ID_WRITER, timestamp);
	memcpy(at, &thread->pid, sizeof(thread->pid));
	memcpy(at + 4, &thread->tid, sizeof(thread->tid));
	memcpy(at + 8, thread->name, length);
	at[8 + length] = 0;
	batch->thread = *thread;
	return at + 8 + length + 1;
}

int ring_batch_begin_any(struct ring_batch *batch, const struct ring_batch_thread *thread, uint32_t id,
			 uint64_t timestamp, uint64_t room, uint8_t **ret_payload)
{
	uint64_t bytes = RING_BATCH_HEADERS_BYTES_MAX + room;
	uint8_t *at;

	if (bytes > subbuf_bytes(batch) - TACHO_SLACK_BYTES)
		return -E2BIG;
	if (batch->position + bytes > batch->limit)
		return -ENOBUFS;
	if (timestamp < batch->last_ts)
		timestamp = batch->last_ts;
	at = batch->bias + batch->position;
	if (!ring_batch_is_of(batch, thread))
		at = put_writer(batch, at, thread, timestamp);
	*ret_payload = put_header(batch, at, id, timestamp);
	return 0;
}

void ring_batch_publish(struct ring_batch *batch)
{
	/* write:B and open:F, pair with read:A */
	tacho_store_release(&batch->ring->head, batch->position);
	/* Behind it: killed in between, the next owner believes in an older time, not in a later one. */
	tacho_store_relaxed(&batch->ring->state_ts, batch->last_ts);
	batch->head = batch->position;
}

static bool is_full(const struct ring_batch *batch, uint64_t number)
{
	uint32_t count = batch->rings->subbuf_count;

	if (batch->rings->mode == TACHO_MODE_OVERWRITE || number < count)
		return false;
	/* open pairs with read:E: the drain's copy before our reuse */
	return number - count >= tacho_load_acquire(&batch->ring->released);
}

static void close_subbuf(const struct ring_batch *batch, uint64_t number, uint64_t end_ts)
{
	struct tacho_subbuf *entry = &batch->ring->subbuf[number % batch->rings->subbuf_count];

	tacho_store_relaxed(&entry->end_ts, end_ts);
	tacho_store_relaxed(&entry->content_end, batch->head);
	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		tacho_store_relaxed(&entry->lost_before_close[i],
				    tacho_load_relaxed(&batch->ring->lost[i]));
}

int ring_batch_switch(struct ring_batch *batch, uint64_t timestamp)
{
	uint64_t number = 0;
	struct tacho_subbuf *entry;

	if (batch->head)
		number = tacho_open_subbuf(batch->head, batch->rings->subbuf_shift) + 1;
	if (is_full(batch, number))
		return -ENOSPC;
	if (timestamp < batch->last_ts)
		timestamp = batch->last_ts;
	tacho_store_relaxed(&batch->ring->opened, number + 1);
	/* open:B pairs with read:C: opened before the bytes that overwrite */
	tacho_fence_release();
	if (number)
		close_subbuf(batch, number - 1, timestamp);
	entry = &batch->ring->subbuf[number % batch->rings->subbuf_count];
	tacho_store_relaxed(&entry->begin_ts, timestamp);
	tacho_store_relaxed(&entry->subbuf_number, number);
	take_up(batch, number);
	batch->position = number << batch->rings->subbuf_shift;
	return 0;
}
