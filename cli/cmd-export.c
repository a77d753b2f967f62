/* SPDX-License-Identifier: MIT */
/*
 * cmd-export.c - tacho export: a trace as other programs read it.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "export/chrome.h"
#include "export/file.h"
#include "export/perfetto.h"
#ifdef TACHO_WITH_SQLITE
#include "export/sqlite.h"
#endif
#include "export/tracks.h"
#include "lists.h"
#include "options.h"
#include "say.h"
#include "text.h"
#include "view/find.h"
#include "view/known.h"
#include "view/walk.h"

static struct {
	int chrome;
	const char **counters;
	const char *output;
	int perfetto;
	struct view_select_options select;
	const char **spans;
	const char *sqlite;
	int symbols;
} asked;

struct exporting {
	struct view_select *select;
	struct export_sink *sink;
	struct export_tracks *tracks;
	struct export_about about;
	char *hostname;
	bool has_begun;
};

/* ---- items ---- */

static void begin(struct exporting *exporting, const struct ctf_item *item)
{
	const char *hostname = NULL;

	exporting->has_begun = true;
	exporting->about.begin_ns = view_select_begin(exporting->select);
	exporting->sink->start(exporting->sink, item, exporting->about.begin_ns);
	if (item->kind == CTF_ITEM_EVENT)
		hostname = ctf_event_env(&item->event, "hostname");
	if (hostname)
		exporting->about.hostname = exporting->hostname = xstrdup(hostname);
}

static int take_item(void *data, const struct ctf_item *item)
{
	struct exporting *exporting = data;

	if (!exporting->has_begun && item->kind != CTF_ITEM_DAMAGE)
		begin(exporting, item);
	if (item->time_ns > exporting->about.end_ns)
		exporting->about.end_ns = item->time_ns;
	export_tracks_item(exporting->tracks, item);
	return 0;
}

static int pause_items(void *data)
{
	struct exporting *exporting = data;

	return export_was_told_to_end() ? -EINTR : exporting->sink->flush(exporting->sink);
}

/* ---- the whole ---- */

static int finish(struct exporting *exporting, const struct view_walk *walk)
{
	exporting->about.totals = walk->totals;
	export_tracks_end(exporting->tracks);
	return exporting->sink->finish(exporting->sink, &exporting->about);
}

static void say_what_is_missing(const struct exporting *exporting)
{
	const struct ctf_reader_totals *totals = &exporting->about.totals;
	uint64_t left_out = export_tracks_left_out(exporting->tracks);

	if (!exporting->has_begun)
		say(SAY_WARNING, totals->events ?
					 "no event of the trace is among what was asked for" :
					 "there is no event in the trace");
	if (left_out)
		say(SAY_WARNING, "%s events are not shown as what they are: see LIMITS in %s",
		    count_text(left_out).text, "tacho-export(1)");
}

/* A script must not take a part for the whole. A reader that has enough is no failure. */
static int status_of(const struct exporting *exporting, int err)
{
	if (err == -EPIPE)
		return STATUS_DONE;
	if (err == -EINTR)
		return STATUS_SIGNAL + export_was_told_to_end();
	if (err)
		return fail("cannot export the trace: %s", strerror(-err));
	say_what_is_missing(exporting);
	return exporting->about.totals.damages ? STATUS_FAILED : STATUS_DONE;
}

static int export_trace(const char *dir, struct exporting *exporting, bool *ret_is_whole)
{
	struct view_walk walk = {
		.dir = dir,
		.select = exporting->select,
		.item = take_item,
		.pause = pause_items,
		.data = exporting,
	};
	int err;
	int status = view_walk(&walk, &err);

	if (status)
		return status;
	if (!err)
		err = finish(exporting, &walk);
	*ret_is_whole = !err;
	return status_of(exporting, err);
}

static struct export_sink *sink_new(const struct export_file *file)
{
#ifdef TACHO_WITH_SQLITE
	if (asked.sqlite)
		return export_sqlite_new(file->partial);
#endif
	return asked.chrome ? export_chrome_new(file->fd) : export_perfetto_new(file->fd);
}

static int with_sink(const char *dir, struct exporting *exporting,
		     const struct export_tracks_options *options, bool *ret_is_whole)
{
	int status;

	exporting->tracks = export_tracks_new(options, exporting->sink);
	status = export_trace(dir, exporting, ret_is_whole);
	export_tracks_free(exporting->tracks);
	exporting->sink->free(exporting->sink);
	free(exporting->hostname);
	return status;
}

static int with_file(const char *dir, struct exporting *exporting,
		     const struct export_tracks_options *options)
{
	const char *path = asked.sqlite ? asked.sqlite : asked.output ? asked.output : "-";
	struct export_file file;
	bool is_whole = false;
	int status = export_file_open(path, &file);
	int err;

	if (status)
		return status;
	exporting->sink = sink_new(&file);
	status = exporting->sink ? with_sink(dir, exporting, options, &is_whole) : STATUS_FAILED;
	err = export_file_close(&file, is_whole);
	if (err && !status)
		status = status_of(exporting, err);
	return status;
}

/* ---- what was asked for ---- */

static int check_counters(const struct command *self, char *const *counters)
{
	for (; *counters; counters++) {
		if (!export_is_counter(*counters))
			return wrong_use(self,
					 "--counter takes an event and one of its fields, like "
					 "shop:stock.total, not '%s'",
					 *counters);
	}
	return STATUS_DONE;
}

static int check_spans(const struct command *self)
{
	for (int i = 0; i < option_count(asked.spans); i++) {
		if (!export_is_span(asked.spans[i]))
			return wrong_use(self,
					 "--span takes two events, like net:request,net:response, "
					 "not '%s'",
					 asked.spans[i]);
	}
	return STATUS_DONE;
}

static int check_sqlite(const struct command *self)
{
#ifndef TACHO_WITH_SQLITE
	return fail(
		"this tacho was built without SQLite: install libsqlite3-dev and build it again");
#endif
	if (asked.output || !strcmp(asked.sqlite, "-"))
		return wrong_use(self, "--sqlite names the file itself, and needs one");
	if (asked.counters)
		return wrong_use(self,
				 "--counter has no meaning with --sqlite: all fields are there");
	return STATUS_DONE;
}

static int check_form(const struct command *self)
{
	if (asked.chrome + asked.perfetto + (asked.sqlite ? 1 : 0) != 1)
		return wrong_use(self, "as what is the trace to be exported? one of --chrome, "
				       "--perfetto and --sqlite FILE");
	if (asked.perfetto && !asked.output && isatty(STDOUT_FILENO))
		return wrong_use(self, "that is nothing for a terminal; where to? -o FILE");
	return asked.sqlite ? check_sqlite(self) : STATUS_DONE;
}

static int with_symbols(const char *dir, struct exporting *exporting,
			struct export_tracks_options *options)
{
	int status = asked.symbols ? view_symbols_new(dir, &options->symbols) : STATUS_DONE;

	if (!status)
		status = with_file(dir, exporting, options);
	view_symbols_free(options->symbols);
	return status;
}

/* A name that is mistyped must not look like a trace without such events. */
static void doubt_names(const char *dir, const struct export_tracks_options *options)
{
	for (char *const *counter = options->counters; *counter; counter++) {
		size_t bytes = strcspn(*counter, ".");

		view_known_doubt(dir, "--counter", *counter, bytes, *counter + bytes + 1);
	}
	for (char *const *span = options->spans; *span; span++) {
		size_t bytes = strcspn(*span, ",");

		view_known_doubt(dir, "--span", *span, bytes, NULL);
		view_known_doubt(dir, "--span", *span + bytes + 1, strlen(*span + bytes + 1), NULL);
	}
}

static int look(const struct command *self, const char *named, char *const *counters)
{
	static char *no_spans[] = { NULL };
	struct export_tracks_options options = {
		.counters = counters,
		.spans = asked.spans ? (char *const *)(uintptr_t)asked.spans : no_spans,
	};
	struct exporting exporting = { 0 };
	int status = view_select_new(self, &asked.select, &exporting.select);
	char *dir;

	if (status)
		return status;
	dir = view_find(self, named);
	signal(SIGPIPE, SIG_IGN); /* a write that fails says the same */
	if (dir) {
		view_known_warn(dir, exporting.select, NULL);
		doubt_names(dir, &options);
	}
	status = dir ? with_symbols(dir, &exporting, &options) : STATUS_FAILED;
	free(dir);
	view_select_free(exporting.select);
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	char **counters = list_of_words(asked.counters);
	int status = check_form(self);

	if (!status)
		status = check_spans(self);
	if (!status)
		status = check_counters(self, counters);
	if (!status)
		status = look(self, arguments[0], counters);
	list_free(counters);
	return status;
}

static const struct poptOption options[] = {
	{ "chrome", 0, POPT_ARG_NONE, &asked.chrome, 0,
	  "JSON of the Trace Event Format: for chrome://tracing, Perfetto, speedscope", NULL },
	{ "perfetto", 0, POPT_ARG_NONE, &asked.perfetto, 0,
	  "A trace of Perfetto: smaller, for ui.perfetto.dev and trace_processor", NULL },
	{ "sqlite", 0, POPT_ARG_STRING, &asked.sqlite, 0,
	  "A database of SQLite 3: events, their fields, threads, spans, losses", "FILE" },
	{ "output", 'o', POPT_ARG_STRING, &asked.output, 0,
	  "Where to, a file that is not there yet; else the standard output", "FILE" },
	{ "counter", 0, POPT_ARG_ARGV, &asked.counters, 0,
	  "Draw a numeric field as a curve; * in EVENT is anything",
	  "EVENT.FIELD[,EVENT.FIELD].." },
	{ "span", 0, POPT_ARG_ARGV, &asked.spans, 0,
	  "These two events are the begin and end of a span, as EVENT_begin and EVENT_end are",
	  "EVENT,EVENT" },
	{ "symbols", 0, POPT_ARG_NONE, &asked.symbols, 0,
	  "Functions by their names (tacho record --functions --libs)", NULL },
	VIEW_SELECT_OPTIONS(asked.select),
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_export = {
	.name = "export",
	.arguments = "[DIR|SESSION|last]",
	.summary = "A trace as other programs read it (else: the newest one in ~/tacho-traces)",
	.examples = "  tacho export --chrome -o trace.json\n"
		    "  tacho export --chrome --counter shop:stock.total -o shop.json web\n"
		    "  tacho export --perfetto --span net:request,net:response -o net.pftrace\n"
		    "  tacho export --sqlite shop.db web && sqlite3 shop.db 'SELECT avg(total) "
		    "FROM \"shop:order_placed\"'\n"
		    "  tacho export --chrome --last 5s --event 'shop:*' | gzip >shop.json.gz\n",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
