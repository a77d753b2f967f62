/* SPDX-License-Identifier: MIT */
#include "metadata_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the UTF-8 sequence at @p, or 0 if it is none. Overlong forms and surrogates are none. */
static size_t utf8_length(const unsigned char *p)
{
	size_t length = p[0] < 0x80 ? 1 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	uint32_t value = p[0] & (0xffu >> (length + 1));
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };

	if (length == 1)
		return 1;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (p[i] & 0x3f);
	}
	if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
		return 0;
	return length;
}

static void print_byte(FILE *out, unsigned char byte)
{
	if (byte == '"' || byte == '\\')
		fprintf(out, "\\%c", byte);
	else if (byte < 0x20 || byte == 0x7f || byte == '*')
		fprintf(out, "\\%03o", byte);
	else
		fputc(byte, out);
}

void metadata_print_text(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	while (*p) {
		size_t length = utf8_length(p);

		if (length == 0)
			fprintf(out, "\\\\x%02X", *p);
		else if (length == 1)
			print_byte(out, *p);
		else
			fprintf(out, "%.*s", (int)length, (const char *)p);
		p += length ? length : 1;
	}
}

static bool is_identifier_byte(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* @name with every byte that an identifier cannot have as _XX, at @to. Return: its end. */
static char *escape(char *to, const char *name)
{
	static const char digits[] = "0123456789ABCDEF";

	for (; *name; name++) {
		unsigned char c = (unsigned char)*name;

		if (is_identifier_byte(c)) {
			*to++ = (char)c;
			continue;
		}
		*to++ = '_';
		*to++ = digits[c >> 4];
		*to++ = digits[c & 15];
	}
	*to = 0;
	return to;
}

static bool is_taken(const struct metadata_names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->names[i], name))
			return true;
	return false;
}

#define NUMBER_BYTES 12

const char *metadata_name_new(struct metadata_names *names, const char *prefix, const char *name,
			      const char *suffix)
{
	size_t bytes;
	char *text, *end;

	if (!*name)
		name = "unnamed";
	bytes = strlen(prefix) + 3 * strlen(name) + strlen(suffix) + NUMBER_BYTES;
	if (names->count == sizeof(names->names) / sizeof(names->names[0]))
		return NULL;
	text = malloc(bytes);
	if (!text)
		return NULL;
	end = stpcpy(escape(stpcpy(text, prefix), name), suffix);
	/* Ends: there are fewer names than numbers. */
	for (unsigned int i = 2; is_taken(names, text); i++)
		snprintf(end, NUMBER_BYTES, "_%u", i);
	names->names[names->count++] = text;
	return text;
}

void metadata_names_fini(struct metadata_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->names[i]);
	names->count = 0;
}

/* Whether a '-' stands before byte @i of a UUID. */
static bool is_group_start(size_t i)
{
	return i == 4 || i == 6 || i == 8 || i == 10;
}

void metadata_uuid_format(const uint8_t uuid[CTF_UUID_BYTES],
			  char ret_text[METADATA_UUID_TEXT_BYTES])
{
	char *to = ret_text;

	for (size_t i = 0; i < CTF_UUID_BYTES; i++)
		to += sprintf(to, is_group_start(i) ? "-%02x" : "%02x", uuid[i]);
}

int metadata_uuid_parse(const char *text, uint8_t ret_uuid[CTF_UUID_BYTES])
{
	uint8_t uuid[CTF_UUID_BYTES];

	for (size_t i = 0; i < CTF_UUID_BYTES; i++) {
		char pair[3] = "";
		char *end;

		if (is_group_start(i) && *text++ != '-')
			return -EBADMSG;
		pair[0] = text[0];
		pair[1] = text[0] ? text[1] : 0;
		uuid[i] = (uint8_t)strtoul(pair, &end, 16);
		if (!isxdigit((unsigned char)pair[0]) || end != pair + 2)
			return -EBADMSG;
		text += 2;
	}
	memcpy(ret_uuid, uuid, sizeof(uuid));
	return 0;
}
