/* SPDX-License-Identifier: MIT */
/* event_ids.c - see event_ids.h */
#include "base/event_ids.h"

#include <errno.h>
#include <string.h>

static uint32_t *bucket(struct tacho_events *events, uint64_t index)
{
	return (uint32_t *)((char *)events + TACHO_EVENTS_BUCKETS_AT) +
	       index % TACHO_EVENT_BUCKETS;
}

static uint32_t *entry(struct tacho_events *events, uint32_t id)
{
	return (uint32_t *)((char *)events + TACHO_EVENTS_ENTRIES_AT) + id;
}

/* What is looked for. */
struct wanted {
	uint64_t contexts;
	const struct tacho_desc *desc;
	uint64_t bytes; /* of both, in the table */
};

static bool is_same(struct tacho_events *events, uint32_t id, const struct wanted *wanted)
{
	const struct tacho_event_class *class;
	uint32_t at;

	if (id >= TACHO_EVENT_IDS)
		return false;
	at = tacho_load_acquire(entry(events, id)); /* pairs with add:C */
	if (at < TACHO_EVENTS_DESCS_AT || at % 8 ||
	    at + wanted->bytes > events->allocated_bytes ||
	    at + wanted->bytes > TACHO_EVENTS_BYTES)
		return false;
	class = (const void *)((char *)events + at);
	return class->contexts == wanted->contexts &&
	       !memcmp(&class->desc, wanted->desc, wanted->desc->bytes);
}

/* Return: the id, 0 if it is not there; *ret_bucket: the empty one that ended the search, or NULL */
static uint32_t find(struct tacho_events *events, const struct wanted *wanted,
		     uint32_t **ret_bucket)
{
	uint64_t first = tacho_event_bucket(wanted->contexts, wanted->desc->hash);

	*ret_bucket = NULL;
	for (uint64_t i = 0; i < TACHO_BUCKET_PROBES; i++) {
		uint32_t *b = bucket(events, first + i);
		uint32_t id = tacho_load_acquire(b);

		if (!id) {
			*ret_bucket = b;
			return 0;
		}
		if (is_same(events, id, wanted))
			return id;
	}
	return 0;
}

static int add(struct tacho_events *events, const struct wanted *wanted, uint32_t *empty,
	       event_ids_grow *grow, void *arg)
{
	struct tacho_event_class *class;
	uint32_t none = 0, id;
	uint64_t at;

	if (tacho_load_relaxed(&events->next_id) >= TACHO_EVENT_IDS - 64 ||
	    tacho_load_relaxed(&events->next_byte) >=
		    TACHO_EVENTS_BYTES - 64 * TACHO_DESC_BYTES_MAX)
		return -ENOSPC;
	/* add:A */
	id = tacho_fetch_add_acq_rel(&events->next_id, 1);
	at = tacho_fetch_add_acq_rel(&events->next_byte, wanted->bytes);
	if (id >= TACHO_EVENT_IDS || at < TACHO_EVENTS_DESCS_AT || at % 8 ||
	    at + wanted->bytes > TACHO_EVENTS_BYTES || grow(events, at + wanted->bytes, arg))
		return -ENOSPC;
	class = (void *)((char *)events + at);
	class->contexts = wanted->contexts; /* add:B */
	memcpy(&class->desc, wanted->desc, wanted->desc->bytes);
	tacho_store_release(entry(events, id), (uint32_t)at); /* add:C */
	if (empty)
		tacho_cmpxchg_acq_rel(empty, &none, id); /* add:D */
	return (int)id;
}

int event_ids_get(struct tacho_events *events, uint64_t contexts, const struct tacho_desc *desc,
		  event_ids_grow *grow, void *arg)
{
	struct wanted wanted = {
		.contexts = contexts,
		.desc = desc,
		.bytes = offsetof(struct tacho_event_class, desc) + desc->bytes,
	};
	uint32_t *empty;
	uint32_t id = find(events, &wanted, &empty);

	return id ? (int)id : add(events, &wanted, empty, grow, arg);
}
