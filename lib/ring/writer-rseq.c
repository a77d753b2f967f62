/* SPDX-License-Identifier: MIT */
/*
 * writer-rseq.c - find out whether restartable sequences work here, and what else C has to add to
 * writer-x86_64.S and writer-aarch64.S. On machines without such a file rseq counts as missing.
 */
#include "ring/have-rseq.h"
#include "ring/writer-layout.h"

__thread struct ring_thread tacho_thread = {
	.slot = { [0 ... RING_SLOTS - 1] = { .tag = RING_SLOT_TAG_EMPTY } },
	.no_rseq = { .cpu_id = UINT32_MAX },
};

uint32_t ring_contexts_number = 1;

int64_t ring_rseq_at = offsetof(struct ring_thread, no_rseq);

#ifdef TACHO_HAVE_RSEQ

#include <sys/rseq.h>

static struct rseq *rseq_area(void)
{
	return (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);
}

bool ring_rseq_init(void)
{
	if (__rseq_size == 0 || ring_cpu() >= TACHO_CPUS_MAX)
		return false;
	/* The same in all threads: both are in the static part of thread-local storage. */
	tacho_store_relaxed(&ring_rseq_at, (char *)rseq_area() - (char *)&tacho_thread);
	return true;
}

uint32_t ring_cpu(void)
{
	return tacho_load_relaxed(&rseq_area()->cpu_id);
}

#else

bool ring_rseq_init(void)
{
	return false;
}

uint32_t ring_cpu(void)
{
	return UINT32_MAX;
}

enum ring_result ring_append(struct ring_append *append)
{
	(void)append;
	return RING_GONE; /* no channel has rings for this writer */
}

int ring_slot_copy(struct ring_slot *to, const struct ring_slot *from)
{
	(void)from;
	to->tag = RING_SLOT_TAG_EMPTY;
	return 0;
}

void tacho_emit_word_slow(struct tacho_event *event, uint64_t payload, uint64_t bytes,
			  const void *caller, uint32_t done_tag);

void tacho_emit_word(struct tacho_event *event, uint64_t payload, uint64_t bytes)
{
	tacho_emit_word_slow(event, payload, bytes, __builtin_return_address(0), 0);
}

#endif

#ifndef TACHO_HAVE_RSEQ_PARTS

void tacho_emit_parts_slow(struct tacho_event *event, const struct tacho_part *parts,
			   uint32_t count, const void *caller, uint32_t done_tag);

void tacho_emit_parts(struct tacho_event *event, const struct tacho_part *parts, uint32_t count)
{
	tacho_emit_parts_slow(event, parts, count, __builtin_return_address(0), 0);
}

void tacho_emit_parts_from(struct tacho_event *event, const struct tacho_part *parts,
			   uint32_t count, const void *caller)
{
	tacho_emit_parts_slow(event, parts, count, caller, 0);
}

#endif
