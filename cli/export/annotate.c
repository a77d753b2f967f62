/* SPDX-License-Identifier: MIT */
/* annotate.c - see annotate.h */
#include "annotate.h"

#include <stdlib.h>
#include <string.h>

#include "cli/text.h"

enum {
	INTERNED_IID = 1,
	INTERNED_NAME = 2,

	ANNOTATION_NAME_IID = 1,
	ANNOTATION_BOOL = 2,
	ANNOTATION_UNSIGNED = 3,
	ANNOTATION_SIGNED = 4,
	ANNOTATION_DOUBLE = 5,
	ANNOTATION_STRING = 6,
	ANNOTATION_POINTER = 7,
	ANNOTATION_NAME = 10,
	ANNOTATION_MEMBERS = 11,
	ANNOTATION_ELEMENTS = 12,
};

/* ---- names ---- */

static void introduce(struct export_names *names, enum export_name_kind kind,
		      const struct export_name *name)
{
	size_t at = proto_begin(&names->interned, kind);

	proto_unsigned(&names->interned, INTERNED_IID, name->id);
	proto_text(&names->interned, INTERNED_NAME, name->text);
	proto_end(&names->interned, at);
}

uint64_t export_names_id(struct export_names *names, enum export_name_kind kind,
			 const struct export_name *name)
{
	uint32_t *introduced = &names->introduced[name->id], bit = 1u << (kind - 1);

	if (*introduced >> 3 != names->generation)
		*introduced = names->generation << 3;
	if (!(*introduced & bit))
		introduce(names, kind, name);
	*introduced |= bit;
	return name->id;
}

/* After so many losses that a generation comes again, nothing is known of the old one either. */
void export_names_forget(struct export_names *names)
{
	names->generation = (names->generation + 1) & (UINT32_MAX >> 3);
	if (names->generation)
		return;
	memset(names->introduced, 0, sizeof(names->introduced));
	names->generation = 1;
}

static void put_name(struct export_names *names, struct proto *event, const char *text)
{
	const struct export_name *name = export_name(names->tracks, text, strlen(text));

	if (name)
		proto_unsigned(event, ANNOTATION_NAME_IID,
			       export_names_id(names, EXPORT_NAME_FIELD, name));
	else
		proto_text(event, ANNOTATION_NAME, text);
}

/* ---- values ---- */

static void put_integer(struct proto *event, const struct ctf_value *value)
{
	if (value->base == 16)
		proto_unsigned(event, ANNOTATION_POINTER, value->u);
	else if (value->is_signed)
		proto_signed(event, ANNOTATION_SIGNED, value->i);
	else
		proto_unsigned(event, ANNOTATION_UNSIGNED, value->u);
}

static void put_hex(struct proto *event, const struct ctf_value *value)
{
	static const char digits[] = "0123456789abcdef";
	char *text = xcalloc(2 * (size_t)value->length + 1, 1);

	for (uint32_t i = 0; i < value->length; i++) {
		text[2 * i] = digits[(unsigned char)value->bytes[i] >> 4];
		text[2 * i + 1] = digits[value->bytes[i] & 15];
	}
	proto_bytes(event, ANNOTATION_STRING, text, 2 * (size_t)value->length);
	free(text);
}

static void put_elements(struct export_names *names, struct proto *event,
			 const struct ctf_value *array);

static void put_value(struct export_names *names, struct proto *event,
		      const struct ctf_value *value)
{
	switch ((enum ctf_value_kind)value->kind) {
	case CTF_VALUE_UNSIGNED:
	case CTF_VALUE_SIGNED:
		put_integer(event, value);
		break;
	case CTF_VALUE_FLOAT:
		proto_double(event, ANNOTATION_DOUBLE, value->f);
		break;
	case CTF_VALUE_STRING:
		proto_utf8(event, ANNOTATION_STRING, value->bytes, value->length);
		break;
	case CTF_VALUE_BYTES:
		put_hex(event, value);
		break;
	case CTF_VALUE_ENUM:
		if (value->label)
			proto_text(event, ANNOTATION_STRING, value->label);
		else
			put_integer(event, value);
		break;
	case CTF_VALUE_STRUCT:
		export_annotate_level(names, event, ANNOTATION_MEMBERS, value + 1, value->span - 1);
		break;
	case CTF_VALUE_ARRAY:
		put_elements(names, event, value);
		break;
	}
}

static void put_elements(struct export_names *names, struct proto *event,
			 const struct ctf_value *array)
{
	for (uint32_t i = 1; i < array->span; i += array[i].span) {
		size_t at = proto_begin(event, ANNOTATION_ELEMENTS);

		put_value(names, event, &array[i]);
		proto_end(event, at);
	}
}

void export_annotate_level(struct export_names *names, struct proto *event, uint32_t field,
			   const struct ctf_value *values, uint32_t count)
{
	for (uint32_t i = 0; i < count; i += values[i].span) {
		size_t at;

		if (values[i].is_length)
			continue;
		at = proto_begin(event, field);
		put_name(names, event, values[i].name);
		put_value(names, event, &values[i]);
		proto_end(event, at);
	}
}

void export_annotate_context(struct export_names *names, struct proto *event, uint32_t field,
			     const struct ctf_event *of)
{
	size_t at;

	if (of->cpu == CTF_CPU_NONE && !of->context_count)
		return;
	at = proto_begin(event, field);
	put_name(names, event, "$ctx");
	if (of->cpu != CTF_CPU_NONE)
		export_annotate_number(event, ANNOTATION_MEMBERS, "cpu", (uint64_t)of->cpu);
	export_annotate_level(names, event, ANNOTATION_MEMBERS, of->context, of->context_count);
	proto_end(event, at);
}

void export_annotate_number(struct proto *event, uint32_t field, const char *name, uint64_t number)
{
	size_t at = proto_begin(event, field);

	proto_text(event, ANNOTATION_NAME, name);
	proto_unsigned(event, ANNOTATION_UNSIGNED, number);
	proto_end(event, at);
}

void export_annotate_text(struct proto *event, uint32_t field, const char *name, const char *text)
{
	size_t at = proto_begin(event, field);

	proto_text(event, ANNOTATION_NAME, name);
	proto_text(event, ANNOTATION_STRING, text);
	proto_end(event, at);
}

void export_annotate_truth(struct proto *event, uint32_t field, const char *name)
{
	size_t at = proto_begin(event, field);

	proto_text(event, ANNOTATION_NAME, name);
	proto_unsigned(event, ANNOTATION_BOOL, 1);
	proto_end(event, at);
}
