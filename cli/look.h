/* SPDX-License-Identifier: MIT */
/*
 * look.h - what commands show of sessions: copied from shared memory, checked, and in words.
 */
#ifndef TACHO_CLI_LOOK_H
#define TACHO_CLI_LOOK_H

#include "session/session.h"

/* look_session() - copy a session's file; texts end, counts are in bounds. */
void look_session(const struct session *session, struct tacho_session *ret_file);

const char *look_state(const struct tacho_session *file); /* "recording", "stopped" */
/* "streaming", or "flight recorder" */
const char *look_kind(const struct tacho_session *file);
const char *look_mode(uint32_t mode); /* "discard", "overwrite", "block" */
/* Of each CPU; 0 if the channel makes no sense. */
uint64_t look_buffer_bytes(const struct tacho_channel *channel);

/* "any", "warning or graver", "warning only"; in @room, where it must be put together. */
/* look_rule_kind() - "system calls " and the like, in front of a pattern; "" of programs' events */
const char *look_rule_kind(uint32_t kind);
/* look_rule_kind_word() - "event", "tracepoint", "syscall" */
const char *look_rule_kind_word(uint32_t kind);

const char *look_level(uint32_t match, uint32_t level, char *room, size_t size);

/* look_text() - what a span names, "" for nothing; of several texts the first. To be freed. */
char *look_text(const struct tacho_session *file, const struct tacho_span *span);

/* The drain: "pid 4711", "none" where none is needed, or "dead". */
const char *look_drain(const struct tacho_session *file, const struct session_stats *stats,
		       char *room, size_t size);

/* Where a channel's ring of one CPU stands. */
struct look_ring {
	bool is_allocated;
	uint64_t used_bytes;
	uint64_t size_bytes;
	uint64_t written_bytes; /* ever */
	uint64_t lost[TACHO_LOST_REASONS];
};

/*
 * look_rings() - the rings of a channel, by CPU; to be freed with free()
 *
 * Return: 0 or a negative errno.
 */
int look_rings(const struct runtime *runtime, const struct tacho_session *file,
	       const struct tacho_channel *channel, struct look_ring **ret_rings,
	       uint32_t *ret_count, struct tacho_error *error);

#endif
