/* SPDX-License-Identifier: MIT */
/* lists.c - see lists.h */
#include "lists.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* The value at @text. Return: what follows it: a comma, or the end. */
static const char *copy_value(const char *text, char *to)
{
	while (*text && *text != ',') {
		if (text[0] == '\\' && text[1]) {
			if (text[1] != ',')
				*to++ = text[0];
			text++;
		}
		*to++ = *text++;
	}
	*to = 0;
	return text;
}

static size_t count_commas(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == ',';
	return count;
}

/* Return: where the next value goes. */
static char **split(const char *text, char **to)
{
	for (;;) {
		char *value = xcalloc(strlen(text) + 1, 1);

		text = copy_value(text, value);
		*to++ = value;
		if (!*text)
			return to;
		text++;
	}
}

char **list_of_words(const char *const *words)
{
	size_t count = 1;
	char **list, **to;

	for (const char *const *word = words; word && *word; word++)
		count += 1 + count_commas(*word);
	list = to = xcalloc(count, sizeof(*list));
	for (; words && *words; words++)
		to = split(*words, to);
	return list;
}

char **list_of(const char *text)
{
	const char *words[] = { text, NULL };

	return list_of_words(words);
}

size_t list_count(char *const *list)
{
	size_t count = 0;

	while (list[count])
		count++;
	return count;
}

void list_free(char **list)
{
	for (char **value = list; value && *value; value++)
		free(*value);
	free(list);
}
