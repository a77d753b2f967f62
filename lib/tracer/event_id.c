/* SPDX-License-Identifier: MIT */
/*
 * event_id.c - the session's event table (format/runtime.h): find a description or add it. Other
 * programs of the same user write to it, too: nothing in it is trusted further than the mapping
 * reaches.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "tracer/sys.h"
#include "tracer/tracer.h"

#define GROW_BYTES (256u << 10)

static uint32_t *bucket(const struct attachment *a, uint64_t index)
{
	return (uint32_t *)((char *)a->events + TACHO_EVENTS_BUCKETS_AT) +
	       index % TACHO_EVENT_BUCKETS;
}

static uint32_t *entry(const struct attachment *a, uint32_t id)
{
	return (uint32_t *)((char *)a->events + TACHO_EVENTS_ENTRIES_AT) + id;
}

static bool is_same(const struct attachment *a, uint32_t id, const struct tacho_desc *desc)
{
	uint32_t at;

	if (id >= TACHO_EVENT_IDS)
		return false;
	at = tacho_load_acquire(entry(a, id)); /* pairs with add:C */
	if (at < TACHO_EVENTS_DESCS_AT || at + (uint64_t)desc->bytes > a->events->allocated_bytes ||
	    at + (uint64_t)desc->bytes > TACHO_EVENTS_BYTES)
		return false;
	return !memcmp((char *)a->events + at, desc, desc->bytes);
}

/* Return: the id, 0 if it is not there; *ret_bucket: the empty one that ended the search, or NULL */
static uint32_t find(const struct attachment *a, const struct tacho_desc *desc,
		     uint32_t **ret_bucket)
{
	*ret_bucket = NULL;
	for (uint64_t i = 0; i < TACHO_BUCKET_PROBES; i++) {
		uint32_t *b = bucket(a, desc->hash + i);
		uint32_t id = tacho_load_acquire(b);

		if (!id) {
			*ret_bucket = b;
			return 0;
		}
		if (is_same(a, id, desc))
			return id;
	}
	return 0;
}

static int grow(struct attachment *a, uint64_t bytes)
{
	uint64_t old = tacho_load_acquire(&a->events->allocated_bytes);
	char path[TRACER_PATH_BYTES];
	int fd, ret;

	if (bytes <= old)
		return 0;
	bytes = (bytes + GROW_BYTES - 1) / GROW_BYTES * GROW_BYTES;
	if (bytes > TACHO_EVENTS_BYTES || !tracer_path(path, "slots/%u/events", a->slot))
		return -ENOSPC;
	fd = sys_open(path, O_RDWR | O_NOFOLLOW, 0);
	if (fd < 0)
		return fd;
	ret = sys_allocate(fd, TACHO_EVENTS_DESCS_AT, bytes - TACHO_EVENTS_DESCS_AT);
	sys_close(fd);
	while (!ret && old < bytes &&
	       !tacho_cmpxchg_acq_rel(&a->events->allocated_bytes, &old, bytes))
		;
	return ret;
}

static int add(struct attachment *a, const struct tacho_desc *desc, uint32_t *empty)
{
	uint32_t none = 0, id;
	uint64_t at;

	if (tacho_load_relaxed(&a->events->next_id) >= TACHO_EVENT_IDS - 64 ||
	    tacho_load_relaxed(&a->events->next_byte) >=
		    TACHO_EVENTS_BYTES - 64 * TACHO_DESC_BYTES_MAX)
		return -ENOSPC;
	/* add:A */
	id = tacho_fetch_add_acq_rel(&a->events->next_id, 1);
	at = tacho_fetch_add_acq_rel(&a->events->next_byte, (uint64_t)desc->bytes);
	if (id >= TACHO_EVENT_IDS || at < TACHO_EVENTS_DESCS_AT ||
	    at + desc->bytes > TACHO_EVENTS_BYTES || grow(a, at + desc->bytes))
		return -ENOSPC;
	memcpy((char *)a->events + at, desc, desc->bytes); /* add:B */
	tacho_store_release(entry(a, id), (uint32_t)at);   /* add:C */
	if (empty)
		tacho_cmpxchg_acq_rel(empty, &none, id); /* add:D */
	return (int)id;
}

int event_id(struct attachment *a, const struct tacho_desc *desc)
{
	uint32_t *empty;
	uint32_t id = find(a, desc, &empty);

	return id ? (int)id : add(a, desc, empty);
}
