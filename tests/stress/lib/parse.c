/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include <string.h>

#include "format/record.h"

#define WINDOW_BYTES (1ull << TACHO_WINDOW_SHIFT)

void parse_begin(struct parse *p, const void *bytes, size_t size, uint64_t not_before)
{
	*p = (struct parse){ .bytes = bytes, .size = size, .ts = not_before };
}

static bool wrong(struct parse *p, const char *what)
{
	p->wrong = what;
	return false;
}

static bool take(struct parse *p, void *to, size_t bytes)
{
	if (p->size - p->at < bytes)
		return wrong(p, "a record that is cut off");
	memcpy(to, p->bytes + p->at, bytes);
	p->at += bytes;
	return true;
}

static bool read_extended(struct parse *p, struct parse_record *r)
{
	unsigned char mark;

	if (!take(p, &mark, 1) || !take(p, &r->id, 4) || !take(p, &r->ts, 8))
		return false;
	return mark == TACHO_ID_EXTENDED || wrong(p, "the upper bits of an extended mark");
}

static bool read_short(struct parse *p, struct parse_record *r)
{
	uint16_t id;
	uint32_t word;

	if (!p->has_ts)
		return wrong(p, "a short header at the start of a sub-buffer");
	if (!take(p, &word, 4))
		return false;
	r->id = word & 31;
	r->ts = (p->ts & ~(WINDOW_BYTES - 1)) | word >> TACHO_ID_BITS;
	if (r->id == 29)
		return wrong(p, "a header that is kept for later");
	if (r->id != TACHO_ID_MEDIUM)
		return true;
	if (!take(p, &id, 2))
		return false;
	r->id = id;
	return id > TACHO_ID_COMPACT_MAX || wrong(p, "a medium header where a compact one fits");
}

static bool read_header(struct parse *p, struct parse_record *r)
{
	bool is_extended = (p->bytes[p->at] & 31) == TACHO_ID_EXTENDED;

	if (!(is_extended ? read_extended(p, r) : read_short(p, r)))
		return false;
	if (r->ts < p->ts)
		return wrong(p, "time goes back");
	if (!p->has_ts && r->id != TACHO_ID_WRITER)
		return wrong(p, "a sub-buffer that does not say who writes");
	p->ts = r->ts;
	p->has_ts = true;
	return true;
}

static bool read_writer(struct parse *p)
{
	const void *end;

	if (!take(p, &p->pid, 4) || !take(p, &p->tid, 4))
		return false;
	end = memchr(p->bytes + p->at, 0, p->size - p->at);
	if (!end)
		return wrong(p, "the name of a thread");
	p->at = (size_t)((const unsigned char *)end - p->bytes) + 1;
	return (p->pid && p->tid) || wrong(p, "a writer without pid or tid");
}

bool parse_next(struct parse *p, struct parse_record *ret_record)
{
	while (!p->wrong && p->at < p->size) {
		if (!read_header(p, ret_record))
			return false;
		if (ret_record->id != TACHO_ID_WRITER) {
			ret_record->payload = p->bytes + p->at;
			ret_record->max = p->size - p->at;
			return true;
		}
		if (!read_writer(p))
			return false;
		if (p->at == p->size)
			return wrong(p, "a writer record that no record follows");
	}
	return false;
}

void parse_skip(struct parse *p, size_t bytes)
{
	if (p->size - p->at < bytes)
		p->wrong = "a payload that is cut off";
	else
		p->at += bytes;
}
