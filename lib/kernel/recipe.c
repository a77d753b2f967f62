/* SPDX-License-Identifier: MIT */
/* recipe.c - see recipe.h */
#include "kernel/recipe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "kernel/names.h"

enum operation {
	COPY,
	ADD, /* to an integer of 4 bytes */
	STRING,
	SEQUENCE,
};

struct step {
	uint8_t operation;   /* enum operation */
	uint8_t is_relative; /* STRING, SEQUENCE: KERNEL_REL_LOC */
	uint16_t from;
	uint16_t bytes;      /* SEQUENCE: of an element */
	int16_t number;      /* ADD */
};

struct kernel_recipe {
	struct event_desc desc;
	struct kernel_recipe_needs needs;
	uint32_t step_count;
	struct step step[KERNEL_FIELDS_MAX];
	struct event_field field[KERNEL_FIELDS_MAX];
	char names[KERNEL_FIELDS_MAX][KERNEL_FIELD_NAME_BYTES];
	char name[TACHO_NAME_MAX + 1];
};

/* ---- making ---- */

/* Of system calls, whose types' sizes are not in the format. */
static const struct {
	const char *type;
	uint8_t bytes;
	bool is_signed;
} argument_types[] = {
	{ "int", 4, true },	  { "unsigned int", 4, false }, { "unsigned", 4, false },
	{ "u32", 4, false },	  { "__u32", 4, false },	{ "__s32", 4, true },
	{ "umode_t", 2, false },  { "pid_t", 4, true },		{ "uid_t", 4, false },
	{ "gid_t", 4, false },	  { "qid_t", 4, false },	{ "key_t", 4, true },
	{ "clockid_t", 4, true }, { "mqd_t", 4, true },		{ "timer_t", 4, true },
	{ "rwf_t", 4, true },	  { "key_serial_t", 4, true },	{ "long", 8, true },
	{ "loff_t", 8, true },	  { "off_t", 8, true },		{ "enum ", 4, false },
};

static const char *without_const(const char *type)
{
	return type + (strncmp(type, "const ", 6) ? 0 : 6);
}

/* "enum " stands for each of them. */
static bool is_argument_type(const char *type, const char *listed)
{
	return listed[strlen(listed) - 1] == ' ' ? !strncmp(type, listed, strlen(listed)) :
						   !strcmp(type, listed);
}

/* Two types of capget(2) are pointers that do not look like it. */
static bool is_pointer(const char *type)
{
	return strchr(type, '*') || !strcmp(without_const(type), "cap_user_header_t") ||
	       !strcmp(without_const(type), "cap_user_data_t");
}

static bool is_integer_size(uint32_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static bool is_char(const struct kernel_field *field)
{
	return !strcmp(field->type, "char") || !strcmp(field->type, "const char");
}

bool kernel_field_is_text(const struct kernel_field *field)
{
	return is_char(field) && (field->place != KERNEL_IN_PLACE || field->count);
}

void kernel_field_narrow(struct kernel_field *field)
{
	const char *type = without_const(field->type);

	for (size_t i = 0; i < sizeof(argument_types) / sizeof(argument_types[0]); i++) {
		uint32_t bytes = argument_types[i].bytes;

		if (field->bytes != 8 || !is_argument_type(type, argument_types[i].type))
			continue;
		field->offset += TACHO_BIG_ENDIAN ? 8 - bytes : 0;
		field->bytes = bytes;
		field->is_signed = argument_types[i].is_signed;
		return;
	}
}

static uint32_t flags_of(const struct kernel_field *field)
{
	if (is_pointer(field->type) || !strncmp(field->name, "__probe_", strlen("__probe_")))
		return TACHO_FLAG_HEX | TACHO_FLAG_POINTER;
	return field->is_signed ? TACHO_FLAG_SIGNED : 0;
}

/* Elements of dynamic arrays: the format has only the type. */
static uint32_t element_bytes(const struct kernel_field *field)
{
	static const struct {
		const char *type;
		uint32_t bytes;
	} sizes[] = {
		{ "u8", 1 }, { "__u8", 1 }, { "unsigned char", 1 }, { "u16", 2 }, { "__u16", 2 },
		{ "u32", 4 }, { "__u32", 4 }, { "int", 4 }, { "unsigned int", 4 }, { "s32", 4 },
		{ "u64", 8 }, { "__u64", 8 }, { "long", 8 }, { "unsigned long", 8 }, { "s64", 8 },
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (!strcmp(sizes[i].type, field->type))
			return sizes[i].bytes;
	return 1;
}

static uint32_t dynamic_type(const struct kernel_field *field)
{
	if (is_char(field))
		return TACHO_TYPE(TACHO_KIND_STRING, 1, 0);
	return TACHO_TYPE(TACHO_KIND_SEQUENCE, element_bytes(field),
			  element_bytes(field) == 1 ? TACHO_FLAG_HEX : flags_of(field));
}

/* What is no integer, and no array of them, is shown as its bytes; so is an array whose length does not
 * go with its size. */
static uint32_t static_type(const struct kernel_field *field, uint32_t *ret_count)
{
	uint32_t size = field->count ? field->bytes / field->count : field->bytes;

	*ret_count = field->count;
	if (field->count && is_char(field)) {
		*ret_count = field->bytes;
		return TACHO_TYPE(TACHO_KIND_ARRAY, 1, TACHO_FLAG_CHAR);
	}
	if (!is_integer_size(size) || (field->count && size * field->count != field->bytes)) {
		*ret_count = field->bytes;
		return TACHO_TYPE(TACHO_KIND_ARRAY, 1, TACHO_FLAG_HEX);
	}
	return TACHO_TYPE(field->count ? TACHO_KIND_ARRAY : TACHO_KIND_INTEGER, size,
			  flags_of(field));
}

static struct step *last_step(struct kernel_recipe *recipe)
{
	return recipe->step_count ? &recipe->step[recipe->step_count - 1] : NULL;
}

static void add_copy(struct kernel_recipe *recipe, const struct kernel_field *field, int bias)
{
	struct step *last = last_step(recipe);
	bool is_add = bias && field->bytes == 4;

	if (field->offset + field->bytes > recipe->needs.record_bytes)
		recipe->needs.record_bytes = field->offset + field->bytes;
	recipe->needs.copied += field->bytes;
	if (!is_add && last && last->operation == COPY &&
	    last->from + last->bytes == field->offset && last->bytes + field->bytes <= UINT16_MAX) {
		last->bytes = (uint16_t)(last->bytes + field->bytes);
		return;
	}
	recipe->step[recipe->step_count++] = (struct step){
		.operation = is_add ? ADD : COPY,
		.from = (uint16_t)field->offset,
		.bytes = (uint16_t)field->bytes,
		.number = (int16_t)bias,
	};
}

static void add_dynamic(struct kernel_recipe *recipe, const struct kernel_field *field)
{
	recipe->needs.dynamic++;
	recipe->step[recipe->step_count++] = (struct step){
		.operation = is_char(field) ? STRING : SEQUENCE,
		.is_relative = field->place == KERNEL_REL_LOC,
		.from = (uint16_t)field->offset,
		.bytes = (uint16_t)element_bytes(field),
	};
}

static void add_field(struct kernel_recipe *recipe, const char *system,
		      const struct kernel_field *kernel_field)
{
	struct event_field *field = &recipe->field[recipe->desc.field_count];
	char *name = recipe->names[recipe->desc.field_count];
	const char *public_name = kernel_name_field(system, kernel_field->name);
	struct kernel_field narrowed = *kernel_field;

	/* An array without a length has nothing that could be recorded. */
	if (!public_name || !kernel_field->bytes)
		return;
	if (!strcmp(system, KERNEL_SYSCALLS))
		kernel_field_narrow(&narrowed);
	str_copy(name, KERNEL_FIELD_NAME_BYTES, public_name);
	field->name = name;
	field->type = narrowed.place == KERNEL_IN_PLACE ? static_type(&narrowed, &field->count) :
							  dynamic_type(&narrowed);
	if (narrowed.place == KERNEL_IN_PLACE)
		add_copy(recipe, &narrowed, kernel_field_bias(system, kernel_field->name));
	else
		add_dynamic(recipe, &narrowed);
	recipe->desc.field_count++;
}

int kernel_recipe_make(const char *system, const struct kernel_format *format,
		       struct kernel_recipe **ret_recipe, struct tacho_error *error)
{
	struct kernel_recipe *recipe = calloc(1, sizeof(*recipe));

	if (!recipe)
		return error_set(error, -ENOMEM, "no memory for the kernel's event '%s'",
				 format->name);
	if (kernel_name_event(system, format->name, recipe->name, sizeof(recipe->name))) {
		free(recipe);
		return error_set(error, -EBADMSG, "the name of the kernel's event '%s' is too long",
				 format->name);
	}
	recipe->desc = (struct event_desc){
		.provider = "",
		.name = recipe->name,
		.file = "",
		.level = TACHO_LEVEL_DEBUG_LINE,
		.fields = recipe->field,
	};
	for (uint32_t i = 0; i < format->field_count; i++)
		add_field(recipe, system, &format->field[i]);
	*ret_recipe = recipe;
	return 0;
}

void kernel_recipe_free(struct kernel_recipe *recipe)
{
	free(recipe);
}

const struct event_desc *kernel_recipe_desc(const struct kernel_recipe *recipe)
{
	return &recipe->desc;
}

struct kernel_recipe_needs kernel_recipe_needs(const struct kernel_recipe *recipe)
{
	return recipe->needs;
}

/* ---- running ---- */

/* Nearly all steps are of one or two words, for which calling memcpy() is the larger part. */
static uint8_t *copy(const struct step *step, const struct kernel_record *record, uint8_t *to)
{
	const uint8_t *from = record->data + step->from;

	if (step->bytes == sizeof(uint64_t))
		memcpy(to, from, sizeof(uint64_t));
	else if (step->bytes == sizeof(uint32_t))
		memcpy(to, from, sizeof(uint32_t));
	else
		memcpy(to, from, step->bytes);
	return to + step->bytes;
}

static uint8_t *add(const struct step *step, const struct kernel_record *record, uint8_t *to)
{
	uint32_t value;

	memcpy(&value, record->data + step->from, sizeof(value));
	value += (uint32_t)(int32_t)step->number;
	memcpy(to, &value, sizeof(value));
	return to + sizeof(value);
}

/* The bytes of a dynamic field. Return: how many; 0 if they are not in the record. */
static uint32_t find_dynamic(const struct step *step, const struct kernel_record *record,
			     const uint8_t **ret_from)
{
	uint32_t word = 0, offset, bytes;

	if (step->from + sizeof(word) <= record->bytes)
		memcpy(&word, record->data + step->from, sizeof(word));
	offset = (word & 0xffff) + (step->is_relative ? step->from + 4u : 0);
	bytes = word >> 16;
	if (offset > record->bytes || bytes > record->bytes - offset)
		return 0;
	*ret_from = record->data + offset;
	return bytes;
}

static uint8_t *put_string(const struct step *step, const struct kernel_record *record, uint8_t *to)
{
	const uint8_t *from = NULL;
	uint32_t bytes = find_dynamic(step, record, &from);
	size_t length = bytes ? strnlen((const char *)from, bytes) : 0;

	if (length)
		memcpy(to, from, length);
	to[length] = 0;
	return to + length + 1;
}

static uint8_t *put_sequence(const struct step *step, const struct kernel_record *record,
			     uint8_t *to)
{
	const uint8_t *from = NULL;
	uint32_t count = find_dynamic(step, record, &from) / step->bytes;

	memcpy(to, &count, sizeof(count));
	if (count)
		memcpy(to + sizeof(count), from, (size_t)count * step->bytes);
	return to + sizeof(count) + (size_t)count * step->bytes;
}

uint8_t *kernel_recipe_run(const struct kernel_recipe *recipe, const struct kernel_record *record,
			   uint8_t *to)
{
	for (uint32_t i = 0; i < recipe->step_count; i++) {
		const struct step *step = &recipe->step[i];

		if (step->operation == COPY)
			to = copy(step, record, to);
		else if (step->operation == ADD)
			to = add(step, record, to);
		else if (step->operation == STRING)
			to = put_string(step, record, to);
		else
			to = put_sequence(step, record, to);
	}
	return to;
}
