/* SPDX-License-Identifier: MIT */
/* walk.c - see walk.h */
#include "walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/say.h"
#include "cli/text.h"

/* Items between two pauses: some milliseconds. */
#define PAUSE_ITEMS 65536

static bool is_hidden(const struct view_walk *walk, const struct ctf_item *item)
{
	return item->kind == CTF_ITEM_EVENT && item->event.is_writer && !walk->with_writers;
}

static bool is_held(const struct view_walk *walk, const struct ctf_item *item)
{
	return walk->hold_after_ns && item->kind != CTF_ITEM_DAMAGE &&
	       item->time_ns > walk->hold_after_ns;
}

/*
 * What is damaged in front of the first item may be met again behind the jump. Return: whether it was;
 * what is told now is kept, as long as there may be a jump.
 */
static bool is_told(struct view_walk *walk, const char *text)
{
	for (size_t i = 0; i < walk->told_count; i++) {
		if (!strcmp(walk->told[i], text))
			return true;
	}
	if (!walk->is_placed && walk->told_count < VIEW_WALK_TOLD_MAX)
		walk->told[walk->told_count++] = xstrdup(text);
	return false;
}

static void forget_told(struct view_walk *walk)
{
	while (walk->told_count)
		free(walk->told[--walk->told_count]);
}

/* Return: 1: go on; 0: that was all; or negative. */
static int take(struct view_walk *walk, const struct ctf_item *item)
{
	struct ctf_item new;
	int err;

	if (item->kind == CTF_ITEM_DAMAGE) {
		if (walk->is_again || is_told(walk, item->damage.text))
			return 1;
		say(SAY_WARNING, "%s", item->damage.text);
	}
	if (is_hidden(walk, item))
		return 1;
	if (is_held(walk, item))
		return 0;
	if (walk->is_new) {
		if (!walk->is_new(walk->again, item, &new))
			return 1;
		item = &new;
	}
	switch (view_select_judge(walk->select, item)) {
	case VIEW_SHOW:
		err = walk->item(walk->data, item);
		return err ? err : 1;
	case VIEW_END:
		walk->is_over = true;
		return 0;
	default:
		return 1;
	}
}

/* For those who want only the end of the trace. */
static int learn_end(struct view_walk *walk, struct ctf_reader *reader)
{
	uint64_t end_ns = 0;
	int rc;

	if (!view_select_needs_end(walk->select))
		return 0;
	rc = ctf_reader_find_last(reader, &end_ns);
	view_select_set_end(walk->select, end_ns);
	return rc < 0 ? rc : 0;
}

/*
 * Only when the first item was seen it is known when the trace begins, and what that means. If it is
 * wanted nevertheless, as a loss that goes on until then is, it comes again.
 * Return: 1: the reader is somewhere else; 0: it is where it was; or negative.
 */
static int jump(struct view_walk *walk, struct ctf_reader *reader, const struct ctf_item *item)
{
	uint64_t from_ns;
	int err;

	if (item->kind == CTF_ITEM_DAMAGE || is_hidden(walk, item) || is_held(walk, item))
		return 0;
	walk->is_placed = true;
	view_select_judge(walk->select, item);
	from_ns = view_select_from(walk->select);
	if (from_ns <= item->time_ns)
		return 0;
	err = ctf_reader_seek(reader, from_ns);
	return err ? err : 1;
}

static int pause_walk(struct view_walk *walk, const struct ctf_reader *reader)
{
	progress_show(ctf_reader_done_bytes(reader), ctf_reader_totals(reader).bytes);
	return walk->pause ? walk->pause(walk->data) : 0;
}

/* A walk that comes again ends where traces move below it: what comes later may be of the next one. */
static bool is_moved(const struct view_walk *walk, const struct ctf_reader *reader,
		     const struct ctf_item *item)
{
	return walk->is_again && item->kind == CTF_ITEM_DAMAGE && ctf_reader_is_changed(reader);
}

static int take_all(struct view_walk *walk, struct ctf_reader *reader)
{
	const struct ctf_item *item;
	int more;

	more = learn_end(walk, reader);
	if (more)
		return more;
	if (walk->without_fields)
		ctf_reader_skip_fields(reader);
	more = walk->place ? walk->place(walk->again, reader) : 0;
	if (more)
		return more;
	for (unsigned int count = 1; (more = ctf_reader_next(reader, &item)) > 0; count++) {
		int err;

		if (is_moved(walk, reader, item))
			return 0;
		err = walk->is_placed ? 0 : jump(walk, reader, item);
		if (err > 0)
			continue;
		more = err ? err : take(walk, item);
		if (more > 0 && count % PAUSE_ITEMS == 0)
			err = pause_walk(walk, reader);
		if (err)
			more = err;
		if (more <= 0)
			break;
	}
	return more;
}

static int with_reader(struct view_walk *walk, int (*work)(struct view_walk *, struct ctf_reader *),
		       int *ret_err)
{
	struct ctf_reader *reader;
	struct tacho_error error;

	*ret_err = 0;
	if (ctf_reader_open(walk->dir, &error, &reader))
		return walk->is_again && error.code == -ENOENT ? STATUS_DONE : fail_with(&error);
	progress_begin("reading", walk->is_printing);
	*ret_err = work(walk, reader);
	forget_told(walk);
	progress_end();
	walk->totals = ctf_reader_totals(reader);
	ctf_reader_close(reader);
	return STATUS_DONE;
}

/* The trace begins with its first item. */
static int judge_first(struct view_walk *walk, struct ctf_reader *reader)
{
	const struct ctf_item *item;
	int more = learn_end(walk, reader);

	if (more)
		return more;
	while ((more = ctf_reader_next(reader, &item)) > 0) {
		if (item->kind == CTF_ITEM_DAMAGE || is_hidden(walk, item))
			continue;
		view_select_judge(walk->select, item);
		return 0;
	}
	return more;
}

int view_walk_prepare(struct view_walk *walk, int *ret_err)
{
	return with_reader(walk, judge_first, ret_err);
}

int view_walk(struct view_walk *walk, int *ret_err)
{
	return with_reader(walk, take_all, ret_err);
}
