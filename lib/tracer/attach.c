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

#include "tracer/route.h"
#include "tracer/statedump.h"
#include "tracer/sys.h"
#include "tracer/tracer.h"
#include "tracer/trigger_hit.h"

/* ---- windows ---- */

void *map_fd(int fd, size_t bytes, bool writable, struct window *window)
{
	void *map = sys_map(NULL, bytes, writable, fd);

	if (map)
		*window = (struct window){ map, bytes };
	return map;
}

void *map_file(const char *path, size_t bytes, int flags, struct window *window)
{
	uint32_t uid, mode;
	uint64_t file_bytes;
	int fd = sys_open(path, flags, 0);
	void *map = NULL;

	if (fd < 0)
		return NULL;
	if (!sys_stat_fd(fd, &uid, &mode, &file_bytes) && file_bytes >= bytes)
		map = map_fd(fd, bytes, (flags & O_ACCMODE) == O_RDWR, window);
	sys_close(fd);
	return map;
}

void empty_window(const struct window *window)
{
	if (window->base)
		sys_map(window->base, window->bytes, true, -1);
}

void unmap_window(const struct window *window)
{
	if (window->base)
		sys_unmap(window->base, window->bytes);
}

/* ---- attach ---- */

int attachment_open_flags(const struct attachment *a)
{
	return a->session->shm_path[0] ? O_RDWR : O_RDWR | O_NOFOLLOW;
}

static int map_session(struct attachment *a)
{
	char path[TRACER_PATH_BYTES];

	if (!tracer_path(path, "slots/%u/session", a->slot))
		return -ENAMETOOLONG;
	a->session = map_file(path, sizeof(*a->session), O_RDONLY | O_NOFOLLOW,
			      &a->session_window);
	if (!a->session)
		return -ENOENT;
	if (a->session->magic != TACHO_SESSION_MAGIC ||
	    a->session->version != TACHO_SESSION_VERSION)
		return -EBADMSG;
	a->instance = a->session->instance;
	a->dump_done = tacho_load_relaxed(&a->session->dump_wanted);
	return 0;
}

static int map_events(struct attachment *a)
{
	char path[TRACER_PATH_BYTES];

	if (!tracer_path(path, "slots/%u/events", a->slot))
		return -ENAMETOOLONG;
	a->events = map_file(path, TACHO_EVENTS_BYTES, attachment_open_flags(a), &a->events_window);
	if (!a->events)
		return -ENOENT;
	if (a->events->magic != TACHO_EVENTS_MAGIC || a->events->version != TACHO_EVENTS_VERSION ||
	    a->events->instance != a->instance)
		return -EBADMSG;
	return 0;
}

static int make_channels(struct attachment *a)
{
	uint32_t count = tacho_load_acquire(&a->session->channel_count);

	if (count > TACHO_CHANNELS_MAX)
		return -EBADMSG;
	for (uint32_t i = 0; i < count; i++) {
		a->channel[i] = channel_new(a, i);
		if (!a->channel[i])
			return -ENOMEM;
	}
	return 0;
}

static int map_all(struct attachment *a)
{
	int ret = map_session(a);

	if (!ret)
		ret = map_events(a);
	if (!ret)
		ret = trigger_map(a);
	return ret ? ret : make_channels(a);
}

static void free_routes(struct attachment *a)
{
	uint32_t count = registry_event_count();

	for (uint32_t i = 0; i < count; i++)
		route_free(a->route[i]);
}

/* Nobody else knows it, or nobody knows it any more. */
static void free_attachment(struct attachment *a)
{
	for (uint32_t i = 0; i < TACHO_CHANNELS_MAX; i++)
		channel_free(a->channel[i]);
	unmap_window(&a->session_window);
	unmap_window(&a->events_window);
	unmap_window(&a->triggers_window);
	sys_unmap(a, sizeof(*a));
}

static struct attachment *new_attachment(uint32_t slot)
{
	struct attachment *a = sys_map(NULL, sizeof(*a), true, -1);

	if (!a)
		return NULL;
	a->slot = slot;
	a->generation = tacho_fetch_add_relaxed(&tacho_tracer.last_generation, 1) + 1;
	if (!map_all(a))
		return a;
	free_attachment(a);
	return NULL;
}

static struct attachment *attach(uint32_t slot)
{
	struct attachment *a = new_attachment(slot), *none = NULL;

	if (!a) {
		tacho_fetch_add_relaxed(&tacho_tracer.registry->attach_failures, 1);
		return NULL; /* attachment_get() tells the session */
	}
	if (tacho_cmpxchg_acq_rel(&tacho_tracer.attached[slot], &none, a)) {
		channels_announce(a);
		statedump_attached(a);
		return a;
	}
	free_attachment(a);
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

static void empty_windows(const struct attachment *a)
{
	for (uint32_t i = 0; i < TACHO_CHANNELS_MAX; i++) {
		struct attached_channel *channel = tacho_load_acquire(&a->channel[i]);

		if (channel)
			empty_window(&channel->window);
	}
	empty_window(&a->events_window);
	empty_window(&a->triggers_window);
	empty_window(&a->session_window);
}

static void give_back_attachment(struct retired *retired)
{
	struct attachment *a = (struct attachment *)retired;

	free_routes(a);
	free_attachment(a);
}

static void detach(struct attachment *a)
{
	struct attachment *found = a;

	/* detach:A */
	if (!tacho_cmpxchg_acq_rel(&tacho_tracer.attached[a->slot], &found, NULL))
		return;
	channels_switch_off(a); /* detach:B */
	/* detach:C. A kernel too old for it has no way to end running sequences: keep the mappings. */
	if (sys_membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ))
		return;
	empty_windows(a);                                /* detach:D */
	grace_retire(&a->retired, give_back_attachment); /* detach:E */
}

/* The frames that the child has from its parent go on with what they were at: so the attachments are
 * empty, but not given back. */
void attachments_leave(void)
{
	for (uint32_t slot = 0; slot < TACHO_SLOTS; slot++) {
		struct attachment *a = tacho_exchange_acq_rel(&tacho_tracer.attached[slot], NULL);

		if (!a)
			continue;
		channels_switch_off(a);
		empty_windows(a);
	}
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

/* What a filter of seccomp(2) does not expect may kill the program: to lose its events is better. What
 * confined it is a call of its own (call_drain.h), so before that it could have mapped the session. */
bool attachment_is_refused(uint32_t slot)
{
	uint32_t *slots = &tacho_tracer.registry->confined_slots;

	if (!tacho_load_relaxed(&tacho_tracer.gave_up_calls))
		return false;
	if (!(tacho_load_relaxed(slots) >> slot & 1))
		tacho_fetch_or_acq_rel(slots, 1u << slot);
	return true;
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
	if (attachment_is_refused(slot))
		return NULL;
	if (tacho_load_relaxed(failed) == news + 1 &&
	    (tacho_fetch_add_relaxed(&tacho_tracer.attach_skipped[slot], 1) + 1) %
		    TRACER_RETRY_EVERY)
		return NULL;
	a = attach(slot);
	if (!a && tacho_exchange_acq_rel(failed, news + 1) != news + 1)
		session_note_unrecorded(slot, TACHO_UNRECORDED_MAP);
	return a;
}
