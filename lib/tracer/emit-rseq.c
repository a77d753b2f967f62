/* SPDX-License-Identifier: MIT */
/*
 * emit-rseq.c - a record into a ring of restartable sequences: plan it (ring/plan.c), ring_append();
 * again if that was interrupted.
 */
#include "tracer/call_drain.h"
#include "tracer/emit.h"

#include <string.h>

/* A record that takes longer to copy than signals are apart would be restarted for ever. */
#define RESTARTS_MAX 1000

/* The thread's slot, if it is for this channel and CPU and nobody wrote since. */
static bool know_ring(const struct target *t, uint32_t cpu, uint64_t head,
		      struct ring_slot *ret_slot)
{
	return !ring_slot_copy(ret_slot, &tacho_thread.slot[t->channel->slot_index]) &&
	       ret_slot->tag == t->ring.tag && ret_slot->cpu == cpu && ret_slot->head == head;
}

static void keep_slot(const struct ring_append *append, const struct target *t)
{
	struct ring_slot slot;

	/* It would be the parent's. */
	if (tacho_thread.in_vfork)
		return;
	ring_plan_slot(append, &t->ring, &slot);
	ring_slot_copy(&tacho_thread.slot[t->channel->slot_index], &slot);
}

/* Return: true if the record need not be tried again, as it is lost */
static bool is_given_up(struct target *t, uint32_t cpu, enum tacho_lost reason)
{
	enum emit_wait wait = reason == TACHO_LOST_FULL ? emit_wait(t, cpu) : EMIT_WAIT_OVER;

	if (wait == EMIT_WAIT_OVER)
		emit_count_lost(&t->ring, cpu, reason);
	return wait != EMIT_WAIT_AGAIN;
}

static bool is_done(struct target *t, uint32_t cpu, const struct ring_append *append,
		    enum ring_result result)
{
	if (result == RING_DONE)
		keep_slot(append, t);
	if (result == RING_DONE && append->is_switch && append->closing)
		call_drain(t->emission->attachment);
	t->has_other_rules = result == RING_OTHER_RULES;
	if (result != RING_RESTART)
		return true;
	if (++t->restarts < RESTARTS_MAX)
		return false;
	emit_count_lost(&t->ring, cpu, TACHO_LOST_CONTENDED);
	return true;
}

/* Try once. Return: false to try again. */
static bool try_rseq(struct target *t, uint32_t cpu)
{
	struct ring_record *record = &t->emission->record;
	struct ring_append append = emit_append(t);
	uint64_t head = tacho_load_relaxed(&ring_of_cpu(&t->ring, cpu)->head);
	enum ring_result result = RING_NEW_WINDOW;
	struct ring_slot slot;
	bool known = know_ring(t, cpu, head, &slot);
	int lost;

	if (known && ring_slot_fits(&slot, record)) {
		ring_plan_short(&append, &slot, record);
		result = ring_append(&append);
	}
	if (result == RING_NEW_WINDOW) {
		lost = ring_plan_extended(&append, &t->ring, cpu, head, known, record);
		if (lost)
			return is_given_up(t, cpu, (enum tacho_lost)(lost - 1));
		result = ring_append(&append);
	}
	return is_done(t, cpu, &append, result);
}

/* The contexts were found before, and the thread may have moved. */
static void note_cpu(struct target *t, uint32_t cpu)
{
	if (t->emission->cpu_at)
		memcpy(t->emission->cpu_at, &cpu, sizeof(cpu));
}

void emit_rseq(struct target *t)
{
	uint32_t cpu;

	do {
		cpu = ring_cpu();
		if (cpu >= t->ring.ring_count ||
		    !channel_allocate(t->emission->attachment, t->index, t->channel, cpu)) {
			emit_count_lost(&t->ring, cpu, TACHO_LOST_NO_MEMORY);
			return;
		}
		emit_see_futex(t, cpu);
		note_cpu(t, cpu);
	} while (!try_rseq(t, cpu));
}
