/* SPDX-License-Identifier: MIT */
/* tsdl.c - see tsdl.h */
#include "tsdl.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ctf/read/lex.h"
#include "ctf/read/slot_path.h"
#include "ctf/write/metadata_text.h"
#include "name.h"
#include "odd.h"
#include "plain.h"

#define NS_PER_S UINT64_C(1000000000)

static const char *const scope_names[READ_SCOPES] = {
	"trace.packet.header",  "stream.packet.context", "stream.event.header",
	"stream.event.context", "event.context",         "event.fields",
};

/* The structures around a field, the innermost first. */
struct frame {
	const struct frame *outer;
	const struct read_layout *node;
	const struct read_layout *member; /* the one that is printed */
};

struct writer {
	FILE *out;
	const struct read_layout *scopes[READ_SCOPES]; /* those that a reference may lead to */
	enum read_scope scope;                         /* that is written */
	const struct read_clock *clocks; /* all of the trace */
	const struct read_clock *clock;
	uint32_t depth;
	bool is_plain; /* what CTF 2 only has is printed as what it becomes */
	bool is_named; /* fields have names of CTF 2, which may be any texts */
};

static void indent(struct writer *w)
{
	for (uint32_t i = 0; i < w->depth; i++)
		fputc('\t', w->out);
}

/* ---- references ---- */

static const char *role_name(enum read_role role)
{
	static const char *const names[READ_ROLES] = {
		[READ_ROLE_MAGIC] = "magic",
		[READ_ROLE_STREAM_ID] = "stream_id",
		[READ_ROLE_INSTANCE] = "stream_instance_id",
		[READ_ROLE_TIME_BEGIN] = "timestamp_begin",
		[READ_ROLE_TIME_END] = "timestamp_end",
		[READ_ROLE_CONTENT_BITS] = "content_size",
		[READ_ROLE_PACKET_BITS] = "packet_size",
		[READ_ROLE_DISCARDED] = "events_discarded",
		[READ_ROLE_SEQUENCE] = "packet_seq_num",
		[READ_ROLE_CPU] = "cpu_id",
		[READ_ROLE_EVENT_ID] = "id",
		[READ_ROLE_CLOCK] = "timestamp",
	};

	return names[role];
}

/* The name of an option is the tag's label, but for words of TSDL, which have one before them, too. */
static void print_option_name(struct writer *w, const struct read_layout *l)
{
	if (odd_word(l->raw_name))
		fputc('_', w->out);
	fputs(l->raw_name, w->out);
}

static bool is_odd_uuid(const struct writer *w, const struct read_layout *l)
{
	return w->scope == READ_SCOPE_PACKET_HEADER && odd_uuid_field(l);
}

/* Is it like that of a tag? */
static bool is_tag_name(const char *name)
{
	return !strncmp(name, "tag", 3) && name[3] && lex_identifier_char(name[3]) == '_';
}

/* Of a field of CTF 2, which may have any name, with an underscore before it. */
static struct edit_name named(const struct writer *w, const struct read_layout *l)
{
	const char *name = role_name(l->role);

	if (!name && !strcmp(l->name, "uuid"))
		name = l->name;
	if (name)
		return (struct edit_name){ "", name, "" };
	return (struct edit_name){
		w->is_plain && is_tag_name(l->raw_name) ? "_field_" : "_",
		l->raw_name,
		"",
	};
}

struct members {
	const struct writer *w;
	const struct read_layout *parent;
};

static struct edit_name member_name(const void *data, size_t i)
{
	const struct members *members = data;
	const struct read_layout *l = &members->parent->children[i];
	bool is_word = odd_word(l->raw_name);

	if (members->w->is_named)
		return named(members->w, l);
	if (odd_role(l) || is_odd_uuid(members->w, l))
		return (struct edit_name){ is_word ? "not__" : "not_", l->raw_name, "" };
	return (struct edit_name){ is_word ? "_" : "", l->raw_name, "" };
}

static struct edit_name name_of(const struct writer *w, const struct read_layout *parent,
				const struct read_layout *l)
{
	const struct members members = { w, parent };
	const struct edit_names names = { member_name, &members, parent->child_count };

	return name_at(&names, (size_t)(l - parent->children));
}

static void print_name(struct writer *w, const struct read_layout *parent,
		       const struct read_layout *l)
{
	const struct edit_name name = name_of(w, parent, l);

	name_print(w->out, &name);
}

static void print_path(struct writer *w, const char *scope, const struct read_layout *parent,
		       const struct slot_path *path)
{
	fputs(scope, w->out);
	for (size_t i = 0; i < path->count; parent = path->nodes[i++]) {
		if (i || *scope)
			fputc('.', w->out);
		print_name(w, parent, path->nodes[i]);
	}
}

static int print_reference(struct writer *w, const struct frame *frame, int32_t slot)
{
	struct slot_path path;

	for (; frame; frame = frame->outer) {
		if (slot_path_find(frame->node, slot, &path)) {
			print_path(w, "", frame->node, &path);
			return 0;
		}
	}
	for (int scope = READ_SCOPES - 1; scope >= 0; scope--) {
		if (slot_path_find(w->scopes[scope], slot, &path)) {
			print_path(w, scope_names[scope], w->scopes[scope], &path);
			return 0;
		}
	}
	return -ENOTSUP;
}

/* ---- tags that CTF 2 has not ---- */

struct tag_number {
	const struct read_layout *tagged;
	uint32_t number;
};

static int count_to(void *data, const struct read_layout *tagged)
{
	struct tag_number *count = data;

	count->number++;
	return tagged == count->tagged;
}

/* No other field has such a name: see is_tag_name(). */
static void print_tag_name(struct writer *w, const struct frame *frame,
			   const struct read_layout *tagged)
{
	struct tag_number count = { .tagged = tagged };
	struct edit_name name = name_of(w, frame->node, frame->member);

	plain_each_tag(frame->member, count_to, &count);
	fputs("tag_", w->out);
	if (count.number > 1)
		fprintf(w->out, "%" PRIu32 "_", count.number);
	fputs("of_", w->out);
	name.before += *name.before == '_';
	name_print(w->out, &name);
}

/* As it is, if it can be a label, too, and no other option can be taken for it. */
static bool has_plain_name(const struct read_layout *variant, const struct read_layout *option)
{
	const char *name = option->raw_name;

	if (*name == '_' || odd_word(name) || !strncmp(name, "option_", 7))
		return false;
	return lex_is_identifier(name) && !odd_name_number(variant, option);
}

static void print_tagged_option(struct writer *w, const struct read_layout *variant, uint32_t i)
{
	const struct read_layout *option = &variant->children[i];

	if (has_plain_name(variant, option))
		fputs(option->raw_name, w->out);
	else
		fprintf(w->out, "option_%" PRIu32, i);
}

static void print_tag_labels(struct writer *w, const struct read_layout *l)
{
	if (l->kind == READ_OPTIONAL) {
		fputs("\"none\" = 0, \"some\" = 1", w->out);
		return;
	}
	for (uint32_t i = 0; i < l->child_count; i++) {
		fputs(i ? ", \"" : "\"", w->out);
		print_tagged_option(w, l, i);
		fprintf(w->out, "\" = %" PRIu32, i);
	}
}

struct tag_place {
	struct writer *w;
	const struct frame *frame;
};

static int print_tag(void *data, const struct read_layout *tagged)
{
	const struct tag_place *place = data;
	struct writer *w = place->w;

	indent(w);
	fprintf(w->out,
		"enum : integer { size = %d; align = %d; signed = 0; byte_order = le; base = 10; } "
		"{ ",
		PLAIN_TAG_BITS, PLAIN_ALIGN);
	print_tag_labels(w, tagged);
	fputs(" } ", w->out);
	print_tag_name(w, place->frame, tagged);
	fputs(";\n", w->out);
	return 0;
}

static void print_tags(struct writer *w, const struct frame *frame)
{
	struct tag_place place = { .w = w, .frame = frame };

	plain_each_tag(frame->member, print_tag, &place);
}

/* ---- scalars ---- */

static const char *order_of(const struct read_layout *l)
{
	return l->is_big ? "be" : "le";
}

/* Sizes, times and numbers of packets and events have no sign. */
static bool is_signed(const struct read_layout *l)
{
	return l->is_signed && (l->role == READ_ROLE_NONE || l->role > READ_ROLE_CLOCK);
}

static struct edit_name clock_name(const void *data, size_t i)
{
	const struct read_clock *clock = data;

	while (i--)
		clock = clock->next;
	return (struct edit_name){
		lex_is_identifier(clock->name) && !odd_word(clock->name) ? "" : "_",
		clock->name,
		"",
	};
}

static void print_clock_name(struct writer *w, const struct read_clock *clock)
{
	struct edit_names names = { .at = clock_name, .data = w->clocks };
	struct edit_name name;
	size_t at = 0;

	for (const struct read_clock *one = w->clocks; one; one = one->next, names.count++) {
		if (one == clock)
			at = names.count;
	}
	name = name_at(&names, at);
	name_print(w->out, &name);
}

static void print_integer(struct writer *w, const struct read_layout *l)
{
	fprintf(w->out, "integer { size = %" PRIu32 "; align = %" PRIu32 "; signed = %d; ", l->bits,
		l->align, is_signed(l));
	fprintf(w->out, "byte_order = %s; base = %d; ", order_of(l), l->base ? l->base : 10);
	if (l->is_text)
		fputs("encoding = UTF8; ", w->out);
	if (l->is_clock && w->clock) {
		fputs("map = clock.", w->out);
		print_clock_name(w, w->clock);
		fputs(".value; ", w->out);
	}
	fputc('}', w->out);
}

static void print_float(struct writer *w, const struct read_layout *l)
{
	bool is_single = l->bits == 32;

	fprintf(w->out,
		"floating_point { exp_dig = %d; mant_dig = %d; align = %" PRIu32
		"; byte_order = %s; }",
		is_single ? 8 : 11, is_single ? 24 : 53, l->align, order_of(l));
}

static void print_number(struct writer *w, const struct read_layout *l, uint64_t number)
{
	if (l->is_signed)
		fprintf(w->out, "%" PRId64, (int64_t)number);
	else
		fprintf(w->out, "%" PRIu64, number);
}

/* Labels without a value are left out, and who has no other ones is an integer. */
static void print_enum(struct writer *w, const struct read_layout *l)
{
	const char *between = "";

	if (!odd_has_mappings(l)) {
		print_integer(w, l);
		return;
	}
	fputs("enum : ", w->out);
	print_integer(w, l);
	fputs(" { ", w->out);
	for (const struct read_mapping *map = l->mappings; map; map = map->next) {
		if (odd_mapping(l, map))
			continue;
		fputs(between, w->out);
		between = ", ";
		fputc('"', w->out);
		metadata_print_text(w->out, map->label);
		fputs("\" = ", w->out);
		print_number(w, l, map->low);
		fputs(" ... ", w->out);
		print_number(w, l, map->high);
	}
	fputs(" }", w->out);
}

/* ---- compounds ---- */

static int print_type(struct writer *w, const struct frame *frame, const struct read_layout *l);

static void print_field_name(struct writer *w, const struct read_layout *parent,
			     const struct read_layout *l)
{
	if (parent->kind == READ_OPTIONAL)
		fputs("some", w->out);
	else if (plain_has_tag(parent) && w->is_named)
		print_tagged_option(w, parent, (uint32_t)(l - parent->children));
	else if (w->is_named && parent->kind == READ_VARIANT)
		print_option_name(w, l);
	else
		print_name(w, parent, l);
}

/* `TYPE name[3][n]`, in which the elements of the first are arrays of the second. */
static int print_field(struct writer *w, const struct frame *frame,
		       const struct read_layout *parent, const struct read_layout *l)
{
	const struct read_layout *element = l;
	int rc;

	while ((element->kind == READ_ARRAY || element->kind == READ_SEQUENCE) &&
	       !plain_is_string(element))
		element = element->children;
	indent(w);
	rc = print_type(w, frame, element);
	fputc(' ', w->out);
	print_field_name(w, parent, l);
	for (; l != element && !rc; l = l->children) {
		fputc('[', w->out);
		if (l->kind == READ_ARRAY)
			fprintf(w->out, "%" PRIu64, l->count);
		else
			rc = print_reference(w, frame, l->from_slot);
		fputc(']', w->out);
	}
	fputs(";\n", w->out);
	return rc;
}

static void begin_fields(struct writer *w)
{
	fputs("{\n", w->out);
	w->depth++;
}

static void end_fields(struct writer *w)
{
	w->depth--;
	indent(w);
	fputc('}', w->out);
}

static int print_members(struct writer *w, struct frame *frame, const struct read_layout *l)
{
	int rc = 0;

	for (uint32_t i = 0; i < l->child_count && !rc; i++) {
		frame->member = &l->children[i];
		if (w->is_plain)
			print_tags(w, frame);
		rc = print_field(w, frame, l, frame->member);
	}
	return rc;
}

static int print_struct(struct writer *w, const struct frame *outer, const struct read_layout *l)
{
	struct frame frame = { .outer = outer, .node = l };
	int rc;

	fputs("struct ", w->out);
	begin_fields(w);
	rc = print_members(w, &frame, l);
	end_fields(w);
	fprintf(w->out, " align(%" PRIu32 ")", w->is_plain ? plain_align(l) : l->align);
	return rc;
}

static int print_options(struct writer *w, const struct frame *frame, const struct read_layout *l)
{
	int rc = 0;

	begin_fields(w);
	if (l->kind == READ_OPTIONAL) {
		indent(w);
		fputs("struct { } none;\n", w->out);
	}
	for (uint32_t i = 0; i < l->child_count && !rc; i++) {
		if (w->is_named || !odd_option(l, &l->children[i]))
			rc = print_field(w, frame, l, &l->children[i]);
	}
	end_fields(w);
	return rc;
}

static int print_tagged(struct writer *w, const struct frame *frame, const struct read_layout *l)
{
	fputs("variant <", w->out);
	print_tag_name(w, frame, l);
	fputs("> ", w->out);
	return print_options(w, frame, l);
}

static bool has_options(const struct read_layout *l)
{
	for (uint32_t i = 0; i < l->child_count; i++) {
		if (!odd_option(l, &l->children[i]))
			return true;
	}
	return false;
}

static int print_variant(struct writer *w, const struct frame *frame, const struct read_layout *l)
{
	int rc;

	if (w->is_named && plain_has_tag(l))
		return print_tagged(w, frame, l);
	/* Of which none is ever chosen. */
	if (w->is_named ? !l->child_count : !has_options(l)) {
		fputs("struct { }", w->out);
		return 0;
	}
	fputs("variant <", w->out);
	rc = print_reference(w, frame, l->from_slot);
	fputs("> ", w->out);
	return rc ? rc : print_options(w, frame, l);
}

static void print_varint(struct writer *w, const struct read_layout *l)
{
	struct read_layout plain = *l;

	plain.bits = PLAIN_VARINT_BITS;
	plain.align = PLAIN_ALIGN;
	print_enum(w, &plain);
}

static int print_type(struct writer *w, const struct frame *frame, const struct read_layout *l)
{
	switch (l->kind) {
	case READ_INTEGER:
		print_integer(w, l);
		return 0;
	case READ_FLOAT:
		print_float(w, l);
		return 0;
	case READ_STRING:
		fputs("string { encoding = UTF8; }", w->out);
		return 0;
	case READ_ENUM:
		print_enum(w, l);
		return 0;
	case READ_STRUCT:
		return print_struct(w, frame, l);
	case READ_VARIANT:
		return print_variant(w, frame, l);
	case READ_VARINT:
		print_varint(w, l);
		return 0;
	case READ_OPTIONAL:
		return print_tagged(w, frame, l);
	case READ_ARRAY:
	case READ_SEQUENCE:
		break;
	}
	/* Of other arrays, the element is printed. */
	fputs("string { encoding = UTF8; }", w->out);
	return 0;
}

static int print_scope(struct writer *w, enum read_scope scope, const char *name,
		       const struct read_layout *layout)
{
	int rc;

	w->scopes[scope] = layout;
	w->scope = scope;
	if (!layout)
		return 0;
	indent(w);
	fprintf(w->out, "%s := ", name);
	rc = print_struct(w, NULL, layout);
	fputs(";\n", w->out);
	return rc;
}

/* ---- blocks ---- */

static void print_text_attribute(FILE *out, const char *name, const char *text)
{
	if (!text)
		return;
	fprintf(out, "\t%s = \"", name);
	metadata_print_text(out, text);
	fputs("\";\n", out);
}

static void print_uuid(FILE *out, const char *uuid)
{
	if (!odd_uuid(uuid))
		print_text_attribute(out, "uuid", uuid);
}

static int print_trace(struct writer *w, const struct read_trace *trace)
{
	bool is_big = trace->metadata.order == READ_ORDER_BIG ||
		      (trace->metadata.order == READ_ORDER_NATIVE && TACHO_BIG_ENDIAN);
	int rc;

	fputs("/* CTF 1.8 */\n\ntrace {\n\tmajor = 1;\n\tminor = 8;\n", w->out);
	print_uuid(w->out, trace->metadata.uuid);
	fprintf(w->out, "\tbyte_order = %s;\n", is_big ? "be" : "le");
	w->depth = 1;
	rc = print_scope(w, READ_SCOPE_PACKET_HEADER, "packet.header", trace->packet_header);
	fputs("};\n\n", w->out);
	return rc;
}

static struct edit_name env_name(const void *data, size_t i)
{
	const char *name = ((const struct read_env *const *)data)[i]->name;
	bool is_plain = *name && lex_identifier_char(*name) == *name && !isdigit((unsigned char)*name);

	return (struct edit_name){ is_plain && !odd_word(name) ? "" : "_", name, "" };
}

static void print_variable(FILE *out, const struct edit_name *name, const struct read_env *env)
{
	fputc('\t', out);
	name_print(out, name);
	if (env->is_number) {
		fprintf(out, " = %s;\n", env->value);
		return;
	}
	fputs(" = \"", out);
	metadata_print_text(out, env->value);
	fputs("\";\n", out);
}

/* Those that are there once. */
static const struct read_env **list_env(const struct read_env *first, size_t *ret_count)
{
	const struct read_env **list;
	size_t count = 0;

	for (const struct read_env *env = first; env; env = env->next)
		count++;
	list = calloc(count, sizeof(*list));
	count = 0;
	for (const struct read_env *env = first; list && env; env = env->next) {
		if (!odd_env(first, env))
			list[count++] = env;
	}
	*ret_count = count;
	return list;
}

static int print_env(FILE *out, const struct read_env *env)
{
	struct edit_names names = { .at = env_name };
	const struct read_env **list = list_env(env, &names.count);

	if (!list)
		return -ENOMEM;
	names.data = list;
	fputs("env {\n", out);
	for (size_t i = 0; i < names.count; i++) {
		const struct edit_name name = name_at(&names, i);

		print_variable(out, &name, list[i]);
	}
	fputs("};\n\n", out);
	free(list);
	return 0;
}

static void print_clock(struct writer *w, const struct read_clock *clock)
{
	FILE *out = w->out;

	fputs("clock {\n\tname = \"", out);
	print_clock_name(w, clock);
	fputs("\";\n", out);
	print_uuid(out, clock->uuid);
	print_text_attribute(out, "description", clock->description);
	fprintf(out, "\tfreq = %" PRIu64 ";\n", odd_freq(clock) ? NS_PER_S : clock->freq_hz);
	if (clock->precision_ticks)
		fprintf(out, "\tprecision = %" PRIu64 ";\n", clock->precision_ticks);
	if (!odd_offset(clock))
		fprintf(out, "\toffset_s = %" PRId64 ";\n\toffset = %" PRId64 ";\n",
			clock->offset_s, clock->offset_ticks);
	if (clock->is_absolute)
		fputs("\tabsolute = TRUE;\n", out);
	fputs("};\n\n", out);
}

/* Ids are declared where there are fields that hold them, and only there. */
static bool has_role(const struct read_layout *layout, enum read_role role)
{
	for (uint32_t i = 0; layout && i < layout->child_count; i++) {
		if (layout->children[i].role == role || has_role(&layout->children[i], role))
			return true;
	}
	return false;
}

static void print_id(struct writer *w, const char *name, uint64_t id, enum read_scope scope,
		     enum read_role role)
{
	if (has_role(w->scopes[scope], role))
		fprintf(w->out, "\t%s = %" PRIu64 ";\n", name, id);
}

/* "FILE:LINE"; see ctf/write/metadata_event.c */
static void print_source(FILE *out, const char *source)
{
	const char *colon = source ? strrchr(source, ':') : NULL;
	char *file = colon ? strndup(source, (size_t)(colon - source)) : NULL;

	if (!file)
		return;
	fputs("/* source: \"", out);
	metadata_print_text(out, file);
	fprintf(out, "\"%s */\n", colon);
	free(file);
}

static int print_event(struct writer *w, uint64_t stream_id, const struct read_event *event)
{
	int rc;

	print_source(w->out, event->source);
	fputs("event {\n", w->out);
	print_text_attribute(w->out, "name", event->name);
	print_id(w, "id", event->id, READ_SCOPE_EVENT_HEADER, READ_ROLE_EVENT_ID);
	print_id(w, "stream_id", stream_id, READ_SCOPE_PACKET_HEADER, READ_ROLE_STREAM_ID);
	if (event->level >= 0 && event->level <= ODD_LEVEL_MAX)
		fprintf(w->out, "\tloglevel = %" PRId32 ";\n", event->level);
	print_text_attribute(w->out, "model.emf.uri", event->uri);
	rc = print_scope(w, READ_SCOPE_EVENT_CONTEXT, "context", event->context);
	if (!rc)
		rc = print_scope(w, READ_SCOPE_FIELDS, "fields", event->fields);
	fputs("};\n\n", w->out);
	return rc;
}

static int print_stream(struct writer *w, const struct read_stream_layout *stream)
{
	int rc;

	w->clock = stream->clock;
	w->scopes[READ_SCOPE_EVENT_CONTEXT] = w->scopes[READ_SCOPE_FIELDS] = NULL;
	fputs("stream {\n", w->out);
	print_id(w, "id", stream->id, READ_SCOPE_PACKET_HEADER, READ_ROLE_STREAM_ID);
	rc = print_scope(w, READ_SCOPE_PACKET_CONTEXT, "packet.context", stream->packet_context);
	if (!rc)
		rc = print_scope(w, READ_SCOPE_EVENT_HEADER, "event.header", stream->event_header);
	if (!rc)
		rc = print_scope(w, READ_SCOPE_STREAM_CONTEXT, "event.context",
				 stream->event_context);
	fputs("};\n\n", w->out);
	for (uint32_t i = 0; i < stream->event_count && !rc; i++)
		if (!odd_event_id(stream, &stream->events[i]))
			rc = print_event(w, stream->id, &stream->events[i]);
	return rc;
}

int tsdl_write(FILE *out, const struct read_trace *trace)
{
	struct writer w = {
		.out = out,
		.clocks = trace->metadata.clocks,
		.is_plain = plain_is_needed(trace),
		.is_named = trace->metadata.major == 2,
	};
	int rc = print_trace(&w, trace);

	if (trace->metadata.envs && !rc)
		rc = print_env(out, trace->metadata.envs);
	for (const struct read_clock *clock = trace->metadata.clocks; clock; clock = clock->next) {
		if (w.is_named || !odd_clock(trace->metadata.clocks, clock))
			print_clock(&w, clock);
	}
	for (uint32_t i = 0; i < trace->stream_count && !rc; i++) {
		if (!odd_stream(trace, i))
			rc = print_stream(&w, &trace->streams[i]);
	}
	return rc;
}
