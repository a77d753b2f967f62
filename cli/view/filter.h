/* SPDX-License-Identifier: MIT */
/*
 * filter.h - a filter expression (tacho-filter(7)) on the events of a trace.
 *
 * It means what it means while recording: an event that lacks a field which is named anywhere in it,
 * or has one whose type does not fit, does not match. What is different comes from what a trace
 * holds: a context is there if it was recorded; but process, thread, its name and the CPU are known
 * of each event. `a.b` is also the member b of a struct a, as other tracers record them.
 */
#ifndef TACHO_CLI_VIEW_FILTER_H
#define TACHO_CLI_VIEW_FILTER_H

#include "cli/cmd.h"
#include "ctf/read/reader.h"
#include "filter/filter.h"

#define VIEW_SHOWN_NAME_MAX (3 * TACHO_NAME_MAX)

struct view_filter;

/* view_filter_new() - @text: says what is wrong with it. Return: exit status. */
int view_filter_new(const struct command *command, const char *text,
		    struct view_filter **ret_filter);
void view_filter_free(struct view_filter *filter);

bool view_filter_is_match(struct view_filter *filter, const struct ctf_event *event);

/* view_filter_each_field() - those that the expression names, each once */
void view_filter_each_field(const struct view_filter *filter,
			    void (*take)(void *data, const char *name, size_t bytes), void *data);

/* view_shown_name() - names in a trace are identifiers: any other byte is `_` and two digits. Return:
 * its length; 0: there is nothing to be changed. */
size_t view_shown_name(const char *name, size_t bytes, char ret_name[VIEW_SHOWN_NAME_MAX]);

/* view_field() - a field of an event by its name, or path; NULL: it has none */
const struct ctf_value *view_field(const struct ctf_event *event, const char *name, size_t bytes);

#endif
