/* SPDX-License-Identifier: MIT */
/* sound.c - see sound.h */
#include "session/recover/sound.h"

#include <stdlib.h>
#include <string.h>

#include "session/drain/record_walk.h"
#include "session/recover/image.h"

/* A ring that is looked through. */
struct search {
	const struct rings *rings;
	const struct tacho_ring *ring;
	const struct event_table *events;
	uint64_t first;
	bool is_by_page;
	uint64_t opened; /* of now: what was opened meanwhile is not what was read */
	struct sound *sound;
};

/* The open sub-buffer, as far as the head's page knows. */
static bool has_open(const struct search *s, uint64_t *ret_number)
{
	if (!s->ring->head)
		return false;
	*ret_number = tacho_open_subbuf(s->ring->head, s->rings->subbuf_shift);
	return true;
}

static bool is_open(const struct search *s, uint64_t number)
{
	uint64_t open;

	return has_open(s, &open) && number == open;
}

/* Numbers are below 2^64 >> shift, and zeros are what an entry has that was never used. */
static bool is_entry(const struct search *s, uint32_t place)
{
	const struct tacho_subbuf *entry = &s->ring->subbuf[place];

	return entry->subbuf_number % s->rings->subbuf_count == place && entry->begin_ts &&
	       entry->subbuf_number < UINT64_MAX >> s->rings->subbuf_shift;
}

static uint64_t content_bytes(const struct search *s, uint64_t number)
{
	const struct tacho_subbuf *entry = &s->ring->subbuf[number % s->rings->subbuf_count];
	uint64_t end = is_open(s, number) ? s->ring->head : entry->content_end;
	uint64_t start = number << s->rings->subbuf_shift;

	return end <= start || end - start > 1ull << s->rings->subbuf_shift ? 0 : end - start;
}

static void fill_view(const struct search *s, uint64_t number, struct ring_view *view)
{
	const struct tacho_subbuf *entry = &s->ring->subbuf[number % s->rings->subbuf_count];
	const uint64_t *lost = is_open(s, number) ? s->ring->lost : entry->lost_before_close;

	*view = (struct ring_view){
		.number = number,
		.content = (const char *)s->ring +
			   tacho_subbuf_at(number, s->rings->subbuf_count, s->rings->subbuf_shift),
		.content_bytes = content_bytes(s, number),
		.begin_ts = entry->begin_ts,
		.end_ts = is_open(s, number) ? 0 : entry->end_ts,
	};
	memcpy(view->lost, lost, sizeof(view->lost));
}

/* A sub-buffer begins with a tacho:writer, which has the time that the table has. */
static bool begins_well(const struct ring_view *view)
{
	const unsigned char *content = view->content;
	uint32_t id;
	uint64_t ts;

	if (view->content_bytes < TACHO_EXTENDED_BYTES)
		return false;
	memcpy(&id, content + TACHO_EXTENDED_ID, sizeof(id));
	memcpy(&ts, content + TACHO_EXTENDED_TS, sizeof(ts));
	return (TACHO_BIG_ENDIAN ? *content >> 3 : *content & 31u) == TACHO_ID_EXTENDED &&
	       id == TACHO_ID_WRITER && ts == view->begin_ts;
}

static struct record_walk walk_through(const struct search *s, const struct ring_view *view,
				       uint64_t bytes, uint64_t end_ts)
{
	struct record_walk walk = { .is_strict = true, .end_ts = end_ts };

	record_walk(&walk, s->events, view->content, bytes);
	return walk;
}

/* The time of what a walk stopped at, if it is a record of earlier than the one before; else of that.
 * One of the two is on a page of another moment, so nothing that is later than either is believed. */
static uint64_t end_of_belief(const struct ring_view *view, const struct record_walk *walk)
{
	const unsigned char *at = (const unsigned char *)view->content + walk->offset;
	uint64_t mask = (1ull << TACHO_WINDOW_SHIFT) - 1;
	uint64_t ts;
	uint32_t word;

	if (view->content_bytes - walk->offset < TACHO_EXTENDED_BYTES)
		return walk->last_ts;
	memcpy(&word, at, sizeof(word));
	memcpy(&ts, at + TACHO_EXTENDED_TS, sizeof(ts));
	if ((TACHO_BIG_ENDIAN ? *at >> 3 : *at & 31u) != TACHO_ID_EXTENDED)
		ts = (walk->last_ts & ~mask) |
		     (TACHO_BIG_ENDIAN ? word & mask : word >> TACHO_ID_BITS);
	return ts >= view->begin_ts && ts < walk->last_ts ? ts : walk->last_ts;
}

/* Of what is before the place at which a walk stopped: the record before may reach into the page that
 * is not what it should be. */
static struct record_walk walk_again(const struct search *s, const struct ring_view *view,
				     const struct record_walk *walk)
{
	struct record_walk again = walk_through(s, view, walk->offset, end_of_belief(view, walk));
	uint64_t whole_pages = again.offset / RECOVER_PAGE * RECOVER_PAGE;

	return walk_through(s, view, whole_pages, view->end_ts);
}

/* Return: is anything of it sound? */
static bool check_content(const struct search *s, struct sound_part *part)
{
	struct ring_view *view = &part->view;
	struct record_walk walk;

	if (!begins_well(view))
		return false;
	walk = walk_through(s, view, view->content_bytes, view->end_ts);
	if (walk.offset < view->content_bytes && s->is_by_page)
		walk = walk_again(s, view, &walk);
	part->is_whole = walk.offset == view->content_bytes;
	part->event_count = walk.event_count;
	view->content_bytes = walk.offset;
	if (!part->is_whole || !view->end_ts)
		view->end_ts = walk.last_ts;
	return walk.offset > 0;
}

static bool was_overwritten(const struct search *s, uint64_t number)
{
	return s->opened > number + s->rings->subbuf_count;
}

static void look_at(const struct search *s, uint32_t place)
{
	uint64_t number = s->ring->subbuf[place].subbuf_number;
	struct sound_part *part = &s->sound->part[s->sound->part_count];

	if (!is_entry(s, place) || number < s->first || was_overwritten(s, number))
		return;
	fill_view(s, number, &part->view);
	if (check_content(s, part))
		s->sound->part_count++;
}

static int by_number(const void *a, const void *b)
{
	uint64_t one = ((const struct sound_part *)a)->view.number;
	uint64_t other = ((const struct sound_part *)b)->view.number;

	return (one > other) - (one < other);
}

/* ---- what is missing ---- */

/* Behind the last sub-buffer that is known to have records. */
static uint64_t end_of(const struct search *s)
{
	const struct sound *sound = s->sound;
	uint64_t end = sound->part_count ? sound->part[sound->part_count - 1].view.number + 1 : 0;
	uint64_t open;

	if (has_open(s, &open) && open >= end && !was_overwritten(s, open))
		end = open + 1;
	return end;
}

/* Opened, as the table says, while the page of the head is of before. */
static bool is_headless(const struct search *s, uint32_t place, uint64_t end)
{
	uint64_t number = s->ring->subbuf[place].subbuf_number;

	return is_entry(s, place) && number >= end && number >= s->opened;
}

/* Behind the last sub-buffer that was opened; numbers that are far away were never opened. */
static uint64_t end_of_opened(const struct search *s, uint64_t end)
{
	uint32_t count = s->rings->subbuf_count;
	uint64_t last = end;

	for (uint32_t place = 0; place < count; place++) {
		uint64_t number = s->ring->subbuf[place].subbuf_number;

		if (is_headless(s, place, end) && number < end + count && number >= last)
			last = number + 1;
	}
	return last;
}

static uint64_t begin_of(const struct search *s, uint64_t end)
{
	uint64_t count = s->rings->subbuf_count;
	uint64_t opened_end = end_of_opened(s, end);
	uint64_t begin = opened_end > count ? opened_end - count : 0;

	if (s->opened > count && s->opened - count > begin)
		begin = s->opened - count;
	if (s->first > begin)
		begin = s->first;
	return begin < end ? begin : end;
}

/* What does not stand in its lap is of another one, or was never a number. */
static void drop_strays(const struct search *s, uint64_t begin)
{
	struct sound *sound = s->sound;
	uint32_t strays = 0;

	while (strays < sound->part_count && sound->part[strays].view.number < begin)
		strays++;
	sound->part_count -= strays;
	memmove(sound->part, sound->part + strays, sound->part_count * sizeof(sound->part[0]));
}

static uint64_t count_headless(const struct search *s, uint64_t end)
{
	uint64_t count = 0;

	for (uint32_t place = 0; place < s->rings->subbuf_count; place++)
		count += is_headless(s, place, end);
	return count;
}

static uint64_t count_damaged(const struct search *s, uint64_t begin, uint64_t end)
{
	uint64_t missing = end - begin - s->sound->part_count;
	uint64_t cut = 0;

	for (uint32_t i = 0; i < s->sound->part_count; i++)
		cut += !s->sound->part[i].is_whole;
	return missing + cut + count_headless(s, end);
}

void sound_find(const struct rings *rings, uint32_t cpu, const struct event_table *events,
		uint64_t first, bool is_by_page, struct sound *ret_sound)
{
	struct search s = {
		.rings = rings,
		.ring = image_ring(rings, cpu),
		.events = events,
		.first = first,
		.is_by_page = is_by_page,
		.opened = image_opened(rings, cpu),
		.sound = ret_sound,
	};
	uint64_t begin, end;

	ret_sound->part_count = 0;
	for (uint32_t place = 0; place < rings->subbuf_count; place++)
		look_at(&s, place);
	qsort(ret_sound->part, ret_sound->part_count, sizeof(ret_sound->part[0]), by_number);
	end = end_of(&s);
	begin = begin_of(&s, end);
	drop_strays(&s, begin);
	ret_sound->damaged = count_damaged(&s, begin, end);
}
