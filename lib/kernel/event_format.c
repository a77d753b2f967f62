/* SPDX-License-Identifier: MIT */
/* event_format.c - see event_format.h */
#include "kernel/event_format.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The longest line but that of "print fmt:", which is passed over. */
#define LINE_BYTES 512

/* The next line, cut; "" at the end. */
static const char *take_line(const char *text, char line[LINE_BYTES])
{
	size_t length = strcspn(text, "\n");

	snprintf(line, LINE_BYTES, "%.*s", (int)(length < LINE_BYTES ? length : LINE_BYTES - 1),
		 text);
	return text + length + (text[length] == '\n');
}

static void trim(char *text)
{
	size_t length = strlen(text);

	while (length && isspace((unsigned char)text[length - 1]))
		text[--length] = 0;
}

static bool starts_with(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* "__data_loc char[] name": what stands in front tells where the bytes are. */
static char *take_place(char *declaration, struct kernel_field *field)
{
	static const char data_loc[] = "__data_loc ", rel_loc[] = "__rel_loc ";
	char *brackets;

	if (starts_with(declaration, data_loc))
		field->place = KERNEL_DATA_LOC;
	else if (starts_with(declaration, rel_loc))
		field->place = KERNEL_REL_LOC;
	else
		return declaration;
	declaration = strchr(declaration, ' ') + 1;
	brackets = strstr(declaration, "[]");
	if (brackets)
		memmove(brackets, brackets + 2, strlen(brackets + 2) + 1);
	return declaration;
}

/* "char comm[16]". A length that is no number (a macro) is found out by the size. */
static void take_count(char *declaration, struct kernel_field *field)
{
	char *bracket = strrchr(declaration, '[');

	if (!bracket)
		return;
	if (sscanf(bracket, "[%u]", &field->count) != 1)
		field->count = field->bytes;
	*bracket = 0;
	trim(declaration);
}

/* The last word is the name, what is before it the type. */
static bool take_name(char *declaration, struct kernel_field *field)
{
	char *name = declaration + strlen(declaration);

	while (name > declaration && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
		name--;
	if (!*name || name == declaration || strlen(name) >= sizeof(field->name))
		return false;
	memcpy(field->name, name, strlen(name) + 1);
	*name = 0;
	trim(declaration);
	snprintf(field->type, sizeof(field->type), "%s", declaration);
	return true;
}

static bool parse_field(const char *line, struct kernel_field *field)
{
	char declaration[LINE_BYTES];
	unsigned int is_signed;
	char *rest;

	*field = (struct kernel_field){ .place = KERNEL_IN_PLACE };
	if (sscanf(line, " field:%511[^;]; offset:%u; size:%u; signed:%u;", declaration,
		   &field->offset, &field->bytes, &is_signed) != 4)
		return false;
	field->is_signed = is_signed;
	rest = take_place(declaration, field);
	if (field->place == KERNEL_IN_PLACE)
		take_count(rest, field);
	return take_name(rest, field) && field->bytes <= UINT16_MAX && field->offset <= UINT16_MAX;
}

static bool parse_line(const char *line, struct kernel_format *format)
{
	struct kernel_field *field = &format->field[format->field_count];
	unsigned int id;

	if (sscanf(line, "ID: %u", &id) == 1)
		format->id = (uint16_t)id;
	else if (starts_with(line, "name: "))
		snprintf(format->name, sizeof(format->name), "%.*s", TACHO_NAME_MAX, line + 6);
	if (!starts_with(line, "\tfield:"))
		return true;
	if (format->field_count == KERNEL_FIELDS_MAX || !parse_field(line, field))
		return false;
	format->field_count += !starts_with(field->name, "common_");
	return true;
}

int kernel_format_parse(const char *text, struct kernel_format *ret_format,
			struct tacho_error *error)
{
	char line[LINE_BYTES];

	memset(ret_format, 0, sizeof(*ret_format));
	while (*text && !starts_with(text, "print fmt:")) {
		text = take_line(text, line);
		if (!parse_line(line, ret_format))
			return error_set(error, -EBADMSG,
					 "the kernel describes its event '%s' in a way that is not "
					 "understood: '%s'",
					 ret_format->name, line);
	}
	if (!ret_format->name[0] || !ret_format->id)
		return error_set(error, -EBADMSG, "this is no description of a kernel's event");
	return 0;
}
