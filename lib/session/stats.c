/* SPDX-License-Identifier: MIT */
/* stats.c - what a session did so far; see session.h */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fd.h"
#include "base/str.h"
#include "session/drain/drain.h"
#include "session/drain/ring_copy.h"
#include "session/registry.h"
#include "session/state.h"
#include "session/users/mirrors.h"

/* What a drain has copied is not lost when it is overwritten. */
static bool is_recorder(const struct session *session, const struct rings *rings)
{
	return rings->mode == TACHO_MODE_OVERWRITE && !session->file->streaming;
}

static void add_lost(struct session_stats *stats, uint32_t channel,
		     const uint64_t lost[TACHO_LOST_REASONS])
{
	for (int i = 0; i < TACHO_LOST_REASONS; i++) {
		stats->lost[i] += lost[i];
		stats->channel_lost[channel] += lost[i];
	}
}

static void add_ring(const struct session *session, const struct ring_copy *copy,
		     struct session_stats *stats)
{
	const struct rings *rings = copy->rings;
	struct ring_range range = ring_range(copy->rings, copy->cpu);
	uint64_t lost[TACHO_LOST_REASONS];

	if (!ring_is_allocated(rings, copy->cpu))
		return;
	ring_lost(rings, copy->cpu, lost);
	add_lost(stats, copy->channel, lost);
	stats->bytes += range.head;
	stats->memory_bytes += rings->stride;
	stats->rings++;
	if (is_recorder(session, rings))
		stats->overwritten_bytes += range.oldest << rings->subbuf_shift;
}

/* Files come in pairs, two a channel. */
static void add_unattributed(const struct ring_set *set, uint32_t i, struct session_stats *stats)
{
	uint64_t lost[TACHO_LOST_REASONS];

	rings_lost_unattributed(&set->rings[i], lost);
	add_lost(stats, i / 2, lost);
}

bool session_drain_trouble(const struct session *session, char *ret_text, size_t size)
{
	uint32_t code = tacho_load_relaxed(&session->file->drain_trouble);

	if (file_read_text(session->dir_fd, TROUBLE_FILE, ret_text, size) > 0)
		return true;
	str_print(ret_text, size, "%s", code ? strerror((int)code) : "");
	return code != 0;
}

static void add_drain(struct session *session, struct session_stats *stats)
{
	int fd = drain_lock(session, false);

	stats->drain_alive = fd == -EWOULDBLOCK;
	stats->damaged = tacho_load_relaxed(&session->file->drain_damaged);
	stats->drain_pid = stats->drain_alive ? (pid_t)session->file->drain_pid : 0;
	fd_close(fd);
	session_drain_trouble(session, stats->drain_error, sizeof(stats->drain_error));
}

/* Lines of "pid why version", written by programs: anything may be in there. */
static void add_unrecorded(struct session *session, struct session_stats *stats)
{
	char text[TACHO_UNRECORDED_BYTES + 1];
	ssize_t bytes = file_read_text(session->dir_fd, TACHO_UNRECORDED_FILE, text, sizeof(text));
	const char *last = bytes > 0 ? strrchr(text, '\n') : NULL;

	if (bytes <= 0)
		return;
	for (ssize_t i = 0; i < bytes; i++)
		stats->unrecorded += text[i] == '\n' || i == bytes - 1;
	sscanf(last ? last + 1 : text, "%*u %15[a-z] %15[0-9.]", stats->unrecorded_why,
	       stats->unrecorded_version);
}

int session_stats(struct session *session, struct session_stats *ret_stats,
		  struct tacho_error *error)
{
	struct session_stats stats = { 0 };
	struct ring_set set;
	int ret = ring_set_open(session, &set, error);

	if (ret)
		return ret;
	for (uint32_t i = 0; i < set.copy_count; i++)
		add_ring(session, &set.copies[i], &stats);
	for (uint32_t i = 0; i < set.rings_count; i++)
		add_unattributed(&set, i, &stats);
	ring_set_close(&set, NULL);
	registries_settle(session->runtime);
	add_drain(session, &stats);
	add_unrecorded(session, &stats);
	mirrors_add_stats(session, &stats);
	*ret_stats = stats;
	return 0;
}
