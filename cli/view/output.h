/* SPDX-License-Identifier: MIT */
/*
 * output.h - items of a trace on the standard output, in the form that was asked for.
 *
 * Functions return 0 or a negative errno; -EPIPE: nobody reads any more, which is no failure.
 */
#ifndef TACHO_CLI_VIEW_OUTPUT_H
#define TACHO_CLI_VIEW_OUTPUT_H

#include "ctf/print/print.h"

struct view_output_options {
	bool is_csv;
	char *const *columns; /* of CSV: NULL-terminated */
	bool without_header;  /* the same */
	struct ctf_print_options print;
};

struct view_output;

int view_output_new(const struct view_output_options *options, struct view_output **ret_output);
void view_output_free(struct view_output *output);

/* view_output_begin() - the trace begins then: relative times are since */
void view_output_begin(struct view_output *output, uint64_t time_ns);
int view_output_item(struct view_output *output, const struct ctf_item *item);

/* view_output_flush() - write what is gathered; also sees that nobody reads, when nothing is */
int view_output_flush(struct view_output *output);

/* view_output_has_reader() - false: nobody reads from the pipe any more, as head(1) does */
bool view_output_has_reader(int fd);

/* Since it was made: items that were shown, and bytes. */
uint64_t view_output_shown(const struct view_output *output);
uint64_t view_output_bytes(const struct view_output *output);

/* view_output_say_loss() - where a form has no line for losses and there were some, say so once */
void view_output_say_loss(const struct view_output *output, bool *io_is_said);

/* As ctf_print_last() and ctf_print_gaps(): CSV has no such times. */
void view_output_last(const struct view_output *output, struct ctf_print_last *io_last);
unsigned int view_output_gaps(const struct view_output *output,
			      struct ctf_print_gap ret_gaps[CTF_PRINT_GAPS_MAX]);

#endif
