/* SPDX-License-Identifier: MIT */
/*
 * cmd-merge.c - tacho merge: traces of several hosts or sessions as one.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "ctf/read/trace.h"
#include "new_trace.h"
#include "options.h"
#include "say.h"
#include "text.h"
#include "view/find.h"
#include "view/time.h"

static struct {
	const char *output, *format;
	const char **offsets;
} asked;

/* HOST=TIME[@WHEN] */
struct offset {
	char *host; /* or the number of an argument, from 1 */
	int64_t ns;
	uint64_t at_ns; /* then; 0: always */
	bool is_used;
};

/* What --offset says of one trace. */
struct merge_line {
	struct edit_correction points;
	size_t count;
	int64_t always_ns;
};

struct merge {
	struct offset *offsets;
	size_t offset_count;
	char **dirs;
	size_t dir_count;
};

/* ---- options ---- */

/* "@WHEN", where there is one: a date, or seconds since 1970. It is cut off from the text. */
static int take_moment(char *text, uint64_t *ret_at_ns)
{
	char *at = strchr(text, '@');
	struct view_time moment;

	*ret_at_ns = 0;
	if (!at)
		return 0;
	if (view_time_parse(at[1] && strspn(at + 1, "0123456789.") == strlen(at + 1) ? at : at + 1,
			    &moment) ||
	    moment.kind != VIEW_TIME_AT || !moment.ns)
		return -EINVAL;
	*ret_at_ns = moment.ns;
	*at = 0;
	return 0;
}

/* Also in nanoseconds, which no other command has a use for. */
static int parse_span(const char *text, uint64_t *ret_ns)
{
	size_t digits = strspn(text, "0123456789");

	if (!digits || digits > 18 || strcmp(text + digits, "ns"))
		return view_time_span(text, ret_ns);
	*ret_ns = strtoull(text, NULL, 10);
	return 0;
}

static int take_span(const struct command *self, char *text, struct offset *offset)
{
	bool is_negative = text[0] == '-';
	uint64_t ns;

	if (take_moment(text, &offset->at_ns))
		return wrong_use(self,
				 "--offset: '%s' has no time like @1700000000 or "
				 "'@2026-11-30 12:00' behind it",
				 text);
	if (parse_span(text + (is_negative || text[0] == '+'), &ns) || ns > INT64_MAX)
		return wrong_use(self, "--offset: '%s' is no time like -1.5, 20ms or +3us", text);
	offset->ns = is_negative ? -(int64_t)ns : (int64_t)ns;
	return STATUS_DONE;
}

static int take_offset(const struct command *self, const char *text, struct offset *ret_offset)
{
	const char *sign = strrchr(text, '=');
	char *span;
	int status;

	if (!sign || sign == text)
		return wrong_use(self, "--offset takes HOST=TIME, like web2=-1.5ms, not '%s'",
				 text);
	span = xasprintf("%s", sign + 1);
	ret_offset->host = xasprintf("%.*s", (int)(sign - text), text);
	status = take_span(self, span, ret_offset);
	free(span);
	return status;
}

static int take_offsets(const struct command *self, struct merge *merge)
{
	size_t count = (size_t)option_count(asked.offsets);
	int status = STATUS_DONE;

	merge->offsets = xcalloc(count + 1, sizeof(*merge->offsets));
	for (size_t i = 0; i < count && !status; i++)
		status =
			take_offset(self, asked.offsets[i], &merge->offsets[merge->offset_count++]);
	return status;
}

static int find_dirs(const struct command *self, const char **arguments, struct merge *merge)
{
	size_t count = 0;

	while (arguments[count])
		count++;
	if (count < 2)
		return wrong_use(self, "name two traces or more");
	merge->dirs = xcalloc(count + 1, sizeof(*merge->dirs));
	for (; merge->dir_count < count; merge->dir_count++) {
		merge->dirs[merge->dir_count] = view_find(self, arguments[merge->dir_count]);
		if (!merge->dirs[merge->dir_count])
			return STATUS_FAILED;
	}
	return STATUS_DONE;
}

static void merge_fini(struct merge *merge)
{
	for (size_t i = 0; i < merge->offset_count; i++)
		free(merge->offsets[i].host);
	for (size_t i = 0; i < merge->dir_count; i++)
		free(merge->dirs[i]);
	free(merge->offsets);
	free(merge->dirs);
}

/* ---- the clocks ---- */

/* An offset of a time is a point of a line, of which there are two; one without a time moves the line. */
static void add_offset(const struct offset *offset, struct merge_line *line)
{
	if (!offset->at_ns || line->count == 2) {
		line->always_ns += offset->ns;
		return;
	}
	line->points.offset_ns[line->count] = offset->ns;
	line->points.at_ns[line->count++] = offset->at_ns;
}

static struct edit_correction correction_of(const struct merge_line *line)
{
	struct edit_correction correction = line->points;

	if (line->count < 2) {
		correction.offset_ns[1] = correction.offset_ns[0];
		correction.at_ns[1] = correction.at_ns[0];
	}
	correction.offset_ns[0] += line->always_ns;
	correction.offset_ns[1] += line->always_ns;
	return correction;
}

static bool is_offset_of(const struct offset *offset, size_t input, const struct read_trace *trace)
{
	const char *host = read_trace_env(trace, "hostname");
	char number[24];

	snprintf(number, sizeof(number), "%zu", input + 1);
	return !strcmp(offset->host, number) || (host && !strcmp(offset->host, host));
}

static struct edit_correction correct(void *data, size_t input, const struct read_trace *trace)
{
	struct merge_line line = { .count = 0 };
	const struct merge *merge = data;

	for (size_t i = 0; i < merge->offset_count; i++)
		if (is_offset_of(&merge->offsets[i], input, trace))
			add_offset(&merge->offsets[i], &line);
	return correction_of(&line);
}

static void note_used(struct merge *merge, size_t input, const struct read_trace *trace)
{
	for (; trace; trace = trace->next)
		for (size_t i = 0; i < merge->offset_count; i++)
			merge->offsets[i].is_used |= is_offset_of(&merge->offsets[i], input, trace);
}

/* Who is mistaken about a host would get a trace whose clocks are apart. What cannot be read is told
 * by who merges. */
static int check_offsets(const struct command *self, struct merge *merge)
{
	struct ctf_reader *reader;

	for (size_t i = 0; i < merge->dir_count && merge->offset_count; i++) {
		if (ctf_reader_open(merge->dirs[i], NULL, &reader))
			return STATUS_DONE;
		note_used(merge, i, ctf_reader_traces(reader));
		ctf_reader_close(reader);
	}
	for (size_t i = 0; i < merge->offset_count; i++)
		if (!merge->offsets[i].is_used)
			return wrong_use(self,
					 "--offset %s: no trace is of this host; what a trace's is: "
					 "tacho info",
					 merge->offsets[i].host);
	return STATUS_DONE;
}

static int make(const struct command *self, struct merge *merge)
{
	struct edit_request request = {
		.inputs = (const char *const *)merge->dirs,
		.input_count = merge->dir_count,
		.output = asked.output,
		.correct = correct,
		.data = merge,
	};
	struct edit_totals totals;
	int status = new_trace_make(self, &request, asked.format, &totals);

	if (status)
		return status;
	return totals.damages ? STATUS_FAILED : STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	struct merge merge = { 0 };
	int status = STATUS_DONE;

	if (!asked.output)
		return wrong_use(self, "say where the new trace is to be: -o DIR");
	status = take_offsets(self, &merge);
	if (!status)
		status = find_dirs(self, arguments, &merge);
	if (!status)
		status = check_offsets(self, &merge);
	if (!status)
		status = make(self, &merge);
	merge_fini(&merge);
	return status;
}

static const struct poptOption options[] = {
	NEW_TRACE_OPTIONS(asked.output, asked.format),
	{ "offset", 0, POPT_ARG_ARGV, &asked.offsets, 0,
	  "Add this to the times of a host, or of the Nth trace; may be repeated: @WHEN for a "
	  "clock "
	  "that drifts",
	  "HOST|N=TIME[@WHEN]" },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_merge = {
	.name = "merge",
	.arguments = "DIR|SESSION|last DIR|SESSION|last..",
	.summary = "Make one trace of several, of one host or of many",
	.examples = "  tacho merge -o /tmp/all /traces/web1 /traces/web2 --offset web2=-1.5ms\n",
	.options = options,
	.arguments_max = ARGUMENTS_ANY,
	.needs = "two traces",
	.run = run,
};
