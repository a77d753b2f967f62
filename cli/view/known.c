/* SPDX-License-Identifier: MIT */
/* known.c - see known.h */
#include "known.h"

#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"
#include "cli/say.h"
#include "cli/suggest.h"
#include "cli/text.h"
#include "ctf/read/trace.h"
#include "filter.h"

/* ---- all events ---- */

/* @take: returns false to end it */
static void each_event(const struct read_trace *traces,
		       bool (*take)(void *data, const struct read_event *event), void *data)
{
	for (const struct read_trace *trace = traces; trace; trace = trace->next) {
		for (uint32_t i = 0; i < trace->stream_count; i++) {
			const struct read_stream_layout *stream = &trace->streams[i];

			for (uint32_t k = 0; k < stream->event_count; k++) {
				if (!take(data, &stream->events[k]))
					return;
			}
		}
	}
}

static const struct read_trace *open_traces(const char *dir, struct ctf_reader **ret_reader)
{
	return ctf_reader_open(dir, NULL, ret_reader) ? NULL : ctf_reader_traces(*ret_reader);
}

/* ---- has an event a field? ---- */

static bool has_path(const struct read_layout *l, const char *name, size_t bytes);

static bool is_option_kind(const struct read_layout *l)
{
	return l->kind == READ_VARIANT || l->kind == READ_OPTIONAL;
}

/* What an option holds is named like what it is an option of. */
static bool has_member(const struct read_layout *l, const char *name, size_t bytes)
{
	if (l->kind == READ_STRUCT)
		return has_path(l, name, bytes);
	for (uint32_t i = 0; is_option_kind(l) && i < l->child_count; i++) {
		if (has_member(&l->children[i], name, bytes))
			return true;
	}
	return false;
}

static bool has_path(const struct read_layout *l, const char *name, size_t bytes)
{
	for (uint32_t i = 0; i < l->child_count; i++) {
		const struct read_layout *field = &l->children[i];
		size_t length = strlen(field->name);

		if (field->is_length || length > bytes || memcmp(field->name, name, length))
			continue;
		if (length == bytes)
			return true;
		if (name[length] == '.' && has_member(field, name + length + 1, bytes - length - 1))
			return true;
	}
	return false;
}

/* ---- fields that no event has ---- */

struct wanted {
	const char *name;
	size_t bytes;
	char shown[VIEW_SHOWN_NAME_MAX];
	size_t shown_bytes; /* 0: as it is */
	bool is_known;
	struct suggestion near;
};

static bool look_for(void *data, const struct read_event *event)
{
	struct wanted *wanted = data;

	if (!event->fields)
		return true;
	wanted->is_known = has_path(event->fields, wanted->name, wanted->bytes) ||
			   (wanted->shown_bytes &&
			    has_path(event->fields, wanted->shown, wanted->shown_bytes));
	return !wanted->is_known;
}

static bool consider_fields(void *data, const struct read_event *event)
{
	struct wanted *wanted = data;

	for (uint32_t i = 0; event->fields && i < event->fields->child_count; i++) {
		if (!event->fields->children[i].is_length)
			suggestion_consider(&wanted->near, event->fields->children[i].name);
	}
	return true;
}

struct warning {
	const struct read_trace *traces;
	const char *option;
};

static void warn_of(void *data, const char *name, size_t bytes)
{
	const struct warning *warning = data;
	char *word = xasprintf("%.*s", (int)bytes, name);
	struct wanted wanted = { .name = name, .bytes = bytes, .near = suggestion_for(word) };
	const char *meant;

	if (bytes <= TACHO_NAME_MAX)
		wanted.shown_bytes = view_shown_name(name, bytes, wanted.shown);
	each_event(warning->traces, look_for, &wanted);
	if (!wanted.is_known) {
		each_event(warning->traces, consider_fields, &wanted);
		meant = suggestion_word(&wanted.near);
		if (meant)
			say(SAY_WARNING,
			    "%s: no event of the trace has a field '%s'; did you mean '%s'?",
			    warning->option, word, visible(meant).text);
		else
			say(SAY_WARNING,
			    "%s: no event of the trace has a field '%s'; what there is: "
			    "tacho view --all",
			    warning->option, word);
	}
	free(word);
}

void view_known_warn(const char *dir, const struct view_select *select, char *const *columns)
{
	const struct view_filter *filter = view_select_filter(select);
	struct warning warning = { .option = "--filter" };
	struct ctf_reader *reader;

	if (!filter && !(columns && *columns))
		return;
	warning.traces = open_traces(dir, &reader);
	if (!warning.traces)
		return;
	if (filter)
		view_filter_each_field(filter, warn_of, &warning);
	warning.option = "--columns";
	for (; columns && *columns; columns++)
		warn_of(&warning, *columns, strlen(*columns));
	ctf_reader_close(reader);
}

/* ---- an event and its field ---- */

struct near {
	struct suggestion suggestion;
	char *text; /* that it leads to */
};

static void consider_pair(struct near *near, const char *event, const char *field)
{
	char *text = xasprintf("%s.%s", event, field);
	unsigned int before = near->suggestion.distance;

	suggestion_consider(&near->suggestion, text);
	if (near->suggestion.distance >= before) {
		free(text);
		return;
	}
	free(near->text);
	near->text = text;
}

static bool consider_event(void *data, const struct read_event *event)
{
	struct near *near = data;

	for (uint32_t i = 0; event->fields && i < event->fields->child_count; i++) {
		if (!event->fields->children[i].is_length)
			consider_pair(near, event->name, event->fields->children[i].name);
	}
	return true;
}

char *view_known_near(const char *dir, const char *event_field)
{
	struct near near = { .suggestion = suggestion_for(event_field) };
	struct ctf_reader *reader;
	const struct read_trace *traces = open_traces(dir, &reader);

	if (!traces)
		return NULL;
	each_event(traces, consider_event, &near);
	ctf_reader_close(reader);
	/* One that is there is not misspelled. */
	if (near.suggestion.distance && suggestion_word(&near.suggestion))
		return near.text;
	free(near.text);
	return NULL;
}

struct doubt {
	const char *event;
	size_t event_bytes;
	const char *field; /* NULL: the event alone */
	bool is_known;
	struct near near;
};

static bool look_at(void *data, const struct read_event *event)
{
	struct doubt *doubt = data;

	if (pattern_is_match(doubt->event, doubt->event_bytes, event->name))
		doubt->is_known = !doubt->field ||
				  (event->fields &&
				   has_path(event->fields, doubt->field, strlen(doubt->field)));
	if (doubt->field)
		consider_event(&doubt->near, event);
	else
		suggestion_consider(&doubt->near.suggestion, event->name);
	return !doubt->is_known;
}

static void say_doubt(const struct doubt *doubt, const char *option, const char *word)
{
	const char *meant = suggestion_word(&doubt->near.suggestion);

	if (meant && doubt->field)
		meant = doubt->near.text;
	say(SAY_WARNING, "%s %s: the trace has no such %s%s%s", option, visible(word).text,
	    doubt->field ? "event and field" : "event", meant ? "; did you mean " : "",
	    meant ? visible(meant).text : "");
}

void view_known_doubt(const char *dir, const char *option, const char *event, size_t event_bytes,
		      const char *field)
{
	char *word = xasprintf("%.*s%s%s", (int)event_bytes, event, field ? "." : "",
			       field ? field : "");
	struct doubt doubt = {
		.event = event,
		.event_bytes = event_bytes,
		.field = field,
		.near = { .suggestion = suggestion_for(word) },
	};
	struct ctf_reader *reader;
	const struct read_trace *traces = open_traces(dir, &reader);

	if (traces) {
		each_event(traces, look_at, &doubt);
		if (!doubt.is_known)
			say_doubt(&doubt, option, word);
		free(doubt.near.text);
		ctf_reader_close(reader);
	}
	free(word);
}
