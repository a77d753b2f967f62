/* SPDX-License-Identifier: MIT */
/* walk.c - see walk.h */
#include "walk.h"

#include <stdio.h>
#include <string.h>

#include "format/record.h"

struct cursor {
	const uint8_t *at, *end;
	bool has_last; /* there was a record in this sub-buffer */
	struct walk_record record;
};

static bool wrong(struct walk *walk, const struct cursor *c, const char *why)
{
	snprintf(walk->why, sizeof(walk->why), "%s, %td bytes before the end, id %u", why,
		 c->end - c->at, c->record.id);
	return false;
}

static bool take(struct cursor *c, void *to, size_t bytes)
{
	if ((size_t)(c->end - c->at) < bytes)
		return false;
	memcpy(to, c->at, bytes);
	c->at += bytes;
	return true;
}

static bool take_extended(struct cursor *c)
{
	uint8_t mark;

	return take(c, &mark, 1) && mark == TACHO_ID_EXTENDED && take(c, &c->record.id, 4) &&
	       take(c, &c->record.ts, 8);
}

/* A short header stands in the window of the record before. */
static bool take_short(struct cursor *c)
{
	uint64_t window = c->record.ts >> TACHO_WINDOW_SHIFT << TACHO_WINDOW_SHIFT;
	uint32_t word;
	uint16_t id;

	if (!take(c, &word, 4))
		return false;
	c->record.ts = window | word >> TACHO_ID_BITS;
	c->record.id = word & 31;
	if (c->record.id != TACHO_ID_MEDIUM)
		return c->record.id <= TACHO_ID_COMPACT_MAX;
	if (!take(c, &id, 2))
		return false;
	c->record.id = id;
	return true;
}

static bool take_header(struct walk *walk, struct cursor *c)
{
	bool is_extended = c->at < c->end && (*c->at & 31) == TACHO_ID_EXTENDED;

	if (!is_extended && !c->has_last)
		return wrong(walk, c, "a sub-buffer begins by a short header");
	if (is_extended ? !take_extended(c) : !take_short(c))
		return wrong(walk, c, "no header");
	if (c->record.ts < walk->last_ts)
		return wrong(walk, c, "time goes back");
	if (!c->has_last && c->record.id != TACHO_ID_WRITER)
		return wrong(walk, c, "a sub-buffer does not begin by tacho:writer");
	walk->last_ts = c->record.ts;
	c->has_last = true;
	return true;
}

static bool take_writer(struct walk *walk, struct cursor *c)
{
	const uint8_t *end;

	if (!take(c, &c->record.pid, 4) || !take(c, &c->record.tid, 4))
		return wrong(walk, c, "tacho:writer is cut");
	end = memchr(c->at, 0, (size_t)(c->end - c->at));
	if (!end || end - c->at >= TACHO_THREAD_NAME_BYTES)
		return wrong(walk, c, "a name has no end");
	c->record.name = (const char *)c->at;
	c->at = end + 1;
	return true;
}

static bool take_event(struct walk *walk, struct cursor *c)
{
	uint32_t bytes = walk->payload_bytes(c->record.id);

	if (bytes == UINT32_MAX || (size_t)(c->end - c->at) < bytes)
		return wrong(walk, c, "no such event, or it is cut");
	c->record.payload = c->at;
	c->at += bytes;
	walk->records++;
	if (walk->see)
		walk->see(walk->data, &c->record);
	return true;
}

bool walk_content(struct walk *walk, const uint8_t *content, uint64_t bytes)
{
	struct cursor c = { .at = content, .end = content + bytes };

	while (c.at < c.end) {
		if (!take_header(walk, &c))
			return false;
		if (c.record.id == TACHO_ID_WRITER ? !take_writer(walk, &c) : !take_event(walk, &c))
			return false;
	}
	return true;
}
