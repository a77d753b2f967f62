/* SPDX-License-Identifier: MIT */
/* json.c - statistics as JSON, tacho-json(7); see report.h */
#include <stdio.h>
#include <stdlib.h>

#include "cli/json.h"
#include "cli/losses.h"
#include "report.h"

static void add_number(json_object *object, const char *key, double number)
{
	json_object_object_add(object, key, json_object_new_double(number));
}

/* ---- counts ---- */

static void add_row(json_object *list, const struct stats *stats, enum stats_by by,
		    const struct view_map_entry *entry)
{
	const struct stats_count *count = entry->value;
	json_object *row = json_append_object(list);

	if (by == STATS_BY_EVENT)
		json_add_text(row, "event", entry->key);
	if (by == STATS_BY_PROCESS || by == STATS_BY_THREAD)
		json_add_count(row, "pid", count->pid);
	if (by == STATS_BY_THREAD)
		json_add_count(row, "tid", count->tid);
	if (by == STATS_BY_PROCESS || by == STATS_BY_THREAD)
		json_add_text(row, "name", count->name);
	if (by == STATS_BY_CPU && count->cpu != CTF_CPU_NONE)
		json_add_count(row, "cpu", (uint64_t)count->cpu);
	json_add_count(row, "events", count->events);
	add_number(row, "per_second", stats_counts_rate(&stats->counts, count->events));
}

static void add_table(json_object *root, const struct stats *stats, enum stats_by by)
{
	static const char *const names[] = { "by_event", "by_process", "by_thread", "by_cpu" };
	json_object *list = json_add_array(root, names[by]);
	struct view_map_entry *entries = stats_counts_sorted(&stats->counts, by);

	for (size_t i = 0; i < view_map_count(stats->counts.by[by]); i++)
		add_row(list, stats, by, &entries[i]);
	free(entries);
}

static void add_counts(json_object *root, const struct stats *stats)
{
	uint64_t refused = 0;

	for (int by = 0; by < STATS_BY_COUNT; by++) {
		add_table(root, stats, (enum stats_by)by);
		refused += view_map_refused(stats->counts.by[by]);
	}
	json_add_count(root, "rows_left_out", refused);
	losses_add(root, &stats->counts);
}

/* ---- numbers ---- */

/* 99.9, and not the nearest double to 17 digits. */
static json_object *percent(unsigned int per_mille)
{
	char text[16];

	snprintf(text, sizeof(text), "%u.%u", per_mille / 10, per_mille % 10);
	return json_object_new_double_s(per_mille / 10.0, text);
}

static void add_percentiles(json_object *object, struct stats_values *values)
{
	static const unsigned int per_mille[] = STATS_PERCENTILES;
	json_object *list = json_add_array(object, "percentiles");

	for (size_t i = 0; i < STATS_PERCENTILES_COUNT; i++) {
		json_object *entry = json_append_object(list);

		json_object_object_add(entry, "percent", percent(per_mille[i]));
		add_number(entry, "value", stats_values_percentile(values, per_mille[i]));
	}
}

static void add_histogram(json_object *object, const struct stats_values *values)
{
	struct stats_row rows[2 * STATS_ROWS_MAX + 1];
	size_t count = stats_values_rows(values, rows);
	json_object *list = json_add_array(object, "histogram");

	for (size_t i = 0; i < count; i++) {
		json_object *entry = json_append_object(list);

		add_number(entry, "low", rows[i].low);
		add_number(entry, "high", rows[i].high);
		json_add_count(entry, "count", rows[i].count);
	}
}

static void add_values(json_object *object, struct stats_values *values)
{
	struct stats_summary summary = stats_values_summary(values);

	json_add_count(object, "count", summary.count);
	json_add_count(object, "not_finite", summary.not_finite);
	if (!summary.count)
		return;
	add_number(object, "min", summary.min);
	add_number(object, "max", summary.max);
	add_number(object, "mean", summary.mean);
	add_number(object, "deviation", summary.deviation);
	json_add_bool(object, "percentiles_exact", summary.is_exact);
	add_percentiles(object, values);
	add_histogram(object, values);
}

static void add_field(json_object *list, const struct stats_field *field)
{
	json_object *entry = json_append_object(list);

	json_add_text(entry, "field", field->name);
	json_add_count(entry, "events", field->events);
	add_values(entry, field->values);
}

static void add_latency(json_object *list, const struct stats_latency *latency)
{
	json_object *entry = json_append_object(list);

	if (latency->span)
		json_add_text(entry, "span", latency->span);
	json_add_text(entry, "begin", latency->begin);
	json_add_text(entry, "end", latency->end);
	if (latency->key)
		json_add_text(entry, "key", latency->key);
	json_add_count(entry, "begins", latency->begins);
	json_add_count(entry, "ends", latency->ends);
	json_add_count(entry, "without_end", latency->unfinished);
	json_add_count(entry, "without_begin", latency->ends_alone);
	json_add_count(entry, "begun_again", latency->begins_replaced);
	json_add_count(entry, "left_out", latency->left_out);
	add_values(entry, latency->values);
}

/* ---- the heap ---- */

static void add_sites(json_object *heap, const struct stats *stats)
{
	struct view_map_entry *entries = stats_malloc_by_bytes(&stats->heap);
	json_object *list = json_add_array(heap, "sites");

	for (size_t i = 0; i < view_map_count(stats->heap.sites); i++) {
		const struct stats_site *site = entries[i].value;
		json_object *entry = json_append_object(list);

		json_add_count(entry, "pid", site->pid);
		json_add_count(entry, "caller", site->caller);
		if (site->symbol)
			json_add_text(entry, "symbol", site->symbol);
		json_add_count(entry, "calls", site->calls);
		json_add_count(entry, "bytes", site->bytes);
		json_add_count(entry, "live_blocks", site->live_blocks);
		json_add_count(entry, "live_bytes", site->live_bytes);
	}
	free(entries);
}

static void add_heap(json_object *root, const struct stats *stats)
{
	const struct stats_malloc *heap = &stats->heap;
	json_object *object = json_add_object(root, "malloc");

	json_add_count(object, "calls", heap->calls);
	json_add_count(object, "failures", heap->failures);
	json_add_count(object, "bytes", heap->bytes);
	json_add_count(object, "frees", heap->frees);
	json_add_count(object, "frees_alone", heap->frees_alone);
	json_add_count(object, "live_blocks", heap->live_blocks);
	json_add_count(object, "live_bytes", heap->live_bytes);
	json_add_count(object, "peak_bytes", heap->peak_bytes);
	json_add_count(object, "left_out", heap->left_out);
	add_sites(object, stats);
	add_values(json_add_object(object, "sizes"), heap->sizes);
}

/* ---- locks ---- */

static void add_locks(json_object *root, const struct stats *stats)
{
	json_object *object = json_add_object(root, "locks");
	json_object *list = json_add_array(object, "locks");
	struct view_map_entry *entries = stats_locks_sorted(&stats->locks);

	for (size_t i = 0; i < view_map_count(stats->locks.by_address); i++) {
		const struct stats_lock *lock = entries[i].value;
		json_object *entry = json_append_object(list);

		json_add_count(entry, "pid", lock->pid);
		json_add_text(entry, "kind", lock->kind);
		json_add_count(entry, "address", lock->address);
		json_add_count(entry, "calls", lock->calls);
		json_add_count(entry, "waits", lock->waits);
		json_add_count(entry, "wait_ns", lock->wait_ns);
		json_add_count(entry, "longest_ns", lock->longest_ns);
		if (lock->symbol)
			json_add_text(entry, "symbol", lock->symbol);
	}
	json_add_count(object, "left_out", view_map_refused(stats->locks.by_address));
	add_values(json_add_object(object, "waits"), stats->locks.waits);
	free(entries);
}

/* ---- functions ---- */

static void add_durations(json_object *entry, const struct stats_durations *durations)
{
	static const unsigned int per_mille[] = STATS_PERCENTILES;
	json_object *list = json_add_array(entry, "percentiles");

	for (size_t i = 0; i < STATS_PERCENTILES_COUNT && durations->count; i++) {
		json_object *row = json_append_object(list);

		json_object_object_add(row, "percent", percent(per_mille[i]));
		json_add_count(row, "ns", stats_durations_percentile(durations, per_mille[i]));
	}
}

static void add_function(json_object *list, const struct stats_function *function)
{
	json_object *entry = json_append_object(list);

	json_add_count(entry, "pid", function->pid);
	json_add_count(entry, "address", function->address);
	if (function->symbol)
		json_add_text(entry, "symbol", function->symbol);
	json_add_count(entry, "calls", function->calls);
	json_add_count(entry, "exits", function->durations.count);
	json_add_count(entry, "total_ns", function->total_ns);
	json_add_count(entry, "self_ns", function->self_ns);
	json_add_count(entry, "longest_ns", function->durations.longest_ns);
	add_durations(entry, &function->durations);
}

static void add_functions(json_object *root, const struct stats_functions *functions)
{
	json_object *object = json_add_object(root, "functions");
	json_object *list = json_add_array(object, "functions");
	struct view_map_entry *entries = stats_functions_sorted(functions);

	for (size_t i = 0; i < view_map_count(functions->by_address); i++)
		add_function(list, entries[i].value);
	json_add_count(object, "entries", functions->entries);
	json_add_count(object, "exits", functions->exits);
	json_add_count(object, "unfinished", stats_functions_unfinished(functions));
	json_add_count(object, "without_exit", functions->without_exit);
	json_add_count(object, "without_entry", functions->without_entry);
	json_add_count(object, "left_out", functions->left_out);
	free(entries);
}

/* ---- all ---- */

static void add_head(json_object *root, const struct stats *stats)
{
	const struct stats_counts *counts = &stats->counts;

	json_add_count(root, "events", counts->events);
	json_add_count(root, "begin_ns", counts->begin_ns);
	json_add_count(root, "end_ns", counts->end_ns);
	add_number(root, "per_second", stats_counts_rate(counts, counts->events));
	json_add_count(root, "lost_events", counts->lost_events);
	json_add_count(root, "lost_packets", counts->lost_packets);
	json_add_count(root, "bytes", stats->totals.bytes);
	json_add_count(root, "streams", stats->totals.streams);
}

int stats_print_json(const struct stats *stats)
{
	json_object *root = json_object_new_object();
	json_object *list;

	add_head(root, stats);
	if (stats->with_counts)
		add_counts(root, stats);
	if (stats->field_count) {
		list = json_add_array(root, "fields");
		for (size_t i = 0; i < stats->field_count; i++)
			add_field(list, &stats->fields[i]);
	}
	if (stats->latency_count) {
		list = json_add_array(root, "latencies");
		for (size_t i = 0; i < stats->latency_count; i++)
			add_latency(list, &stats->latencies[i]);
	}
	if (stats->with_malloc)
		add_heap(root, stats);
	if (stats->with_locks)
		add_locks(root, stats);
	if (stats->with_functions)
		add_functions(root, &stats->functions);
	return json_print(root);
}
