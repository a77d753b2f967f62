/* SPDX-License-Identifier: MIT */
/* event_ids.c - see event_ids.h */
#include "base/event_ids.h"

#include <errno.h>
#include <string.h>

#define GROW_BYTES (256u << 10) /* of descriptions */
#define GROW_IDS   16384

struct bucket_table {
	uint64_t at;
	uint64_t count;
};

static const struct bucket_table first_buckets = { TACHO_EVENTS_BUCKETS_AT, TACHO_EVENT_BUCKETS };
static const struct bucket_table more_buckets = { TACHO_EVENTS_MORE_BUCKETS_AT,
						  TACHO_EVENT_MORE_BUCKETS };

static uint32_t *bucket(struct tacho_events *events, const struct bucket_table *table,
			uint64_t index)
{
	return (uint32_t *)((char *)events + table->at) + index % table->count;
}

static uint32_t *entry(struct tacho_events *events, uint32_t id)
{
	return (uint32_t *)((char *)events + TACHO_EVENTS_ENTRIES_AT) + id;
}

/* ---- memory ---- */

/* Who allocates it, and for whom. */
struct grower {
	event_ids_allocate *allocate;
	void *arg;
};

static void raise_to(uint64_t *mark, uint64_t value)
{
	uint64_t old = tacho_load_relaxed(mark);

	while (old < value && !tacho_cmpxchg_acq_rel(mark, &old, value))
		;
}

static int have_memory(const struct grower *grower, uint64_t begin, uint64_t end)
{
	return grower->allocate(begin, end - begin, grower->arg);
}

static int grow_descs(struct tacho_events *events, uint64_t end, const struct grower *grower)
{
	uint64_t old = tacho_load_acquire(&events->allocated_bytes);
	int ret;

	if (end <= old)
		return 0;
	if (old < TACHO_EVENTS_DESCS_AT)
		old = TACHO_EVENTS_DESCS_AT;
	end = old + (end - old + GROW_BYTES - 1) / GROW_BYTES * GROW_BYTES;
	if (end > TACHO_EVENTS_BYTES)
		end = TACHO_EVENTS_BYTES;
	ret = have_memory(grower, old, end);
	if (!ret)
		raise_to(&events->allocated_bytes, end);
	return ret;
}

static int grow_ids(struct tacho_events *events, uint32_t id, const struct grower *grower)
{
	uint64_t old = tacho_load_acquire(&events->allocated_ids);
	uint64_t end = (uint64_t)id / GROW_IDS * GROW_IDS + GROW_IDS;
	int ret;

	if (id < old)
		return 0;
	ret = have_memory(grower, TACHO_EVENTS_ENTRIES_AT + old * sizeof(uint32_t),
			  TACHO_EVENTS_ENTRIES_AT + end * sizeof(uint32_t));
	if (!ret)
		raise_to(&events->allocated_ids, end);
	return ret;
}

static bool have_more_buckets(struct tacho_events *events, const struct grower *grower)
{
	if (tacho_load_acquire(&events->has_more_buckets))
		return true;
	if (have_memory(grower, TACHO_EVENTS_MORE_BUCKETS_AT, TACHO_EVENTS_DESCS_AT))
		return false;
	tacho_store_release(&events->has_more_buckets, 1);
	return true;
}

/* ---- find, or add ---- */

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

	if (id >= TACHO_EVENT_IDS || id >= tacho_load_acquire(&events->allocated_ids))
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
static uint32_t find_in(struct tacho_events *events, const struct bucket_table *table,
			const struct wanted *wanted, uint32_t **ret_bucket)
{
	uint64_t first = tacho_event_bucket(wanted->contexts, wanted->desc->hash);

	*ret_bucket = NULL;
	for (uint64_t i = 0; i < TACHO_BUCKET_PROBES; i++) {
		uint32_t *b = bucket(events, table, first + i);
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

static uint32_t find(struct tacho_events *events, const struct wanted *wanted,
		     const struct grower *grower, uint32_t **ret_bucket)
{
	uint32_t id = find_in(events, &first_buckets, wanted, ret_bucket);

	if (id || *ret_bucket || !have_more_buckets(events, grower))
		return id;
	return find_in(events, &more_buckets, wanted, ret_bucket);
}

static int add(struct tacho_events *events, const struct wanted *wanted, uint32_t *empty,
	       const struct grower *grower)
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
	    at + wanted->bytes > TACHO_EVENTS_BYTES || grow_ids(events, id, grower) ||
	    grow_descs(events, at + wanted->bytes, grower))
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
		  event_ids_allocate *allocate, void *arg)
{
	const struct grower grower = { allocate, arg };
	struct wanted wanted = {
		.contexts = contexts,
		.desc = desc,
		.bytes = offsetof(struct tacho_event_class, desc) + desc->bytes,
	};
	uint32_t *empty;
	uint32_t id = find(events, &wanted, &grower, &empty);

	return id ? (int)id : add(events, &wanted, empty, &grower);
}
