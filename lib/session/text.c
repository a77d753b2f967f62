/* SPDX-License-Identifier: MIT */
/* text.c - see text.h */
#include "session/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "session/state.h"

#define ALIGNMENT  8u
#define PAGE_BYTES 4096u

#define SPANS_OF_RULE    4
#define SPANS_OF_TRIGGER 3
#define SPANS_MAX                                                                                  \
	(SPANS_OF_RULE * TACHO_RULES_MAX + TACHO_TRACKERS_MAX +                                    \
	 SPANS_OF_TRIGGER * TACHO_TRIGGERS_MAX)

struct live_spans {
	struct tacho_span span[SPANS_MAX];
	size_t count;
};

static uint32_t align_up(uint64_t bytes, uint32_t to)
{
	return (uint32_t)((bytes + to - 1) / to * to);
}

/* A damaged span is no reason to refuse work: what leads out of the heap is not in it. */
static void add_span(struct live_spans *live, struct tacho_span span)
{
	if (!span.bytes || span.bytes > TACHO_TEXT_BYTES || span.at > TACHO_TEXT_BYTES - span.bytes)
		return;
	live->span[live->count++] = span;
}

static void add_rule(struct live_spans *live, const struct tacho_rule *rule)
{
	if (rule->enabled == TACHO_RULE_FREE)
		return;
	add_span(live, rule->exclude);
	add_span(live, rule->executable);
	add_span(live, rule->filter_text);
	add_span(live, rule->filter);
}

static void add_trigger(struct live_spans *live, const struct tacho_trigger *trigger)
{
	if (!trigger->is_used)
		return;
	add_span(live, trigger->name);
	add_span(live, trigger->command);
	add_span(live, trigger->session);
}

static int by_place(const void *a, const void *b)
{
	uint32_t x = ((const struct tacho_span *)a)->at;
	uint32_t y = ((const struct tacho_span *)b)->at;

	return (x > y) - (x < y);
}

static void find_live(const struct tacho_session *file, struct live_spans *ret_live)
{
	ret_live->count = 0;
	for (uint32_t i = 0; i < file->rule_count && i < TACHO_RULES_MAX; i++)
		add_rule(ret_live, &file->rule[i]);
	for (uint32_t i = 0; i < TACHO_TRACKERS_MAX; i++) {
		if (file->tracker[i].is_used)
			add_span(ret_live, file->tracker[i].executable);
	}
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++)
		add_trigger(ret_live, &file->trigger[i]);
	qsort(ret_live->span, ret_live->count, sizeof(ret_live->span[0]), by_place);
}

/* The first gap of @bytes bytes. Return: where, or TACHO_TEXT_BYTES. */
static uint32_t find_gap(const struct live_spans *live, uint32_t bytes)
{
	uint32_t at = 0;

	for (size_t i = 0; i < live->count; i++) {
		uint32_t end =
			align_up((uint64_t)live->span[i].at + live->span[i].bytes, ALIGNMENT);

		if (live->span[i].at >= at && live->span[i].at - at >= bytes)
			return at;
		if (end > at)
			at = end;
	}
	return at <= TACHO_TEXT_BYTES - bytes ? at : TACHO_TEXT_BYTES;
}

/* Of the pieces one behind the other, each aligned. */
static uint64_t count_bytes(const struct text_piece *pieces, size_t count)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++) {
		if (pieces[i].bytes > TACHO_TEXT_BYTES)
			return UINT64_MAX;
		bytes += align_up(pieces[i].bytes, ALIGNMENT);
	}
	return bytes;
}

static int find_place(const struct tacho_session *file, uint64_t bytes, uint32_t *ret_at,
		      struct tacho_error *error)
{
	struct live_spans *live;

	if (bytes > TACHO_TEXT_BYTES)
		return error_set(error, -ENOSPC,
				 "filters, exclusions and other texts of a session have at most "
				 "%u bytes together; this alone is longer",
				 TACHO_TEXT_BYTES);
	live = malloc(sizeof(*live));
	if (!live)
		return error_set(error, -ENOMEM, "no memory to look for a place for text");
	find_live(file, live);
	*ret_at = find_gap(live, (uint32_t)bytes);
	free(live);
	if (*ret_at < TACHO_TEXT_BYTES)
		return 0;
	return error_set(error, -ENOSPC,
			 "the session '%s' has no room for %llu more bytes of filters, exclusions "
			 "and other text (at most %u together); remove rules that are not needed: "
			 "tacho disable-event --remove",
			 file->name, (unsigned long long)bytes, TACHO_TEXT_BYTES);
}

/* Whoever touches what has no memory, in a full file system, is killed. */
static int allocate(struct session *session, uint32_t end, uint32_t *ret_allocated,
		    struct tacho_error *error)
{
	uint32_t allocated = session->file->text_allocated;
	uint32_t wanted = align_up(end, PAGE_BYTES);

	*ret_allocated = allocated;
	if (end <= allocated)
		return 0;
	if (fallocate(session->lock_fd, 0, (off_t)(TACHO_SESSION_FIXED_BYTES + allocated),
		      wanted - allocated))
		return error_set(error, -errno,
				 "cannot make room for text in the file of session '%s' in %s: %s",
				 session->file->name, session->runtime->path, strerror(errno));
	*ret_allocated = wanted;
	return 0;
}

/* The bytes behind a piece are made zero: nobody finds there what was there before. */
static void write_pieces(struct tacho_session *file, struct text_piece *pieces, size_t count,
			 uint32_t at)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t bytes = align_up(pieces[i].bytes, ALIGNMENT);

		if (!bytes)
			continue;
		memset(file->text + at + bytes - ALIGNMENT, 0, ALIGNMENT);
		memcpy(file->text + at, pieces[i].data, pieces[i].bytes);
		pieces[i].span = (struct tacho_span){ at, (uint32_t)pieces[i].bytes };
		at += bytes;
	}
}

static void write_changed(struct tacho_session *file, struct text_piece *pieces, size_t count,
			  uint32_t at, uint32_t allocated)
{
	uint32_t generation = session_change_begin(file);

	tacho_store_relaxed(&file->text_allocated, allocated);
	write_pieces(file, pieces, count, at);
	session_change_end(file, generation);
}

int session_text_put(struct session *session, struct text_piece *pieces, size_t count,
		     struct tacho_error *error)
{
	uint64_t bytes = count_bytes(pieces, count);
	uint32_t allocated, at = 0;
	int ret;

	for (size_t i = 0; i < count; i++)
		pieces[i].span = (struct tacho_span){ 0 };
	if (!bytes)
		return 0;
	ret = find_place(session->file, bytes, &at, error);
	if (!ret)
		ret = allocate(session, at + (uint32_t)bytes, &allocated, error);
	if (!ret)
		write_changed(session->file, pieces, count, at, allocated);
	return ret;
}

int session_text_reserve(struct session *session, uint32_t bytes, struct tacho_error *error)
{
	uint32_t allocated;
	int ret = allocate(session, bytes, &allocated, error);

	if (!ret)
		tacho_store_relaxed(&session->file->text_allocated, allocated);
	return ret;
}
