/* SPDX-License-Identifier: MIT */
/* trace.c - see trace.h */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "flat.h"
#include "metadata.h"
#include "program.h"

#define WRITER_NAME "tacho:writer"

/* ---- classes ---- */

static int set_name(struct read_trace *trace, struct read_event *event, const char *name)
{
	const char *colon = strchr(name, ':');

	event->name = event->base_name = name;
	event->provider = "";
	event->is_writer = !strcmp(name, WRITER_NAME);
	if (!colon)
		return 0;
	event->base_name = colon + 1;
	event->provider = read_arena_text(&trace->metadata.arena, name, (size_t)(colon - name));
	return event->provider ? 0 : -ENOMEM;
}

static int build_event(struct read_trace *trace, struct read_layout_builder *builder,
		       const struct read_event_class *class, struct read_event *event)
{
	int rc;

	event->id = class->id;
	event->level = class->level;
	event->uri = class->uri;
	event->source = class->source;
	rc = set_name(trace, event, class->name);
	if (!rc)
		rc = read_layout_build(builder, READ_SCOPE_EVENT_CONTEXT, class->context);
	event->context = builder->scopes[READ_SCOPE_EVENT_CONTEXT];
	if (!rc)
		rc = read_layout_build(builder, READ_SCOPE_FIELDS, class->fields);
	event->fields = builder->scopes[READ_SCOPE_FIELDS];
	builder->scopes[READ_SCOPE_EVENT_CONTEXT] = NULL;
	builder->scopes[READ_SCOPE_FIELDS] = NULL;
	return rc;
}

static int compare_events(const void *a, const void *b)
{
	const struct read_event *x = a, *y = b;

	if (x->id != y->id)
		return x->id > y->id ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Of events with the same id, the first is the one that is meant. */
static void drop_doubles(struct read_trace *trace, struct read_stream_layout *stream)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < stream->event_count; i++) {
		if (kept && stream->events[kept - 1].id == stream->events[i].id)
			trace->metadata.odd = "two events have the same id";
		else
			stream->events[kept++] = stream->events[i];
	}
	stream->event_count = kept;
}

static uint32_t count_events(const struct read_metadata *metadata, uint64_t stream_id)
{
	uint32_t count = 0;

	for (const struct read_event_class *class = metadata->events; class; class = class->next)
		count += class->stream_id == stream_id;
	return count;
}

static int build_events(struct read_trace *trace, struct read_layout_builder *builder,
			struct read_stream_layout *stream)
{
	const struct read_event_class *class = trace->metadata.events;
	uint32_t count = count_events(&trace->metadata, stream->id);
	int rc = 0;

	stream->events = read_arena_alloc(&trace->metadata.arena, count, sizeof(*stream->events));
	if (!stream->events)
		return error_set(builder->e, -ENOMEM, "too many events");
	for (; class && !rc; class = class->next) {
		if (class->stream_id != stream->id)
			continue;
		stream->events[stream->event_count].order = stream->event_count;
		rc = build_event(trace, builder, class, &stream->events[stream->event_count]);
		stream->event_count += !rc;
	}
	qsort(stream->events, stream->event_count, sizeof(*stream->events), compare_events);
	drop_doubles(trace, stream);
	return rc;
}

static uint32_t discarded_bits(const struct read_layout *context)
{
	for (uint32_t i = 0; context && i < context->child_count; i++) {
		if (context->children[i].role == READ_ROLE_DISCARDED)
			return context->children[i].bits;
	}
	return 0;
}

static int build_stream(struct read_trace *trace, struct read_layout_builder *builder,
			const struct read_stream_class *class, struct read_stream_layout *stream)
{
	int rc;

	stream->id = class->id;
	builder->clock = NULL;
	rc = read_layout_build(builder, READ_SCOPE_PACKET_CONTEXT, class->packet_context);
	if (!rc)
		rc = read_layout_build(builder, READ_SCOPE_EVENT_HEADER, class->event_header);
	stream->clock = builder->clock ? builder->clock : trace->metadata.clocks;
	if (trace->metadata.major == 2)
		stream->clock = class->clock;
	if (!rc)
		rc = read_layout_build(builder, READ_SCOPE_STREAM_CONTEXT, class->event_context);
	stream->packet_context = builder->scopes[READ_SCOPE_PACKET_CONTEXT];
	stream->event_header = builder->scopes[READ_SCOPE_EVENT_HEADER];
	stream->event_context = builder->scopes[READ_SCOPE_STREAM_CONTEXT];
	stream->discarded_bits = discarded_bits(stream->packet_context);
	return rc ? rc : build_events(trace, builder, stream);
}

static int build_streams(struct read_trace *trace, struct read_layout_builder *builder)
{
	const struct read_stream_class *class;
	uint32_t count = 0;
	int rc = 0;

	for (class = trace->metadata.streams; class; class = class->next)
		count++;
	trace->streams = read_arena_alloc(&trace->metadata.arena, count, sizeof(*trace->streams));
	if (!trace->streams)
		return error_set(builder->e, -ENOMEM, "too many streams");
	for (class = trace->metadata.streams; class && !rc; class = class->next) {
		rc = build_stream(trace, builder, class, &trace->streams[trace->stream_count]);
		/* A class with a broken event is of use up to there; one without a header is not. */
		trace->stream_count += !rc || trace->streams[trace->stream_count].event_count;
	}
	return rc;
}

/* Who writes is told by contexts of events, and by fields of tacho:writer, which is rare. */
static int compile_flat(struct read_arena *arena, const struct read_stream_layout *stream,
			struct read_event *event)
{
	const struct read_layout *const scopes[] = { stream->event_context, event->context,
						     event->fields };

	return event->is_writer ? 0 : read_flat_compile(arena, scopes, &event->flat);
}

static int compile_event(struct read_arena *arena, const struct read_stream_layout *stream,
			 struct read_event *event)
{
	int rc = read_program_compile(arena, event->context, true);

	if (!rc)
		rc = read_program_compile(arena, event->fields, event->is_writer);
	if (!rc)
		rc = compile_flat(arena, stream, event);
	return rc;
}

static int compile_stream(struct read_arena *arena, struct read_stream_layout *stream)
{
	int rc = read_program_compile(arena, stream->packet_context, true);

	read_header_compile(stream->event_header, &stream->header);
	if (!rc)
		rc = read_program_compile(arena, stream->event_header, true);
	if (!rc)
		rc = read_program_compile(arena, stream->event_context, true);
	for (uint32_t i = 0; i < stream->event_count && !rc; i++)
		rc = compile_event(arena, stream, &stream->events[i]);
	return rc;
}

/* Once all are built: what is noted of a field depends on who refers to it. */
static int compile_classes(struct read_trace *trace, struct tacho_error *e)
{
	struct read_arena *arena = &trace->metadata.arena;
	int rc = read_program_compile(arena, trace->packet_header, true);

	for (uint32_t i = 0; i < trace->stream_count && !rc; i++)
		rc = compile_stream(arena, &trace->streams[i]);
	return rc ? error_set(e, rc, "the types are too large") : 0;
}

static int build_classes(struct read_trace *trace, struct tacho_error *e)
{
	struct read_layout_builder builder = { .metadata = &trace->metadata, .e = e };
	int compile_rc;
	int rc = read_layout_build(&builder, READ_SCOPE_PACKET_HEADER,
				   trace->metadata.packet_header);

	if (rc)
		return rc;
	trace->packet_header = builder.scopes[READ_SCOPE_PACKET_HEADER];
	rc = build_streams(trace, &builder);
	trace->slot_count = builder.slot_count;
	trace->align_bytes = builder.align_max > 64 ? builder.align_max / 8 : 8;
	compile_rc = compile_classes(trace, rc ? NULL : e);
	return rc ? rc : compile_rc;
}

/* ---- environment ---- */

const char *read_trace_env(const struct read_trace *trace, const char *name)
{
	for (const struct read_env *env = trace->metadata.envs; env; env = env->next) {
		if (!strcmp(env->name, name))
			return env->value;
	}
	return NULL;
}

static void set_writer(struct read_trace *trace)
{
	const char *pid = read_trace_env(trace, "vpid");
	const char *thread = read_trace_env(trace, "procname");

	if (pid)
		trace->writer.pid = (uint32_t)strtoul(pid, NULL, 10);
	if (thread)
		snprintf(trace->writer.thread, sizeof(trace->writer.thread), "%s", thread);
}

/* ---- opening ---- */

int read_trace_parse(char *text, size_t bytes, struct tacho_error *e, struct read_trace **ret_trace)
{
	struct read_trace *trace = calloc(1, sizeof(*trace));
	int rc, build_rc;

	*ret_trace = NULL;
	if (!trace)
		return error_set(e, -ENOMEM, "no memory");
	rc = read_metadata_parse(text, bytes, &trace->metadata, e);
	build_rc = build_classes(trace, rc ? NULL : e);
	if (!rc)
		rc = build_rc;
	set_writer(trace);
	/* A session without a channel makes a trace that is whole, but for streams. */
	if (!trace->stream_count && (rc || !trace->metadata.packet_header)) {
		read_trace_free(trace);
		return rc ? rc : error_set(e, -EINVAL, "no stream is described");
	}
	*ret_trace = trace;
	return rc;
}

static int open_metadata(const char *path, const char *dir, struct tacho_error *e,
			 struct read_trace **ret_trace)
{
	struct tacho_error reason = { .text = "" };
	struct read_file_state state;
	struct ctf_file_id id;
	uint64_t size;
	size_t bytes;
	char *text;
	int rc = read_file_identify(AT_FDCWD, dir, &id, &size);

	*ret_trace = NULL;
	if (!rc)
		rc = read_file_state(path, &state);
	if (!rc)
		rc = read_file_all(path, READ_METADATA_BYTES_MAX, &text, &bytes);
	if (rc)
		return error_set(e, rc, "cannot read %s: %s", path, strerror(-rc));
	rc = read_trace_parse(text, bytes, &reason, ret_trace);
	free(text);
	if (rc)
		error_set(e, rc, "%.256s: %.200s", path, reason.text);
	if (!*ret_trace)
		return rc;
	(*ret_trace)->state = state;
	(*ret_trace)->dir = id;
	(*ret_trace)->path = strdup(dir);
	if ((*ret_trace)->path)
		return rc;
	read_trace_free(*ret_trace);
	*ret_trace = NULL;
	return error_set(e, -ENOMEM, "no memory");
}

int read_trace_open(const char *dir, struct tacho_error *e, struct read_trace **ret_trace)
{
	char *path;
	int rc;

	*ret_trace = NULL;
	if (asprintf(&path, "%s/metadata", dir) < 0)
		return error_set(e, -ENOMEM, "no memory");
	rc = open_metadata(path, dir, e, ret_trace);
	free(path);
	return rc;
}

bool read_trace_is_outdated(const struct read_trace *trace)
{
	struct read_file_state state;
	char *path;
	int rc;

	if (!trace->path || asprintf(&path, "%s/metadata", trace->path) < 0)
		return false;
	rc = read_file_state(path, &state);
	free(path);
	return !rc &&
	       (state.device != trace->state.device || state.inode != trace->state.inode ||
		state.bytes != trace->state.bytes || state.changed_s != trace->state.changed_s ||
		state.changed_ns != trace->state.changed_ns);
}

bool read_trace_is_moved(const struct read_trace *trace)
{
	struct ctf_file_id dir;
	uint64_t bytes;

	return read_file_identify(AT_FDCWD, trace->path, &dir, &bytes) ||
	       !ctf_file_is_same(&dir, &trace->dir);
}

void read_trace_free(struct read_trace *trace)
{
	if (!trace)
		return;
	read_arena_fini(&trace->metadata.arena);
	free(trace->path);
	free(trace);
}

/* ---- looking up ---- */

const struct read_stream_layout *read_trace_stream(const struct read_trace *trace, uint64_t id)
{
	for (uint32_t i = 0; i < trace->stream_count; i++) {
		if (trace->streams[i].id == id)
			return &trace->streams[i];
	}
	return NULL;
}

const struct read_event *read_trace_search(const struct read_stream_layout *stream, uint64_t id)
{
	uint32_t low = 0, high = stream->event_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (stream->events[middle].id == id)
			return &stream->events[middle];
		if (stream->events[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
