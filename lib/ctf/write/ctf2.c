/* SPDX-License-Identifier: MIT */
/* ctf2.c - see ctf2.h */
#include "ctf2.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "ctf/read/ctf2.h"
#include "ctf/read/reader.h"
#include "ctf/read/slot_path.h"
#include "ctf/read/value.h"
#include "format/port.h"

#define UUID_BYTES 16

/* The structures around a field, the innermost first. */
struct frame {
	const struct frame *outer;
	const struct read_layout *node;
};

struct writer {
	FILE *out;
	const struct read_trace *trace;
	const struct read_layout *scopes[READ_SCOPES];
	enum read_scope scope; /* that is written */
};

/* ---- JSON ---- */

static void print_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20)
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

/* A property behind others; nothing if there is no text. */
static void print_text(FILE *out, const char *key, const char *text)
{
	if (!text)
		return;
	fprintf(out, ",\"%s\":", key);
	print_string(out, text);
}

static void print_count(FILE *out, const char *key, uint64_t count)
{
	fprintf(out, ",\"%s\":%" PRIu64, key, count);
}

static void begin_fragment(FILE *out, const char *type)
{
	fprintf(out, "%c{\"type\":\"%s\"", CTF2_SEPARATOR, type);
}

static void end_fragment(FILE *out)
{
	fputs("}\n", out);
}

static void print_range(FILE *out, uint64_t low, uint64_t high, bool is_signed)
{
	if (is_signed)
		fprintf(out, "[%" PRId64 ",%" PRId64 "]", (int64_t)low, (int64_t)high);
	else
		fprintf(out, "[%" PRIu64 ",%" PRIu64 "]", low, high);
}

/* ---- names and locations ---- */

/* As people know it, unless that is the name of another field as well. */
static const char *name_of(const struct read_layout *parent, const struct read_layout *child)
{
	for (uint32_t i = 0; i < parent->child_count; i++) {
		const struct read_layout *other = &parent->children[i];

		if (other != child && !strcmp(other->name, child->name))
			return child->raw_name;
	}
	return child->name;
}

static void print_names(FILE *out, const struct read_layout *parent, const struct slot_path *path)
{
	for (size_t i = 0; i < path->count; i++) {
		if (i)
			fputc(',', out);
		print_string(out, name_of(parent, path->nodes[i]));
		parent = path->nodes[i];
	}
	fputs("]}", out);
}

/* From the structure that holds the field, if it is in the same scope; else from its scope. */
static int print_location(struct writer *w, const struct frame *frame, const char *key,
			  int32_t slot)
{
	struct slot_path path;

	fprintf(w->out, ",\"%s\":{", key);
	for (uint32_t level = 0; frame; frame = frame->outer, level++) {
		if (!slot_path_find(frame->node, slot, &path))
			continue;
		fputs("\"path\":[", w->out);
		for (uint32_t i = 0; i < level; i++)
			fputs("null,", w->out);
		print_names(w->out, frame->node, &path);
		return 0;
	}
	for (int scope = READ_SCOPES - 1; scope >= 0; scope--) {
		if (!slot_path_find(w->scopes[scope], slot, &path))
			continue;
		fprintf(w->out, "\"origin\":\"%s\",\"path\":[", ctf2_origins[scope]);
		print_names(w->out, w->scopes[scope], &path);
		return 0;
	}
	return -ENOTSUP;
}

/* ---- scalars ---- */

static const char *role_name(enum read_role role)
{
	static const char *const names[READ_ROLES] = {
		[READ_ROLE_MAGIC] = "packet-magic-number",
		[READ_ROLE_STREAM_ID] = "data-stream-class-id",
		[READ_ROLE_INSTANCE] = "data-stream-id",
		[READ_ROLE_TIME_BEGIN] = "default-clock-timestamp",
		[READ_ROLE_TIME_END] = "packet-end-default-clock-timestamp",
		[READ_ROLE_CONTENT_BITS] = "packet-content-length",
		[READ_ROLE_PACKET_BITS] = "packet-total-length",
		[READ_ROLE_DISCARDED] = "discarded-event-record-counter-snapshot",
		[READ_ROLE_SEQUENCE] = "packet-sequence-number",
		[READ_ROLE_EVENT_ID] = "event-record-class-id",
		[READ_ROLE_CLOCK] = "default-clock-timestamp",
	};

	return names[role];
}

static void print_role(struct writer *w, const struct read_layout *l)
{
	const char *name = role_name(l->role);

	if (name && w->scope <= READ_SCOPE_EVENT_HEADER && !l->is_signed)
		fprintf(w->out, ",\"roles\":[\"%s\"]", name);
}

static bool is_first_of_label(const struct read_layout *l, const struct read_mapping *map)
{
	const struct read_mapping *first = l->mappings;

	while (strcmp(first->label, map->label))
		first = first->next;
	return first == map;
}

static void print_ranges_of_label(FILE *out, const struct read_mapping *map, bool is_signed)
{
	const char *label = map->label;

	print_string(out, label);
	fputs(":[", out);
	print_range(out, map->low, map->high, is_signed);
	for (map = map->next; map; map = map->next) {
		if (strcmp(map->label, label))
			continue;
		fputc(',', out);
		print_range(out, map->low, map->high, is_signed);
	}
	fputc(']', out);
}

static void print_mappings(FILE *out, const struct read_layout *l)
{
	bool is_behind = false;

	if (!l->mappings)
		return;
	fputs(",\"mappings\":{", out);
	for (const struct read_mapping *map = l->mappings; map; map = map->next) {
		if (!is_first_of_label(l, map))
			continue;
		if (is_behind)
			fputc(',', out);
		print_ranges_of_label(out, map, l->is_signed);
		is_behind = true;
	}
	fputc('}', out);
}

static void print_bits(FILE *out, const struct read_layout *l)
{
	fprintf(out, ",\"length\":%" PRIu32 ",\"byte-order\":\"%s-endian\",\"alignment\":%" PRIu32,
		l->bits, l->is_big ? "big" : "little", l->align);
}

static void print_integer(struct writer *w, const struct read_layout *l)
{
	bool is_varint = l->kind == READ_VARINT;

	fprintf(w->out, "{\"type\":\"%s-length-%s-integer\"", is_varint ? "variable" : "fixed",
		l->is_signed ? "signed" : "unsigned");
	if (!is_varint)
		print_bits(w->out, l);
	if (l->base && l->base != 10)
		print_count(w->out, "preferred-display-base", l->base);
	if (l->kind != READ_INTEGER)
		print_mappings(w->out, l);
	print_role(w, l);
	fputc('}', w->out);
}

static void print_float(FILE *out, const struct read_layout *l)
{
	fputs("{\"type\":\"fixed-length-floating-point-number\"", out);
	print_bits(out, l);
	fputc('}', out);
}

static void print_encoding(FILE *out, const struct read_layout *l)
{
	static const char *const names[] = { NULL, "utf-16le", "utf-16be", "utf-32le", "utf-32be" };

	print_text(out, "encoding", names[l->encoding]);
}

/* ---- compounds ---- */

static int print_class(struct writer *w, const struct frame *frame, const struct read_layout *l);

/* Bytes that are one value; of a larger alignment than a byte, they are an array as any other. */
static bool is_value(const struct read_layout *l)
{
	return read_is_bytes(l->children) && l->align == 8;
}

static bool is_uuid(const struct writer *w, const struct read_layout *l)
{
	return w->scope == READ_SCOPE_PACKET_HEADER && w->trace->metadata.uuid &&
	       l->count == UUID_BYTES && !strcmp(l->name, "uuid") && l->children->bits == 8 &&
	       l->align == 8;
}

static int print_elements(struct writer *w, const struct frame *frame, const struct read_layout *l)
{
	bool is_counted = l->kind == READ_SEQUENCE, is_array = !is_value(l);
	const char *what = is_array ? "array" : l->children->is_text ? "string" : "blob";
	int rc = 0;

	if (!is_counted && is_uuid(w, l)) {
		fputs("{\"type\":\"static-length-blob\",\"length\":16,"
		      "\"roles\":[\"metadata-stream-uuid\"]}",
		      w->out);
		return 0;
	}
	fprintf(w->out, "{\"type\":\"%s-length-%s\"", is_counted ? "dynamic" : "static", what);
	if (is_counted)
		rc = print_location(w, frame, "length-field-location", l->from_slot);
	else
		print_count(w->out, "length", l->count);
	if (!is_array && l->children->is_text)
		print_encoding(w->out, l);
	if (is_array && !rc) {
		print_count(w->out, "minimum-alignment", l->align);
		fputs(",\"element-field-class\":", w->out);
		rc = print_class(w, frame, l->children);
	}
	fputc('}', w->out);
	return rc;
}

static int print_struct(struct writer *w, const struct frame *outer, const struct read_layout *l)
{
	struct frame frame = { .outer = outer, .node = l };
	int rc = 0;

	fprintf(w->out,
		"{\"type\":\"structure\",\"minimum-alignment\":%" PRIu32 ",\"member-classes\":[",
		l->align);
	for (uint32_t i = 0; i < l->child_count && !rc; i++) {
		fputs(i ? ",{\"name\":" : "{\"name\":", w->out);
		print_string(w->out, name_of(l, &l->children[i]));
		fputs(",\"field-class\":", w->out);
		rc = print_class(w, &frame, &l->children[i]);
		fputc('}', w->out);
	}
	fputs("]}", w->out);
	return rc;
}

/* Return: how many ranges there are. */
static uint32_t print_option_ranges(FILE *out, const struct read_layout *l, uint32_t index)
{
	uint32_t count = 0;

	fputs("\"selector-field-ranges\":[", out);
	for (uint32_t i = 0; i < l->option_count; i++) {
		if (l->options[i].index != index)
			continue;
		if (count++)
			fputc(',', out);
		print_range(out, l->options[i].low, l->options[i].high, l->from_signed);
	}
	fputc(']', out);
	return count;
}

static bool is_option_used(const struct read_layout *l, uint32_t index)
{
	for (uint32_t i = 0; i < l->option_count; i++) {
		if (l->options[i].index == index)
			return true;
	}
	return false;
}

static int print_option(struct writer *w, const struct frame *frame, const struct read_layout *l,
			uint32_t index)
{
	int rc;

	fputc('{', w->out);
	print_option_ranges(w->out, l, index);
	if (*l->children[index].name)
		print_text(w->out, "name", l->children[index].name);
	fputs(",\"field-class\":", w->out);
	rc = print_class(w, frame, &l->children[index]);
	fputc('}', w->out);
	return rc;
}

static int print_variant(struct writer *w, const struct frame *frame, const struct read_layout *l)
{
	bool is_behind = false;
	int rc;

	fputs("{\"type\":\"variant\"", w->out);
	rc = print_location(w, frame, "selector-field-location", l->from_slot);
	fputs(",\"options\":[", w->out);
	for (uint32_t i = 0; i < l->child_count && !rc; i++) {
		if (!is_option_used(l, i))
			continue;
		if (is_behind)
			fputc(',', w->out);
		is_behind = true;
		rc = print_option(w, frame, l, i);
	}
	fputs("]}", w->out);
	return rc;
}

static int print_optional(struct writer *w, const struct frame *frame, const struct read_layout *l)
{
	int rc;

	fputs("{\"type\":\"optional\"", w->out);
	rc = print_location(w, frame, "selector-field-location", l->from_slot);
	fputc(',', w->out);
	print_option_ranges(w->out, l, 0);
	fputs(",\"field-class\":", w->out);
	if (!rc)
		rc = print_class(w, frame, l->children);
	fputc('}', w->out);
	return rc;
}

static int print_class(struct writer *w, const struct frame *frame, const struct read_layout *l)
{
	switch (l->kind) {
	case READ_INTEGER:
	case READ_ENUM:
	case READ_VARINT:
		print_integer(w, l);
		return 0;
	case READ_FLOAT:
		print_float(w->out, l);
		return 0;
	case READ_STRING:
		fputs("{\"type\":\"null-terminated-string\"", w->out);
		print_encoding(w->out, l);
		fputc('}', w->out);
		return 0;
	case READ_STRUCT:
		return print_struct(w, frame, l);
	case READ_VARIANT:
		return print_variant(w, frame, l);
	case READ_OPTIONAL:
		return print_optional(w, frame, l);
	case READ_ARRAY:
	case READ_SEQUENCE:
		break;
	}
	return print_elements(w, frame, l);
}

static int print_scope(struct writer *w, enum read_scope scope, const char *key,
		       const struct read_layout *layout)
{
	w->scopes[scope] = layout;
	w->scope = scope;
	if (!layout)
		return 0;
	fprintf(w->out, ",\"%s\":", key);
	return print_struct(w, NULL, layout);
}

/* ---- fragments ---- */

static void print_uuid(FILE *out, const char *uuid)
{
	unsigned int byte, count = 0;

	fputs(",\"uuid\":[", out);
	for (; *uuid && count < UUID_BYTES; uuid++) {
		if (*uuid == '-' || sscanf(uuid, "%2x", &byte) != 1)
			continue;
		fprintf(out, "%s%u", count++ ? "," : "", byte);
		uuid++;
	}
	fputc(']', out);
}

static void print_preamble(FILE *out, const struct read_metadata *metadata)
{
	begin_fragment(out, "preamble");
	fputs(",\"version\":2", out);
	if (metadata->uuid)
		print_uuid(out, metadata->uuid);
	end_fragment(out);
}

static void print_env(FILE *out, const struct read_env *env)
{
	fputs(",\"environment\":{", out);
	for (; env; env = env->next) {
		print_string(out, env->name);
		fputc(':', out);
		if (env->is_number)
			fputs(env->value, out);
		else
			print_string(out, env->value);
		if (env->next)
			fputc(',', out);
	}
	fputc('}', out);
}

static int print_trace(struct writer *w)
{
	int rc;

	begin_fragment(w->out, "trace-class");
	if (w->trace->metadata.envs)
		print_env(w->out, w->trace->metadata.envs);
	rc = print_scope(w, READ_SCOPE_PACKET_HEADER, "packet-header-field-class",
			 w->trace->packet_header);
	end_fragment(w->out);
	return rc;
}

/* Cycles are less than a second, as they are to be. */
static void print_offset(FILE *out, const struct read_clock *clock)
{
	__int128 all = (__int128)clock->offset_s * (__int128)clock->freq_hz + clock->offset_ticks;
	__int128 seconds = all / (__int128)clock->freq_hz;
	__int128 cycles = all % (__int128)clock->freq_hz;

	if (cycles < 0) {
		cycles += (__int128)clock->freq_hz;
		seconds--;
	}
	fprintf(out, ",\"offset-from-origin\":{\"seconds\":%" PRId64 ",\"cycles\":%" PRIu64 "}",
		(int64_t)seconds, (uint64_t)cycles);
}

/* The id is for this metadata only: the place in the list. */
static void print_clock(FILE *out, const struct read_clock *clock, uint32_t id)
{
	begin_fragment(out, "clock-class");
	fprintf(out, ",\"id\":\"%" PRIu32 "\"", id);
	print_text(out, "name", clock->name);
	print_text(out, "uid", clock->uuid);
	print_text(out, "description", clock->description);
	print_count(out, "frequency", clock->freq_hz);
	if (clock->precision_ticks)
		print_count(out, "precision", clock->precision_ticks);
	/* A tracer that gives an offset means the time of day. */
	if (clock->is_absolute || clock->offset_s)
		fputs(",\"origin\":\"unix-epoch\"", out);
	print_offset(out, clock);
	end_fragment(out);
}

static void print_default_clock(struct writer *w, const struct read_clock *of_stream)
{
	uint32_t id = 0;

	for (const struct read_clock *clock = w->trace->metadata.clocks; clock;
	     clock = clock->next, id++) {
		if (clock == of_stream)
			fprintf(w->out, ",\"default-clock-class-id\":\"%" PRIu32 "\"", id);
	}
}

/* Those that babeltrace and LTTng give an event, and ours. */
static void print_attributes(FILE *out, const struct read_event *event)
{
	const char *level = ctf2_level_name(event->level);

	fputs(",\"attributes\":{\"babeltrace.org,2020\":{", out);
	if (level)
		fprintf(out, "\"log-level\":\"%s\"%s", level, event->uri ? "," : "");
	if (event->uri) {
		fputs("\"emf-uri\":", out);
		print_string(out, event->uri);
	}
	fputc('}', out);
	if (event->source) {
		fputs(",\"tacho\":{\"source\":", out);
		print_string(out, event->source);
		fputc('}', out);
	}
	fputc('}', out);
}

static int print_event(struct writer *w, uint64_t stream_id, const struct read_event *event)
{
	int rc;

	begin_fragment(w->out, "event-record-class");
	print_count(w->out, "id", event->id);
	print_count(w->out, "data-stream-class-id", stream_id);
	print_text(w->out, "name", event->name);
	print_attributes(w->out, event);
	rc = print_scope(w, READ_SCOPE_EVENT_CONTEXT, "specific-context-field-class",
			 event->context);
	if (!rc)
		rc = print_scope(w, READ_SCOPE_FIELDS, "payload-field-class", event->fields);
	end_fragment(w->out);
	return rc;
}

static int print_stream(struct writer *w, const struct read_stream_layout *stream)
{
	int rc;

	w->scopes[READ_SCOPE_EVENT_CONTEXT] = w->scopes[READ_SCOPE_FIELDS] = NULL;
	begin_fragment(w->out, "data-stream-class");
	print_count(w->out, "id", stream->id);
	print_default_clock(w, stream->clock);
	rc = print_scope(w, READ_SCOPE_PACKET_CONTEXT, "packet-context-field-class",
			 stream->packet_context);
	if (!rc)
		rc = print_scope(w, READ_SCOPE_EVENT_HEADER, "event-record-header-field-class",
				 stream->event_header);
	if (!rc)
		rc = print_scope(w, READ_SCOPE_STREAM_CONTEXT,
				 "event-record-common-context-field-class", stream->event_context);
	end_fragment(w->out);
	for (uint32_t i = 0; i < stream->event_count && !rc; i++)
		rc = print_event(w, stream->id, &stream->events[i]);
	return rc;
}

int ctf2_write(FILE *out, const struct read_trace *trace)
{
	struct writer w = { .out = out, .trace = trace };
	uint32_t id = 0;
	int rc;

	print_preamble(out, &trace->metadata);
	rc = print_trace(&w);
	for (const struct read_clock *clock = trace->metadata.clocks; clock; clock = clock->next)
		print_clock(out, clock, id++);
	for (uint32_t i = 0; i < trace->stream_count && !rc; i++)
		rc = print_stream(&w, &trace->streams[i]);
	return rc;
}
