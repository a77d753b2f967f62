/* SPDX-License-Identifier: MIT */
/*
 * walk.h - once through a trace: each item that is wanted is handed over.
 *
 * Damage is warned about, and reading goes on: other streams are whole.
 */
#ifndef TACHO_CLI_VIEW_WALK_H
#define TACHO_CLI_VIEW_WALK_H

#include "ctf/read/reader.h"
#include "select.h"

#define VIEW_WALK_TOLD_MAX 256

struct view_walk {
	const char *dir;
	struct view_select *select;
	bool with_writers;   /* tacho:writer as well */
	bool without_fields; /* nobody looks at them */
	bool is_again;    /* of a trace that is being written: damage is left for the last time */
	bool is_printing; /* lines, on the standard output */
	uint64_t hold_after_ns; /* what is later is left for the next time; 0: nothing is */

	/* Return of both: 0; negative ends the walk. */
	int (*item)(void *data, const struct ctf_item *item);
	int (*pause)(void *data); /* now and then, also when nothing is wanted; or NULL */
	void *data;

	/*
	 * Of a trace that is read again; or NULL. Put the reader where something new may be; whether
	 * an item is new, before it is asked whether it is wanted.
	 */
	int (*place)(void *again, struct ctf_reader *reader);
	bool (*is_new)(void *again, const struct ctf_item *item, struct ctf_item *ret_new);
	void *again;

	struct ctf_reader_totals totals; /* afterwards */
	bool is_placed;                  /* .. the reader is where what is wanted begins */
	bool is_over;                    /* .. something later than all that is wanted was there */

	char *told[VIEW_WALK_TOLD_MAX]; /* damage, before it was placed; meanwhile */
	size_t told_count;
};

/* view_walk() - Return: exit status; ret_err: 0, or what a function returned, or -ENOMEM. Of that
 * nothing was said. */
int view_walk(struct view_walk *walk, int *ret_err);

/* view_walk_prepare() - only let the select know when the trace begins and, if it asks, ends: items
 * can then be judged in any order. Returns the same. */
int view_walk_prepare(struct view_walk *walk, int *ret_err);

#endif
