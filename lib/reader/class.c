/* SPDX-License-Identifier: MIT */
/* class.c - classes and types of include/tacho/reader.h; see open.c */
#include <errno.h>

#include "ctf/read/trace.h"
#include "ctf/read/value.h"
#include "names.h"

/* What an application sees and what a value says are the same numbers. */
_Static_assert((int)TACHO_READER_UNSIGNED == CTF_VALUE_UNSIGNED, "");
_Static_assert((int)TACHO_READER_SIGNED == CTF_VALUE_SIGNED, "");
_Static_assert((int)TACHO_READER_FLOAT == CTF_VALUE_FLOAT, "");
_Static_assert((int)TACHO_READER_STRING == CTF_VALUE_STRING, "");
_Static_assert((int)TACHO_READER_BYTES == CTF_VALUE_BYTES, "");
_Static_assert((int)TACHO_READER_ENUM == CTF_VALUE_ENUM, "");
_Static_assert((int)TACHO_READER_STRUCT == CTF_VALUE_STRUCT, "");
_Static_assert((int)TACHO_READER_ARRAY == CTF_VALUE_ARRAY, "");

const struct tacho_reader_class *tacho_reader_trace_class(const struct tacho_reader_trace *trace,
							  size_t index)
{
	const struct read_trace *inner = inner_trace(trace);

	for (uint32_t i = 0; i < inner->stream_count; i++) {
		const struct read_stream_layout *stream = &inner->streams[i];

		if (index < stream->event_count)
			return outer_class(&stream->events[index]);
		index -= stream->event_count;
	}
	return NULL;
}

const char *tacho_reader_class_name(const struct tacho_reader_class *event_class)
{
	return inner_class(event_class)->name;
}

int tacho_reader_class_level(const struct tacho_reader_class *event_class)
{
	return inner_class(event_class)->level;
}

uint64_t tacho_reader_class_id(const struct tacho_reader_class *event_class)
{
	return inner_class(event_class)->id;
}

const struct tacho_reader_type *tacho_reader_class_type(
	const struct tacho_reader_class *event_class, enum tacho_reader_scope scope)
{
	if (scope == TACHO_READER_FIELDS)
		return outer_type(inner_class(event_class)->fields);
	return scope == TACHO_READER_CONTEXT ? outer_type(inner_class(event_class)->context) : NULL;
}

/* ---- types ---- */

static enum tacho_reader_kind elements_kind(const struct read_layout *element)
{
	if (!read_is_bytes(element))
		return TACHO_READER_ARRAY;
	return element->is_text ? TACHO_READER_STRING : TACHO_READER_BYTES;
}

enum tacho_reader_kind tacho_reader_type_kind(const struct tacho_reader_type *type)
{
	const struct read_layout *layout = inner_type(type);

	switch (layout->kind) {
	case READ_INTEGER:
	case READ_FLOAT:
	case READ_ENUM:
	case READ_VARINT:
		return (enum tacho_reader_kind)read_number_kind(layout);
	case READ_STRING:
		return TACHO_READER_STRING;
	case READ_STRUCT:
		return TACHO_READER_STRUCT;
	case READ_VARIANT:
	case READ_OPTIONAL:
		return TACHO_READER_VARIANT;
	case READ_ARRAY:
	case READ_SEQUENCE:
		break;
	}
	return elements_kind(layout->children);
}

const char *tacho_reader_type_name(const struct tacho_reader_type *type)
{
	return inner_type(type)->name;
}

static int is_number(const struct read_layout *layout)
{
	return layout->kind == READ_INTEGER || layout->kind == READ_FLOAT ||
	       layout->kind == READ_ENUM || layout->kind == READ_VARINT;
}

unsigned int tacho_reader_type_bits(const struct tacho_reader_type *type)
{
	return is_number(inner_type(type)) ? inner_type(type)->bits : 0;
}

unsigned int tacho_reader_type_base(const struct tacho_reader_type *type)
{
	const struct read_layout *layout = inner_type(type);

	return is_number(layout) && layout->kind != READ_FLOAT ? layout->base : 0;
}

int tacho_reader_type_is_signed(const struct tacho_reader_type *type)
{
	return is_number(inner_type(type)) && inner_type(type)->is_signed;
}

uint64_t tacho_reader_type_length(const struct tacho_reader_type *type)
{
	return inner_type(type)->kind == READ_ARRAY ? inner_type(type)->count : 0;
}

const struct tacho_reader_type *tacho_reader_type_member(const struct tacho_reader_type *type,
							 size_t index)
{
	const struct read_layout *layout = inner_type(type);

	return index < layout->child_count ? outer_type(&layout->children[index]) : NULL;
}

int tacho_reader_type_label(const struct tacho_reader_type *type, size_t index,
			    struct tacho_reader_label *ret_label)
{
	const struct read_mapping *map = inner_type(type)->mappings;

	for (; map && index; index--)
		map = map->next;
	if (!map)
		return -ENOENT;
	*ret_label = (struct tacho_reader_label){ map->label, map->low, map->high };
	return 0;
}
