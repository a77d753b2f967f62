/* SPDX-License-Identifier: MIT */
/*
 * text.h - numbers as people read them, in a small object of their own so that several fit into
 * one printf():
 *
 *	printf("%s events, %s\n", count_text(events).text, bytes_text(bytes).text);
 */
#ifndef TACHO_CLI_TEXT_H
#define TACHO_CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct short_text {
	char text[32];
};

struct short_text count_text(uint64_t count); /* 1,234,567 */
struct short_text bytes_text(uint64_t bytes); /* 1.2 MiB */
struct short_text percent_text(uint64_t part, uint64_t whole);

/*
 * shell_word() - @text as a shell takes it as one word: quoted where that is needed
 *
 * Return: to be freed with free(); never NULL.
 */
char *shell_word(const char *text);

/* shell_operand() - the same, with "-- " before what looks like an option. */
char *shell_operand(const char *text);

/*
 * printable() - @text without what a terminal would obey: control characters become '?'
 *
 * Return: to be freed; never NULL.
 */
char *printable(const char *text);

/* visible() - the same for a name, a pattern or a path on its way into a printf(). */
struct visible_text {
	char text[8192];
};
struct visible_text visible(const char *text);

/*
 * utf8() - @text with U+FFFD in place of each byte that is not UTF-8: JSON allows nothing else
 *
 * Return: to be freed; never NULL.
 */
char *utf8(const char *text);
/* utf8_bytes() - the same of a text in which there may be 0 bytes; ASCII (is_ascii()) need not go here */
char *utf8_bytes(const char *text, size_t bytes, size_t *ret_bytes);
bool is_ascii(const char *text, size_t bytes);

/* A command that has no memory for a name can only end, and does. */
void *xcalloc(size_t count, size_t bytes);
void *xrealloc(void *memory, size_t bytes);
char *xstrdup(const char *text);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
