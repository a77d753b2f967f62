/* SPDX-License-Identifier: MIT */
/*
 * new_trace.h - what the commands have in common that make a trace of others: it is complete or not
 * there, also if they are interrupted, and what is done is said.
 */
#ifndef TACHO_CLI_NEW_TRACE_H
#define TACHO_CLI_NEW_TRACE_H

#include "cmd.h"
#include "edit/edit.h"

/* Lines of a table of options. */
/* clang-format off */
#define NEW_TRACE_OPTIONS(output, format)                                                       \
	{ "output", 'o', POPT_ARG_STRING, &(output), 0,                                         \
	  "Where to: a directory that is not there yet", "DIR" },                               \
	{ "format", 0, POPT_ARG_STRING, &(format), 0,                                           \
	  "In which version of the Common Trace Format (else: that of the source)",             \
	  "ctf1|ctf2" }
/* clang-format on */

/*
 * new_trace_make() - edit_run(), with notes on the standard error output and a sum at the end
 * @format: the option; or NULL
 * @request: its note and is_stopped are set here
 *
 * Return: exit status. An interrupt ends the process, once what was written is removed.
 */
int new_trace_make(const struct command *self, struct edit_request *request, const char *format,
		   struct edit_totals *ret_totals);

#endif
