/* SPDX-License-Identifier: MIT */
/*
 * lists.h - values with commas between them: "a,b,c". `\,` is a comma that belongs to a value; any
 * other `\` stays as it is, for patterns.
 *
 * Return: NULL-terminated; free with list_free(). Values may be empty: the caller says what that
 * means.
 */
#ifndef TACHO_CLI_LISTS_H
#define TACHO_CLI_LISTS_H

#include <stddef.h>

char **list_of(const char *text);               /* NULL: an empty list */
char **list_of_words(const char *const *words); /* all lists in one; NULL: an empty list */
size_t list_count(char *const *list);
void list_free(char **list);

#endif
