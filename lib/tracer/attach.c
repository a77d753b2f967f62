/* SPDX-License-Identifier: MIT */
/*
 * attach.c - map a session's files into the process, and let go of them. tracer.h tells how that
 * is safe while other threads record.
 *
 * Attaching builds a private struct attachment and publishes it in attached[slot]; a thread (or
 * signal handler) that was slower throws its own away. Nobody waits.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/mman.h>

#include "base/escape.h"
#include "tracer/sys.h"
#include "tracer/tracer.h"
#include "tracer/trigger_hit.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* A session that could not be attached is tried again at every so manieth event. */
#define RETRY_EVERY 1024

/* ---- windows ---- */

/* Reuse the window's addresses if they suffice; only bigger files need new ones. */
static void *map_fd(int fd, size_t bytes, bool writable, struct window *window)
{
	void *at = bytes <= window->bytes ? window->base : NULL;
	void *map = sys_map(at, bytes, writable, fd);

	if (map && !at)
		*window = (struct window){ map, bytes };
	return map;
}

void *map_file(const char *path, size_t bytes, bool writable, struct window *window)
{
	uint32_t uid, mode;
	uint64_t file_bytes;
	int fd = sys_open(path, writable ? O_RDWR : O_RDONLY, 0);
	void *map = NULL;

	if (fd < 0)
		return NULL;
	if (!sys_stat_fd(fd, &uid, &mode, &file_bytes) && file_bytes >= bytes)
		map = map_fd(fd, bytes, writable, window);
	sys_close(fd);
	return map;
}

/* Whoever still looks there finds zeros, and stores to nobody. */
static void empty_window(const struct window *window)
{
	if (window->base)
		sys_map(window->base, window->bytes, true, -1);
}

/* The same, for ever: a thread that was stopped in the middle of a store must not find the next
 * session there. */
static void abandon_window(struct window *window)
{
	empty_window(window);
	*window = (struct window){ 0 };
}

static void unmap_window(const struct window *window)
{
	if (window->base)
		sys_unmap(window->base, window->bytes);
}

/* ---- channels ---- */

static void fill_channel(struct attached_channel *channel, const struct tacho_rings *h, void *map)
{
	channel->ring = (struct ring_channel){
		.map = map,
		.stride = h->stride,
		.block_timeout_ns = h->block_timeout_ns,
		.ring_count = h->ring_count,
		.subbuf_count = h->subbuf_count,
		.subbuf_shift = h->subbuf_shift,
		.mode = h->mode,
		.clock_kind = h->clock_kind,
		.writer_kind = h->writer_kind,
	};
}

/* The first touch of a page costs a microsecond or more; better here than under an event. Where the
 * kernel cannot do it, the first lap of the ring is slower. */
static void populate(const struct attached_channel *channel)
{
	const struct tacho_rings *map = channel->ring.map;

	for (uint32_t cpu = 0; cpu < channel->ring.ring_count; cpu++) {
		if (tacho_load_acquire(&map->allocated[cpu / 64]) >> (cpu % 64) & 1)
			sys_madvise(ring_of_cpu(&channel->ring, cpu), channel->ring.stride,
				    MADV_POPULATE_WRITE);
	}
}

static int map_rings(int fd, uint64_t instance, struct attached_channel *channel)
{
	struct tacho_rings header;
	uint32_t uid, mode;
	uint64_t bytes;
	void *map;

	if (sys_read(fd, &header, sizeof(header)) != sizeof(header) ||
	    sys_stat_fd(fd, &uid, &mode, &bytes) || !tacho_rings_are_sane(&header, bytes) ||
	    header.session_instance != instance)
		return -EBADMSG;
	map = map_fd(fd, tacho_rings_file_bytes(header.ring_count, header.stride), true,
		     &channel->window);
	if (!map)
		return -ENOMEM;
	fill_channel(channel, &header, map);
	populate(channel);
	return 0;
}

static int open_ring_file(const struct attachment *a, uint32_t index)
{
	const struct tacho_channel *c = &a->session->channel[index];
	char name[TACHO_CHANNEL_NAME_BYTES], escaped[3 * TACHO_CHANNEL_NAME_BYTES];
	char path[TRACER_PATH_BYTES];
	bool rseq = tacho_tracer.rseq_works && a->session->clock_kind == TACHO_CLOCK_COUNTER &&
		    a->session->counter_machine == TACHO_MACHINE;

	memcpy(name, c->name, sizeof(name));
	name[sizeof(name) - 1] = 0;
	if (escape_name(escaped, sizeof(escaped), name) ||
	    !tracer_path(path, "slots/%u/%s.%s", a->slot, escaped, rseq ? "rings" : "shards"))
		return -ENAMETOOLONG;
	return sys_open(path, O_RDWR | O_NOFOLLOW, 0);
}

/* The first channel gets the slot that the fast path looks at. */
static uint32_t take_slot_index(void)
{
	uint32_t used = tacho_load_relaxed(&tacho_tracer.slots_used), free;

	do {
		free = (uint32_t)__builtin_ctz(~used);
		if (free >= RING_SLOTS)
			return RING_SLOTS - 1; /* shared: slower, not wrong */
	} while (!tacho_cmpxchg_acq_rel(&tacho_tracer.slots_used, &used, used | 1u << free));
	return free;
}

/* Only now, so that the threads that lose the race to attach do not take the best ones meanwhile. */
static void take_slot_indices(struct attachment *a)
{
	for (uint32_t i = 0; i < a->channel_count; i++)
		tacho_store_relaxed(&a->channel[i].slot_index, take_slot_index());
}

static int attach_channel(struct attachment *a, uint32_t index)
{
	struct attached_channel *channel = &a->channel[index];
	int fd = open_ring_file(a, index), ret;

	if (fd < 0)
		return fd;
	ret = map_rings(fd, a->instance, channel);
	sys_close(fd);
	if (ret)
		return ret;
	channel->slot_index = RING_SLOTS - 1; /* until the attachment is published */
	channel->failed = 0;
	/* Tags are from 1 up, and never RING_SLOT_TAG_EMPTY in any process's life. */
	tacho_store_release(&channel->ring.tag,
			    tacho_fetch_add_relaxed(&tacho_tracer.last_tag, 1) + 1);
	return 0;
}

/* Pairs with the release of attach_channel() and the clearing in detach(): between two loads of the
 * same tag the rest did not change, and whoever sees a tag sees the generation of its attachment. */
bool channel_read(const struct attachment *a, uint32_t index, uint32_t generation,
		  struct ring_channel *ret_channel)
{
	const struct attached_channel *channel = &a->channel[index];
	uint32_t tag = tacho_load_acquire(&channel->ring.tag);

	*ret_channel = channel->ring;
	tacho_fence_acquire();
	ret_channel->tag = tag;
	return tag && tag == tacho_load_relaxed(&channel->ring.tag) &&
	       generation == tacho_load_relaxed(&a->generation);
}

static int allocate_ring(struct attachment *a, uint32_t index, const struct ring_channel *ring,
			 uint32_t cpu)
{
	int fd = open_ring_file(a, index), ret;

	if (fd < 0)
		return fd;
	ret = sys_allocate(fd, tacho_ring_at(cpu, ring->stride), ring->stride);
	sys_close(fd);
	return ret;
}

/* Several threads may do it at once: it costs time, not memory, and none of them loses a record. */
bool channel_allocate(struct attachment *a, uint32_t index, const struct ring_channel *ring,
		      uint32_t cpu)
{
	uint64_t *bits = &ring->map->allocated[cpu / 64], bit = 1ull << (cpu % 64);
	uint32_t *failed = &a->channel[index].failed;

	if (tacho_load_acquire(bits) & bit)
		return true;
	if (tacho_load_relaxed(failed) && tacho_fetch_add_relaxed(failed, 1) % RETRY_EVERY)
		return false;
	if (allocate_ring(a, index, ring, cpu)) {
		tacho_fetch_add_relaxed(failed, 1);
		return false;
	}
	tacho_store_relaxed(failed, 0);
	tacho_fetch_or_acq_rel(bits, bit);
	return true;
}

/* ---- letting go ---- */

/* Between the two fences of emit.c's hot:A and this one, either it sees the tag gone, or we see what
 * it wrote. */
static void forget_hot(const uint32_t *tags, uint32_t tag_count)
{
	uint32_t count = registry_event_count();

	for (uint32_t i = 0; i < count; i++) {
		struct tacho_hot *hot = &tacho_tracer.wiped->hot[i];
		uint32_t tag = (uint32_t)tacho_load_relaxed(&hot->id_and_tag);

		for (uint32_t t = 0; tag && t < tag_count; t++) {
			if (tag == tags[t])
				tacho_store_relaxed(&hot->id_and_tag, 0);
		}
	}
}

/* detach:B */
static void forget_tags(struct attachment *a)
{
	uint32_t tags[TACHO_CHANNELS_MAX];

	for (uint32_t i = 0; i < a->channel_count; i++) {
		tags[i] = tacho_load_relaxed(&a->channel[i].ring.tag);
		tacho_store_release(&a->channel[i].ring.tag, 0);
	}
	tacho_fence_full(); /* pairs with hot:B */
	forget_hot(tags, a->channel_count);
}

static void release_slot_index(uint32_t index)
{
	if (index < RING_SLOTS - 1)
		tacho_fetch_and_acq_rel(&tacho_tracer.slots_used, ~(1u << index));
}

static void empty_windows(struct attachment *a)
{
	for (uint32_t i = 0; i < TACHO_CHANNELS_MAX; i++) {
		struct attached_channel *channel = &a->channel[i];

		if (channel->window.base)
			release_slot_index(channel->slot_index);
		abandon_window(&channel->window);
	}
	abandon_window(&a->events_window);
	abandon_window(&a->triggers_window);
	empty_window(&a->session_window);
	a->channel_count = 0;
}

/* If two were detached at once, the struct of one is given up. */
static void put_into_pool(struct attachment *a)
{
	struct attachment *none = NULL;

	tacho_cmpxchg_acq_rel(&tacho_tracer.pool[a->slot], &none, a);
}

/* ---- attach ---- */

static struct attachment *new_attachment(uint32_t slot)
{
	struct attachment *a = tacho_exchange_acq_rel(&tacho_tracer.pool[slot], NULL);

	if (!a)
		a = sys_map(NULL, sizeof(*a), true, -1);
	if (a)
		a->slot = slot;
	return a;
}

/* An attachment that was once known always has a session and an event table, if only empty ones: a
 * late thread may look. */
static int map_session(struct attachment *a)
{
	char path[TRACER_PATH_BYTES];
	const struct tacho_session *session;

	if (!tracer_path(path, "slots/%u/session", a->slot))
		return -ENAMETOOLONG;
	session = map_file(path, sizeof(*session), false, &a->session_window);
	if (!session)
		return -ENOENT;
	tacho_store_relaxed(&a->session, session);
	if (a->session->magic != TACHO_SESSION_MAGIC ||
	    a->session->version != TACHO_SESSION_VERSION)
		return -EBADMSG;
	a->instance = a->session->instance;
	return 0;
}

static int map_events(struct attachment *a)
{
	char path[TRACER_PATH_BYTES];
	struct tacho_events *events;

	if (!tracer_path(path, "slots/%u/events", a->slot))
		return -ENAMETOOLONG;
	events = map_file(path, TACHO_EVENTS_BYTES, true, &a->events_window);
	if (!events)
		return -ENOENT;
	tacho_store_relaxed(&a->events, events);
	if (a->events->magic != TACHO_EVENTS_MAGIC ||
	    a->events->version != TACHO_EVENTS_VERSION || a->events->instance != a->instance)
		return -EBADMSG;
	return 0;
}

static int map_all(struct attachment *a)
{
	uint32_t count;
	int ret = map_session(a);

	if (!ret)
		ret = map_events(a);
	if (!ret)
		ret = trigger_map(a);
	if (ret)
		return ret;
	count = tacho_load_acquire(&a->session->channel_count);
	if (count > TACHO_CHANNELS_MAX)
		return -EBADMSG;
	a->channel_count = count;
	for (uint32_t i = 0; i < count && !ret; i++)
		ret = attach_channel(a, i);
	return ret;
}

/* No other thread has ever seen it. */
static void unmap_all(struct attachment *a)
{
	for (uint32_t i = 0; i < TACHO_CHANNELS_MAX; i++)
		unmap_window(&a->channel[i].window);
	unmap_window(&a->session_window);
	unmap_window(&a->events_window);
	unmap_window(&a->triggers_window);
	sys_unmap(a, sizeof(*a));
}

/* What cannot be attached, after all. One that comes from the pool may be known, from its life
 * before, to a thread that was stopped then. */
static void discard(struct attachment *a, bool was_known)
{
	if (!was_known) {
		unmap_all(a);
		return;
	}
	forget_tags(a);
	empty_windows(a);
	put_into_pool(a);
}

/* The generation is new before the first channel has a tag: a thread that knows the attachment from
 * its life before, and finds a channel there, sees that it is not the one that it looked up. */
static struct attachment *attach(uint32_t slot)
{
	struct attachment *a = new_attachment(slot), *none = NULL;
	bool was_known;

	if (!a)
		return NULL;
	was_known = a->generation != 0;
	tacho_store_release(&a->generation,
			    tacho_fetch_add_relaxed(&tacho_tracer.last_generation, 1) + 1);
	if (map_all(a)) {
		discard(a, was_known);
		tacho_fetch_add_relaxed(&tacho_tracer.registry->attach_failures, 1);
		return NULL; /* attachment_get() tells the session */
	}
	if (tacho_cmpxchg_acq_rel(&tacho_tracer.attached[slot], &none, a)) {
		take_slot_indices(a);
		return a;
	}
	discard(a, was_known);
	return none;
}

/* ---- detach ---- */

/* A session's file goes on saying that it is dead after it was destroyed; one that says anything
 * else than when it was mapped is not to be trusted either. */
static bool is_dead(const struct attachment *a)
{
	return tacho_load_relaxed(&a->session->state) == TACHO_SESSION_DEAD ||
	       tacho_load_relaxed(&a->session->instance) != a->instance;
}

static void detach(struct attachment *a)
{
	struct attachment *found = a;

	/* detach:A */
	if (!tacho_cmpxchg_acq_rel(&tacho_tracer.attached[a->slot], &found, NULL))
		return;
	forget_tags(a);
	/* detach:C. A kernel too old for it has no way to end running sections: keep the mappings. */
	if (sys_membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ))
		return;
	empty_windows(a); /* detach:D */
	put_into_pool(a);
}

void attachment_check(uint32_t slot)
{
	struct attachment *a = tacho_load_acquire(&tacho_tracer.attached[slot]);

	if (a && is_dead(a))
		detach(a);
}

void attachment_retry(uint32_t slot)
{
	tacho_fetch_add_acq_rel(&tacho_tracer.attach_news[slot], 1);
}

struct attachment *attachment_get(uint32_t slot)
{
	uint32_t news = tacho_load_acquire(&tacho_tracer.attach_news[slot]);
	uint32_t *failed = &tacho_tracer.attach_failed[slot];
	struct attachment *a;

	attachment_check(slot);
	a = tacho_load_acquire(&tacho_tracer.attached[slot]);
	if (a)
		return a;
	if (tacho_load_relaxed(failed) == news + 1 &&
	    (tacho_fetch_add_relaxed(&tacho_tracer.attach_skipped[slot], 1) + 1) % RETRY_EVERY)
		return NULL;
	a = attach(slot);
	if (!a && tacho_exchange_acq_rel(failed, news + 1) != news + 1)
		session_note_unrecorded(slot, TACHO_UNRECORDED_MAP);
	return a;
}
