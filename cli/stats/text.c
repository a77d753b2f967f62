/* SPDX-License-Identifier: MIT */
/* text.c - statistics for people; see report.h */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/losses.h"
#include "cli/moment.h"
#include "cli/table.h"
#include "cli/text.h"
#include "draw.h"
#include "report.h"

static struct short_text rate_text(double rate)
{
	struct short_text t;

	if (rate >= 100)
		return count_text((uint64_t)(rate + 0.5));
	snprintf(t.text, sizeof(t.text), "%.3g", rate);
	return t;
}

/* ---- the head ---- */

static void print_loss_sum(const struct stats_counts *counts)
{
	if (!counts->lost_events && !counts->lost_packets) {
		puts("lost       nothing");
		return;
	}
	printf("lost       %s event%s", count_text(counts->lost_events).text,
	       counts->lost_events == 1 ? "" : "s");
	if (counts->lost_packets)
		printf(", %s packet%s", count_text(counts->lost_packets).text,
		       counts->lost_packets == 1 ? "" : "s");
	putchar('\n');
}

static void print_head(const struct stats *stats)
{
	const struct stats_counts *counts = &stats->counts;

	printf("events     %s, %s a second\n", count_text(counts->events).text,
	       rate_text(stats_counts_rate(counts, counts->events)).text);
	if (counts->has_time) {
		printf("from       %s\n", moment_text(counts->begin_ns, MOMENT_DATE).text);
		printf("to         %s\n", moment_text(counts->end_ns, MOMENT_DATE).text);
		printf("duration   %s\n",
		       stats_number_text((double)(counts->end_ns - counts->begin_ns), STATS_NS)
			       .text);
	}
	print_loss_sum(counts);
	printf("files      %s, of %s stream%s\n", bytes_text(stats->totals.bytes).text,
	       count_text(stats->totals.streams).text, stats->totals.streams == 1 ? "" : "s");
}

/* ---- tables ---- */

static const char *or_unknown(const char *text)
{
	return text && *text ? text : "?";
}

static void add_row(struct table *table, const struct stats *stats, enum stats_by by,
		    const struct view_map_entry *entry)
{
	const struct stats_count *count = entry->value;
	struct short_text events = count_text(count->events);
	struct short_text share = percent_text(count->events, stats->counts.events);
	struct short_text rate = rate_text(stats_counts_rate(&stats->counts, count->events));
	char *name = printable(or_unknown(by == STATS_BY_EVENT ? entry->key : count->name));
	char id[32];

	if (by == STATS_BY_THREAD)
		snprintf(id, sizeof(id), "%" PRIu32 "/%" PRIu32, count->pid, count->tid);
	else if (by == STATS_BY_PROCESS)
		snprintf(id, sizeof(id), "%" PRIu32, count->pid);
	else
		snprintf(id, sizeof(id), "%" PRId32, count->cpu);
	if (by == STATS_BY_EVENT)
		table_row(table, events.text, share.text, rate.text, name);
	else if (by == STATS_BY_CPU)
		table_row(table, events.text, share.text, rate.text, count->cpu < 0 ? "?" : id);
	else
		table_row(table, events.text, share.text, rate.text, id, name);
	free(name);
}

static size_t rows_shown(const struct stats *stats, size_t count)
{
	return stats->rows && stats->rows < count ? stats->rows : count;
}

static void print_more(size_t count, size_t shown, uint64_t refused)
{
	if (shown < count)
		printf("and %s more\n", count_text(count - shown).text);
	if (refused)
		printf("and %s events of more than these\n", count_text(refused).text);
}

static void print_table(const struct stats *stats, enum stats_by by)
{
	static const struct column columns[STATS_BY_COUNT][6] = {
		{ { "EVENTS", COLUMN_RIGHT },
		  { "SHARE", COLUMN_RIGHT },
		  { "PER SECOND", COLUMN_RIGHT },
		  { "EVENT", COLUMN_LEFT },
		  { 0 } },
		{ { "EVENTS", COLUMN_RIGHT },
		  { "SHARE", COLUMN_RIGHT },
		  { "PER SECOND", COLUMN_RIGHT },
		  { "PROCESS", COLUMN_RIGHT },
		  { "NAME", COLUMN_LEFT },
		  { 0 } },
		{ { "EVENTS", COLUMN_RIGHT },
		  { "SHARE", COLUMN_RIGHT },
		  { "PER SECOND", COLUMN_RIGHT },
		  { "THREAD", COLUMN_RIGHT },
		  { "NAME", COLUMN_LEFT },
		  { 0 } },
		{ { "EVENTS", COLUMN_RIGHT },
		  { "SHARE", COLUMN_RIGHT },
		  { "PER SECOND", COLUMN_RIGHT },
		  { "CPU", COLUMN_RIGHT },
		  { 0 } },
	};
	size_t count = view_map_count(stats->counts.by[by]), shown = rows_shown(stats, count);
	struct view_map_entry *entries = stats_counts_sorted(&stats->counts, by);
	struct table *table = table_new(columns[by]);

	putchar('\n');
	for (size_t i = 0; i < shown; i++)
		add_row(table, stats, by, &entries[i]);
	table_print(table);
	print_more(count, shown, view_map_refused(stats->counts.by[by]));
	free(entries);
}

/* ---- what was asked for ---- */

static void print_latency(const struct stats_latency *latency)
{
	char *begin = printable(latency->begin), *end = printable(latency->end);

	putchar('\n');
	if (latency->span)
		printf("span %s, ", visible(latency->span).text);
	printf("from %s to %s%s%s\n", begin, end, latency->key ? ", by " : "",
	       latency->key ? visible(latency->key).text : "");
	stats_draw(latency->values, STATS_NS);
	if (latency->unfinished)
		printf("  without an end: %s\n", count_text(latency->unfinished).text);
	if (latency->ends_alone)
		printf("  without a begin: %s\n", count_text(latency->ends_alone).text);
	if (latency->begins_replaced)
		printf("  begun again before an end: %s\n",
		       count_text(latency->begins_replaced).text);
	if (latency->left_out)
		printf("  left out, too many at a time or without the key: %s\n",
		       count_text(latency->left_out).text);
	free(begin);
	free(end);
}

static void add_site(struct table *table, const struct stats_site *site)
{
	char *caller = xasprintf("0x%" PRIx64 "%s%s", site->caller, site->symbol ? " " : "",
				 site->symbol ? site->symbol : "");
	char *shown = printable(caller);
	char pid[16];

	snprintf(pid, sizeof(pid), "%" PRIu32, site->pid);
	table_row(table, bytes_text(site->bytes).text, count_text(site->calls).text,
		  bytes_text(site->live_bytes).text, count_text(site->live_blocks).text, pid,
		  shown);
	free(shown);
	free(caller);
}

static void print_sites(const struct stats *stats, const char *title, bool only_live,
			struct view_map_entry *entries)
{
	static const struct column columns[] = {
		{ "BYTES", COLUMN_RIGHT },
		{ "CALLS", COLUMN_RIGHT },
		{ "NOT FREED", COLUMN_RIGHT },
		{ "BLOCKS", COLUMN_RIGHT },
		{ "PROCESS", COLUMN_RIGHT },
		{ "CALLER", COLUMN_LEFT },
		{ 0 },
	};
	size_t count = view_map_count(stats->heap.sites), shown;
	struct table *table;

	while (only_live && count && !((struct stats_site *)entries[count - 1].value)->live_bytes)
		count--;
	shown = rows_shown(stats, count);
	if (!count)
		return;
	printf("\n%s\n", title);
	table = table_new(columns);
	for (size_t i = 0; i < shown; i++)
		add_site(table, entries[i].value);
	table_print(table);
	print_more(count, shown, 0);
}

static void print_heap_head(const struct stats_malloc *heap)
{
	printf("\nallocated  %s in %s calls\n", bytes_text(heap->bytes).text,
	       count_text(heap->calls).text);
	if (heap->failures)
		printf("failed     %s calls\n", count_text(heap->failures).text);
	printf("freed      %s blocks\n", count_text(heap->frees).text);
	if (heap->frees_alone)
		printf("           %s of them were allocated before, or in a parent\n",
		       count_text(heap->frees_alone).text);
	printf("not freed  %s in %s blocks\n", bytes_text(heap->live_bytes).text,
	       count_text(heap->live_blocks).text);
	printf("at most    %s at a time\n", bytes_text(heap->peak_bytes).text);
	if (heap->left_out)
		printf("left out   %s allocations, too many at a time or sites\n",
		       count_text(heap->left_out).text);
}

static void print_heap(const struct stats *stats)
{
	struct view_map_entry *by_bytes = stats_malloc_by_bytes(&stats->heap);
	struct view_map_entry *by_live = stats_malloc_by_live_bytes(&stats->heap);

	print_heap_head(&stats->heap);
	print_sites(stats, "sites by bytes", false, by_bytes);
	print_sites(stats, "sites of what is not freed", true, by_live);
	puts("\nsizes");
	stats_draw(stats->heap.sizes, STATS_BYTES);
	free(by_bytes);
	free(by_live);
}

static void add_lock(struct table *table, const struct stats_lock *lock)
{
	char *where = printable(lock->symbol ? lock->symbol : "?");
	char pid[16], address[32];

	snprintf(pid, sizeof(pid), "%" PRIu32, lock->pid);
	snprintf(address, sizeof(address), "0x%" PRIx64, lock->address);
	table_row(table, stats_number_text((double)lock->wait_ns, STATS_NS).text,
		  count_text(lock->waits).text, count_text(lock->calls).text,
		  stats_number_text((double)lock->longest_ns, STATS_NS).text, pid, lock->kind,
		  address, where);
	free(where);
}

static void print_locks(const struct stats *stats)
{
	const struct column columns[] = {
		{ "WAITED", COLUMN_RIGHT },
		{ "WAITS", COLUMN_RIGHT },
		{ "CALLS", COLUMN_RIGHT },
		{ "LONGEST", COLUMN_RIGHT },
		{ "PROCESS", COLUMN_RIGHT },
		{ "KIND", COLUMN_LEFT },
		{ "ADDRESS", COLUMN_LEFT },
		{ stats->symbols ? "LONGEST WAIT AT" : NULL, COLUMN_LEFT },
		{ 0 },
	};
	const struct view_map *map = stats->locks.by_address;
	size_t count = view_map_count(map), shown = rows_shown(stats, count);
	struct view_map_entry *entries = stats_locks_sorted(&stats->locks);
	struct table *table = table_new(columns);

	putchar('\n');
	for (size_t i = 0; i < shown; i++)
		add_lock(table, entries[i].value);
	table_print(table);
	print_more(count, shown, view_map_refused(map));
	puts("\nwaits for mutexes and read-write locks");
	stats_draw(stats->locks.waits, STATS_NS);
	free(entries);
}

static void add_function(struct table *table, const struct stats_function *function)
{
	const struct stats_durations *durations = &function->durations;
	char *name = xasprintf("0x%" PRIx64 "%s%s", function->address, function->symbol ? " " : "",
			       function->symbol ? function->symbol : "");
	char *shown = printable(name);
	char pid[16];

	snprintf(pid, sizeof(pid), "%" PRIu32, function->pid);
	table_row(table, stats_number_text((double)function->self_ns, STATS_NS).text,
		  stats_number_text((double)function->total_ns, STATS_NS).text,
		  count_text(function->calls).text,
		  stats_number_text((double)stats_durations_percentile(durations, 500), STATS_NS)
			  .text,
		  stats_number_text((double)stats_durations_percentile(durations, 990), STATS_NS)
			  .text,
		  stats_number_text((double)durations->longest_ns, STATS_NS).text, pid, shown);
	free(shown);
	free(name);
}

static void print_calls(const struct stats_functions *functions)
{
	uint64_t unfinished = stats_functions_unfinished(functions);

	printf("\ncalls      %s\n", count_text(functions->entries).text);
	if (functions->entries && !functions->exits)
		puts("           of which only the entries were recorded: no times are known");
	else if (unfinished)
		printf("           %s of them are not over\n", count_text(unfinished).text);
	if (functions->without_exit)
		printf("           %s of them were left in another way, or the exit was lost\n",
		       count_text(functions->without_exit).text);
	if (functions->without_entry)
		printf("exits      %s without an entry\n",
		       count_text(functions->without_entry).text);
	if (functions->left_out)
		printf("left out   %s calls: too many functions, or in each other\n",
		       count_text(functions->left_out).text);
}

static void print_functions(const struct stats *stats)
{
	static const struct column columns[] = {
		{ "SELF", COLUMN_RIGHT },
		{ "TOTAL", COLUMN_RIGHT },
		{ "CALLS", COLUMN_RIGHT },
		{ "MEDIAN", COLUMN_RIGHT },
		{ "99 %", COLUMN_RIGHT },
		{ "LONGEST", COLUMN_RIGHT },
		{ "PROCESS", COLUMN_RIGHT },
		{ "FUNCTION", COLUMN_LEFT },
		{ 0 },
	};
	size_t count = view_map_count(stats->functions.by_address);
	size_t shown = rows_shown(stats, count);
	struct view_map_entry *entries = stats_functions_sorted(&stats->functions);
	struct table *table = table_new(columns);

	print_calls(&stats->functions);
	putchar('\n');
	for (size_t i = 0; i < shown; i++)
		add_function(table, entries[i].value);
	table_print(table);
	print_more(count, shown, 0);
	free(entries);
}

void stats_print_text(const struct stats *stats)
{
	print_head(stats);
	for (int by = 0; stats->with_counts && by < STATS_BY_COUNT; by++)
		print_table(stats, (enum stats_by)by);
	if (stats->with_counts)
		losses_print(&stats->counts, stats->rows);
	for (size_t i = 0; i < stats->field_count; i++) {
		printf("\n%s\n", visible(stats->fields[i].name).text);
		stats_draw(stats->fields[i].values, STATS_PLAIN);
	}
	for (size_t i = 0; i < stats->latency_count; i++)
		if (stats->latencies[i].begins || stats->latencies[i].ends)
			print_latency(&stats->latencies[i]);
	if (stats->with_malloc)
		print_heap(stats);
	if (stats->with_locks)
		print_locks(stats);
	if (stats->with_functions)
		print_functions(stats);
}
