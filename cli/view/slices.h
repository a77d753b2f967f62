/* SPDX-License-Identifier: MIT */
/*
 * slices.h - print a trace on several CPUs: its time is cut into slices, each of which is read
 * and printed by a thread of its own, with a reader of its own.
 *
 *      time     |  0  |  1  |  2  |  3  | ..       as many as there are some megabytes to read
 *      threads  |  A  |  B  |  A  |  B  |          whoever is free takes the next one
 *      output   |----->                            in order: the slice whose turn it is
 *
 * What a slice prints before its turn goes to a file in memory, and a thread that has printed
 * SLICE_OUTPUT_BYTES waits there for its turn. So memory is bounded, and the slice whose turn it is
 * never waits.
 *
 * The lines are those of reading at once: items of one time are in one slice, and the same streams
 * give them in the same order. That takes sound streams: what one has behind damage is not shown,
 * and items whose times go back, or are not within those of their packet, are not in their slice.
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

#include "output.h"
#include "select.h"

struct view_slices_job {
	const struct command *command;
	const char *dir;
	const struct view_select_options *select_options;
	struct view_select *select; /* made of them */
	const struct view_output_options *output;
	bool with_writers;

	struct ctf_reader_totals totals; /* afterwards: of what was read */
	uint64_t shown;
};

/*
 * view_slices_print() - print what is wanted of a trace
 * @ret_err: 0 or a negative errno; -EPIPE: nobody reads any more
 *
 * Return: false: it does not pay here, or threads cannot be had; nothing was printed.
 */
bool view_slices_print(struct view_slices_job *job, int *ret_err);

#endif
