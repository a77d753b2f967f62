/* SPDX-License-Identifier: MIT */
/*
 * cmd-view.c - tacho view: print a trace, one event a line, or how often each event occurred.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "ctf/print/print.h"
#include "ctf/read/count.h"
#include "json.h"
#include "lists.h"
#include "options.h"
#include "say.h"
#include "table.h"
#include "text.h"
#include "view/find.h"
#include "view/follow.h"
#include "view/known.h"
#include "view/output.h"
#include "view/print_slices.h"
#include "view/symbols.h"

static struct {
	int all;
	const char **columns;
	int csv;
	int date;
	int delta;
	int follow;
	const char *format;
	int is_babeltrace;
	int json;
	int relative;
	struct view_select_options select;
	int source;
	int summary;
	int symbols;
	const char *time;
	enum ctf_print_time time_kind; /* of --time */
} asked;

static enum ctf_print_time time_format(void)
{
	if (asked.relative)
		return CTF_PRINT_RELATIVE;
	if (asked.delta)
		return CTF_PRINT_DELTA;
	return asked.date ? CTF_PRINT_DATE : asked.time_kind;
}

static enum ctf_print_format print_format(void)
{
	if (asked.is_babeltrace)
		return CTF_PRINT_BABELTRACE;
	return asked.json ? CTF_PRINT_JSON : CTF_PRINT_TEXT;
}

struct naming {
	struct view_symbols *symbols; /* NULL: addresses stay what they are */
	char *text;
};

static const char *name_address(void *data, const struct ctf_event *event, uint64_t time_ns,
				const struct ctf_value *value)
{
	struct naming *naming = data;
	struct symbol symbol;

	if (!view_symbols_find(naming->symbols, event, time_ns, value, &symbol))
		return NULL;
	free(naming->text);
	naming->text = view_symbol_text(&symbol);
	return naming->text;
}

static struct ctf_print_options print_options(struct naming *naming)
{
	return (struct ctf_print_options){
		.remark = naming->symbols ? name_address : NULL,
		.remark_data = naming,
		.with_source = asked.source,
		.fd = STDOUT_FILENO,
		.format = print_format(),
		.time = time_format(),
		.with_writers = asked.all,
		.with_context = asked.all,
	};
}

/* A reader like head(1) that has enough is no failure. */
static int printed(int err)
{
	if (err >= 0 || err == -EPIPE)
		return STATUS_DONE;
	return fail("cannot print the trace: %s", output_failure(-err));
}

/* A script must not take a part for the whole. */
static int status_of(const struct ctf_reader_totals *totals)
{
	return totals->damages ? STATUS_FAILED : STATUS_DONE;
}

/* ---- each event ---- */

struct printing {
	struct view_select *select;
	struct view_output *output;
	bool has_said_loss;
};

static int print_item(void *data, const struct ctf_item *item)
{
	struct printing *printing = data;
	int err;

	if (item->kind != CTF_ITEM_DAMAGE)
		view_output_begin(printing->output, view_select_begin(printing->select));
	err = view_output_item(printing->output, item);
	view_output_say_loss(printing->output, &printing->has_said_loss);
	return err;
}

static int print_pause(void *data)
{
	struct printing *printing = data;

	return view_output_flush(printing->output);
}

static void say_if_empty(uint64_t shown, const struct ctf_reader_totals *totals)
{
	if (shown)
		return;
	say(SAY_PLAIN, totals->events ? "no event of the trace is among what was asked for" :
					"there is no event in the trace");
}

static int print_trace(const char *dir, struct printing *printing)
{
	struct view_walk walk = {
		.dir = dir,
		.select = printing->select,
		.with_writers = asked.all || asked.is_babeltrace,
		.is_printing = true,
		.item = print_item,
		.pause = print_pause,
		.data = printing,
	};
	int err;
	int status = asked.follow ? view_follow(&walk, &err) : view_walk(&walk, &err);

	if (status)
		return status;
	if (err >= 0)
		err = view_output_flush(printing->output);
	if (err >= 0)
		say_if_empty(view_output_shown(printing->output), &walk.totals);
	status = printed(err);
	return status ? status : status_of(&walk.totals);
}

/* Return: exit status; -1: not here. */
static int print_on_all_cpus(const struct command *self, const char *dir,
			     struct view_select *select, const struct view_output_options *output)
{
	struct view_slices_job job = {
		.command = self,
		.dir = dir,
		.select_options = &asked.select,
		.select = select,
		.output = output,
		.with_writers = asked.all || asked.is_babeltrace,
	};
	int err, status;

	/* Names of addresses are looked up by one thread. */
	if (asked.follow || asked.symbols || !view_slices_print(&job, &err))
		return -1;
	if (!err)
		say_if_empty(job.shown, &job.totals);
	status = printed(err);
	return status ? status : status_of(&job.totals);
}

static int print_at_once(const char *dir, struct view_select *select,
			 const struct view_output_options *output)
{
	struct printing printing = { .select = select };
	int err = view_output_new(output, &printing.output);
	int status = err ? printed(err) : print_trace(dir, &printing);

	if (!err)
		view_output_free(printing.output);
	return status;
}

static int print(const struct command *self, const char *dir, struct view_select *select,
		 struct naming *naming)
{
	char **columns = list_of_words(asked.columns);
	const struct view_output_options wanted = {
		.is_csv = asked.csv,
		.columns = columns,
		.print = print_options(naming),
	};
	int status;

	if (!asked.follow)
		view_known_warn(dir, select, columns);
	status = print_on_all_cpus(self, dir, select, &wanted);

	if (status < 0)
		status = print_at_once(dir, select, &wanted);
	list_free(columns);
	return status;
}

static int print_named(const struct command *self, const char *dir, struct view_select *select)
{
	struct naming naming = { 0 };
	int status = asked.symbols ? view_symbols_new(dir, &naming.symbols) : STATUS_DONE;

	if (!status)
		status = print(self, dir, select, &naming);
	view_symbols_free(naming.symbols);
	free(naming.text);
	return status;
}

/* ---- how often each occurred ---- */

static void print_table(const struct ctf_count *counts, size_t count, uint64_t events)
{
	static const struct column columns[] = {
		{ "EVENTS", COLUMN_RIGHT },
		{ "SHARE", COLUMN_RIGHT },
		{ "EVENT", COLUMN_LEFT },
		{ 0 },
	};
	struct table *table = table_new(columns);

	for (size_t i = 0; i < count; i++)
		table_row(table, count_text(counts[i].events).text,
			  percent_text(counts[i].events, events).text, counts[i].name);
	table_print(table);
}

struct summary {
	struct ctf_counter *counter;
	uint64_t events;
	uint64_t lost;
};

static int print_json(const struct summary *summary, const struct ctf_count *counts, size_t count)
{
	json_object *root = json_object_new_object();
	json_object *list = json_add_array(root, "counts");

	json_add_count(root, "events", summary->events);
	json_add_count(root, "lost", summary->lost);
	for (size_t i = 0; i < count; i++) {
		json_object *entry = json_append_object(list);

		json_add_text(entry, "event", counts[i].name);
		json_add_count(entry, "events", counts[i].events);
	}
	return json_print(root);
}

static int print_counts(const struct summary *summary)
{
	size_t count;
	const struct ctf_count *counts = ctf_counter_sort(summary->counter, &count);

	if (asked.json)
		return print_json(summary, counts, count);
	if (count)
		print_table(counts, count, summary->events);
	printf("%s event%s", count_text(summary->events).text, summary->events == 1 ? "" : "s");
	if (summary->lost)
		printf(", %s lost", count_text(summary->lost).text);
	putchar('\n');
	return STATUS_DONE;
}

static int count_item(void *data, const struct ctf_item *item)
{
	struct summary *summary = data;

	summary->events += item->kind == CTF_ITEM_EVENT;
	if (item->kind == CTF_ITEM_LOST)
		summary->lost += item->lost.events;
	return ctf_counter_add(summary->counter, item);
}

static int summarize(const char *dir, struct view_select *select)
{
	struct summary summary = { 0 };
	struct view_walk walk = {
		.dir = dir,
		.select = select,
		.without_fields = !asked.select.filter,
		.item = count_item,
		.data = &summary,
	};
	int err = ctf_counter_new(&summary.counter);
	int status;

	view_known_warn(dir, select, NULL);

	if (err)
		return printed(err);
	status = view_walk(&walk, &err);
	if (!status)
		status = err ? printed(err) : print_counts(&summary);
	ctf_counter_free(summary.counter);
	return status ? status : status_of(&walk.totals);
}

/* ---- what was asked for ---- */

static int take_time_word(const struct command *self)
{
	static const char *const words[] = { "wall", "date", "relative", "delta", "raw" };
	static const enum ctf_print_time times[] = { CTF_PRINT_CLOCK, CTF_PRINT_DATE,
						     CTF_PRINT_RELATIVE, CTF_PRINT_DELTA,
						     CTF_PRINT_RAW };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], asked.time))
			continue;
		asked.time_kind = times[i];
		return STATUS_DONE;
	}
	return wrong_use(self, "--time takes wall, date, relative, delta or raw, not '%s'",
			 asked.time);
}

/* --json and --csv are forms, too. */
static int take_format(const struct command *self)
{
	static const struct {
		const char *word;
		int *is_asked;
	} forms[] = { { "text", NULL },
		      { "babeltrace", &asked.is_babeltrace },
		      { "json", &asked.json },
		      { "csv", &asked.csv } };

	for (size_t i = 0; asked.format && i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (strcmp(forms[i].word, asked.format))
			continue;
		if (forms[i].is_asked)
			*forms[i].is_asked = 1;
		return STATUS_DONE;
	}
	if (!asked.format)
		return STATUS_DONE;
	return wrong_use(self, "--format takes text, babeltrace, json or csv, not '%s'",
			 asked.format);
}

static int count_time_options(void)
{
	return asked.relative + asked.delta + asked.date + (asked.time ? 1 : 0);
}

static int check_form(const struct command *self)
{
	if (count_time_options() > 1)
		return wrong_use(self, "--relative, --delta, --date and --time exclude each other");
	if (asked.summary && (count_time_options() || asked.all))
		return wrong_use(self,
				 "--summary shows no single events: --relative, --delta, --date, "
				 "--time and --all have no meaning with it");
	if (asked.csv + asked.json + asked.is_babeltrace > 1)
		return wrong_use(self, "a trace is printed in one form, not several");
	if (asked.summary && asked.csv + asked.is_babeltrace)
		return wrong_use(self, "--summary is text or --json");
	if (asked.is_babeltrace && count_time_options())
		return wrong_use(self, "--format babeltrace shows times in its own form");
	if (asked.columns && !asked.csv)
		return wrong_use(self, "--columns is for --csv");
	if (asked.follow && (asked.summary || asked.select.last))
		return wrong_use(self, "--follow excludes --summary and --last");
	if (asked.source && asked.summary + asked.csv + asked.is_babeltrace)
		return wrong_use(self, "--source is for text and --json");
	if (asked.symbols && asked.summary + asked.csv + asked.is_babeltrace + asked.follow)
		return wrong_use(self,
				 "--symbols is for text and --json, of a trace that is complete");
	return asked.time ? take_time_word(self) : STATUS_DONE;
}

static int view(const struct command *self, const char *named, struct view_select *select)
{
	char *dir = asked.follow ? view_follow_find(self, named) : view_find(self, named);
	int status;

	if (!dir)
		return STATUS_FAILED;
	signal(SIGPIPE, SIG_IGN); /* a write that fails says the same */
	status = asked.summary ? summarize(dir, select) : print_named(self, dir, select);
	free(dir);
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	struct view_select *select;
	int status = take_format(self);

	if (!status)
		status = check_form(self);
	if (!status)
		status = view_select_new(self, &asked.select, &select);
	if (status)
		return status;
	status = view(self, arguments[0], select);
	view_select_free(select);
	return status;
}

static const struct poptOption options[] = {
	{ "summary", 0, POPT_ARG_NONE, &asked.summary, 0,
	  "How often each event occurred, instead of each event", NULL },
	{ "format", 0, POPT_ARG_STRING, &asked.format, 0,
	  "Other forms than text: babeltrace, as babeltrace2 prints it; json and csv as below",
	  "text|babeltrace|json|csv" },
	{ "json", 0, POPT_ARG_NONE, &asked.json, 0, "One JSON object a line", NULL },
	{ "csv", 0, POPT_ARG_NONE, &asked.csv, 0, "Comma-separated values, one event a line",
	  NULL },
	{ "columns", 0, POPT_ARG_ARGV, &asked.columns, 0,
	  "With --csv: fields that are columns of their own, instead of one of all",
	  "FIELD[,FIELD].." },
	{ "relative", 0, POPT_ARG_NONE, &asked.relative, 0, "Times since the first event", NULL },
	{ "delta", 0, POPT_ARG_NONE, &asked.delta, 0, "Times since the event before", NULL },
	{ "date", 0, POPT_ARG_NONE, &asked.date, 0, "Times with the date", NULL },
	{ "time", 0, POPT_ARG_STRING, &asked.time, 0,
	  "How times are shown: wall, date, relative, delta, or raw: seconds since 1970",
	  "wall|date|relative|delta|raw" },
	{ "source", 0, POPT_ARG_NONE, &asked.source, 0,
	  "Where events are in their programs, file and line, at the end of a line", NULL },
	{ "symbols", 0, POPT_ARG_NONE, &asked.symbols, 0,
	  "Addresses of code as function, file and line (tacho record --libs)", NULL },
	{ "all", 'a', POPT_ARG_NONE, &asked.all, 0,
	  "All contexts, and tacho:writer events, which say who wrote what follows, as well",
	  NULL },
	{ "follow", 'F', POPT_ARG_NONE, &asked.follow, 0,
	  "Go on while a session writes the trace, as tail -f does", NULL },
	VIEW_SELECT_OPTIONS(asked.select),
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_view = {
	.name = "view",
	.arguments = "[DIR|SESSION|last]",
	.summary = "Print a trace (else: the newest one in ~/tacho-traces)",
	.examples = "A line is: time [CPU] pid/tid (thread) provider:event fields\n"
		    "\n"
		    "  tacho view | head\n"
		    "  tacho view --summary /tmp/sort\n"
		    "  tacho view --event 'shop:*' --filter 'total > 100' --last 5s web\n"
		    "  tacho view --follow web\n"
		    "  tacho view --json | jq -c 'select(.event) | .fields'\n",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
