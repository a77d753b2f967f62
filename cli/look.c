/* SPDX-License-Identifier: MIT */
/* look.c - see look.h */
#include "look.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rule.h"
#include "parse.h"
#include "ring/rings.h"
#include "session/names.h"
#include "text.h"

static uint32_t at_most(uint32_t value, uint32_t limit)
{
	return value < limit ? value : limit;
}

static void end_text(char *text, size_t size)
{
	text[size - 1] = 0;
}

void look_session(const struct session *session, struct tacho_session *ret_file)
{
	const struct tacho_session *file = session_file(session);
	uint32_t text_bytes = at_most(file->text_allocated, TACHO_TEXT_BYTES);

	memcpy(ret_file, file, TACHO_SESSION_FIXED_BYTES + text_bytes);
	end_text(ret_file->name, sizeof(ret_file->name));
	end_text(ret_file->output, sizeof(ret_file->output));
	end_text(ret_file->shm_path, sizeof(ret_file->shm_path));
	end_text(ret_file->snapshot_output, sizeof(ret_file->snapshot_output));
	end_text(ret_file->snapshot_name, sizeof(ret_file->snapshot_name));
	ret_file->channel_count = at_most(ret_file->channel_count, TACHO_CHANNELS_MAX);
	ret_file->rule_count = at_most(ret_file->rule_count, TACHO_RULES_MAX);
	for (unsigned int i = 0; i < ret_file->channel_count; i++)
		end_text(ret_file->channel[i].name, sizeof(ret_file->channel[i].name));
	for (unsigned int i = 0; i < ret_file->rule_count; i++)
		end_text(ret_file->rule[i].pattern, sizeof(ret_file->rule[i].pattern));
	for (unsigned int i = 0; i < TACHO_TRIGGERS_MAX; i++)
		end_text(ret_file->trigger[i].result, sizeof(ret_file->trigger[i].result));
}

const char *look_state(const struct tacho_session *file)
{
	return file->state == TACHO_SESSION_ACTIVE ? "recording" : "stopped";
}

const char *look_kind(const struct tacho_session *file)
{
	return file->streaming ? "streaming" : "flight recorder";
}

const char *look_mode(uint32_t mode)
{
	static const char *const names[] = {
		[TACHO_MODE_DISCARD] = "discard",
		[TACHO_MODE_OVERWRITE] = "overwrite",
		[TACHO_MODE_BLOCK] = "block",
	};

	return mode <= TACHO_MODE_BLOCK ? names[mode] : "?";
}

uint64_t look_buffer_bytes(const struct tacho_channel *channel)
{
	if (channel->subbuf_shift > TACHO_SUBBUF_SHIFT_MAX)
		return 0;
	return (uint64_t)channel->subbuf_count << channel->subbuf_shift;
}

const char *look_rule_kind(uint32_t kind)
{
	static const char *const names[TACHO_RULE_KINDS] = {
		[TACHO_RULE_EVENT] = "",
		[TACHO_RULE_TRACEPOINT] = "the kernel's ",
		[TACHO_RULE_SYSCALL] = "system calls ",
		[TACHO_RULE_PROBE] = "the probe ",
		[TACHO_RULE_FUNCTION] = "the function probe ",
		[TACHO_RULE_USERSPACE] = "the probe of programs ",
	};

	return kind < TACHO_RULE_KINDS ? names[kind] : "?";
}

const char *look_rule_kind_word(uint32_t kind)
{
	static const char *const words[TACHO_RULE_KINDS] = {
		[TACHO_RULE_EVENT] = "event",
		[TACHO_RULE_TRACEPOINT] = "tracepoint",
		[TACHO_RULE_SYSCALL] = "syscall",
		[TACHO_RULE_PROBE] = "probe",
		[TACHO_RULE_FUNCTION] = "function",
		[TACHO_RULE_USERSPACE] = "userspace-probe",
	};

	return kind < TACHO_RULE_KINDS ? words[kind] : "?";
}

const char *look_level(uint32_t match, uint32_t level, char *room, size_t size)
{
	if (match == TACHO_LEVEL_ANY)
		return "any";
	snprintf(room, size, "%s %s", level_name(level),
		 match == TACHO_LEVEL_AT_LEAST ? "or graver" : "only");
	return room;
}

char *look_text(const struct tacho_session *file, const struct tacho_span *span)
{
	uint32_t bytes;
	const char *text = rule_text(file, span, &bytes);

	return xasprintf("%.*s", (int)bytes, text ? text : "");
}

const char *look_drain(const struct tacho_session *file, const struct session_stats *stats,
		       char *room, size_t size)
{
	if (stats->drain_alive)
		snprintf(room, size, "pid %d", (int)stats->drain_pid);
	else if (file->streaming && file->state == TACHO_SESSION_ACTIVE)
		return "dead";
	else
		return "none";
	return room;
}

/* A flight recorder is as full as it has been written to; else what waits for the drain counts. */
static void look_ring(const struct rings *rings, uint32_t cpu, struct look_ring *ret_ring)
{
	struct ring_range range;

	*ret_ring = (struct look_ring){ .is_allocated = ring_is_allocated(rings, cpu) };
	ret_ring->size_bytes = (uint64_t)rings->subbuf_count << rings->subbuf_shift;
	if (!ret_ring->is_allocated)
		return;
	range = ring_range(rings, cpu);
	ret_ring->written_bytes = range.head;
	if (range.end > range.oldest)
		ret_ring->used_bytes = range.head - (range.oldest << rings->subbuf_shift);
	if (ret_ring->used_bytes > ret_ring->size_bytes)
		ret_ring->used_bytes = ret_ring->size_bytes;
	ring_lost(rings, cpu, ret_ring->lost);
}

static int open_rings(const struct runtime *runtime, const struct tacho_session *file,
		      const struct tacho_channel *channel, struct rings *ret_rings,
		      struct tacho_error *error)
{
	char session_name[NAME_ESCAPED_BYTES], channel_name[NAME_ESCAPED_BYTES];
	char *path;
	int err = name_escape("session", file->name, TACHO_SESSION_NAME_BYTES - 1, session_name,
			      error);

	if (!err)
		err = name_escape("channel", channel->name, TACHO_CHANNEL_NAME_BYTES - 1,
				  channel_name, error);
	if (err)
		return err;
	path = xasprintf("sessions/%s/%s.%s", session_name, channel_name,
			 channel->domain == TACHO_DOMAIN_KERNEL ? "kernel" : "rings");
	err = rings_open(runtime->fd, path, ret_rings, error);
	free(path);
	return err;
}

int look_rings(const struct runtime *runtime, const struct tacho_session *file,
	       const struct tacho_channel *channel, struct look_ring **ret_rings,
	       uint32_t *ret_count, struct tacho_error *error)
{
	struct rings rings;
	int err = open_rings(runtime, file, channel, &rings, error);

	if (err)
		return err;
	*ret_rings = xcalloc(rings.ring_count ? rings.ring_count : 1, sizeof(**ret_rings));
	*ret_count = rings.ring_count;
	for (uint32_t cpu = 0; cpu < rings.ring_count; cpu++)
		look_ring(&rings, cpu, &(*ret_rings)[cpu]);
	rings_close(&rings);
	return 0;
}
