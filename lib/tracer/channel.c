/* SPDX-License-Identifier: MIT */
/*
 * channel.c - a session's channels, as rings in our address space.
 *
 * Those that a session has are mapped when it is attached; one that is added later when its first
 * record is due. It is built privately and published by one compare-and-exchange; who was slower
 * throws its own away.
 *
 * A channel that is added to an attachment while another thread detaches it must not stay on:
 *
 *	add:A  channel[i] = ..                     detach:A  attached[slot] = NULL
 *	add:B  --- full fence ---                  off:A     --- full fence ---
 *	add:C  attached[slot] is ours?             off:B     look at channel[], tags = 0
 *	       else tag = 0
 *
 *	pairs: add:B with off:A: either the one who detaches sees the channel, or the one who adds
 *	it sees that the attachment is gone.
 *
 * The fast path knows a channel by its tag alone, so it is made to forget all that it knows when a
 * tag goes (hot.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "base/escape.h"
#include "tracer/hot.h"
#include "tracer/sys.h"
#include "tracer/tracer.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* ---- ring files ---- */

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
	return sys_open(path, attachment_open_flags(a), 0);
}

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
		/* From 1 up, and never RING_SLOT_TAG_EMPTY in any process's life. */
		.tag = tacho_fetch_add_relaxed(&tacho_tracer.last_tag, 1) + 1,
	};
}

/* The first touch of a page costs a microsecond or more; better here than under an event. Where the
 * kernel cannot do it, the first lap of the ring is slower. So it is in a child that has just left what
 * its parent had mapped (process.c): in a signal handler there is no time for what it may never need. */
static void populate(const struct attached_channel *channel)
{
	const struct tacho_rings *map = channel->ring.map;

	if (tacho_thread.owning)
		return;
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

/* ---- slots of threads ---- */

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

/* Once, whoever comes to it. */
static void release_slot_index(struct attached_channel *channel)
{
	uint32_t index = tacho_exchange_acq_rel(&channel->slot_index, RING_SLOTS - 1);

	if (index < RING_SLOTS - 1)
		tacho_fetch_and_acq_rel(&tacho_tracer.slots_used, ~(1u << index));
}

/* ---- off ---- */

static void take_tag(struct attached_channel *channel)
{
	release_slot_index(channel);
	tacho_store_relaxed(&channel->ring.tag, 0);
}

void channels_switch_off(struct attachment *a)
{
	tacho_fence_full(); /* off:A pairs with add:B */
	for (uint32_t i = 0; i < TACHO_CHANNELS_MAX; i++) {
		struct attached_channel *channel = tacho_load_acquire(&a->channel[i]);

		if (channel)
			take_tag(channel); /* off:B */
	}
	hot_forget_all();
}

/* ---- on ---- */

struct attached_channel *channel_new(const struct attachment *a, uint32_t index)
{
	struct attached_channel *channel = memory_get(&tacho_tracer.memory, sizeof(*channel));
	int fd, ret;

	if (!channel)
		return NULL;
	*channel = (struct attached_channel){ .slot_index = RING_SLOTS - 1 };
	fd = open_ring_file(a, index);
	ret = fd < 0 ? fd : map_rings(fd, a->instance, channel);
	if (fd >= 0)
		sys_close(fd);
	if (!ret)
		return channel;
	channel_free(channel);
	return NULL;
}

void channel_free(struct attached_channel *channel)
{
	if (!channel)
		return;
	unmap_window(&channel->window);
	memory_put(&tacho_tracer.memory, channel, sizeof(*channel));
}

static bool is_attached(const struct attachment *a)
{
	return tacho_load_relaxed(&tacho_tracer.attached[a->slot]) == a;
}

/* Only now, so that the threads that lose the race to attach do not take the best slots meanwhile. */
static void announce(const struct attachment *a, struct attached_channel *channel)
{
	tacho_store_relaxed(&channel->slot_index, take_slot_index());
	tacho_fence_full(); /* add:B pairs with off:A */
	if (is_attached(a)) /* add:C */
		return;
	take_tag(channel);
	hot_forget_all();
}

void channels_announce(struct attachment *a)
{
	for (uint32_t i = 0; i < TACHO_CHANNELS_MAX; i++) {
		struct attached_channel *channel = tacho_load_acquire(&a->channel[i]);

		if (channel)
			announce(a, channel);
	}
}

static struct attached_channel *add_channel(struct attachment *a, uint32_t index)
{
	struct attached_channel *channel = channel_new(a, index), *none = NULL;

	if (!channel)
		return NULL;
	if (!tacho_cmpxchg_acq_rel(&a->channel[index], &none, channel)) { /* add:A */
		channel_free(channel);
		return none;
	}
	announce(a, channel);
	return channel;
}

struct attached_channel *channel_get(struct attachment *a, uint32_t index)
{
	struct attached_channel *channel = tacho_load_acquire(&a->channel[index]);
	uint32_t *failed = &a->channel_failed[index];

	if (channel)
		return channel;
	if (attachment_is_refused(a->slot))
		return NULL;
	if (tacho_load_relaxed(failed) && tacho_fetch_add_relaxed(failed, 1) % TRACER_RETRY_EVERY)
		return NULL;
	channel = add_channel(a, index);
	if (channel || !is_attached(a))
		return channel;
	tacho_fetch_add_relaxed(&tacho_tracer.registry->attach_failures, 1);
	if (!tacho_fetch_add_relaxed(failed, 1))
		session_note_unrecorded(a->slot, TACHO_UNRECORDED_MAP);
	return NULL;
}

/* ---- memory of rings ---- */

static int allocate_ring(const struct attachment *a, uint32_t index,
			 const struct ring_channel *ring, uint32_t cpu)
{
	int fd = open_ring_file(a, index), ret;

	if (fd < 0)
		return fd;
	ret = sys_allocate(fd, tacho_ring_at(cpu, ring->stride), ring->stride);
	sys_close(fd);
	return ret;
}

/* Several threads may do it at once: it costs time, not memory, and none of them loses a record. */
bool channel_allocate(const struct attachment *a, uint32_t index, struct attached_channel *channel,
		      uint32_t cpu)
{
	uint64_t *bits = &channel->ring.map->allocated[cpu / 64], bit = 1ull << (cpu % 64);
	uint32_t *failed = &channel->failed;

	if (tacho_load_acquire(bits) & bit)
		return true;
	if (tacho_load_relaxed(failed) && tacho_fetch_add_relaxed(failed, 1) % TRACER_RETRY_EVERY)
		return false;
	if (allocate_ring(a, index, &channel->ring, cpu)) {
		tacho_fetch_add_relaxed(failed, 1);
		return false;
	}
	tacho_store_relaxed(failed, 0);
	tacho_fetch_or_acq_rel(bits, bit);
	return true;
}
