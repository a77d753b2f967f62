/* SPDX-License-Identifier: MIT */
/* ctf2_types.c - the field classes of CTF 2; see ctf2.h */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ctf2_private.h"

#define BITS_MAX 64

/* ---- what classes have in common ---- */

static struct read_type *new_type(struct ctf2 *p, enum read_kind kind)
{
	struct read_type *type = ctf2_alloc(p, sizeof(*type));

	if (type)
		type->kind = kind;
	return type;
}

static bool is_text(json_object *object, const char *key, const char *text)
{
	json_object *value = ctf2_get(object, key);

	return value && json_object_is_type(value, json_type_string) &&
	       !strcmp(json_object_get_string(value), text);
}

static void take_align(struct ctf2 *p, json_object *object, const char *key, struct read_type *type)
{
	uint64_t bits = ctf2_number(p, object, key, 1, READ_ALIGN_BITS_MAX);

	if (!bits || (bits & (bits - 1)))
		ctf2_fail(p, -EINVAL, "an alignment that is no power of two");
	else
		type->align = (uint32_t)bits;
}

static void take_order(struct ctf2 *p, json_object *object, struct read_type *type)
{
	bool is_big = is_text(object, "byte-order", "big-endian");

	if (!is_big && !is_text(object, "byte-order", "little-endian"))
		ctf2_fail(p, -EINVAL, "a byte order that is neither little-endian nor big-endian");
	type->order = is_big ? READ_ORDER_BIG : READ_ORDER_LITTLE;
	if (ctf2_get(object, "bit-order") &&
	    !is_text(object, "bit-order", is_big ? "last-to-first" : "first-to-last"))
		ctf2_fail(p, -EINVAL, "bits in another order than that of their byte order");
}

static void take_base(struct ctf2 *p, json_object *object, struct read_type *type)
{
	uint64_t base = ctf2_number(p, object, "preferred-display-base", 10, 16);

	type->base = base == 2 || base == 8 || base == 16 ? (uint8_t)base : 10;
}

/* ---- roles ---- */

/* One role for both places of a timestamp: the layout knows in which scope it is. */
static enum read_role role_named(const char *name)
{
	static const struct {
		const char *name;
		enum read_role role;
	} roles[] = {
		{ "packet-magic-number", READ_ROLE_MAGIC },
		{ "data-stream-class-id", READ_ROLE_STREAM_ID },
		{ "data-stream-id", READ_ROLE_INSTANCE },
		{ "default-clock-timestamp", READ_ROLE_CLOCK },
		{ "packet-end-default-clock-timestamp", READ_ROLE_TIME_END },
		{ "packet-content-length", READ_ROLE_CONTENT_BITS },
		{ "packet-total-length", READ_ROLE_PACKET_BITS },
		{ "discarded-event-record-counter-snapshot", READ_ROLE_DISCARDED },
		{ "packet-sequence-number", READ_ROLE_SEQUENCE },
		{ "event-record-class-id", READ_ROLE_EVENT_ID },
	};

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		if (!strcmp(name, roles[i].name))
			return roles[i].role;
	}
	return READ_ROLE_NONE;
}

static void take_roles(json_object *object, struct read_type *type)
{
	json_object *roles = ctf2_get(object, "roles");
	size_t count =
		json_object_is_type(roles, json_type_array) ? json_object_array_length(roles) : 0;

	for (size_t i = 0; i < count && type->role == READ_ROLE_NONE; i++) {
		const char *name = json_object_get_string(json_object_array_get_idx(roles, i));

		if (name)
			type->role = role_named(name);
	}
}

/* ---- ranges ---- */

static bool take_bounds(json_object *range, struct read_mapping *map)
{
	json_object *low, *high;

	if (!json_object_is_type(range, json_type_array) || json_object_array_length(range) != 2)
		return false;
	low = json_object_array_get_idx(range, 0);
	high = json_object_array_get_idx(range, 1);
	if (!json_object_is_type(low, json_type_int) || !json_object_is_type(high, json_type_int))
		return false;
	/* Numbers above INT64_MAX are only unsigned, negative ones only signed. */
	map->low = json_object_get_int64(low) < 0 ? (uint64_t)json_object_get_int64(low) :
						    json_object_get_uint64(low);
	map->high = json_object_get_int64(high) < 0 ? (uint64_t)json_object_get_int64(high) :
						      json_object_get_uint64(high);
	return true;
}

static void add_ranges(struct ctf2 *p, json_object *set, const char *label,
		       struct read_mapping ***tail)
{
	size_t count =
		json_object_is_type(set, json_type_array) ? json_object_array_length(set) : 0;

	if (!count)
		ctf2_fail(p, -EINVAL, "ranges that are none");
	for (size_t i = 0; i < count && !p->error; i++) {
		struct read_mapping *map = ctf2_alloc(p, sizeof(*map));

		if (!map)
			return;
		map->label = label;
		if (!take_bounds(json_object_array_get_idx(set, i), map))
			ctf2_fail(p, -EINVAL, "a range is two numbers");
		**tail = map;
		*tail = &map->next;
	}
}

static struct read_mapping *named_ranges(struct ctf2 *p, json_object *object, const char *key)
{
	json_object *mappings = ctf2_get(object, key);
	struct read_mapping *list = NULL, **tail = &list;

	if (!mappings || !json_object_is_type(mappings, json_type_object))
		return NULL;
	json_object_object_foreach(mappings, name, set)
	{
		const char *label = read_arena_text(&p->metadata->arena, name, strlen(name));

		if (!label)
			ctf2_fail(p, -ENOMEM, "the metadata is too large");
		if (p->error)
			break;
		add_ranges(p, set, label, &tail);
	}
	return list;
}

/* ---- scalars ---- */

static struct read_type *bit_array(struct ctf2 *p, json_object *object, enum read_kind kind)
{
	struct read_type *type = new_type(p, kind);

	if (!type)
		return NULL;
	type->bits = (uint32_t)ctf2_number(p, object, "length", 0, BITS_MAX);
	if (!type->bits)
		ctf2_fail(p, -EINVAL, "a length of bits that is not from 1 to 64");
	take_order(p, object, type);
	take_align(p, object, "alignment", type);
	type->base = 16;
	return type;
}

static struct read_type *bit_array_class(struct ctf2 *p, json_object *object)
{
	return bit_array(p, object, READ_INTEGER);
}

static struct read_type *boolean_class(struct ctf2 *p, json_object *object)
{
	struct read_type *type = bit_array(p, object, READ_INTEGER);

	if (type)
		type->base = 10;
	return type;
}

/* What has labels is an enum: its integer is the element. */
static struct read_type *with_mappings(struct ctf2 *p, struct read_type *integer,
				       struct read_mapping *mappings)
{
	struct read_type *type = mappings && integer ? new_type(p, READ_ENUM) : NULL;

	if (!type)
		return integer;
	type->element = integer;
	type->mappings = mappings;
	type->role = integer->role;
	return type;
}

/* Ranges of bits become the numbers that have these bits. */
static struct read_mapping *flags(struct ctf2 *p, json_object *object, uint32_t bits)
{
	struct read_mapping *list = NULL, **tail = &list;

	for (struct read_mapping *map = named_ranges(p, object, "flags"); map; map = map->next) {
		for (uint64_t bit = map->low; bit <= map->high && bit < bits && !p->error; bit++) {
			struct read_mapping *flag = ctf2_alloc(p, sizeof(*flag));

			if (!flag)
				return NULL;
			flag->label = map->label;
			flag->low = flag->high = 1ull << bit;
			*tail = flag;
			tail = &flag->next;
		}
	}
	return list;
}

static struct read_type *bit_map_class(struct ctf2 *p, json_object *object)
{
	struct read_type *integer = bit_array(p, object, READ_INTEGER);

	return integer ? with_mappings(p, integer, flags(p, object, integer->bits)) : NULL;
}

static struct read_type *integer_class(struct ctf2 *p, json_object *object)
{
	struct read_type *type = bit_array(p, object, READ_INTEGER);

	if (!type)
		return NULL;
	type->is_signed = is_text(object, "type", "fixed-length-signed-integer");
	take_base(p, object, type);
	take_roles(object, type);
	return with_mappings(p, type, named_ranges(p, object, "mappings"));
}

static struct read_type *float_class(struct ctf2 *p, json_object *object)
{
	struct read_type *type = bit_array(p, object, READ_FLOAT);

	if (type && type->bits != 32 && type->bits != 64)
		ctf2_fail(p, -EINVAL, "a float that has neither 32 nor 64 bits");
	return type;
}

static struct read_type *varint_class(struct ctf2 *p, json_object *object)
{
	struct read_type *type = new_type(p, READ_VARINT);

	if (!type)
		return NULL;
	type->bits = BITS_MAX;
	type->align = 8;
	type->is_signed = is_text(object, "type", "variable-length-signed-integer");
	take_base(p, object, type);
	take_roles(object, type);
	type->mappings = named_ranges(p, object, "mappings");
	return type;
}

/* ---- strings and blobs ---- */

static enum read_encoding encoding_of(struct ctf2 *p, json_object *object)
{
	static const char *const names[] = { "utf-8", "utf-16le", "utf-16be", "utf-32le",
					     "utf-32be" };

	if (!ctf2_get(object, "encoding"))
		return READ_UTF8;
	for (int i = READ_UTF8; i <= READ_UTF32BE; i++) {
		if (is_text(object, "encoding", names[i]))
			return (enum read_encoding)i;
	}
	ctf2_fail(p, -EINVAL, "an encoding that is not known");
	return READ_UTF8;
}

static struct read_type *string_class(struct ctf2 *p, json_object *object)
{
	struct read_type *type = new_type(p, READ_STRING);

	if (type)
		type->encoding = encoding_of(p, object);
	return type;
}

static struct read_location *location(struct ctf2 *p, json_object *object, const char *key);

/* So many bytes, which are a text or not. */
static struct read_type *bytes_class(struct ctf2 *p, json_object *object, bool is_string)
{
	bool is_counted = ctf2_get(object, "length-field-location");
	struct read_type *type = new_type(p, is_counted ? READ_SEQUENCE : READ_ARRAY);
	struct read_type *byte = type ? new_type(p, READ_INTEGER) : NULL;

	if (!byte)
		return NULL;
	byte->bits = byte->align = 8;
	byte->base = is_string ? 10 : 16;
	byte->is_text = is_string;
	type->element = byte;
	if (is_string)
		type->encoding = encoding_of(p, object);
	type->ends_at_null = is_string;
	if (is_counted)
		type->location = location(p, object, "length-field-location");
	else
		type->count = ctf2_number(p, object, "length", UINT64_MAX, UINT32_MAX);
	if (!is_counted && type->count == UINT64_MAX)
		ctf2_fail(p, -EINVAL, "a string or BLOB without a length");
	return type;
}

static struct read_type *counted_string_class(struct ctf2 *p, json_object *object)
{
	return bytes_class(p, object, true);
}

static struct read_type *blob_class(struct ctf2 *p, json_object *object)
{
	return bytes_class(p, object, false);
}

/* ---- locations ---- */

const char *const ctf2_origins[READ_SCOPES] = {
	[READ_SCOPE_PACKET_HEADER] = "packet-header",
	[READ_SCOPE_PACKET_CONTEXT] = "packet-context",
	[READ_SCOPE_EVENT_HEADER] = "event-record-header",
	[READ_SCOPE_STREAM_CONTEXT] = "event-record-common-context",
	[READ_SCOPE_EVENT_CONTEXT] = "event-record-specific-context",
	[READ_SCOPE_FIELDS] = "event-record-payload",
};

static bool take_origin(json_object *object, struct read_location *location)
{
	location->origin = READ_SCOPES;
	if (!ctf2_get(object, "origin"))
		return true;
	for (int i = 0; i < READ_SCOPES; i++) {
		if (is_text(object, "origin", ctf2_origins[i]))
			location->origin = (enum read_scope)i;
	}
	return location->origin != READ_SCOPES;
}

static void take_path(struct ctf2 *p, json_object *path, struct read_location *location)
{
	for (size_t i = 0; i < json_object_array_length(path) && !p->error; i++) {
		json_object *part = json_object_array_get_idx(path, i);

		if (part && !json_object_is_type(part, json_type_string))
			ctf2_fail(p, -EINVAL, "a part of a path that is neither a text nor null");
		else
			location->names[location->count++] = part ? ctf2_copy(p, part) : NULL;
	}
}

static struct read_location *location(struct ctf2 *p, json_object *object, const char *key)
{
	struct read_location *location = ctf2_alloc(p, sizeof(*location));
	json_object *value = ctf2_get(object, key);
	json_object *path = value ? ctf2_get(value, "path") : NULL;

	if (!location)
		return NULL;
	if (!json_object_is_type(path, json_type_array) || !take_origin(value, location) ||
	    !json_object_array_length(path) ||
	    json_object_array_length(path) > CTF2_CLASS_DEPTH_MAX) {
		ctf2_fail(p, -EINVAL, "no location of a length or selector");
		return NULL;
	}
	location->names = ctf2_alloc(p, json_object_array_length(path) * sizeof(*location->names));
	if (location->names)
		take_path(p, path, location);
	return location;
}

/* ---- compounds ---- */

/* A member of a structure or an option of a variant. */
static struct read_field *field(struct ctf2 *p, json_object *object)
{
	struct read_field *field = ctf2_alloc(p, sizeof(*field));

	if (!field)
		return NULL;
	field->name = ctf2_text(p, object, "name");
	field->type = ctf2_type(p, ctf2_get(object, "field-class"));
	return p->error ? NULL : field;
}

static void take_fields(struct ctf2 *p, json_object *list, struct read_type *type,
			bool (*fill)(struct ctf2 *p, json_object *object, struct read_field *field))
{
	struct read_field **tail = &type->fields;
	size_t count =
		json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;

	for (size_t i = 0; i < count && !p->error; i++) {
		json_object *object = json_object_array_get_idx(list, i);

		*tail = json_object_is_type(object, json_type_object) ? field(p, object) : NULL;
		if (!*tail || !fill(p, object, *tail)) {
			ctf2_fail(p, -EINVAL, "a member or option that is none");
			*tail = NULL;
			return;
		}
		tail = &(*tail)->next;
	}
}

static bool is_named(struct ctf2 *p, json_object *object, struct read_field *field)
{
	(void)p;
	(void)object;
	return field->name;
}

static bool take_option(struct ctf2 *p, json_object *object, struct read_field *field)
{
	struct read_mapping **tail = &field->ranges;

	if (!field->name)
		field->name = "";
	add_ranges(p, ctf2_get(object, "selector-field-ranges"), field->name, &tail);
	return !p->error;
}

static struct read_type *structure_class(struct ctf2 *p, json_object *object)
{
	struct read_type *type = new_type(p, READ_STRUCT);

	if (!type)
		return NULL;
	take_align(p, object, "minimum-alignment", type);
	take_fields(p, ctf2_get(object, "member-classes"), type, is_named);
	return type;
}

static struct read_type *array_class(struct ctf2 *p, json_object *object)
{
	bool is_counted = is_text(object, "type", "dynamic-length-array");
	struct read_type *type = new_type(p, is_counted ? READ_SEQUENCE : READ_ARRAY);

	if (!type)
		return NULL;
	take_align(p, object, "minimum-alignment", type);
	type->element = ctf2_type(p, ctf2_get(object, "element-field-class"));
	if (is_counted)
		type->location = location(p, object, "length-field-location");
	else
		type->count = ctf2_number(p, object, "length", UINT64_MAX, UINT32_MAX);
	if (!is_counted && type->count == UINT64_MAX)
		ctf2_fail(p, -EINVAL, "an array without a length");
	return type;
}

static struct read_type *optional_class(struct ctf2 *p, json_object *object)
{
	struct read_type *type = new_type(p, READ_OPTIONAL);
	struct read_mapping **tail;

	if (!type)
		return NULL;
	type->element = ctf2_type(p, ctf2_get(object, "field-class"));
	type->location = location(p, object, "selector-field-location");
	tail = &type->mappings;
	if (ctf2_get(object, "selector-field-ranges"))
		add_ranges(p, ctf2_get(object, "selector-field-ranges"), "", &tail);
	return type;
}

static struct read_type *variant_class(struct ctf2 *p, json_object *object)
{
	struct read_type *type = new_type(p, READ_VARIANT);

	if (!type)
		return NULL;
	type->location = location(p, object, "selector-field-location");
	take_fields(p, ctf2_get(object, "options"), type, take_option);
	return type;
}

/* ---- any of them ---- */

static struct read_type *look_up(struct ctf2 *p, const char *name)
{
	for (const struct ctf2_alias *alias = p->aliases; alias; alias = alias->next) {
		if (!strcmp(alias->name, name))
			return alias->type;
	}
	ctf2_fail(p, -EINVAL, "an alias that was not described");
	return NULL;
}

static struct read_type *read_class(struct ctf2 *p, json_object *object)
{
	static const struct {
		const char *type;
		struct read_type *(*read)(struct ctf2 *p, json_object *object);
	} rules[] = {
		{ "fixed-length-bit-array", bit_array_class },
		{ "fixed-length-bit-map", bit_map_class },
		{ "fixed-length-boolean", boolean_class },
		{ "fixed-length-unsigned-integer", integer_class },
		{ "fixed-length-signed-integer", integer_class },
		{ "fixed-length-floating-point-number", float_class },
		{ "variable-length-unsigned-integer", varint_class },
		{ "variable-length-signed-integer", varint_class },
		{ "null-terminated-string", string_class },
		{ "static-length-string", counted_string_class },
		{ "dynamic-length-string", counted_string_class },
		{ "static-length-blob", blob_class },
		{ "dynamic-length-blob", blob_class },
		{ "structure", structure_class },
		{ "static-length-array", array_class },
		{ "dynamic-length-array", array_class },
		{ "optional", optional_class },
		{ "variant", variant_class },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (is_text(object, "type", rules[i].type))
			return rules[i].read(p, object);
	}
	ctf2_fail(p, -EINVAL, "a field class of a type that is not known");
	return NULL;
}

struct read_type *ctf2_type(struct ctf2 *p, json_object *value)
{
	struct read_type *type = NULL;

	if (p->error)
		return NULL;
	if (p->depth++ == CTF2_CLASS_DEPTH_MAX)
		ctf2_fail(p, -EINVAL, "field classes are nested too deeply");
	else if (json_object_is_type(value, json_type_string))
		type = look_up(p, json_object_get_string(value));
	else if (json_object_is_type(value, json_type_object))
		type = read_class(p, value);
	else
		ctf2_fail(p, -EINVAL, "no field class");
	p->depth--;
	return p->error ? NULL : type;
}
