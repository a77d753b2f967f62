/* SPDX-License-Identifier: MIT */
/*
 * slices.h - read a trace on several CPUs: its time is cut into slices, each of which is read by a
 * thread of its own, with a reader of its own. What is made of the items is the caller's, in parts:
 * one for each slice.
 *
 *      time     |  0  |  1  |  2  |  3  | ..       as many as there are some megabytes to read
 *      threads  |  A  |  B  |  A  |  B  |          whoever is free takes the next one
 *      result   |----->                            in order: the slice whose turn it is
 *
 * What a slice gives before its turn is held in its part, and a thread whose part is full waits there
 * for its turn. So memory is bounded, and the slice whose turn it is never waits.
 *
 * The items are those of reading at once, in the same order: items of one time are in one slice, and
 * the same streams give them in the same order. That takes sound streams: what one has behind damage
 * is not shown, and items whose times go back, or are not within those of their packet, are not in
 * their slice.
 *
 *      stream   .. a  b | c  d (e) f  g | h ..      (e): damage, or a time that cannot be
 *                       |    |
 *                       |    the slice that has d reads e next: it reads all the rest
 *                       those before do not get there: all that they read is sound
 *
 * So the slice that has the item before the first thing that is wrong meets that thing before it is
 * done. It waits for its turn, and those behind it, which may have begun behind the thing and know
 * nothing of it, are thrown away. Slices are sought by headers of packets: before there are any, it
 * is made sure that indexes lead past none of them.
 */
#ifndef TACHO_CLI_VIEW_SLICES_H
#define TACHO_CLI_VIEW_SLICES_H

#include "select.h"

/* Beside 0 and negative errnos: an item was taken, and the part holds as much as it should. */
#define SLICES_FULL 1

struct slices_job {
	const struct command *command;
	const char *dir;
	const struct view_select_options *select_options;
	struct view_select *select; /* made of them */
	bool with_writers;
	bool without_fields;
	bool is_printing; /* as of struct view_walk */

	/* By the thread of a part, at any time; close() of NULL does nothing. */
	int (*open)(const struct slices_job *job, bool is_first, void **ret_part);
	int (*item)(void *part, const struct ctf_item *item);
	void (*close)(void *part);
	/* By one thread at a time, part by part: give out what is held, and then the rest. */
	int (*pour)(void *part, bool is_last);
	void *data;

	uint64_t part_bytes;             /* for open(): so much fills a part */
	struct ctf_reader_totals totals; /* afterwards: of what was read */
};

/*
 * slices_read() - take what is wanted of a trace, and say what is damaged
 * @ret_err: 0, or the first errno of the functions above
 *
 * Return: false: it does not pay here, or threads cannot be had; nothing was taken.
 */
bool slices_read(struct slices_job *job, int *ret_err);

#endif
