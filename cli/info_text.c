/* SPDX-License-Identifier: MIT */
/* info_text.c - what is in traces, for people; see info.h */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "info.h"
#include "losses.h"
#include "moment.h"
#include "stats/draw.h"
#include "table.h"
#include "text.h"

static void print_line(const char *key, const char *value)
{
	char *text = printable(value);

	printf("%-10s %s\n", key, text);
	free(text);
}

/* ---- where it comes from ---- */

static void print_env(const struct read_trace *trace, const char *key, const char *name)
{
	const char *value = read_trace_env(trace, name);

	if (value && *value)
		print_line(key, value);
}

static void print_tracer(const struct read_trace *trace)
{
	const char *name = read_trace_env(trace, "tracer_name");
	const char *major = read_trace_env(trace, "tracer_major");
	const char *minor = read_trace_env(trace, "tracer_minor");
	char *text;

	if (!name)
		return;
	text = major ? xasprintf("%s %s.%s", name, major, minor ? minor : "0") : xstrdup(name);
	print_line("tracer", text);
	free(text);
}

static void print_format(const struct read_metadata *metadata)
{
	printf("format     CTF %" PRIu32 ".%" PRIu32 "%s\n", metadata->major, metadata->minor,
	       metadata->is_packetized ? ", metadata in packets" : "");
	if (metadata->uuid)
		print_line("uuid", metadata->uuid);
}

static void print_clock(const struct read_clock *clock)
{
	int64_t origin_ns = info_clock_origin_ns(clock);
	char *name = printable(clock->name);

	printf("clock      %s, %s Hz, 0 is at %s%s", name, count_text(clock->freq_hz).text,
	       origin_ns < 0 ? "-" : "",
	       moment_text((uint64_t)(origin_ns < 0 ? -origin_ns : origin_ns), MOMENT_SECONDS)
		       .text);
	puts(clock->is_absolute ? ", absolute" : "");
	free(name);
	if (clock->uuid)
		print_line("", clock->uuid);
}

static void print_origin(const struct read_trace *trace)
{
	print_format(&trace->metadata);
	print_tracer(trace);
	print_env(trace, "session", "trace_name");
	print_env(trace, "domain", "domain");
	print_env(trace, "host", "hostname");
	print_env(trace, "created", "trace_creation_datetime");
	for (const struct read_clock *clock = trace->metadata.clocks; clock; clock = clock->next)
		print_clock(clock);
}

/* ---- how much it is ---- */

static void print_times(const struct info_trace *trace)
{
	if (!trace->end_ns)
		return;
	printf("from       %s\n", moment_text(trace->begin_ns, MOMENT_DATE).text);
	printf("to         %s\n", moment_text(trace->end_ns, MOMENT_DATE).text);
	printf("duration   %s\n",
	       stats_number_text((double)(trace->end_ns - trace->begin_ns), STATS_NS).text);
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void print_sums(const struct info_trace *trace)
{
	const struct stats_counts *counts = &trace->counts;

	printf("events     %s\n", count_text(counts->events).text);
	printf("files      %s: %s stream%s, %s packet%s\n", bytes_text(trace->bytes).text,
	       count_text(trace->stream_count).text, plural(trace->stream_count),
	       count_text(trace->packets).text, plural(trace->packets));
	if (!counts->lost_events && !counts->lost_packets)
		puts("lost       nothing");
	else
		printf("lost       %s event%s, %s packet%s\n", count_text(counts->lost_events).text,
		       plural(counts->lost_events), count_text(counts->lost_packets).text,
		       plural(counts->lost_packets));
	for (size_t i = 0; i < trace->damage_count; i++)
		print_line("damage", trace->damages[i]);
	if (trace->damages_left_out)
		printf("           and %s more\n", count_text(trace->damages_left_out).text);
}

/* ---- tables ---- */

static const char *cpu_text(int32_t cpu, char *buffer, size_t bytes)
{
	snprintf(buffer, bytes, "%" PRId32, cpu);
	return cpu == CTF_CPU_NONE ? "?" : buffer;
}

static void add_stream(struct table *table, const struct info_stream *stream)
{
	char cpu[16];
	struct short_text files = count_text(stream->file_count);
	char *name = printable(stream->name);
	struct short_text bytes = bytes_text(stream->bytes);
	struct short_text packets = count_text(stream->packets);
	struct short_text events = count_text(stream->events);
	struct short_text lost = count_text(stream->lost_events);

	table_row(table, events.text, packets.text, bytes.text, lost.text,
		  cpu_text(stream->cpu, cpu, sizeof(cpu)), files.text, name);
	free(name);
}

static void print_streams(const struct info_trace *trace)
{
	static const struct column columns[] = {
		{ "EVENTS", COLUMN_RIGHT }, { "PACKETS", COLUMN_RIGHT },
		{ "SIZE", COLUMN_RIGHT },   { "LOST", COLUMN_RIGHT },
		{ "CPU", COLUMN_RIGHT },    { "FILES", COLUMN_RIGHT },
		{ "STREAM", COLUMN_LEFT },  { 0 },
	};
	struct table *table;

	if (!trace->stream_count)
		return;
	table = table_new(columns);
	putchar('\n');
	for (size_t i = 0; i < trace->stream_count; i++)
		add_stream(table, &trace->streams[i]);
	table_print(table);
}

static void add_context(char **text, const char *name)
{
	char *more = xasprintf("%s%s%s", *text, **text ? ", " : "", name);

	free(*text);
	*text = more;
}

static char *context_text(const struct read_layout *stream, const struct read_layout *event)
{
	char *text = xstrdup("");

	for (uint32_t i = 0; stream && i < stream->child_count; i++)
		add_context(&text, stream->children[i].name);
	for (uint32_t i = 0; event && i < event->child_count; i++)
		add_context(&text, event->children[i].name);
	return text;
}

static void add_class(struct table *table, const struct info_trace *trace,
		      const struct read_stream_layout *stream, const struct read_event *event)
{
	struct short_text events = count_text(info_events_of(trace, event));
	char *context = context_text(stream->event_context, event->context);
	char *shown = printable(context), *name = printable(event->name);

	table_row(table, events.text, name, shown);
	free(name);
	free(shown);
	free(context);
}

static void print_classes(const struct info_trace *trace)
{
	static const struct column columns[] = {
		{ "EVENTS", COLUMN_RIGHT },
		{ "EVENT", COLUMN_LEFT },
		{ "CONTEXT", COLUMN_LEFT },
		{ 0 },
	};
	const struct read_trace *read = trace->source->trace;
	struct table *table = table_new(columns);

	putchar('\n');
	for (uint32_t i = 0; i < read->stream_count; i++)
		for (uint32_t j = 0; j < read->streams[i].event_count; j++)
			if (!read->streams[i].events[j].is_writer)
				add_class(table, trace, &read->streams[i],
					  &read->streams[i].events[j]);
	table_print(table);
}

static void print_processes(const struct info_trace *trace)
{
	static const struct column columns[] = {
		{ "EVENTS", COLUMN_RIGHT },
		{ "PROCESS", COLUMN_RIGHT },
		{ "NAME", COLUMN_LEFT },
		{ 0 },
	};
	size_t count = view_map_count(trace->counts.by[STATS_BY_PROCESS]);
	struct view_map_entry *entries = stats_counts_sorted(&trace->counts, STATS_BY_PROCESS);
	struct table *table = table_new(columns);

	for (size_t i = 0; i < count; i++) {
		const struct stats_count *process = entries[i].value;
		char *name = printable(process->name);
		char pid[16];

		snprintf(pid, sizeof(pid), "%" PRIu32, process->pid);
		table_row(table, count_text(process->events).text, process->pid ? pid : "?", name);
		free(name);
	}
	if (count)
		putchar('\n');
	table_print(table);
	free(entries);
}

static void print_trace(const struct info_trace *trace)
{
	print_line("trace", trace->source->dir);
	if (!trace->source->trace) {
		print_sums(trace);
		return;
	}
	print_origin(trace->source->trace);
	print_times(trace);
	print_sums(trace);
	print_streams(trace);
	print_classes(trace);
	print_processes(trace);
	losses_print(&trace->counts, 0);
}

void info_print_text(const struct info *infos, size_t count)
{
	bool is_first = true;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < infos[i].source.trace_count; j++) {
			if (!is_first)
				putchar('\n');
			is_first = false;
			print_trace(&infos[i].traces[j]);
		}
	}
}
