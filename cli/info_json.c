/* SPDX-License-Identifier: MIT */
/* info_json.c - what is in traces as JSON, tacho-json(7); see info.h */
#include <stdlib.h>

#include "info.h"
#include "json.h"
#include "losses.h"

static void add_signed(json_object *object, const char *key, int64_t number)
{
	json_object_object_add(object, key, json_object_new_int64(number));
}

/* ---- where it comes from ---- */

static void add_env(json_object *root, const struct read_metadata *metadata)
{
	json_object *object = json_add_object(root, "env");

	for (const struct read_env *env = metadata->envs; env; env = env->next)
		json_add_text(object, env->name, env->value);
}

static void add_clock(json_object *list, const struct read_clock *clock)
{
	json_object *entry = json_append_object(list);

	json_add_text(entry, "name", clock->name);
	if (clock->uuid)
		json_add_text(entry, "uuid", clock->uuid);
	json_add_count(entry, "freq_hz", clock->freq_hz);
	add_signed(entry, "offset_s", clock->offset_s);
	add_signed(entry, "offset_ticks", clock->offset_ticks);
	add_signed(entry, "origin_ns", info_clock_origin_ns(clock));
	json_add_bool(entry, "absolute", clock->is_absolute);
}

static void add_origin(json_object *root, const struct read_metadata *metadata)
{
	json_object *list;

	json_add_count(root, "ctf_major", metadata->major);
	json_add_count(root, "ctf_minor", metadata->minor);
	json_add_bool(root, "metadata_in_packets", metadata->is_packetized);
	if (metadata->uuid)
		json_add_text(root, "uuid", metadata->uuid);
	add_env(root, metadata);
	list = json_add_array(root, "clocks");
	for (const struct read_clock *clock = metadata->clocks; clock; clock = clock->next)
		add_clock(list, clock);
}

/* ---- classes ---- */

static void add_names(json_object *list, const struct read_layout *layout)
{
	for (uint32_t i = 0; layout && i < layout->child_count; i++)
		if (!layout->children[i].is_length)
			json_append_text(list, layout->children[i].name);
}

static void add_class(json_object *list, const struct info_trace *trace,
		      const struct read_stream_layout *stream, const struct read_event *event)
{
	json_object *entry = json_append_object(list);
	json_object *context;

	json_add_text(entry, "event", event->name);
	json_add_count(entry, "id", event->id);
	json_add_count(entry, "stream_id", stream->id);
	if (event->level != CTF_LEVEL_NONE)
		json_add_count(entry, "level", (uint64_t)event->level);
	json_add_count(entry, "events", info_events_of(trace, event));
	context = json_add_array(entry, "context");
	add_names(context, stream->event_context);
	add_names(context, event->context);
	add_names(json_add_array(entry, "fields"), event->fields);
}

static void add_classes(json_object *root, const struct info_trace *trace)
{
	const struct read_trace *read = trace->source->trace;
	json_object *list = json_add_array(root, "classes");

	for (uint32_t i = 0; i < read->stream_count; i++)
		for (uint32_t j = 0; j < read->streams[i].event_count; j++)
			add_class(list, trace, &read->streams[i], &read->streams[i].events[j]);
}

/* ---- what there is ---- */

static void add_stream(json_object *list, const struct info_stream *stream)
{
	json_object *entry = json_append_object(list);

	json_add_text(entry, "file", stream->name);
	json_add_count(entry, "files", stream->file_count);
	if (stream->has_class)
		json_add_count(entry, "stream_id", stream->class_id);
	if (stream->cpu != CTF_CPU_NONE)
		json_add_count(entry, "cpu", (uint64_t)stream->cpu);
	json_add_count(entry, "events", stream->events);
	json_add_count(entry, "packets", stream->packets);
	json_add_count(entry, "bytes", stream->bytes);
	json_add_count(entry, "lost_events", stream->lost_events);
	json_add_count(entry, "lost_packets", stream->lost_packets);
	json_add_count(entry, "begin_ns", stream->begin_ns);
	json_add_count(entry, "end_ns", stream->end_ns);
}

static void add_processes(json_object *root, const struct info_trace *trace)
{
	size_t count = view_map_count(trace->counts.by[STATS_BY_PROCESS]);
	struct view_map_entry *entries = stats_counts_sorted(&trace->counts, STATS_BY_PROCESS);
	json_object *list = json_add_array(root, "processes");

	for (size_t i = 0; i < count; i++) {
		const struct stats_count *process = entries[i].value;
		json_object *entry = json_append_object(list);

		json_add_count(entry, "pid", process->pid);
		json_add_text(entry, "name", process->name);
		json_add_count(entry, "events", process->events);
	}
	free(entries);
}

static void add_sums(json_object *root, const struct info_trace *trace)
{
	json_object *list;

	json_add_count(root, "begin_ns", trace->begin_ns);
	json_add_count(root, "end_ns", trace->end_ns);
	json_add_count(root, "events", trace->counts.events);
	json_add_count(root, "packets", trace->packets);
	json_add_count(root, "bytes", trace->bytes);
	json_add_count(root, "lost_events", trace->counts.lost_events);
	json_add_count(root, "lost_packets", trace->counts.lost_packets);
	list = json_add_array(root, "streams");
	for (size_t i = 0; i < trace->stream_count; i++)
		add_stream(list, &trace->streams[i]);
}

static void add_damages(json_object *root, const struct info_trace *trace)
{
	json_object *list = json_add_array(root, "damages");

	for (size_t i = 0; i < trace->damage_count; i++)
		json_append_text(list, trace->damages[i]);
	json_add_count(root, "damages_left_out", trace->damages_left_out);
}

static void add_trace(json_object *list, const struct info_trace *trace)
{
	json_object *root = json_append_object(list);

	json_add_text(root, "path", trace->source->dir);
	add_sums(root, trace);
	if (trace->source->trace) {
		add_origin(root, &trace->source->trace->metadata);
		add_classes(root, trace);
	}
	add_processes(root, trace);
	losses_add(root, &trace->counts);
	add_damages(root, trace);
}

int info_print_json(const struct info *infos, size_t count)
{
	json_object *root = json_object_new_object();
	json_object *list = json_add_array(root, "traces");

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < infos[i].source.trace_count; j++)
			add_trace(list, &infos[i].traces[j]);
	return json_print(root);
}
