/* SPDX-License-Identifier: MIT */
/* text.c - see text.h */
#include "text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct short_text count_text(uint64_t count)
{
	struct short_text t;
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	int at = 0;

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			t.text[at++] = ',';
		t.text[at++] = digits[i];
	}
	t.text[at] = 0;
	return t;
}

struct short_text bytes_text(uint64_t bytes)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	struct short_text t;
	unsigned int unit = 0;
	double value = (double)bytes;

	for (; value >= 1024 && unit < 6; unit++)
		value /= 1024;
	if (!unit || value == (double)(uint64_t)value)
		snprintf(t.text, sizeof(t.text), "%.0f %s", value, units[unit]);
	else
		snprintf(t.text, sizeof(t.text), "%.1f %s", value, units[unit]);
	return t;
}

struct short_text percent_text(uint64_t part, uint64_t whole)
{
	struct short_text t;
	double percent = whole ? 100.0 * (double)part / (double)whole : 0;

	if (part && percent < 0.5)
		snprintf(t.text, sizeof(t.text), "<1 %%");
	else if (part < whole && percent >= 99.5)
		snprintf(t.text, sizeof(t.text), ">99 %%");
	else
		snprintf(t.text, sizeof(t.text), "%.0f %%", percent);
	return t;
}

static void *not_null(void *memory)
{
	if (!memory) {
		fputs("tacho: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

void *xcalloc(size_t count, size_t bytes)
{
	return not_null(calloc(count, bytes));
}

void *xrealloc(void *memory, size_t bytes)
{
	return not_null(realloc(memory, bytes));
}

char *xstrdup(const char *text)
{
	return not_null(strdup(text));
}

char *xasprintf(const char *fmt, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	return not_null(text);
}

static bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f;
}

static int is_plain(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_@%+=:,./-";

	return *text && !text[strspn(text, plain)];
}

static bool has_control(const char *text)
{
	while (*text && !is_control(*text))
		text++;
	return *text;
}

/* $'..', where a terminal would obey what is in it. */
static char *c_word(const char *text)
{
	char *word = not_null(malloc(4 * strlen(text) + 4)), *to;

	to = stpcpy(word, "$'");
	for (; *text; text++) {
		if (is_control(*text))
			to += sprintf(to, "\\%03o", (unsigned char)*text);
		else if (*text == '\'' || *text == '\\')
			to += sprintf(to, "\\%c", *text);
		else
			*to++ = *text;
	}
	strcpy(to, "'");
	return word;
}

char *shell_word(const char *text)
{
	char *word, *to;

	if (is_plain(text))
		return xstrdup(text);
	if (has_control(text))
		return c_word(text);
	to = word = not_null(malloc(4 * strlen(text) + 3));
	*to++ = '\'';
	for (; *text; text++) {
		if (*text == '\'')
			to = stpcpy(to, "'\\''");
		else
			*to++ = *text;
	}
	strcpy(to, "'");
	return word;
}

char *shell_operand(const char *text)
{
	char *word = shell_word(text), *operand;

	if (text[0] != '-')
		return word;
	operand = xasprintf("-- %s", word);
	free(word);
	return operand;
}

static void make_printable(char *text)
{
	for (char *c = text; *c; c++)
		if (is_control(*c))
			*c = '?';
}

char *printable(const char *text)
{
	char *copy = xstrdup(text);

	make_printable(copy);
	return copy;
}

struct visible_text visible(const char *text)
{
	struct visible_text t;

	snprintf(t.text, sizeof(t.text), "%s", text);
	make_printable(t.text);
	return t;
}

bool is_ascii(const char *text, size_t bytes)
{
	unsigned char all = 0;

	for (size_t i = 0; i < bytes; i++)
		all |= (unsigned char)text[i];
	return all < 0x80;
}

/* Of a character that begins so; 0 if none does. */
static size_t length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* What could be said with fewer bytes, surrogates, and what is beyond U+10FFFF is no character. */
static bool is_second(unsigned char first, unsigned char second)
{
	unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
	unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;

	return second >= least && second <= most;
}

/* The bytes of the character at @text; 0 if it is none. Not by a locale: a container may have none. */
static size_t character_bytes(const char *text, size_t left)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t length = length_of(byte[0]);

	if (length > left || (length > 1 && !is_second(byte[0], byte[1])))
		return 0;
	for (size_t i = 2; i < length; i++)
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
	return length;
}

char *utf8_bytes(const char *text, size_t bytes, size_t *ret_bytes)
{
	static const char replacement[] = "\xef\xbf\xbd";
	const char *end = text + bytes;
	char *copy = not_null(malloc(3 * bytes + 1));
	char *to = copy;

	while (text < end) {
		size_t length = character_bytes(text, (size_t)(end - text));

		to = length ? mempcpy(to, text, length) : stpcpy(to, replacement);
		text += length ? length : 1;
	}
	*to = 0;
	*ret_bytes = (size_t)(to - copy);
	return copy;
}

char *utf8(const char *text)
{
	size_t bytes;

	return utf8_bytes(text, strlen(text), &bytes);
}
