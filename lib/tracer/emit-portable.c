/* SPDX-License-Identifier: MIT */
/*
 * emit-portable.c - a record into a ring that has an owner word (ring/writer-portable.c).
 */
#include "tracer/call_drain.h"
#include "tracer/clock.h"
#include "tracer/emit.h"

/* A thread with another name is another writer: its next record is to tell. The emission may be the
 * parent's, below which this child was forked, but not the owner. */
static struct ring_writer writer_of(const struct target *t)
{
	const struct ring_record *record = &t->emission->record;
	uint32_t tid = tacho_thread.in_vfork ? record->tid : tacho_thread.tid;

	return (struct ring_writer){
		.owner = tacho_ring_owner(tacho_tracer.pid_namespace, tid),
		.name = (uint64_t)tacho_thread.name_changes << 32 | record->pid,
	};
}

static bool is_last(const struct tacho_ring *ring, const struct ring_writer *writer)
{
	return tacho_load_relaxed(&ring->state_writer) == writer->owner &&
	       tacho_load_relaxed(&ring->state_name) == writer->name;
}

/* The caller owns the ring. Return: RING_RESTART if it is full. */
static enum ring_result append_owned(struct target *t, uint32_t shard,
				     const struct ring_writer *writer)
{
	struct ring_record *record = &t->emission->record;
	struct ring_append append = emit_append(t);
	struct tacho_ring *ring = ring_of_cpu(&t->ring, shard);
	uint64_t head = tacho_load_relaxed(&ring->head);
	bool same_head = head && tacho_load_relaxed(&ring->state_head) == head;
	bool known = same_head && is_last(ring, writer);
	uint64_t now = clock_now(t->emission->attachment->session);
	enum ring_result result = RING_NEW_WINDOW;
	struct ring_slot slot;
	int lost;

	/* Two CPUs' counters may differ by a few ticks, but a ring's records are in order. */
	if (same_head && now < tacho_load_relaxed(&ring->state_ts))
		now = tacho_load_relaxed(&ring->state_ts);
	if (known) {
		ring_plan_state(&t->ring, shard, head, &slot);
		if (ring_slot_fits(&slot, record)) {
			ring_plan_short(&append, &slot, record);
			result = ring_append_owned(&append, now, writer);
		}
	}
	if (result != RING_NEW_WINDOW)
		return result;
	lost = ring_plan_extended(&append, &t->ring, shard, head, known, record);
	if (lost == 1 + TACHO_LOST_FULL)
		return RING_RESTART;
	if (lost) {
		emit_count_lost(&t->ring, shard, (enum tacho_lost)(lost - 1));
		return RING_DONE;
	}
	result = ring_append_owned(&append, now, writer);
	t->has_completed = result == RING_DONE && append.is_switch && append.closing;
	return result;
}

enum try_shard { SHARD_DONE, SHARD_BUSY, SHARD_FULL, SHARD_NO_MEMORY };

/* Marked before it is so, and until it is no more so: a child that is forked in a signal handler leaves
 * the ring to its parent, process.c. Return: true if nobody else owns it. */
static bool own_and_append(struct target *t, uint32_t shard, enum ring_result *ret_result)
{
	struct tacho_ring *ring = ring_of_cpu(&t->ring, shard);
	struct ring_writer writer;
	bool owned;

	tacho_thread.owning++;
	tacho_fence_signal();
	writer = writer_of(t);
	owned = tacho_load_relaxed(&tacho_tracer.wiped->pid) &&
		ring_own(ring, writer.owner, !tacho_load_relaxed(&tacho_tracer.gave_up_calls));
	if (owned) {
		*ret_result = append_owned(t, shard, &writer);
		ring_disown(ring);
	}
	tacho_fence_signal();
	tacho_thread.owning--;
	return owned;
}

static enum try_shard try_shard(struct target *t, uint32_t shard)
{
	enum ring_result result;

	if (!channel_allocate(t->emission->attachment, t->index, t->channel, shard))
		return SHARD_NO_MEMORY;
	emit_see_futex(t, shard);
	if (!own_and_append(t, shard, &result))
		return SHARD_BUSY;
	if (t->has_completed)
		call_drain(t->emission->attachment);
	t->has_other_rules = result == RING_OTHER_RULES;
	return result == RING_RESTART ? SHARD_FULL : SHARD_DONE;
}

static bool shard_exists(const struct target *t, uint32_t shard)
{
	return tacho_load_acquire(&t->ring.map->allocated[shard / 64]) >> (shard % 64) & 1;
}

/*
 * A thread stays with the shard where it last succeeded. One that is owned by another is most likely
 * about to be free, unless its owner was preempted: so the others that exist are tried a few times,
 * and then one more is made. Only when all there may be are owned for long is the record lost.
 */
#define SHARD_ROUNDS         100
#define SHARD_ROUNDS_TO_GROW 2

static enum try_shard try_shards(struct target *t)
{
	uint32_t count = t->ring.ring_count, shard = tacho_thread.shard % count;
	enum try_shard got = SHARD_BUSY;

	for (uint32_t i = 0; i < SHARD_ROUNDS * count; i++) {
		bool may_grow = i == 0 || i >= SHARD_ROUNDS_TO_GROW * count;
		enum emit_wait wait;

		if (may_grow || shard_exists(t, shard))
			got = try_shard(t, shard);
		wait = got == SHARD_FULL ? emit_wait(t, shard) : EMIT_WAIT_OVER;
		if (wait == EMIT_WAIT_GONE)
			return SHARD_DONE;
		if (wait == EMIT_WAIT_AGAIN) {
			i = 0;
			continue;
		}
		tacho_thread.shard = shard;
		if (got == SHARD_DONE || got == SHARD_FULL)
			break;
		shard = (shard + 1) % count;
	}
	return got;
}

void emit_portable(struct target *t)
{
	static const enum tacho_lost reason[] = {
		[SHARD_BUSY] = TACHO_LOST_CONTENDED,
		[SHARD_FULL] = TACHO_LOST_FULL,
		[SHARD_NO_MEMORY] = TACHO_LOST_NO_MEMORY,
	};
	enum try_shard got = try_shards(t);

	if (got != SHARD_DONE)
		emit_count_lost(&t->ring, tacho_thread.shard % t->ring.ring_count, reason[got]);
}
