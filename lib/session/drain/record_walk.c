/* SPDX-License-Identifier: MIT */
/* record_walk.c - see record_walk.h */
#include "session/drain/record_walk.h"

#include <errno.h>
#include <string.h>

#include "base/context.h"

#define WINDOW_MASK ((1ull << TACHO_WINDOW_SHIFT) - 1)

/* What is left of the content. */
struct rest {
	const unsigned char *at;
	uint64_t bytes;
};

static bool take(struct rest *rest, uint64_t bytes)
{
	if (bytes > rest->bytes)
		return false;
	rest->at += bytes;
	rest->bytes -= bytes;
	return true;
}

static bool take_u32(struct rest *rest, uint32_t *ret_value)
{
	const unsigned char *at = rest->at;

	if (!take(rest, sizeof(*ret_value)))
		return false;
	memcpy(ret_value, at, sizeof(*ret_value));
	return true;
}

/* A length of 1, 2, 4 or 8 bytes. One of 8 that is beyond 32 bits is beyond the content, too. */
static bool take_length(struct rest *rest, uint32_t bytes, uint64_t *ret_value)
{
	const unsigned char *at = rest->at;
	uint64_t value = 0;

	if (!take(rest, bytes))
		return false;
	memcpy((char *)&value + (TACHO_BIG_ENDIAN ? sizeof(value) - bytes : 0), at, bytes);
	*ret_value = value < UINT32_MAX ? value : UINT32_MAX;
	return true;
}

static bool take_string(struct rest *rest)
{
	const unsigned char *end = memchr(rest->at, 0, rest->bytes);

	return end && take(rest, (uint64_t)(end - rest->at) + 1);
}

static bool take_field(struct rest *rest, const struct event_field *field)
{
	uint64_t element = TACHO_TYPE_BYTES(field->type);
	uint64_t count;

	if (!TACHO_TYPE_IS_WRITTEN(field->type))
		return true;
	switch (TACHO_TYPE_KIND(field->type)) {
	case TACHO_KIND_STRING:
		return take_string(rest);
	case TACHO_KIND_TEXT:
	case TACHO_KIND_BYTES:
	case TACHO_KIND_SEQUENCE:
		return take_length(rest, TACHO_TYPE_LENGTH_BYTES(field->type), &count) &&
		       take(rest, count * element);
	case TACHO_KIND_ARRAY:
		return take(rest, field->count * element);
	default:
		return take(rest, element);
	}
}

static bool take_payload(struct rest *rest, const struct event_table *table, uint32_t id)
{
	const struct event_desc *desc;

	if (id == TACHO_ID_WRITER)
		return take(rest, 8) && take_string(rest);
	desc = event_table_get(table, id);
	if (!desc || !take(rest, contexts_bytes(event_table_contexts(table, id))))
		return false;
	for (unsigned int i = 0; i < desc->field_count; i++) {
		if (!take_field(rest, &desc->fields[i]))
			return false;
	}
	return true;
}

/* The whole of a time of which the low bits are known, in the window of @ts or, as CTF reads it,
 * in the next. */
static uint64_t widen(uint64_t ts, uint64_t low)
{
	uint64_t full = (ts & ~WINDOW_MASK) | low;

	return full < ts ? full + WINDOW_MASK + 1 : full;
}

static bool take_extended(struct rest *rest, uint32_t *ret_id, uint64_t *ret_ts)
{
	const unsigned char *at = rest->at;

	if (!take(rest, TACHO_EXTENDED_BYTES))
		return false;
	memcpy(ret_id, at + TACHO_EXTENDED_ID, sizeof(*ret_id));
	memcpy(ret_ts, at + TACHO_EXTENDED_TS, sizeof(*ret_ts));
	return true;
}

static bool take_medium_id(struct rest *rest, uint32_t *ret_id)
{
	const unsigned char *at = rest->at;
	uint16_t id;

	if (!take(rest, sizeof(id)))
		return false;
	memcpy(&id, at, sizeof(id));
	*ret_id = id;
	return true;
}

/* There is a byte at least. */
static uint32_t mark_at(const struct rest *rest)
{
	return TACHO_BIG_ENDIAN ? *rest->at >> 3 : *rest->at & 31u;
}

static bool take_header(struct rest *rest, uint32_t *ret_id, uint64_t *ts)
{
	uint32_t word;
	uint32_t mark;

	if (!rest->bytes)
		return false;
	mark = mark_at(rest);
	if (mark == TACHO_ID_EXTENDED)
		return take_extended(rest, ret_id, ts);
	if (!take_u32(rest, &word))
		return false;
	*ts = widen(*ts, TACHO_BIG_ENDIAN ? word & WINDOW_MASK : word >> TACHO_ID_BITS);
	*ret_id = mark;
	return mark <= TACHO_ID_COMPACT_MAX ||
	       (mark == TACHO_ID_MEDIUM && take_medium_id(rest, ret_id));
}

/* A name without an end of its own gets one: others may have written there. */
static void note_writer(struct record_walk *walk, const unsigned char *payload, uint64_t bytes)
{
	if (bytes > sizeof(walk->writer))
		bytes = sizeof(walk->writer);
	memcpy(walk->writer, payload, bytes);
	walk->writer[bytes - 1] = 0;
	walk->writer_bytes = (uint32_t)bytes;
}

/* A short header is of the window of the record before: take_header() made the next one of it if
 * its low bits were less. */
static bool follows(const struct record_walk *walk, uint64_t ts, bool is_short)
{
	return ts >= walk->last_ts &&
	       (!is_short || ts >> TACHO_WINDOW_SHIFT == walk->last_ts >> TACHO_WINDOW_SHIFT);
}

int record_walk(struct record_walk *walk, const struct event_table *table, const void *content,
		uint64_t bytes)
{
	struct rest rest = { (const unsigned char *)content + walk->offset, bytes - walk->offset };
	uint64_t ts = walk->last_ts;
	uint32_t id;

	if (walk->offset > bytes)
		return -EBADMSG;
	while (rest.bytes) {
		bool is_short = mark_at(&rest) != TACHO_ID_EXTENDED;
		const unsigned char *payload;

		if (!take_header(&rest, &id, &ts))
			return -EBADMSG;
		if (walk->is_strict && !follows(walk, ts, is_short))
			return -EBADMSG;
		if (walk->end_ts && ts > walk->end_ts)
			return 0;
		payload = rest.at;
		if (!take_payload(&rest, table, id))
			return -EBADMSG;
		if (id == TACHO_ID_WRITER)
			note_writer(walk, payload, (uint64_t)(rest.at - payload));
		walk->event_count += id != TACHO_ID_WRITER;
		walk->offset = bytes - rest.bytes;
		walk->last_ts = ts;
	}
	return 0;
}
