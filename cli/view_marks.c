/* SPDX-License-Identifier: MIT */
/* view_marks.c - see view_marks.h */
#include "view_marks.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "view_map.h"

/* Files of a trace; a limit that no trace gets to. */
#define FILES_MAX (1u << 20)

struct mark {
	uint64_t round; /* the counts below that end in _now are of this one */
	uint64_t last_ticks;
	uint64_t last_shown, last_now; /* events of that time */
	uint64_t lost_shown, lost_now;
	uint64_t packets_shown, packets_now;
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

/* Of a sum that was @shown and is @now with @part in it: how much of the part is new. */
static uint64_t new_part(uint64_t *shown, uint64_t now, uint64_t part)
{
	uint64_t more = now > *shown ? now - *shown : 0;

	*shown += more;
	return more < part ? more : part;
}

static bool pass_loss(struct mark *mark, struct ctf_lost *lost)
{
	mark->lost_now += lost->events;
	mark->packets_now += lost->packets;
	lost->events = new_part(&mark->lost_shown, mark->lost_now, lost->events);
	lost->packets = new_part(&mark->packets_shown, mark->packets_now, lost->packets);
	return lost->events || lost->packets;
}

bool view_marks_pass(struct view_marks *marks, const struct ctf_item *item,
		     struct ctf_item *ret_new)
{
	struct mark *mark = view_map_get(marks->files, item->path, strlen(item->path));

	*ret_new = *item;
	if (!mark || item->kind == CTF_ITEM_DAMAGE)
		return true;
	if (mark->round != marks->round) {
		mark->round = marks->round;
		mark->last_now = mark->lost_now = mark->packets_now = 0;
	}
	if (item->kind == CTF_ITEM_EVENT)
		return pass_event(mark, item->event.ticks);
	return pass_loss(mark, &ret_new->lost);
}
