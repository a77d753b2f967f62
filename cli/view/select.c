/* SPDX-License-Identifier: MIT */
/* select.c - see select.h */
#include "select.h"

#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"
#include "cli/lists.h"
#include "cli/options.h"
#include "cli/parse.h"
#include "cli/suggest.h"
#include "cli/text.h"
#include "filter.h"
#include "time.h"

struct numbers {
	uint64_t *number;
	size_t count; /* 0: any */
};

struct view_select {
	char **events, **excludes, **threads; /* patterns */
	struct numbers cpus, pids, tids;
	int32_t level; /* CTF_LEVEL_NONE: any */
	struct view_filter *filter;
	bool has_all_events; /* of the time that is wanted: none of the above chooses */
	struct view_time begin, end;
	uint64_t last_ns; /* 0: all of the trace */
	bool has_begun;
	uint64_t trace_begin_ns;
	uint64_t from_ns, to_ns; /* once it has begun */
};

/* ---- options ---- */

static int take_patterns(const struct command *command, const char **words, const char *option,
			 char ***ret_list)
{
	char **list = list_of_words(words);

	for (size_t i = 0; list[i]; i++) {
		if (*list[i])
			continue;
		list_free(list);
		return wrong_use(command, "%s: a pattern is empty; all are '*'", option);
	}
	*ret_list = list;
	return STATUS_DONE;
}

static int take_numbers(const struct command *command, const char **words, const char *option,
			struct numbers *ret_numbers)
{
	char **list = list_of_words(words);
	int status = STATUS_DONE;

	ret_numbers->number = xcalloc(list_count(list) + 1, sizeof(*ret_numbers->number));
	for (size_t i = 0; list[i] && !status; i++) {
		if (parse_count(list[i], &ret_numbers->number[ret_numbers->count++]))
			status = wrong_use(command, "%s takes numbers, not '%s'", option, list[i]);
	}
	list_free(list);
	return status;
}

static int take_level(const struct command *command, const char *text, int32_t *ret_level)
{
	enum tacho_level level;
	const char *nearest;

	if (!text)
		return STATUS_DONE;
	if (!parse_level(text, &level)) {
		*ret_level = (int32_t)level;
		return STATUS_DONE;
	}
	nearest = level_nearest(text);
	if (nearest)
		return wrong_use(command, "--level: there is no level '%s'; did you mean %s?", text,
				 nearest);
	return wrong_use(command,
			 "--level: there is no level '%s'; levels are emerg .. debug, or 0 to 14",
			 text);
}

static int take_time(const struct command *command, const char *option, const char *text,
		     struct view_time *ret_time)
{
	if (!text || !view_time_parse(text, ret_time))
		return STATUS_DONE;
	return wrong_use(command,
			 "%s takes a time like 12:00:00.5, '2026-11-30 12:00:00', @1700000000.5 "
			 "or +1.5, not '%s'",
			 option, text);
}

static int take_times(const struct command *command, const struct view_select_options *options,
		      struct view_select *select)
{
	int status = take_time(command, "--begin", options->begin, &select->begin);

	if (!status)
		status = take_time(command, "--end", options->end, &select->end);
	if (status || !options->last)
		return status;
	if (options->begin || options->end)
		return wrong_use(command, "--last excludes --begin and --end");
	if (view_time_span(options->last, &select->last_ns) || !select->last_ns)
		return wrong_use(command,
				 "--last takes seconds, or a time like 200ms, 5m, not '%s'",
				 options->last);
	return STATUS_DONE;
}

static int take_lists(const struct command *command, const struct view_select_options *options,
		      struct view_select *select)
{
	int status = take_patterns(command, options->events, "--event", &select->events);

	if (!status)
		status = take_patterns(command, options->excludes, "--exclude", &select->excludes);
	if (!status)
		status = take_patterns(command, options->threads, "--thread", &select->threads);
	if (!status)
		status = take_numbers(command, options->cpus, "--cpu", &select->cpus);
	if (!status)
		status = take_numbers(command, options->pids, "--pid", &select->pids);
	if (!status)
		status = take_numbers(command, options->tids, "--tid", &select->tids);
	return status;
}

static bool has_all_events(const struct view_select *select)
{
	return !*select->events && !*select->excludes && !*select->threads && !select->cpus.count &&
	       !select->pids.count && !select->tids.count && select->level == CTF_LEVEL_NONE &&
	       !select->filter;
}

int view_select_new(const struct command *command, const struct view_select_options *options,
		    struct view_select **ret_select)
{
	struct view_select *select = xcalloc(1, sizeof(*select));
	int status = take_lists(command, options, select);

	select->level = CTF_LEVEL_NONE;
	if (!status)
		status = take_level(command, options->level, &select->level);
	if (!status)
		status = take_times(command, options, select);
	if (!status && options->filter)
		status = view_filter_new(command, options->filter, &select->filter);
	if (status) {
		view_select_free(select);
		return status;
	}
	select->has_all_events = has_all_events(select);
	*ret_select = select;
	return STATUS_DONE;
}

void view_select_free(struct view_select *select)
{
	if (!select)
		return;
	list_free(select->events);
	list_free(select->excludes);
	list_free(select->threads);
	free(select->cpus.number);
	free(select->pids.number);
	free(select->tids.number);
	view_filter_free(select->filter);
	free(select);
}

const struct view_filter *view_select_filter(const struct view_select *select)
{
	return select->filter;
}

/* ---- judging ---- */

bool view_select_needs_end(const struct view_select *select)
{
	return select->last_ns;
}

void view_select_set_end(struct view_select *select, uint64_t end_ns)
{
	uint64_t length_ns = select->last_ns < end_ns ? select->last_ns : end_ns;

	select->begin = (struct view_time){ VIEW_TIME_AT, end_ns - length_ns };
}

uint64_t view_select_begin(const struct view_select *select)
{
	return select->trace_begin_ns;
}

uint64_t view_select_from(const struct view_select *select)
{
	return select->has_begun ? select->from_ns : 0;
}

uint64_t view_select_to(const struct view_select *select)
{
	return select->has_begun ? select->to_ns : 0;
}

void view_select_share(struct view_select *select, const struct view_select *other)
{
	select->has_begun = other->has_begun;
	select->trace_begin_ns = other->trace_begin_ns;
	select->from_ns = other->from_ns;
	select->to_ns = other->to_ns;
}

static void begin(struct view_select *select, uint64_t time_ns)
{
	select->has_begun = true;
	select->trace_begin_ns = time_ns;
	select->from_ns = 0;
	select->to_ns = UINT64_MAX;
	if (select->begin.kind)
		select->from_ns = view_time_resolve(&select->begin, time_ns);
	if (select->end.kind)
		select->to_ns = view_time_resolve(&select->end, time_ns);
}

static bool is_any_of(const struct numbers *numbers, uint64_t number)
{
	for (size_t i = 0; i < numbers->count; i++) {
		if (numbers->number[i] == number)
			return true;
	}
	return !numbers->count;
}

static bool matches(char *const *patterns, const char *text)
{
	for (; *patterns; patterns++) {
		if (pattern_is_match(*patterns, strlen(*patterns), text))
			return true;
	}
	return false;
}

static bool matches_or_any(char *const *patterns, const char *text)
{
	return !*patterns || matches(patterns, text);
}

static bool is_cpu_wanted(const struct view_select *select, int32_t cpu)
{
	return !select->cpus.count ||
	       (cpu != CTF_CPU_NONE && is_any_of(&select->cpus, (uint64_t)cpu));
}

static bool is_level_wanted(const struct view_select *select, int32_t level)
{
	return select->level == CTF_LEVEL_NONE ||
	       (level != CTF_LEVEL_NONE && level <= select->level);
}

/* What is quick to tell comes first. */
static bool is_event_wanted(const struct view_select *select, const struct ctf_event *event)
{
	if (select->has_all_events)
		return true;
	return is_cpu_wanted(select, event->cpu) && is_any_of(&select->pids, event->pid) &&
	       is_any_of(&select->tids, event->tid) && is_level_wanted(select, event->level) &&
	       matches_or_any(select->events, event->name) &&
	       !matches(select->excludes, event->name) &&
	       matches_or_any(select->threads, event->thread) &&
	       (!select->filter || view_filter_is_match(select->filter, event));
}

/* A loss lies between two instants; the last one is when it is told. */
static bool is_loss_wanted(const struct view_select *select, const struct ctf_lost *lost)
{
	return is_cpu_wanted(select, lost->cpu) && lost->end_ns >= select->from_ns &&
	       lost->begin_ns <= select->to_ns;
}

enum view_verdict view_select_judge(struct view_select *select, const struct ctf_item *item)
{
	bool is_wanted;

	if (item->kind == CTF_ITEM_DAMAGE)
		return VIEW_SHOW;
	if (!select->has_begun)
		begin(select, item->time_ns);
	if (item->time_ns > select->to_ns)
		return VIEW_END;
	if (item->kind == CTF_ITEM_LOST)
		is_wanted = is_loss_wanted(select, &item->lost);
	else
		is_wanted =
			item->time_ns >= select->from_ns && is_event_wanted(select, &item->event);
	return is_wanted ? VIEW_SHOW : VIEW_SKIP;
}
