/* SPDX-License-Identifier: MIT */
/* layout.c - see layout.h */
#include "layout.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lex.h"

/* The structs around the field that is being built, the innermost first. */
struct frame {
	const struct frame *outer;
	struct read_layout *node;
};

struct build {
	struct read_layout_builder *builder;
	enum read_scope scope;
	uint32_t depth;   /* of structs around the field */
	uint32_t nesting; /* of types of any kind */
};

static const char *const scope_paths[READ_SCOPES] = {
	"trace.packet.header.",  "stream.packet.context.", "stream.event.header.",
	"stream.event.context.", "event.context.",         "event.fields.",
};

static int fail(struct build *b, int code, const char *what, const char *name)
{
	return error_set(b->builder->e, code, "field `%s`: %s", name, what);
}

/* ---- roles ---- */

struct role_name {
	const char *name;
	enum read_role role;
};

static enum read_role role_in(const struct role_name *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(names[i].name, name))
			return names[i].role;
	}
	return READ_ROLE_NONE;
}

#define ROLE_IN(names, name) role_in(names, sizeof(names) / sizeof(names[0]), name)

static enum read_role packet_role(const char *name)
{
	static const struct role_name names[] = {
		{ "magic", READ_ROLE_MAGIC },
		{ "stream_id", READ_ROLE_STREAM_ID },
		{ "stream_instance_id", READ_ROLE_INSTANCE },
		{ "timestamp_begin", READ_ROLE_TIME_BEGIN },
		{ "timestamp_end", READ_ROLE_TIME_END },
		{ "content_size", READ_ROLE_CONTENT_BITS },
		{ "packet_size", READ_ROLE_PACKET_BITS },
		{ "events_discarded", READ_ROLE_DISCARDED },
		{ "packet_seq_num", READ_ROLE_SEQUENCE },
		{ "cpu_id", READ_ROLE_CPU },
	};

	return ROLE_IN(names, name);
}

static enum read_role context_role(const char *name)
{
	static const struct role_name names[] = {
		{ "pid", READ_ROLE_PID },         { "vpid", READ_ROLE_PID },
		{ "tid", READ_ROLE_TID },         { "vtid", READ_ROLE_TID },
		{ "procname", READ_ROLE_THREAD },
	};

	return ROLE_IN(names, name);
}

/* What "tacho:writer" says; in other events these names mean nothing, and nobody asks for them. */
static enum read_role writer_role(const char *name)
{
	static const struct role_name names[] = {
		{ "pid", READ_ROLE_PID },
		{ "tid", READ_ROLE_TID },
		{ "name", READ_ROLE_THREAD },
	};

	return ROLE_IN(names, name);
}

/* What CTF 2 has no roles for goes by names there as well. */
static enum read_role named_role(const struct build *b, const char *name)
{
	if (b->depth > 1 || b->scope == READ_SCOPE_PACKET_HEADER ||
	    b->scope == READ_SCOPE_EVENT_HEADER)
		return READ_ROLE_NONE;
	if (b->scope == READ_SCOPE_PACKET_CONTEXT)
		return strcmp(name, "cpu_id") ? READ_ROLE_NONE : READ_ROLE_CPU;
	name = lex_shown_name(name);
	return b->scope == READ_SCOPE_FIELDS ? writer_role(name) : context_role(name);
}

static enum read_role declared_role(const struct build *b, const struct read_type *type,
				    const char *name)
{
	if (b->scope > READ_SCOPE_EVENT_HEADER || type->role == READ_ROLE_NONE)
		return named_role(b, name);
	if (type->role == READ_ROLE_CLOCK && b->scope == READ_SCOPE_PACKET_CONTEXT)
		return READ_ROLE_TIME_BEGIN;
	return type->role;
}

/* Of a trace with one clock, a timestamp is its time though it does not say so. */
static bool is_timestamp(const struct build *b, const struct read_type *type, const char *name)
{
	const struct read_clock *clocks = b->builder->metadata->clocks;

	if (type->kind != READ_INTEGER)
		return false;
	return type->clock || (clocks && !clocks->next && !strcmp(name, "timestamp"));
}

static enum read_role role_of(const struct build *b, const struct read_type *type, const char *name)
{
	if (b->builder->metadata->major == 2)
		return declared_role(b, type, name);
	if (b->scope == READ_SCOPE_EVENT_HEADER && is_timestamp(b, type, name))
		return READ_ROLE_CLOCK;
	if (b->scope == READ_SCOPE_EVENT_HEADER)
		return strcmp(name, "id") ? READ_ROLE_NONE : READ_ROLE_EVENT_ID;
	if (b->depth > 1)
		return READ_ROLE_NONE;
	if (b->scope <= READ_SCOPE_PACKET_CONTEXT)
		return packet_role(name);
	name = lex_shown_name(name);
	return b->scope == READ_SCOPE_FIELDS ? writer_role(name) : context_role(name);
}

/* ---- references ---- */

/* The child of a struct that the first part of a path names; *path moves behind the part. */
static struct read_layout *find_child(struct read_layout *node, const char **path)
{
	size_t bytes = strcspn(*path, ".");

	if (!node || node->kind != READ_STRUCT)
		return NULL;
	for (uint32_t i = node->built_count; i-- > 0;) {
		struct read_layout *child = &node->children[i];

		if (!strncmp(child->raw_name, *path, bytes) && !child->raw_name[bytes]) {
			*path += bytes + ((*path)[bytes] == '.');
			return child;
		}
	}
	return NULL;
}

static struct read_layout *find_path(struct read_layout *node, const char *path)
{
	do
		node = find_child(node, &path);
	while (node && *path);
	return node;
}

static struct read_layout *find_absolute(struct build *b, const char *path, bool *ret_is_absolute)
{
	for (int scope = 0; scope < READ_SCOPES; scope++) {
		size_t bytes = strlen(scope_paths[scope]);

		*ret_is_absolute = !strncmp(path, scope_paths[scope], bytes);
		if (*ret_is_absolute)
			return find_path(b->builder->scopes[scope], path + bytes);
	}
	return NULL;
}

/* The field that a path means: absolute, else in the structs around, else in earlier scopes. */
static struct read_layout *find(struct build *b, const struct frame *frame, const char *path)
{
	bool is_absolute;
	struct read_layout *node = find_absolute(b, path, &is_absolute);

	if (is_absolute)
		return node;
	for (; frame && !node; frame = frame->outer)
		node = find_path(frame->node, path);
	for (int scope = READ_SCOPES - 1; scope >= 0 && !node; scope--)
		node = find_path(b->builder->scopes[scope], path);
	return node;
}

static struct read_layout *find_named(struct read_layout *node, const char *name)
{
	for (uint32_t i = node && node->kind == READ_STRUCT ? node->built_count : 0; i-- > 0;) {
		if (!strcmp(node->children[i].raw_name, name))
			return &node->children[i];
	}
	return NULL;
}

/* The field at a location of CTF 2. */
static struct read_layout *find_location(struct build *b, const struct frame *frame,
					 const struct read_location *location)
{
	bool is_relative = location->origin == READ_SCOPES;
	struct read_layout *node;

	if (is_relative)
		node = frame ? frame->node : NULL;
	else
		node = b->builder->scopes[location->origin];
	for (uint32_t i = 0; i < location->count && node; i++) {
		if (location->names[i]) {
			node = find_named(node, location->names[i]);
		} else {
			frame = is_relative && frame ? frame->outer : NULL;
			node = frame ? frame->node : NULL;
		}
	}
	return node;
}

/* Is @length the field that LTTng and Tacho put before the sequence @name? */
static bool is_length_of(const struct read_layout *length, const char *name, bool is_ctf2)
{
	char expected[512];

	snprintf(expected, sizeof(expected), "_%s_length", name);
	/* In CTF 2, names need no underscore. */
	return !strcmp(length->raw_name, expected) ||
	       (is_ctf2 && !strcmp(length->raw_name, expected + 1));
}

static struct read_layout *find_reference(struct build *b, const struct frame *frame,
					  const struct read_type *type)
{
	if (type->location)
		return find_location(b, frame, type->location);
	return type->reference ? find(b, frame, type->reference) : NULL;
}

static int refer(struct build *b, const struct frame *frame, struct read_layout *node,
		 const struct read_type *type)
{
	struct read_layout *target = find_reference(b, frame, type);

	if (!target)
		return fail(b, -EINVAL, "its length or tag is no earlier field", node->raw_name);
	if (target->kind != READ_INTEGER && target->kind != READ_ENUM &&
	    target->kind != READ_VARINT)
		return fail(b, -EINVAL, "its length or tag is no integer", node->raw_name);
	if (target->slot < 0)
		target->slot = (int32_t)b->builder->slot_count++;
	node->from_slot = target->slot;
	node->from_signed = target->is_signed;
	node->mappings = target->mappings;
	if (node->kind == READ_SEQUENCE &&
	    is_length_of(target, node->raw_name, b->builder->metadata->major == 2))
		target->is_length = true;
	return 0;
}

/* ---- building ---- */

static int build(struct build *b, const struct frame *frame, const struct read_type *type,
		 const char *name, struct read_layout *node);

static void *alloc(struct build *b, size_t count, size_t bytes)
{
	void *memory = read_arena_alloc(&b->builder->metadata->arena, count, bytes);

	if (!memory)
		error_set(b->builder->e, -ENOMEM, "the types are too large");
	return memory;
}

static uint32_t max(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static int build_scalar(struct build *b, const struct read_type *type, struct read_layout *node)
{
	enum read_order order = type->order;

	if (order == READ_ORDER_NATIVE)
		order = b->builder->metadata->order;
	node->is_big = order == READ_ORDER_BIG;
	node->bits = type->bits;
	node->base = type->base;
	node->is_signed = type->is_signed;
	node->is_text = type->is_text;
	node->is_clock = type->clock || node->role == READ_ROLE_CLOCK ||
			 node->role == READ_ROLE_TIME_BEGIN || node->role == READ_ROLE_TIME_END;
	if (!type->align)
		node->align = type->bits % 8 ? 1 : 8;
	if (node->role == READ_ROLE_CLOCK && type->clock)
		b->builder->clock = read_metadata_clock(b->builder->metadata, type->clock);
	return 0;
}

static uint32_t count_fields(const struct read_type *type)
{
	uint32_t count = 0;

	for (const struct read_field *field = type->fields; field; field = field->next)
		count++;
	return count;
}

static int build_children(struct build *b, const struct frame *frame, const struct read_type *type,
			  struct read_layout *node)
{
	uint32_t count = count_fields(type);
	const struct read_field *field = type->fields;
	int rc;

	node->children = alloc(b, count, sizeof(*node->children));
	if (!node->children)
		return -ENOMEM;
	node->child_count = count;
	for (uint32_t i = 0; i < count; i++, field = field->next) {
		rc = build(b, frame, field->type, field->name, &node->children[i]);
		if (rc)
			return rc;
		node->built_count = i + 1;
	}
	return 0;
}

static int build_struct(struct build *b, const struct frame *outer, const struct read_type *type,
			struct read_layout *node)
{
	struct frame frame = { .outer = outer, .node = node };
	int rc;

	b->depth++;
	rc = build_children(b, &frame, type, node);
	b->depth--;
	for (uint32_t i = 0; !rc && i < node->child_count; i++)
		node->align = max(node->align, node->children[i].align);
	return rc;
}

static uint32_t count_mappings(const struct read_layout *node)
{
	uint32_t count = 0;

	for (const struct read_mapping *map = node->mappings; map; map = map->next)
		count++;
	return count;
}

/* An option's name is its label; a label that is no identifier has an underscore before it. */
static bool is_option_of(const struct read_layout *option, const char *label)
{
	return !strcmp(option->raw_name, label) || !strcmp(option->name, label);
}

static int build_options(struct build *b, struct read_layout *node)
{
	uint32_t count = count_mappings(node);

	node->options = alloc(b, count, sizeof(*node->options));
	if (!node->options)
		return -ENOMEM;
	for (const struct read_mapping *map = node->mappings; map; map = map->next) {
		uint32_t i = 0;

		while (i < node->child_count && !is_option_of(&node->children[i], map->label))
			i++;
		if (i == node->child_count)
			continue;
		node->options[node->option_count++] = (struct read_option){
			.low = map->low,
			.high = map->high,
			.index = i,
		};
	}
	return 0;
}

static uint32_t count_ranges(const struct read_mapping *map)
{
	uint32_t count = 0;

	for (; map; map = map->next)
		count++;
	return count;
}

static void add_options(struct read_layout *node, const struct read_mapping *ranges, uint32_t index)
{
	for (; ranges; ranges = ranges->next) {
		node->options[node->option_count++] = (struct read_option){
			.low = ranges->low,
			.high = ranges->high,
			.index = index,
		};
	}
}

static bool has_name(const struct read_layout *options, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!strcmp(lex_shown_name(options[i].raw_name), lex_shown_name(name)))
			return true;
	}
	return false;
}

static bool has_label(const struct read_layout *node, const struct read_option *option)
{
	const struct read_layout *child = &node->children[option->index];

	for (const struct read_mapping *map = node->mappings; map; map = map->next) {
		if (map->low == option->low && map->high == option->high &&
		    is_option_of(child, map->label))
			return true;
	}
	return false;
}

/* Would each option be chosen by the same tags if, as in CTF 1.8, its name were a label? */
static bool is_labelled(const struct read_layout *node)
{
	for (uint32_t i = 0; i < node->child_count; i++) {
		const char *name = node->children[i].raw_name;

		if (!lex_is_identifier(name) || has_name(node->children, i, name))
			return false;
	}
	for (uint32_t i = 0; i < node->option_count; i++) {
		if (!has_label(node, &node->options[i]))
			return false;
	}
	return true;
}

/* Of CTF 2: each option has its own ranges. */
static int build_ranges(struct build *b, const struct read_type *type, struct read_layout *node)
{
	uint32_t count = 0, index = 0;

	for (const struct read_field *field = type->fields; field; field = field->next)
		count += count_ranges(field->ranges);
	node->options = alloc(b, count, sizeof(*node->options));
	if (!node->options)
		return -ENOMEM;
	for (const struct read_field *field = type->fields; field; field = field->next)
		add_options(node, field->ranges, index++);
	node->is_labelled = is_labelled(node);
	return 0;
}

static int build_optional(struct build *b, const struct frame *frame, const struct read_type *type,
			  struct read_layout *node)
{
	static const struct read_mapping is_true = { .low = 1, .high = UINT64_MAX };
	const struct read_mapping *ranges = type->mappings ? type->mappings : &is_true;
	int rc = refer(b, frame, node, type);

	if (rc)
		return rc;
	node->mappings = NULL;
	node->align = 1; /* what is there aligns itself */
	node->options = alloc(b, count_ranges(ranges), sizeof(*node->options));
	node->children = alloc(b, 1, sizeof(*node->children));
	if (!node->options || !node->children)
		return -ENOMEM;
	node->child_count = 1;
	add_options(node, ranges, 0);
	return build(b, frame, type->element, node->raw_name, node->children);
}

static int build_variant(struct build *b, const struct frame *frame, const struct read_type *type,
			 struct read_layout *node)
{
	int rc = refer(b, frame, node, type);

	if (rc)
		return rc;
	node->align = 1; /* the chosen option aligns itself */
	rc = build_children(b, frame, type, node);
	if (rc)
		return rc;
	return type->location ? build_ranges(b, type, node) : build_options(b, node);
}

static int build_elements(struct build *b, const struct frame *frame, const struct read_type *type,
			  struct read_layout *node)
{
	int rc = 0;

	if (type->kind == READ_SEQUENCE)
		rc = refer(b, frame, node, type);
	if (rc)
		return rc;
	node->count = type->count;
	node->encoding = (uint8_t)type->encoding;
	node->ends_at_null = type->ends_at_null || type->kind == READ_ARRAY;
	node->children = alloc(b, 1, sizeof(*node->children));
	if (!node->children)
		return -ENOMEM;
	node->child_count = 1;
	rc = build(b, frame, type->element, "", node->children);
	node->align = max(node->align, node->children->align);
	return rc;
}

static int build_enum(struct build *b, const struct frame *frame, const struct read_type *type,
		      struct read_layout *node)
{
	enum read_role role = node->role;
	int rc = build(b, frame, type->element, node->raw_name, node);

	node->kind = READ_ENUM;
	node->role = role;
	node->mappings = type->mappings;
	return rc;
}

static int build_kind(struct build *b, const struct frame *frame, const struct read_type *type,
		      struct read_layout *node)
{
	switch (type->kind) {
	case READ_INTEGER:
	case READ_FLOAT:
		return build_scalar(b, type, node);
	case READ_VARINT:
		node->mappings = type->mappings;
		return build_scalar(b, type, node);
	case READ_STRING:
		node->align = 8;
		node->encoding = (uint8_t)type->encoding;
		return 0;
	case READ_ENUM:
		return build_enum(b, frame, type, node);
	case READ_STRUCT:
		return build_struct(b, frame, type, node);
	case READ_VARIANT:
		return build_variant(b, frame, type, node);
	case READ_OPTIONAL:
		return build_optional(b, frame, type, node);
	case READ_ARRAY:
	case READ_SEQUENCE:
		break;
	}
	return build_elements(b, frame, type, node);
}

static int build(struct build *b, const struct frame *frame, const struct read_type *type,
		 const char *name, struct read_layout *node)
{
	int rc;

	if (b->nesting == READ_NESTING_MAX)
		return fail(b, -EINVAL, "its type is nested too deeply", name);
	node->kind = type->kind;
	node->raw_name = name;
	node->name = b->builder->metadata->major == 2 ? name : lex_shown_name(name);
	node->role = role_of(b, type, name);
	node->align = type->align ? type->align : 1;
	node->slot = -1;
	node->from_slot = -1;
	b->nesting++;
	rc = build_kind(b, frame, type, node);
	b->nesting--;
	if (node->align > b->builder->align_max)
		b->builder->align_max = node->align;
	return rc;
}

int read_layout_build(struct read_layout_builder *builder, enum read_scope scope,
		      const struct read_type *type)
{
	struct build b = { .builder = builder, .scope = scope };
	struct read_layout *node;

	builder->scopes[scope] = NULL;
	if (!type)
		return 0;
	if (type->kind != READ_STRUCT)
		return fail(&b, -EINVAL, "not a struct", scope_paths[scope]);
	node = alloc(&b, 1, sizeof(*node));
	if (!node)
		return -ENOMEM;
	/* Visible at once: an absolute path may lead to an earlier field of the same scope. */
	builder->scopes[scope] = node;
	return build(&b, NULL, type, "", node);
}
