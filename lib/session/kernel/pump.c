/* SPDX-License-Identifier: MIT */
/* pump.c - see pump.h */
#include "session/kernel/pump.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "kernel/instance.h"
#include "kernel/tracefs.h"
#include "session/kernel/channel.h"
#include "session/kernel/classes.h"
#include "session/kernel/pages.h"
#include "session/kernel/recorder.h"
#include "session/kernel/threads.h"
#include "session/state.h"

/* One channel. */
struct pump {
	uint32_t channel;
	int instance_fd;
	int *pages_fds; /* by CPU; -1: not open yet; -2: not to be opened */
	struct rings rings;
	struct kernel_pages pages;
};

struct kernel_pumps {
	int tracefs_fd;
	struct kernel_classes *classes;
	struct kernel_threads *threads;
	uint32_t count;
	struct pump pump[TACHO_CHANNELS_MAX];
};

/* ---- opening ---- */

static int open_rings(const struct session *session, struct pump *pump, struct tacho_error *error)
{
	const struct tacho_channel *channel = &session->file->channel[pump->channel];
	char rings[NAME_MAX + 1], pages[NAME_MAX + 1];
	int ret = session_ring_file(channel, TACHO_WRITER_PORTABLE, rings);

	if (!ret)
		ret = session_channel_file(channel, PAGES_SUFFIX, pages);
	if (ret)
		return error_set(error, -EBADMSG, "the session's file is damaged");
	ret = rings_open(session->dir_fd, rings, &pump->rings, error);
	if (ret)
		return ret;
	ret = kernel_pages_open(session->dir_fd, pages, &pump->rings, &pump->pages);
	if (!ret)
		return 0;
	rings_close(&pump->rings);
	return error_set(error, ret, "cannot use '%s': %s", pages, strerror(-ret));
}

static int open_instance(const struct session *session, struct kernel_pumps *pumps,
			 struct pump *pump, struct tacho_error *error)
{
	pump->instance_fd = kernel_channel_open(session, pump->channel, pumps->tracefs_fd);
	if (pump->instance_fd >= 0)
		return 0;
	return error_set(error, pump->instance_fd,
			 "the kernel's buffers of channel '%s' are gone: someone removed them from "
			 "tracefs; destroy the session, and make another",
			 session->file->channel[pump->channel].name);
}

static void close_pump(struct pump *pump)
{
	for (uint32_t cpu = 0; pump->pages_fds && cpu < pump->rings.ring_count; cpu++)
		fd_close(pump->pages_fds[cpu]);
	free(pump->pages_fds);
	kernel_pages_close(&pump->pages);
	rings_close(&pump->rings);
	fd_close(pump->instance_fd);
}

static int open_pump(const struct session *session, struct kernel_pumps *pumps, uint32_t channel,
		     struct tacho_error *error)
{
	struct pump *pump = &pumps->pump[pumps->count];
	int ret;

	*pump = (struct pump){ .channel = channel };
	ret = open_instance(session, pumps, pump, error);
	if (!ret)
		ret = open_rings(session, pump, error);
	if (ret) {
		fd_close(pump->instance_fd);
		return ret;
	}
	pumps->count++;
	pump->pages_fds = malloc((pump->rings.ring_count + 1u) * sizeof(int));
	for (uint32_t cpu = 0; pump->pages_fds && cpu < pump->rings.ring_count; cpu++)
		pump->pages_fds[cpu] = -1;
	return pump->pages_fds ? 0 : error_set(error, -ENOMEM, "no memory for the kernel's events");
}

/* The module writes into the rings itself. */
static bool is_pumped(const struct tacho_channel *channel)
{
	return channel->domain == TACHO_DOMAIN_KERNEL && !channel_is_of_module(channel);
}

static int open_all(const struct session *session, struct kernel_pumps *pumps,
		    struct tacho_error *error)
{
	int ret;

	pumps->tracefs_fd = tracefs_open(error);
	if (pumps->tracefs_fd < 0)
		return pumps->tracefs_fd;
	ret = kernel_classes_open(session, pumps->tracefs_fd, &pumps->classes, error);
	pumps->threads = ret ? NULL : kernel_threads_new(pumps->tracefs_fd);
	if (!ret && !pumps->threads)
		ret = error_set(error, -ENOMEM, "no memory for the kernel's events");
	for (uint32_t i = 0; !ret && i < TACHO_CHANNELS_MAX && i < session->file->channel_count; i++)
		if (is_pumped(&session->file->channel[i]))
			ret = open_pump(session, pumps, i, error);
	return ret;
}

int kernel_pumps_open(const struct session *session, struct kernel_pumps **ret_pumps,
		      struct tacho_error *error)
{
	struct kernel_pumps *pumps = NULL;
	int ret = 0;

	if (session_has_kernel(session)) {
		pumps = calloc(1, sizeof(*pumps));
		ret = pumps ? open_all(session, pumps, error) :
			      error_set(error, -ENOMEM, "no memory for the kernel's events");
	}
	if (ret) {
		kernel_pumps_close(pumps);
		pumps = NULL;
	}
	*ret_pumps = pumps;
	return ret;
}

void kernel_pumps_close(struct kernel_pumps *pumps)
{
	if (!pumps)
		return;
	for (uint32_t i = 0; i < pumps->count; i++)
		close_pump(&pumps->pump[i]);
	kernel_threads_free(pumps->threads);
	if (pumps->classes)
		kernel_classes_close(pumps->classes);
	fd_close(pumps->tracefs_fd);
	free(pumps);
}

void kernel_pumps_spare(const struct kernel_pumps *pumps)
{
	for (uint32_t i = 0; pumps && i < pumps->count; i++)
		kernel_instance_spare(pumps->pump[i].instance_fd, getpid());
}

bool kernel_pumps_are_all(const struct kernel_pumps *pumps, const struct session *session)
{
	uint32_t count = 0;

	if (session->file->mirror_of)
		return true;
	for (uint32_t i = 0; i < TACHO_CHANNELS_MAX && i < session->file->channel_count; i++)
		count += is_pumped(&session->file->channel[i]);
	return count == (pumps ? pumps->count : 0);
}

/* ---- a page ---- */

#define BUSY_NAPS_MAX  1000 /* of a millisecond */
#define PAGE_BYTES_MIN 4096u

/* The page of one CPU on its way into its ring. */
struct passage {
	struct kernel_pumps *pumps;
	struct pump *pump;
	uint32_t cpu;
	struct ring_batch batch;
	struct kernel_page page;
	struct kernel_class *const *known; /* by the kernel's id */
	uint16_t marker;
	struct tacho_error *error;
};

static void learn_path(struct passage *p, const struct kernel_record *record, uint32_t word_at)
{
	uint32_t word, at, bytes;

	memcpy(&word, record->data + word_at, sizeof(word));
	at = word & 0xffff;
	bytes = word >> 16;
	if (at <= record->bytes && bytes <= record->bytes - at)
		kernel_threads_exec(p->pumps->threads, (uint32_t)record->tid,
				    (const char *)record->data + at, bytes);
}

static void learn(struct passage *p, const struct kernel_class *class,
		  const struct kernel_record *record)
{
	const struct kernel_name_lesson *lesson = &class->lesson;
	uint32_t tid = (uint32_t)record->tid;
	char name[TACHO_THREAD_NAME_BYTES] = "";

	if (lesson->path_at)
		learn_path(p, record, lesson->path_at);
	else if (lesson->is_exec)
		kernel_threads_forget(p->pumps->threads, tid);
	if (!lesson->name_at)
		return;
	if (lesson->tid_at)
		memcpy(&tid, record->data + lesson->tid_at, sizeof(tid));
	memcpy(name, record->data + lesson->name_at, sizeof(name) - 1);
	kernel_threads_name(p->pumps->threads, tid, name);
}

static void count_lost(struct passage *p, enum tacho_lost reason)
{
	tacho_fetch_add_acq_rel(&p->batch.ring->lost[reason], 1);
}

/* Return: 0; -ENOSPC: the ring is full; -E2BIG: no sub-buffer would hold it. */
static int begin(struct passage *p, uint32_t id, uint32_t room, const struct kernel_record *record,
		 uint32_t event_at, uint8_t **ret_payload)
{
	const struct ring_batch_thread *thread =
		kernel_threads_get(p->pumps->threads, (uint32_t)record->tid, p->cpu);
	int ret = ring_batch_begin(&p->batch, thread, id, record->time, room, ret_payload);

	if (ret != -ENOBUFS)
		return ret;
	kernel_slot_put(&p->pump->pages, p->cpu, &p->batch, event_at);
	ret = ring_batch_switch(&p->batch, record->time);
	return ret ? ret :
		     ring_batch_begin(&p->batch, thread, id, record->time, room, ret_payload);
}

/* Return: was it put? If not, and it is not for want of room in the ring, that is counted. */
static int end(struct passage *p, int ret, const uint8_t *payload_end)
{
	if (!ret)
		ring_batch_end(&p->batch, payload_end);
	if (ret == -E2BIG)
		count_lost(p, TACHO_LOST_TOO_BIG);
	return ret == -E2BIG ? 0 : ret;
}

/* Of what a tool has told the kernel. */
static int put_state(struct passage *p, const struct kernel_record *record, uint32_t event_at)
{
	const uint8_t *told = record->data + KERNEL_EVENT_HEAD_BYTES;
	enum kernel_state_kind kind;
	int bytes = kernel_state_read(told, record->bytes - KERNEL_EVENT_HEAD_BYTES, &kind);
	int id = bytes < 0 ? bytes : kernel_classes_state(p->pumps->classes, kind, p->error);
	uint8_t *payload;
	int ret;

	if (id < 0) {
		count_lost(p, TACHO_LOST_NO_MEMORY);
		return 0;
	}
	ret = begin(p, (uint32_t)id, (uint32_t)bytes, record, event_at, &payload);
	return end(p, ret, ret ? NULL : mempcpy(payload, told + sizeof(uint32_t), (size_t)bytes));
}

static int put_event(struct passage *p, const struct kernel_record *record, uint32_t event_at)
{
	const struct kernel_class *class = p->known[record->id];
	uint8_t *payload;
	int ret;

	if (!class)
		class = kernel_classes_get(p->pumps->classes, record->id, p->error);
	if (!class || !kernel_recipe_fits(&class->needs, record)) {
		count_lost(p, TACHO_LOST_NO_MEMORY);
		return 0;
	}
	if (class->has_lesson)
		learn(p, class, record);
	ret = begin(p, class->id, kernel_recipe_room(&class->needs, record->bytes), record, event_at,
		    &payload);
	return end(p, ret, ret ? NULL : kernel_recipe_run(class->recipe, record, payload));
}

/* @event_at: where in the page the record is */
static int put_record(struct passage *p, const struct kernel_record *record, uint32_t event_at)
{
	return p->marker != KERNEL_NO_MARKER && record->id == p->marker ?
		       put_state(p, record, event_at) :
		       put_event(p, record, event_at);
}

/* Return: 0: all of it was put; -ENOSPC: the ring is full. */
static int put_page(struct passage *p)
{
	uint32_t at = p->page.at;
	struct kernel_record record;
	int ret = 0;

	while (!ret && kernel_page_next(&p->page, &record)) {
		ret = put_record(p, &record, at);
		if (!ret)
			at = p->page.at;
	}
	kernel_slot_put(&p->pump->pages, p->cpu, &p->batch, at);
	if (!ret)
		kernel_slot_end(&p->pump->pages, p->cpu);
	return ret;
}

/* ---- a CPU ---- */

static void note_losses(struct passage *p)
{
	bool is_overwrite = p->pump->rings.mode == TACHO_MODE_OVERWRITE;
	struct kernel_losses losses;

	/* This is the only one who counts here, so that to set it twice is the same as once. */
	if (!kernel_instance_losses(p->pump->instance_fd, p->cpu, &losses))
		tacho_store_relaxed(&p->batch.ring->lost[TACHO_LOST_FULL],
				    losses.dropped + (is_overwrite ? 0 : losses.overrun));
}

static int pages_fd(struct passage *p)
{
	int *fd = &p->pump->pages_fds[p->cpu];

	if (*fd == -1) {
		*fd = kernel_instance_open_pages(p->pump->instance_fd, p->cpu);
		if (*fd < 0)
			*fd = -2; /* a CPU that cannot be */
	}
	return *fd;
}

/* A CPU's buffer has no more bytes than its ring. A page counts as if it were of 4 KiB at least, since
 * some have next to nothing in them. */
static int pump_pages(struct passage *p, int fd)
{
	uint64_t left = p->pump->rings.stride + PAGE_BYTES_MIN;
	int ret = 0;

	while (!ret && left >= PAGE_BYTES_MIN) {
		ret = kernel_slot_take(&p->pump->pages, p->cpu, &p->batch, fd, &p->page);
		if (!ret) {
			left -= MIN(left, MAX(p->page.end, PAGE_BYTES_MIN));
			ret = put_page(p);
		}
	}
	return ret;
}

/* Who owns the ring is another pump, which is soon done, or one that was killed and is not gone yet. If
 * it stays, that is told: what the kernel holds must not be forgotten. */
static int open_batch(struct passage *p)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	int ret = ring_batch_open(&p->batch, &p->pump->rings, p->cpu);

	for (int i = 0; ret == -EBUSY && i < BUSY_NAPS_MAX; i++) {
		nanosleep(&nap, NULL);
		ret = ring_batch_open(&p->batch, &p->pump->rings, p->cpu);
	}
	return ret;
}

/* Return: 0; 1: there is more; or a negative errno. */
static int pump_cpu(struct passage *p)
{
	int fd = pages_fd(p);
	int ret = fd < 0 ? -EAGAIN : open_batch(p);

	if (ret)
		return ret == -EAGAIN ? 0 : ret;
	note_losses(p);
	ret = pump_pages(p, fd);
	ring_batch_close(&p->batch);
	if (ret == -EAGAIN)
		return 0;
	return ret == -ENOSPC || !ret ? 1 : ret;
}

int kernel_pumps_run(struct kernel_pumps *pumps, bool *ret_more, struct tacho_error *error)
{
	struct passage p = { .pumps = pumps, .error = error };

	*ret_more = false;
	if (pumps) {
		p.known = kernel_classes_known(pumps->classes);
		p.marker = kernel_classes_marker(pumps->classes);
	}
	for (uint32_t i = 0; pumps && i < pumps->count; i++) {
		p.pump = &pumps->pump[i];
		for (p.cpu = 0; p.cpu < p.pump->rings.ring_count; p.cpu++) {
			int ret = pump_cpu(&p);

			if (ret < 0)
				return error_set(error, ret,
						 "cannot read the kernel's buffer of CPU %u: %s",
						 p.cpu, strerror(-ret));
			*ret_more |= ret;
		}
	}
	return 0;
}

int kernel_pump_once(const struct session *session, struct tacho_error *error)
{
	struct kernel_pumps *pumps;
	bool has_more;
	int ret = kernel_pumps_open(session, &pumps, error);

	if (!ret)
		ret = kernel_pumps_run(pumps, &has_more, error);
	kernel_pumps_close(pumps);
	return ret;
}
