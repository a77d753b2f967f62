/* SPDX-License-Identifier: MIT */
#include "base/event_desc.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "format/ring.h"

/* No record is larger than a sub-buffer. */
#define ELEMENTS_MAX (1u << TACHO_SUBBUF_SHIFT_MAX)

/* One block, and one of labels where there are any: nothing in it is reallocated. */
struct parsed {
	struct event_desc desc;
	struct event_field *fields;   /* behind this */
	struct event_labels *labels;  /* behind them, one of each field */
	struct event_label *label;    /* of all fields, or NULL */
	uint32_t label_count;
	uint32_t bytes;
	char *copy; /* of the description, behind all that, `bytes` long */
};

static int bad(struct tacho_error *error, const char *what)
{
	return error_set(error, -EBADMSG, "bad description of an event: %s", what);
}

/* ---- parse ---- */

/* All that fit, and a few more, because fields may share them. */
static uint32_t labels_max(uint32_t bytes)
{
	uint32_t count = bytes / (uint32_t)sizeof(struct tacho_desc_label) * 16;

	return count < TACHO_LABELS_MAX ? count : TACHO_LABELS_MAX;
}

static bool is_within(const struct parsed *parsed, uint64_t at, uint64_t bytes)
{
	return at >= sizeof(struct tacho_desc) && at <= parsed->bytes && bytes <= parsed->bytes - at;
}

static struct tacho_desc_field raw_field(const struct parsed *parsed, uint32_t i)
{
	struct tacho_desc_field raw;

	memcpy(&raw, parsed->copy + sizeof(struct tacho_desc) + i * sizeof(raw), sizeof(raw));
	return raw;
}

static int no_memory(struct tacho_error *error)
{
	return error_set(error, -ENOMEM, "no memory for the description of an event");
}

/* The head as it is now. */
static int copy_head(const void *bytes, size_t size, struct tacho_desc *ret_head,
		     struct tacho_error *error)
{
	if (size < sizeof(*ret_head))
		return bad(error, "it is cut off");
	memcpy(ret_head, bytes, sizeof(*ret_head));
	/* The copy decides, not the shared memory, which the compiler might read again. */
	__asm__ volatile("" : : "r"(ret_head) : "memory");
	if (ret_head->bytes < sizeof(*ret_head) || ret_head->bytes > TACHO_DESC_BYTES_MAX ||
	    ret_head->bytes % 8)
		return bad(error, "its size is out of range");
	if (ret_head->bytes > size)
		return bad(error, "it is cut off");
	if (ret_head->field_count > TACHO_FIELDS_MAX ||
	    ret_head->field_count * sizeof(struct tacho_desc_field) >
		    ret_head->bytes - sizeof(*ret_head))
		return bad(error, "it has too many fields");
	return 0;
}

static int copy_desc(const void *bytes, const struct tacho_desc *head, struct parsed **ret_parsed,
		     struct tacho_error *error)
{
	size_t field_bytes = head->field_count * sizeof(struct event_field);
	size_t labels_bytes = head->field_count * sizeof(struct event_labels);
	struct parsed *parsed = malloc(sizeof(*parsed) + field_bytes + labels_bytes + head->bytes);

	if (!parsed)
		return no_memory(error);
	parsed->fields = (struct event_field *)(parsed + 1);
	parsed->labels = (struct event_labels *)(void *)((char *)parsed->fields + field_bytes);
	parsed->label = NULL;
	parsed->label_count = 0;
	parsed->bytes = head->bytes;
	parsed->copy = (char *)parsed->labels + labels_bytes;
	memcpy(parsed->copy, bytes, head->bytes);
	*ret_parsed = parsed;
	return 0;
}

/* The string at @at, if it ends within the description; or NULL. */
static char *string_at(struct parsed *parsed, uint32_t at)
{
	if (at < sizeof(struct tacho_desc) || at >= parsed->bytes)
		return NULL;
	return memchr(parsed->copy + at, 0, parsed->bytes - at) ? parsed->copy + at : NULL;
}

/* The same, cut to what a name may have. */
static const char *name_at(struct parsed *parsed, uint32_t at)
{
	char *name = string_at(parsed, at);

	if (name && strlen(name) > TACHO_NAME_MAX)
		name[TACHO_NAME_MAX] = '\0';
	return name;
}

/* Labels that cannot be had are left out: the values are readable without. */
static void parse_labels(struct parsed *parsed, uint32_t i, uint32_t at)
{
	struct event_labels *labels = &parsed->labels[i];
	struct tacho_desc_labels head;

	*labels = (struct event_labels){ 0 };
	if (at && !parsed->label)
		parsed->label = malloc(labels_max(parsed->bytes) * sizeof(*parsed->label) + 1);
	if (!at || !parsed->label)
		return;
	labels->label = parsed->label + parsed->label_count;
	if (!at || !is_within(parsed, at, sizeof(head)))
		return;
	memcpy(&head, parsed->copy + at, sizeof(head));
	at += (uint32_t)sizeof(head);
	if (head.count > labels_max(parsed->bytes) - parsed->label_count ||
	    !is_within(parsed, at, (uint64_t)head.count * sizeof(struct tacho_desc_label)))
		return;
	for (; labels->count < head.count; labels->count++) {
		struct tacho_desc_label raw;

		memcpy(&raw, parsed->copy + at + labels->count * sizeof(raw), sizeof(raw));
		parsed->label[parsed->label_count] =
			(struct event_label){ name_at(parsed, raw.text_at), raw.low, raw.high };
		if (!parsed->label[parsed->label_count].text)
			return;
		parsed->label_count++;
	}
}

static bool is_element(uint32_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* Flags that say what cannot be are without meaning. */
static uint32_t known_flags(uint32_t kind, uint32_t bytes, uint32_t flags)
{
	bool has_elements = kind == TACHO_KIND_SEQUENCE || kind == TACHO_KIND_ARRAY;

	flags &= TACHO_FLAG_ALL;
	if (!has_elements || bytes < 4)
		flags &= ~(uint32_t)TACHO_FLAG_FLOAT;
	if (kind != TACHO_KIND_INTEGER)
		flags &= ~(uint32_t)TACHO_FLAG_ENUM;
	return flags;
}

/* What is known of @field is how many bytes it has. */
static bool describe_as_bytes(struct event_field *field, uint64_t bytes)
{
	field->type = TACHO_TYPE(TACHO_KIND_ARRAY, 1, TACHO_FLAG_HEX);
	field->count = (uint32_t)bytes;
	return bytes <= ELEMENTS_MAX;
}

/*
 * A type as a newer or a mad program may write it is made one that exists and takes the same place
 * in a record. Return: false where that place cannot be told.
 */
static bool settle_type(struct event_field *field)
{
	uint32_t kind = TACHO_TYPE_KIND(field->type), bytes = TACHO_TYPE_BYTES(field->type);

	field->type =
		TACHO_TYPE(kind, bytes, known_flags(kind, bytes, TACHO_TYPE_FLAGS(field->type)));
	if (kind != TACHO_KIND_ARRAY)
		field->count = 0;
	switch (kind) {
	case TACHO_KIND_INTEGER:
		return is_element(bytes) || describe_as_bytes(field, bytes);
	case TACHO_KIND_FLOAT:
		return bytes == 4 || bytes == 8 || describe_as_bytes(field, bytes);
	case TACHO_KIND_STRING:
	case TACHO_KIND_TEXT:
	case TACHO_KIND_BYTES:
		return bytes == 1;
	case TACHO_KIND_SEQUENCE:
		return is_element(bytes);
	case TACHO_KIND_ARRAY:
		return is_element(bytes) ||
		       describe_as_bytes(field, (uint64_t)bytes * field->count);
	}
	return false;
}

static int parse_field(struct parsed *parsed, uint32_t i, struct tacho_error *error)
{
	struct event_field *field = &parsed->fields[i];
	struct tacho_desc_field raw = raw_field(parsed, i);

	field->type = raw.type;
	field->count = raw.count;
	field->name = name_at(parsed, raw.name_at);
	if (!field->name)
		return bad(error, "a field's name is not a string in it");
	if (!settle_type(field))
		return bad(error, "the type of a field is unknown");
	if (field->count > ELEMENTS_MAX)
		return bad(error, "an array is larger than any buffer");
	parse_labels(parsed, i, raw.labels_at);
	return 0;
}

static int parse_head(struct parsed *parsed, const struct tacho_desc *head,
		      const struct tacho_desc *raw, struct tacho_error *error)
{
	struct event_desc *desc = &parsed->desc;

	if (raw->bytes != parsed->bytes || raw->field_count != head->field_count)
		return bad(error, "it changed while it was read");
	if (raw->hash !=
	    tacho_desc_hash(parsed->copy + TACHO_DESC_HASHED, parsed->bytes - TACHO_DESC_HASHED))
		return bad(error, "its hash is wrong");
	desc->provider = name_at(parsed, raw->provider_at);
	desc->name = name_at(parsed, raw->event_at);
	desc->file = string_at(parsed, raw->file_at);
	if (!desc->provider || !desc->name || !desc->file)
		return bad(error, "a name is not a string in it");
	desc->line = raw->line;
	desc->level = raw->level <= TACHO_LEVEL_MAX ? raw->level : TACHO_LEVEL_MAX;
	desc->field_count = raw->field_count;
	desc->fields = parsed->fields;
	desc->labels = parsed->labels;
	desc->model_uri = raw->model_uri_at ? string_at(parsed, raw->model_uri_at) : NULL;
	return 0;
}

int event_desc_parse(const void *bytes, size_t size, struct event_desc **ret_desc,
		     struct tacho_error *error)
{
	struct parsed *parsed = NULL;
	struct tacho_desc head, raw;
	int err = copy_head(bytes, size, &head, error);

	if (!err)
		err = copy_desc(bytes, &head, &parsed, error);
	if (err)
		return err;
	memcpy(&raw, parsed->copy, sizeof(raw));
	err = parse_head(parsed, &head, &raw, error);
	for (uint32_t i = 0; !err && i < raw.field_count; i++)
		err = parse_field(parsed, i, error);
	if (err) {
		event_desc_free(&parsed->desc);
		return err;
	}
	*ret_desc = &parsed->desc;
	return 0;
}

void event_desc_free(struct event_desc *desc)
{
	struct parsed *parsed = (struct parsed *)desc; /* which it is the first member of */

	if (parsed)
		free(parsed->label);
	free(parsed);
}

/* ---- build ---- */

struct builder {
	char *bytes;
	size_t size;
	size_t used; /* may exceed size: then nothing more is written */
};

static uint32_t add(struct builder *builder, const void *data, size_t bytes)
{
	size_t at = builder->used;

	builder->used += bytes;
	if (builder->used <= builder->size)
		memcpy(builder->bytes + at, data, bytes);
	return (uint32_t)at;
}

static uint32_t add_string(struct builder *builder, const char *text)
{
	return add(builder, text, strlen(text) + 1);
}

static void put(struct builder *builder, size_t at, const void *data, size_t bytes)
{
	if (at + bytes <= builder->size)
		memcpy(builder->bytes + at, data, bytes);
}

static void align(struct builder *builder)
{
	static const char zeros[8];

	add(builder, zeros, -builder->used % 8);
}

/* Return: where they start; 0: there are none. */
static uint32_t add_labels(struct builder *builder, const struct event_labels *labels)
{
	const struct tacho_desc_labels head = { .count = labels ? labels->count : 0 };
	size_t at;
	uint32_t start;

	if (!head.count)
		return 0;
	align(builder);
	start = add(builder, &head, sizeof(head));
	at = builder->used;
	for (uint32_t i = 0; i < head.count; i++)
		add(builder, &(struct tacho_desc_label){ 0 }, sizeof(struct tacho_desc_label));
	for (uint32_t i = 0; i < head.count; i++) {
		const struct event_label *label = &labels->label[i];
		const struct tacho_desc_label raw = { label->low, label->high,
						      add_string(builder, label->text), 0 };

		put(builder, at + i * sizeof(raw), &raw, sizeof(raw));
	}
	return start;
}

static void add_field(struct builder *builder, const struct event_desc *desc, unsigned int i)
{
	const struct event_field *field = &desc->fields[i];
	const struct tacho_desc_field raw = {
		.type = field->type,
		.count = field->count,
		.name_at = add_string(builder, field->name),
		.labels_at = add_labels(builder, desc->labels ? &desc->labels[i] : NULL),
	};

	put(builder, sizeof(struct tacho_desc) + i * sizeof(raw), &raw, sizeof(raw));
}

int event_desc_build(const struct event_desc *desc, void *bytes, size_t size)
{
	size_t table_bytes = desc->field_count * sizeof(struct tacho_desc_field);
	struct builder builder = { bytes, size, sizeof(struct tacho_desc) + table_bytes };
	struct tacho_desc raw = {
		.field_count = desc->field_count,
		.level = desc->level,
		.line = desc->line,
	};

	raw.provider_at = add_string(&builder, desc->provider);
	raw.event_at = add_string(&builder, desc->name);
	raw.file_at = add_string(&builder, desc->file);
	if (desc->model_uri)
		raw.model_uri_at = add_string(&builder, desc->model_uri);
	for (unsigned int i = 0; i < desc->field_count; i++)
		add_field(&builder, desc, i);
	align(&builder);
	if (builder.used > size || builder.used > TACHO_DESC_BYTES_MAX)
		return -E2BIG;
	raw.bytes = (uint32_t)builder.used;
	put(&builder, 0, &raw, sizeof(raw));
	raw.hash = tacho_desc_hash(builder.bytes + TACHO_DESC_HASHED,
				   builder.used - TACHO_DESC_HASHED);
	put(&builder, 0, &raw, sizeof(raw));
	return (int)builder.used;
}
