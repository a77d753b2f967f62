/* SPDX-License-Identifier: MIT */
/*
 * print_slices.h - print a trace on several CPUs (slices.h): to the letter what reading at once prints.
 *
 * What a part prints before its turn goes to a file in memory. Where lines say how much later they
 * are than the one before, the first one of a part has a gap there, which is filled when it is the
 * part's turn: then that line is known.
 */
#ifndef TACHO_CLI_VIEW_PRINT_SLICES_H
#define TACHO_CLI_VIEW_PRINT_SLICES_H

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
