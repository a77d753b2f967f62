/* SPDX-License-Identifier: MIT */
/*
 * view_slices.h - print a trace on several CPUs: its time is cut into slices, each of which is read
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
 * give them in the same order. Where there is damage this does not hold, as it ends its stream: the
 * slice that meets some goes on until the end of the trace, and those behind it are thrown away. Known
 * to be wrong: where a stream is damaged in several places, a slice may begin behind the first one.
 */
#ifndef TACHO_CLI_VIEW_SLICES_H
#define TACHO_CLI_VIEW_SLICES_H

#include "view_output.h"
#include "view_select.h"

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
