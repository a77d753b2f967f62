/* SPDX-License-Identifier: MIT */
/*
 * cmd-view.c - tacho view: print a trace, one event a line, or how often each event occurred.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "ctf/read_count.h"
#include "ctf/read_print.h"
#include "ctf/reader.h"
#include "json.h"
#include "options.h"
#include "say.h"
#include "table.h"
#include "text.h"
#include "traces.h"

static struct {
	int all;
	int date;
	int delta;
	int json;
	int relative;
	int summary;
} asked;

/* Reading goes on after damage: other streams are whole. */
static void say_damage(const struct ctf_item *item)
{
	if (item->kind == CTF_ITEM_DAMAGE)
		say(SAY_WARNING, "%s", item->damage.text);
}

/* A script must not take a part for the whole. */
static int status_of(const struct ctf_reader *reader)
{
	return ctf_reader_totals(reader).damages ? STATUS_FAILED : STATUS_DONE;
}

static enum ctf_print_time time_format(void)
{
	if (asked.relative)
		return CTF_PRINT_RELATIVE;
	if (asked.delta)
		return CTF_PRINT_DELTA;
	return asked.date ? CTF_PRINT_DATE : CTF_PRINT_CLOCK;
}

static int print_all(struct ctf_reader *reader, struct ctf_printer *printer)
{
	const struct ctf_item *item;
	bool is_empty = true;
	int more;

	while ((more = ctf_reader_next(reader, &item)) > 0) {
		int printed_one = ctf_print_item(printer, item);

		if (printed_one < 0)
			return printed_one;
		is_empty = is_empty && !printed_one;
		say_damage(item);
	}
	if (!more && is_empty)
		say(SAY_PLAIN, "there is no event in the trace");
	return more ? more : ctf_print_flush(printer);
}

/* A reader like head(1) that has enough is no failure. */
static int printed(int err)
{
	if (!err || err == -EPIPE)
		return STATUS_DONE;
	return fail("cannot print the trace: %s", strerror(-err));
}

static int print(struct ctf_reader *reader)
{
	const struct ctf_print_options wanted = {
		.fd = STDOUT_FILENO,
		.format = asked.json ? CTF_PRINT_JSON : CTF_PRINT_TEXT,
		.time = time_format(),
		.with_writers = asked.all,
		.with_context = asked.all,
	};
	struct ctf_printer *printer;
	int err = ctf_printer_new(&wanted, &printer);

	if (err)
		return printed(err);
	err = print_all(reader, printer);
	ctf_printer_free(printer);
	return printed(err);
}

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

static int print_json(const struct ctf_count *counts, size_t count,
		      const struct ctf_reader_totals *totals)
{
	json_object *root = json_object_new_object();
	json_object *list = json_add_array(root, "counts");

	json_add_count(root, "events", totals->events);
	json_add_count(root, "lost", totals->lost_events);
	for (size_t i = 0; i < count; i++) {
		json_object *entry = json_append_object(list);

		json_add_text(entry, "event", counts[i].name);
		json_add_count(entry, "events", counts[i].events);
	}
	return json_print(root);
}

static int print_counts(struct ctf_reader *reader, struct ctf_counter *counter)
{
	struct ctf_reader_totals totals = ctf_reader_totals(reader);
	size_t count;
	const struct ctf_count *counts = ctf_counter_sort(counter, &count);

	if (asked.json)
		return print_json(counts, count, &totals);
	if (count)
		print_table(counts, count, totals.events);
	printf("%s event%s", count_text(totals.events).text, totals.events == 1 ? "" : "s");
	if (totals.lost_events)
		printf(", %s lost", count_text(totals.lost_events).text);
	putchar('\n');
	return STATUS_DONE;
}

static int summarize(struct ctf_reader *reader)
{
	struct ctf_counter *counter;
	const struct ctf_item *item;
	int status;
	int more = ctf_counter_new(&counter);

	if (more)
		return printed(more);
	while ((more = ctf_reader_next(reader, &item)) > 0) {
		say_damage(item);
		if (ctf_counter_add(counter, item)) {
			more = -ENOMEM;
			break;
		}
	}
	status = more ? printed(more) : print_counts(reader, counter);
	ctf_counter_free(counter);
	return status;
}

/* What was named may be a session: then its trace is meant. */
static char *find_named(const char *named)
{
	struct stat st;
	char *dir, *home;
	int err = stat(named, &st) ? errno : 0;

	if (!err)
		return xstrdup(named);
	if (!trace_of_session(named, &dir))
		return dir;
	home = traces_home();
	if (strchr(named, '/'))
		fail("cannot view %s: %s; there are traces in: ls -t %s", named, strerror(err),
		     home);
	else
		fail("cannot view '%s': there is no such directory here, nor a trace or snapshot "
		     "of "
		     "a session of that name; sessions: tacho list; traces: ls -t %s",
		     named, home);
	free(home);
	return NULL;
}

/* To be freed; NULL after saying that there is none. */
static char *find_trace(const char *named)
{
	char *dir;

	if (named && strcmp(named, "last"))
		return find_named(named);
	if (!trace_newest(&dir))
		return dir;
	if (!getenv("HOME")) {
		fail("HOME is not set; say where the trace is: tacho view DIR");
		return NULL;
	}
	dir = traces_home();
	fail("there is no trace in %s; make one: tacho record -- PROGRAM; or say where one is: "
	     "tacho view DIR",
	     dir);
	free(dir);
	return NULL;
}

static int view(const char *dir)
{
	struct ctf_reader *reader;
	struct tacho_error error;
	int status;

	if (ctf_reader_open(dir, &error, &reader))
		return fail_with(&error);
	status = asked.summary ? summarize(reader) : print(reader);
	if (!status)
		status = status_of(reader);
	ctf_reader_close(reader);
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	char *dir;
	int status;

	if (asked.relative + asked.delta + asked.date > 1)
		return wrong_use(self, "--relative, --delta and --date exclude each other");
	if (asked.summary && asked.relative + asked.delta + asked.date + asked.all)
		return wrong_use(self,
				 "--summary shows no single events: --relative, --delta, --date "
				 "and --all have no meaning with it");
	dir = find_trace(arguments[0]);
	if (!dir)
		return STATUS_FAILED;
	signal(SIGPIPE, SIG_IGN); /* a write that fails says the same */
	status = view(dir);
	free(dir);
	return status;
}

static const struct poptOption options[] = {
	{ "summary", 0, POPT_ARG_NONE, &asked.summary, 0,
	  "How often each event occurred, instead of each event", NULL },
	{ "json", 0, POPT_ARG_NONE, &asked.json, 0, "One JSON object a line", NULL },
	{ "relative", 0, POPT_ARG_NONE, &asked.relative, 0, "Times since the first event", NULL },
	{ "delta", 0, POPT_ARG_NONE, &asked.delta, 0, "Times since the event before", NULL },
	{ "date", 0, POPT_ARG_NONE, &asked.date, 0, "Times with the date", NULL },
	{ "all", 'a', POPT_ARG_NONE, &asked.all, 0,
	  "All contexts, and tacho:writer events, which say who wrote what follows, as well", NULL },
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
		    "  tacho view --json | jq -c 'select(.event) | .fields'\n",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
