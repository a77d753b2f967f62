/* SPDX-License-Identifier: MIT */
/*
 * cmd-stats.c - tacho stats: what is in a trace, in numbers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "lists.h"
#include "options.h"
#include "parse.h"
#include "say.h"
#include "stats/calls.h"
#include "stats/report.h"
#include "stats/slices.h"
#include "suggest.h"
#include "text.h"
#include "view/find.h"
#include "view/known.h"
#include "view/walk.h"

#define ROWS_DEFAULT 20

static struct {
	const char **fields;
	const char **latencies;
	const char *key;
	int functions;
	int locks;
	int malloc;
	int json;
	const char *rows;
	int symbols;
	struct view_select_options select;
} asked;

/* ---- what was asked for ---- */

static int take_fields(const struct command *self, char *const *names, struct stats *stats)
{
	stats->fields = xcalloc(list_count(names) + 1, sizeof(*stats->fields));
	for (; *names; names++) {
		const char *dot = strchr(*names, '.');

		if (!dot || !dot[1])
			return wrong_use(self,
					 "--field takes an event and one of its fields, like "
					 "shop:order_placed.total, not '%s'",
					 *names);
		stats->fields[stats->field_count++] =
			(struct stats_field){ .name = *names, .values = stats_values_new() };
	}
	return STATUS_DONE;
}

static int take_latencies(const struct command *self, struct stats *stats)
{
	int count = option_count(asked.latencies);

	stats->latencies = xcalloc((size_t)count + 1, sizeof(*stats->latencies));
	for (int i = 0; i < count; i++) {
		if (stats_latency_init(&stats->latencies[i], asked.latencies[i], asked.key))
			return wrong_use(
				self,
				"--latency takes two events, like net:request,net:response, "
				"or a span, like work:step, not '%s'",
				asked.latencies[i]);
		stats->latency_count++;
	}
	return STATUS_DONE;
}

static int take_options(const struct command *self, char *const *fields, struct stats *stats)
{
	int status = take_fields(self, fields, stats);

	stats->rows = ROWS_DEFAULT;
	if (!status)
		status = take_latencies(self, stats);
	if (!status && asked.key && !stats->latency_count)
		status = wrong_use(self, "--key is for --latency");
	if (!status && asked.symbols && !asked.malloc && !asked.functions && !asked.locks)
		status = wrong_use(self, "--symbols is for --malloc, --locks and --functions");
	if (!status && asked.rows && parse_count(asked.rows, &stats->rows))
		status = wrong_use(self, "--rows takes a number, 0 for all, not '%s'", asked.rows);
	stats->with_malloc = asked.malloc;
	stats->with_locks = asked.locks;
	stats->with_functions = asked.functions;
	stats->with_counts = !stats->field_count && !stats->latency_count && !asked.malloc &&
			     !asked.locks && !asked.functions;
	return status;
}

static void stats_fini(struct stats *stats)
{
	for (size_t i = 0; i < stats->field_count; i++)
		stats_values_free(stats->fields[i].values);
	for (size_t i = 0; i < stats->latency_count; i++)
		stats_latency_fini(&stats->latencies[i]);
	free(stats->fields);
	free(stats->latencies);
	stats_counts_fini(&stats->counts);
	stats_malloc_fini(&stats->heap);
	stats_locks_fini(&stats->locks);
	stats_functions_fini(&stats->functions);
	view_symbols_free(stats->symbols);
}

/* ---- the trace ---- */

static void put_call(void *data, const struct stats_call *call)
{
	stats_put(data, call);
}

static int add_item(void *data, const struct ctf_item *item)
{
	struct stats *stats = data;

	stats_counts_add(&stats->counts, item);
	stats_take(stats, item, put_call, stats);
	return 0;
}

/* The provider was left out, or a letter is wrong. */
static void consider_event(struct suggestion *s, const char *event)
{
	const char *colon = strchr(event, ':');

	if (colon && !strcmp(colon + 1, s->typed))
		*s = (struct suggestion){ .typed = s->typed, .nearest = event };
	else
		suggestion_consider(s, event);
}

static void say_no_event(const struct stats *stats, const char *name)
{
	size_t count = view_map_count(stats->counts.by[STATS_BY_EVENT]);
	struct view_map_entry *events = stats_counts_sorted(&stats->counts, STATS_BY_EVENT);
	struct suggestion s = suggestion_for(name);
	const char *meant;

	for (size_t i = 0; i < count; i++)
		consider_event(&s, events[i].key);
	meant = suggestion_word(&s);
	if (meant)
		say(SAY_WARNING, "--latency: there is no event %s; did you mean %s?", name,
		    visible(meant).text);
	else
		say(SAY_WARNING, "--latency: there is no event %s", name);
	free(events);
}

static bool has_event(const struct stats *stats, const char *name)
{
	return view_map_find(stats->counts.by[STATS_BY_EVENT], name, strlen(name) + 1);
}

/* "work:step" for "work:step_begin"; NULL: it is the begin or end of none. */
static char *span_of(const char *event)
{
	static const char *const ends[] = { "_begin", "_end" };
	size_t length = strlen(event);

	for (int i = 0; i < 2; i++) {
		size_t more = strlen(ends[i]);

		if (length > more && !strcmp(event + length - more, ends[i]))
			return xasprintf("%.*s", (int)(length - more), event);
	}
	return NULL;
}

/* What may have been meant by one name where a span is meant. */
static char *near_span(const struct stats *stats, const struct stats_latency *latency)
{
	size_t count = view_map_count(stats->counts.by[STATS_BY_EVENT]);
	struct view_map_entry *events = stats_counts_sorted(&stats->counts, STATS_BY_EVENT);
	struct suggestion s = suggestion_for(latency->begin);
	const char *near;
	char *span;

	for (size_t i = 0; i < count; i++)
		consider_event(&s, events[i].key);
	near = suggestion_word(&s);
	span = near ? span_of(near) : NULL;
	free(events);
	return span;
}

static void say_no_span(const struct stats *stats, const struct stats_latency *latency)
{
	bool is_event = has_event(stats, latency->span);
	char *near = is_event ? span_of(latency->span) : near_span(stats, latency);

	if (near)
		say(SAY_WARNING, "--latency: there is no span %s; did you mean %s?", latency->span,
		    visible(near).text);
	else if (is_event)
		say(SAY_WARNING,
		    "--latency: %s is one event, and no span; say until which one: --latency %s,EVENT",
		    latency->span, latency->span);
	else
		say(SAY_WARNING, "--latency: there is no span %s; what there is: tacho view --summary",
		    latency->span);
	free(near);
}

static void say_no_latency(const struct stats *stats, const struct stats_latency *latency)
{
	if (latency->span && !latency->begins && !latency->ends) {
		say_no_span(stats, latency);
		return;
	}
	if (!latency->begins)
		say_no_event(stats, latency->begin);
	if (!latency->ends)
		say_no_event(stats, latency->end);
}

static void say_no_field(const char *dir, const struct stats_field *field)
{
	struct stats_summary summary = stats_values_summary(field->values);
	const char *why = field->events ? "the event has no such field" :
					  "there is no such event among what was looked at";
	char *meant;

	if (summary.count || summary.not_finite)
		return;
	meant = view_known_near(dir, field->name);
	if (meant)
		say(SAY_WARNING, "--field %s: %s; did you mean %s?", field->name, why,
		    visible(meant).text);
	else
		say(SAY_WARNING, "--field %s: %s", field->name, why);
	free(meant);
}

/* A name that is misspelled must not look like a trace without such events. */
static void say_missing(const char *dir, const struct stats *stats)
{
	for (size_t i = 0; i < stats->field_count; i++)
		say_no_field(dir, &stats->fields[i]);
	for (size_t i = 0; i < stats->latency_count; i++)
		say_no_latency(stats, &stats->latencies[i]);
	if (stats->with_malloc && !stats->heap.calls && !stats->heap.frees)
		say(SAY_WARNING, "the trace has no events of the heap: tacho record --malloc");
	if (stats->with_locks && !stats->locks.calls)
		say(SAY_WARNING, "the trace has no waits for locks: tacho record --locks");
	if (stats->with_functions && !stats->functions.entries && !stats->functions.exits)
		say(SAY_WARNING, "the trace has no calls of functions: tacho record --functions");
}

static int report(const char *dir, struct stats *stats)
{
	say_missing(dir, stats);
	if (asked.json)
		stats_print_json(stats);
	else
		stats_print_text(stats);
	return stats->totals.damages ? STATUS_FAILED : STATUS_DONE;
}

static int read_trace(const struct command *self, const char *dir, struct view_select *select,
		      struct stats *stats)
{
	struct view_walk walk = {
		.dir = dir,
		.select = select,
		.without_fields = stats->with_counts && !asked.select.filter,
		.item = add_item,
		.data = stats,
	};
	int err, status = STATUS_DONE;

	view_known_warn(dir, select, NULL);
	/* Names of addresses are looked up by one thread. */
	if (asked.symbols || !stats_slices_read(self, &asked.select, &walk, stats, &err))
		status = view_walk(&walk, &err);
	stats->totals = walk.totals;
	if (!status && err)
		status = fail("cannot read the trace: %s", strerror(-err));
	return status ? status : report(dir, stats);
}

static int look(const struct command *self, const char *named, struct stats *stats)
{
	struct view_select *select;
	int status = view_select_new(self, &asked.select, &select);
	char *dir;

	if (status)
		return status;
	dir = view_find(self, named);
	if (dir && asked.symbols)
		status = view_symbols_new(dir, &stats->symbols);
	stats->heap.symbols = stats->functions.symbols = stats->locks.symbols = stats->symbols;
	if (!status)
		status = dir ? read_trace(self, dir, select, stats) : STATUS_FAILED;
	free(dir);
	view_select_free(select);
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	char **fields = list_of_words(asked.fields);
	struct stats stats = { 0 };
	int status;

	stats_counts_init(&stats.counts);
	stats_malloc_init(&stats.heap);
	stats_locks_init(&stats.locks);
	stats_functions_init(&stats.functions);
	status = take_options(self, fields, &stats);
	if (!status)
		status = look(self, arguments[0], &stats);
	stats_fini(&stats);
	list_free(fields);
	return status;
}

static const struct poptOption options[] = {
	{ "field", 0, POPT_ARG_ARGV, &asked.fields, 0,
	  "Values of a field: percentiles and a histogram; of a text or array, its length",
	  "EVENT.FIELD[,EVENT.FIELD].." },
	{ "latency", 0, POPT_ARG_ARGV, &asked.latencies, 0,
	  "Time from one event to another of the same thread, or of a span", "EVENT,EVENT|SPAN" },
	{ "key", 0, POPT_ARG_STRING, &asked.key, 0,
	  "With --latency: events with the same value of this field belong together", "FIELD" },
	{ "malloc", 0, POPT_ARG_NONE, &asked.malloc, 0,
	  "Who allocates, and what is not freed (tacho record --malloc)", NULL },
	{ "locks", 0, POPT_ARG_NONE, &asked.locks, 0,
	  "Which locks threads waited for, and how long (tacho record --locks)", NULL },
	{ "functions", 0, POPT_ARG_NONE, &asked.functions, 0,
	  "How often functions are called, and how long they take (tacho record --functions)",
	  NULL },
	{ "symbols", 0, POPT_ARG_NONE, &asked.symbols, 0,
	  "With --malloc, --locks, --functions: addresses as function, file and line (tacho record "
	  "--libs)",
	  NULL },
	{ "rows", 0, POPT_ARG_STRING, &asked.rows, 0, "Rows of a table, not 20; 0: all", "N" },
	{ "json", 0, POPT_ARG_NONE, &asked.json, 0, "JSON, with all rows", NULL },
	VIEW_SELECT_OPTIONS(asked.select),
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_stats = {
	.name = "stats",
	.arguments = "[DIR|SESSION|last]",
	.summary = "What is in a trace, in numbers (else: the newest one in ~/tacho-traces)",
	.examples = "  tacho stats\n"
		    "  tacho stats --field shop:order_placed.total web\n"
		    "  tacho stats --latency net:request,net:response --key id\n"
		    "  tacho stats --latency work:step --last 10s\n",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
