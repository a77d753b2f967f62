/* SPDX-License-Identifier: MIT */
/*
 * plan.c - decide where a record goes and what is written with it. Nothing here touches a ring;
 * ring_append() checks again that the decision still holds, and carries it out.
 */
#include <string.h>

#include "ring/writer.h"

static uint32_t short_header_bytes(const struct ring_record *record)
{
	return record->id <= TACHO_ID_COMPACT_MAX ? TACHO_COMPACT_BYTES : TACHO_MEDIUM_BYTES;
}

static uint32_t short_bytes(const struct ring_record *record)
{
	return short_header_bytes(record) + record->context_bytes;
}

static char *put_contexts(char *at, const struct ring_record *record)
{
	if (record->context_bytes)
		memcpy(at, record->contexts, record->context_bytes);
	return at + record->context_bytes;
}

static uint64_t limit_of(const struct ring_channel *channel, uint64_t number)
{
	return ((number + 1) << channel->subbuf_shift) - TACHO_SLACK_BYTES;
}

bool ring_slot_fits(const struct ring_slot *slot, const struct ring_record *record)
{
	return record->id <= TACHO_ID_MEDIUM_MAX &&
	       slot->head + short_bytes(record) + record->payload_bytes <= slot->limit;
}

static void plan_parts(struct ring_append *append, const struct ring_record *record,
		       uint64_t prefix_bytes)
{
	append->prefix = record->prefix;
	append->prefix_bytes = prefix_bytes;
	append->parts = record->parts;
	append->part_count = record->part_count;
}

/* The word that ring_append() stores over the prefix's first four bytes has the timestamp. */
static uint32_t short_header(struct ring_record *record)
{
	uint16_t id = (uint16_t)record->id;

	memset(record->prefix, 0, TACHO_COMPACT_BYTES);
	memcpy(record->prefix + TACHO_COMPACT_BYTES, &id, sizeof(id));
	put_contexts(record->prefix + short_header_bytes(record), record);
	return record->id <= TACHO_ID_COMPACT_MAX ? record->id : TACHO_ID_MEDIUM;
}

void ring_plan_short(struct ring_append *append, const struct ring_slot *slot,
		     struct ring_record *record)
{
	uint64_t prefix_bytes = short_bytes(record);

	append->ring = slot->ring;
	append->expected_head = slot->head;
	append->new_head = slot->head + prefix_bytes + record->payload_bytes;
	append->dest = (char *)(uintptr_t)(slot->bias + slot->head);
	append->cpu = slot->cpu;
	append->window = slot->window;
	append->mark = short_header(record);
	append->is_switch = 0;
	plan_parts(append, record, prefix_bytes);
}

/* An extended header, whose timestamp ring_append() fills in. */
static char *put_extended(char *at, uint32_t id)
{
#if TACHO_BIG_ENDIAN
	*at = (char)(TACHO_ID_EXTENDED << 3);
#else
	*at = TACHO_ID_EXTENDED;
#endif
	memcpy(at + TACHO_EXTENDED_ID, &id, sizeof(id));
	return at + TACHO_EXTENDED_BYTES;
}

static char *put_writer(char *at, const struct ring_record *record)
{
	const struct ring_thread *thread = &tacho_thread;
	size_t name_bytes = strnlen(thread->name, TACHO_THREAD_NAME_BYTES - 1);

	at = put_extended(at, TACHO_ID_WRITER);
	memcpy(at, &record->pid, sizeof(record->pid));
	memcpy(at + 4, &record->tid, sizeof(record->tid));
	memcpy(at + 8, thread->name, name_bytes);
	at[8 + name_bytes] = 0;
	return at + 8 + name_bytes + 1;
}

/* Return: the prefix's bytes; *ret_event_at: where in it the event's own header is. */
static uint64_t plan_prefix(struct ring_record *record, bool with_writer, uint64_t *ret_event_at)
{
	char *at = record->prefix;

	if (with_writer)
		at = put_writer(at, record);
	*ret_event_at = (uint64_t)(at - record->prefix);
	at = put_contexts(put_extended(at, record->id), record);
	return (uint64_t)(at - record->prefix);
}

static void plan_place(struct ring_append *append, const struct ring_channel *channel,
		       uint64_t position, uint64_t prefix_bytes, uint64_t event_at,
		       const struct ring_record *record)
{
	uint64_t number = tacho_subbuf_of(position, channel->subbuf_shift);
	uint64_t offset = position & ((1ull << channel->subbuf_shift) - 1);
	char *subbuf = (char *)append->ring +
		       tacho_subbuf_at(number, channel->subbuf_count, channel->subbuf_shift);

	append->new_head = position + prefix_bytes + record->payload_bytes;
	append->dest = subbuf + offset;
	append->ts_at[0] = append->dest + event_at + TACHO_EXTENDED_TS;
	append->ts_at[1] = event_at ? append->dest + TACHO_EXTENDED_TS : NULL;
}

/* Discard and blocking mode: is the place of sub-buffer @number still to be drained? */
static bool is_full(const struct ring_channel *channel, const struct tacho_ring *ring,
		    uint64_t number)
{
	if (channel->mode == TACHO_MODE_OVERWRITE || number < channel->subbuf_count)
		return false;
	/* switch:A pairs with read:E: the drain's copy before our reuse */
	return number - channel->subbuf_count >= tacho_load_acquire(&ring->released);
}

static void plan_switch(struct ring_append *append, const struct ring_channel *channel,
			uint64_t number)
{
	struct tacho_subbuf *table = append->ring->subbuf;

	append->is_switch = 1;
	append->opened = number + 1;
	append->closing = number ? &table[(number - 1) % channel->subbuf_count] : NULL;
	append->opening = &table[number % channel->subbuf_count];
	append->opening_number = number;
}

/* Does not even an empty sub-buffer hold it? */
static bool is_too_big(const struct ring_channel *channel, struct ring_record *record)
{
	uint64_t event_at;

	return plan_prefix(record, true, &event_at) + record->payload_bytes > limit_of(channel, 0);
}

int ring_plan_extended(struct ring_append *append, const struct ring_channel *channel, uint32_t cpu,
		       uint64_t head, bool same_writer, struct ring_record *record)
{
	uint64_t event_at, bytes, number = 0, position = head;

	if (is_too_big(channel, record))
		return 1 + TACHO_LOST_TOO_BIG;
	append->ring = ring_of_cpu(channel, cpu);
	append->expected_head = head;
	append->cpu = cpu;
	append->mark = RING_EXTENDED;
	append->is_switch = 0;
	bytes = plan_prefix(record, !same_writer, &event_at);
	if (head)
		number = tacho_open_subbuf(head, channel->subbuf_shift);
	if (!head || head + bytes + record->payload_bytes > limit_of(channel, number)) {
		number += head != 0;
		if (is_full(channel, append->ring, number))
			return 1 + TACHO_LOST_FULL;
		plan_switch(append, channel, number);
		bytes = plan_prefix(record, true, &event_at);
		position = number << channel->subbuf_shift;
	}
	plan_place(append, channel, position, bytes, event_at, record);
	plan_parts(append, record, bytes);
	return 0;
}

void ring_plan_slot(const struct ring_append *append, const struct ring_channel *channel,
		    struct ring_slot *ret_slot)
{
	uint64_t number = tacho_open_subbuf(append->new_head, channel->subbuf_shift);
	uint64_t start = append->is_switch ? number << channel->subbuf_shift : append->expected_head;

	*ret_slot = (struct ring_slot){
		.ring = append->ring,
		.head = append->new_head,
		.limit = limit_of(channel, number),
		.bias = (uint64_t)(uintptr_t)append->dest - start,
		.window = (uint32_t)(append->ret_ts >> TACHO_WINDOW_SHIFT),
		.tag = append->live_tag,
		.cpu = append->cpu,
	};
}

void ring_plan_state(const struct ring_channel *channel, uint32_t cpu, uint64_t head,
		     struct ring_slot *ret_slot)
{
	struct tacho_ring *ring = ring_of_cpu(channel, cpu);
	uint64_t number = tacho_open_subbuf(head, channel->subbuf_shift);
	char *subbuf = (char *)ring +
		       tacho_subbuf_at(number, channel->subbuf_count, channel->subbuf_shift);
	uint64_t bias = (uint64_t)(uintptr_t)subbuf - (number << channel->subbuf_shift);

	*ret_slot = (struct ring_slot){
		.ring = ring,
		.head = head,
		.limit = limit_of(channel, number),
		.bias = bias,
		.window = (uint32_t)(tacho_load_relaxed(&ring->state_ts) >> TACHO_WINDOW_SHIFT),
		.tag = channel->tag,
		.cpu = cpu,
	};
}
