/* SPDX-License-Identifier: MIT */
/* state_dump.c - see state_dump.h */
#include "session/kernel/state_dump.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "kernel/catalog.h"
#include "kernel/instance.h"
#include "kernel/tracefs.h"
#include "session/kernel/channel.h"
#include "session/kernel/filters.h"
#include "session/kernel/state_source.h"
#include "session/state.h"

#define NAP_NS   1000000
#define NAPS_MAX 2000 /* of a dump: who does not drain is not waited for */

/* A channel that wants some of it. */
struct target {
	int instance_fd;
	int marker_fd;
	uint32_t wanted;      /* a bit for each kind */
	uint64_t room_bytes;  /* of a CPU's buffer */
	uint64_t since_bytes; /* written since it was looked at */
};

struct dump {
	const struct session *session;
	bool is_drained;
	int naps;
	uint32_t count;
	struct target target[TACHO_CHANNELS_MAX];
};

/* ---- writing ---- */

static bool is_nearly_full(const struct target *t)
{
	int cpu = sched_getcpu();
	uint64_t used;

	return cpu >= 0 && !kernel_instance_used(t->instance_fd, (uint32_t)cpu, &used) &&
	       used > t->room_bytes / 2;
}

/* The kernel drops what finds no room; so room is looked for at each eighth of it. */
static void wait_for_room(struct dump *d, struct target *t)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };

	if (t->since_bytes < t->room_bytes / 8)
		return;
	t->since_bytes = 0;
	for (; d->naps < NAPS_MAX && is_nearly_full(t); d->naps++)
		nanosleep(&nap, NULL);
}

/* What the kernel does not take, it counts. */
static void tell(void *arg, enum kernel_state_kind kind, const struct kernel_state *state)
{
	struct dump *d = arg;

	for (uint32_t i = 0; i < d->count; i++) {
		struct target *t = &d->target[i];
		ssize_t written;

		if (!(t->wanted & 1u << kind))
			continue;
		if (d->is_drained)
			wait_for_room(d, t);
		written = write(t->marker_fd, state->bytes, state->used);
		t->since_bytes += written > 0 ? (uint64_t)written + 16 : 0;
	}
}

/* ---- who wants what ---- */

static uint32_t wanted_by(const struct session *session, uint32_t channel)
{
	uint32_t wanted = 0;

	for (int kind = 0; kind < KERNEL_STATE_KINDS; kind++) {
		struct kernel_condition condition = { KERNEL_NEVER, NULL };
		struct kernel_event event;

		kernel_event_set_state(&event, kind);
		if (!kernel_filters_make(session, channel, -1, &event, &condition, NULL) &&
		    condition.verdict != KERNEL_NEVER)
			wanted |= 1u << kind;
		kernel_condition_end(&condition);
	}
	return wanted;
}

static void add_target(struct dump *d, uint32_t channel, int tracefs_fd)
{
	const struct tacho_channel *c = &d->session->file->channel[channel];
	struct target t = { .instance_fd = -1, .marker_fd = -1 };

	if (c->domain != TACHO_DOMAIN_KERNEL || c->is_disabled)
		return;
	t.wanted = wanted_by(d->session, channel);
	t.room_bytes = (uint64_t)c->subbuf_count << c->subbuf_shift;
	if (t.wanted)
		t.instance_fd = kernel_channel_open(d->session, channel, tracefs_fd);
	if (t.instance_fd >= 0)
		t.marker_fd = kernel_instance_open_marker(t.instance_fd);
	if (t.marker_fd >= 0)
		d->target[d->count++] = t;
	else
		fd_close(t.instance_fd);
}

static uint32_t wanted_by_all(const struct dump *d)
{
	uint32_t wanted = 0;

	for (uint32_t i = 0; i < d->count; i++)
		wanted |= d->target[i].wanted;
	return wanted;
}

static void mark_pids(char *text, uint8_t *followed)
{
	char *rest;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		unsigned long pid = strtoul(line, NULL, 10);

		if (pid < STATE_PIDS)
			followed[pid / 8] |= (uint8_t)(1u << pid % 8);
	}
}

/* Whose files are told, if all channels follow some threads only; NULL: everybody's. */
static uint8_t *followed_by_all(const struct dump *d)
{
	uint8_t *followed = calloc(STATE_PIDS / 8, 1);

	for (uint32_t i = 0; followed && i < d->count; i++) {
		char *text;

		if (kernel_instance_followed(d->target[i].instance_fd, &text) <= 0) {
			free(followed);
			return NULL;
		}
		mark_pids(text, followed);
		free(text);
	}
	return followed;
}

static void tell_all(struct dump *d)
{
	uint8_t *followed = followed_by_all(d);
	const struct state_wish wish = {
		.wanted = wanted_by_all(d),
		.followed = followed,
		.tell = tell,
		.arg = d,
	};

	state_source_read(&wish);
	free(followed);
}

int kernel_state_dump(const struct session *session, bool is_drained)
{
	struct dump d = { .session = session, .is_drained = is_drained };
	int tracefs_fd;

	if (!session_has_kernel(session) || session->file->state != TACHO_SESSION_ACTIVE)
		return -ENOMSG;
	tracefs_fd = tracefs_open(NULL);
	if (tracefs_fd < 0)
		return tracefs_fd;
	for (uint32_t i = 0; i < session->file->channel_count && i < TACHO_CHANNELS_MAX; i++)
		add_target(&d, i, tracefs_fd);
	fd_close(tracefs_fd);
	if (!d.count)
		return -ENOMSG;
	tell_all(&d);
	for (uint32_t i = 0; i < d.count; i++) {
		fd_close(d.target[i].marker_fd);
		fd_close(d.target[i].instance_fd);
	}
	return 0;
}
