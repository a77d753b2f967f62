/* SPDX-License-Identifier: MIT */
/*
 * select.h - which items of a trace are wanted: options that several commands share.
 *
 * An event is wanted if it fits each kind of option that was given, and of several values of a kind
 * one. A loss is, if its CPU and time fit: events that were lost may have been any. Damage always is.
 */
#ifndef TACHO_CLI_VIEW_SELECT_H
#define TACHO_CLI_VIEW_SELECT_H

#include "cli/cmd.h"
#include "ctf/read/reader.h"

struct view_select_options {
	const char **events, **excludes;
	const char **cpus, **pids, **tids, **threads;
	const char *level, *filter;
	const char *begin, *end, *last;
};

/* Lines of a table of options, two for each. */
/* clang-format off */
#define VIEW_SELECT_OPTIONS(asked)                                                              \
	{ "event", 'e', POPT_ARG_ARGV, &(asked).events, 0,                                      \
	  "Only events whose provider:name matches; * is anything", "PATTERN[,PATTERN].." },    \
	{ "exclude", 'x', POPT_ARG_ARGV, &(asked).excludes, 0,                                  \
	  "Not these", "PATTERN[,PATTERN].." },                                                 \
	{ "level", 0, POPT_ARG_STRING, &(asked).level, 0,                                       \
	  "Only events of this log level or graver", "LEVEL" },                                 \
	{ "filter", 'f', POPT_ARG_STRING, &(asked).filter, 0,                                   \
	  "Only if this is true of the event's fields (tacho-filter(7))", "EXPRESSION" },       \
	{ "begin", 0, POPT_ARG_STRING, &(asked).begin, 0,                                       \
	  "From then on: 12:00:00.5, '2026-11-30 12:00', @SECONDS since 1970, "                 \
	  "+SECONDS since the trace begins", "TIME" },                                          \
	{ "end", 0, POPT_ARG_STRING, &(asked).end, 0,                                           \
	  "Until then", "TIME" },                                                               \
	{ "last", 0, POPT_ARG_STRING, &(asked).last, 0,                                         \
	  "Only the end of the trace: so many seconds, or 200ms, 5m, 1h", "DURATION" },         \
	{ "cpu", 0, POPT_ARG_ARGV, &(asked).cpus, 0,                                            \
	  "Only of these CPUs", "N[,N].." },                                                    \
	{ "pid", 0, POPT_ARG_ARGV, &(asked).pids, 0,                                            \
	  "Only of these processes", "PID[,PID].." },                                           \
	{ "tid", 0, POPT_ARG_ARGV, &(asked).tids, 0,                                            \
	  "Only of these threads", "TID[,TID].." },                                             \
	{ "thread", 0, POPT_ARG_ARGV, &(asked).threads, 0,                                      \
	  "Only of threads with such a name", "PATTERN[,PATTERN].." }
/* clang-format on */

struct view_filter;
struct view_select;

/* view_select_new() - says what is wrong with the options. Return: exit status. */
int view_select_new(const struct command *command, const struct view_select_options *options,
		    struct view_select **ret_select);
void view_select_free(struct view_select *select);

/* view_select_filter() - that of the options; NULL: none */
const struct view_filter *view_select_filter(const struct view_select *select);

/* view_select_needs_end() - is view_select_set_end() needed first? */
bool view_select_needs_end(const struct view_select *select);
/* view_select_set_end() - when the last item of the trace is */
void view_select_set_end(struct view_select *select, uint64_t end_ns);

enum view_verdict {
	VIEW_SKIP,
	VIEW_SHOW,
	VIEW_END, /* nor is anything behind it */
};

/* view_select_judge() - items by time, the first one of the trace first: that is where it begins */
enum view_verdict view_select_judge(struct view_select *select, const struct ctf_item *item);

/* view_select_from() - before then nothing is wanted; known once an item was judged, else 0 */
uint64_t view_select_from(const struct view_select *select);

/* view_select_to() - behind then nothing is wanted; the same */
uint64_t view_select_to(const struct view_select *select);

/* view_select_share() - another one, of the same options, has judged the first item of the trace */
void view_select_share(struct view_select *select, const struct view_select *other);

/* view_select_begin() - when the first item was */
uint64_t view_select_begin(const struct view_select *select);

#endif
