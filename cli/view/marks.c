/* SPDX-License-Identifier: MIT */
/* marks.c - see marks.h */
#include "marks.h"

#include <stdlib.h>

#include "cli/text.h"
#include "ctf/read/stream.h"
#include "map.h"

/* Files of a trace; a limit that no trace gets to. */
#define FILES_MAX (1u << 20)

struct mark {
	uint64_t round; /* the counts below that end in _now are of this one */
	uint64_t last_ticks;
	uint64_t last_shown, last_now; /* events of that time */
	uint64_t loss_ticks;           /* of the packet that these were lost before */
	uint64_t lost_shown, packets_shown;
	bool has_place;
	struct ctf_place place; /* of the last packet that something was seen of */
};

struct view_marks {
	struct view_map *files;
	uint64_t round;
};

struct view_marks *view_marks_new(void)
{
	struct view_marks *marks = xcalloc(1, sizeof(*marks));

	marks->files = view_map_new(sizeof(struct mark), FILES_MAX);
	return marks;
}

void view_marks_free(struct view_marks *marks)
{
	if (marks)
		view_map_free(marks->files);
	free(marks);
}

void view_marks_again(struct view_marks *marks)
{
	marks->round++;
}

static bool pass_event(struct mark *mark, uint64_t ticks)
{
	if (ticks < mark->last_ticks)
		return false;
	if (ticks > mark->last_ticks) {
		mark->last_ticks = ticks;
		mark->last_shown = mark->last_now = 0;
	}
	if (++mark->last_now <= mark->last_shown)
		return false;
	mark->last_shown = mark->last_now;
	return true;
}

/* Of what was @shown, and is @now: how much is new. */
static uint64_t new_part(uint64_t *shown, uint64_t now)
{
	uint64_t more = now > *shown ? now - *shown : 0;

	*shown += more;
	return more;
}

static bool pass_loss(struct mark *mark, uint64_t begin_ticks, struct ctf_lost *lost)
{
	if (begin_ticks < mark->loss_ticks)
		return false;
	if (begin_ticks > mark->loss_ticks) {
		mark->loss_ticks = begin_ticks;
		mark->lost_shown = mark->packets_shown = 0;
	}
	lost->events = new_part(&mark->lost_shown, lost->events);
	lost->packets = new_part(&mark->packets_shown, lost->packets);
	return lost->events || lost->packets;
}

static void keep_place(struct mark *mark, const struct ctf_place *place)
{
	if (mark->has_place && mark->place.begin_ticks >= place->begin_ticks)
		return;
	mark->place = *place;
	mark->has_place = true;
}

bool view_marks_pass(struct view_marks *marks, const struct ctf_item *item,
		     struct ctf_item *ret_new)
{
	struct mark *mark;

	*ret_new = *item;
	if (item->kind == CTF_ITEM_DAMAGE)
		return true;
	mark = view_map_get(marks->files, &item->place->file, sizeof(item->place->file));
	if (!mark)
		return true;
	if (mark->round != marks->round) {
		mark->round = marks->round;
		mark->last_now = 0;
	}
	keep_place(mark, item->place);
	if (item->kind == CTF_ITEM_EVENT)
		return pass_event(mark, item->event.ticks);
	return pass_loss(mark, item->place->begin_ticks, &ret_new->lost);
}

/* The last of a stream's files that something was seen of. */
static const struct mark *last_seen(const struct view_marks *marks,
				    const struct read_stream *stream)
{
	const struct mark *last = NULL;
	const struct ctf_file_id *file;

	for (size_t i = 0; (file = read_stream_file(stream, i)); i++) {
		const struct mark *mark = view_map_find(marks->files, file, sizeof(*file));

		if (mark && mark->has_place)
			last = mark;
	}
	return last;
}

int view_marks_go(const struct view_marks *marks, struct ctf_reader *reader)
{
	const struct read_stream *stream;
	int rc = 0;

	for (size_t i = 0; rc >= 0 && (stream = ctf_reader_stream(reader, i)); i++) {
		const struct mark *mark = last_seen(marks, stream);

		if (mark)
			rc = ctf_reader_go(reader, i, &mark->place);
	}
	return rc < 0 ? rc : 0;
}
