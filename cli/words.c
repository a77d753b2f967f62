/* SPDX-License-Identifier: MIT */
/* words.c - see words.h */
#include "words.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

struct scan {
	const char *at;
	const char *line_begin;
	int line;
	char *to; /* the end of the word so far */
	struct words_error *error;
};

/* Characters of UTF-8 are counted once; bytes that are none of their beginnings are not. */
static int column_of(const char *line_begin, const char *at)
{
	int column = 1;

	for (const char *c = line_begin; c < at; c++)
		column += ((unsigned char)*c & 0xc0) != 0x80;
	return column;
}

static int fail_at(const struct scan *s, const char *at, const char *text)
{
	*s->error = (struct words_error){
		.line = s->line,
		.column = column_of(s->line_begin, at),
		.text = text,
	};
	return -EINVAL;
}

static void next_line(struct scan *s)
{
	s->line++;
	s->line_begin = s->at;
}

static void take(struct scan *s)
{
	char c = *s->at++;

	*s->to++ = c;
	if (c == '\n')
		next_line(s);
}

static int digit_value(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 16;
}

/* At most @max digits of @base; a byte 0 would end the word. */
static char take_number(struct scan *s, int base, int max)
{
	int value = 0;

	for (; max && digit_value(*s->at) < base; max--)
		value = value * base + digit_value(*s->at++);
	return (char)value ? (char)value : '?';
}

/* Behind a backslash in $'..'. */
static void take_escape(struct scan *s)
{
	static const char letters[] = "abefnrtv", values[] = "\a\b\033\f\n\r\t\v";
	const char *letter = *s->at ? strchr(letters, *s->at) : NULL;

	if (letter) {
		*s->to++ = values[letter - letters];
		s->at++;
	} else if (*s->at == 'x') {
		s->at++;
		*s->to++ = take_number(s, 16, 2);
	} else if (digit_value(*s->at) < 8) {
		*s->to++ = take_number(s, 8, 3);
	} else if (*s->at) {
		take(s);
	}
}

static int take_quoted(struct scan *s, char quote, bool has_escapes)
{
	while (*s->at && *s->at != quote) {
		if (has_escapes && *s->at == '\\') {
			s->at++;
			take_escape(s);
		} else if (quote == '"' && *s->at == '\\' && s->at[1] &&
			   strchr("\"\\$`", s->at[1])) {
			s->at++;
			take(s);
		} else {
			take(s);
		}
	}
	if (!*s->at)
		return -EINVAL;
	s->at++;
	return 0;
}

/* One quoted part, or one character. */
static int take_part(struct scan *s)
{
	const struct scan begin = *s;
	bool is_c = s->at[0] == '$' && s->at[1] == '\'';

	s->at += is_c;
	if (*s->at == '\'' || *s->at == '"') {
		char quote = *s->at++;

		if (take_quoted(s, quote, is_c))
			return fail_at(&begin, begin.at, "this quote is not closed");
		return 0;
	}
	if (*s->at != '\\') {
		take(s);
		return 0;
	}
	s->at++;
	if (!*s->at)
		return fail_at(&begin, begin.at, "there is nothing behind this backslash");
	take(s);
	return 0;
}

/* To the beginning of a word, or to the end of the line. */
static void skip_blank(struct scan *s)
{
	for (;;) {
		s->at += strspn(s->at, " \t\r");
		if (s->at[0] == '\\' && s->at[1] == '\n') {
			s->at += 2;
			next_line(s);
		} else {
			break;
		}
	}
	if (*s->at == '#')
		s->at += strcspn(s->at, "\n");
}

static bool is_end_of_word(const char *at)
{
	return !*at || strchr(" \t\r\n", *at) || (at[0] == '\\' && at[1] == '\n');
}

static void append(struct words *words, char *word, int line, int column)
{
	size_t count = (size_t)words->count + 1;

	words->word = xrealloc(words->word, (count + 1) * sizeof(*words->word));
	words->line = xrealloc(words->line, count * sizeof(*words->line));
	words->column = xrealloc(words->column, count * sizeof(*words->column));
	words->word[count - 1] = word;
	words->word[count] = NULL;
	words->line[count - 1] = line;
	words->column[count - 1] = column;
	words->count++;
}

static int take_word(struct scan *s, struct words *words)
{
	char *word = xrealloc(NULL, strlen(s->at) + 1);
	int line = s->line, column = column_of(s->line_begin, s->at);
	int err = 0;

	s->to = word;
	while (!err && !is_end_of_word(s->at))
		err = take_part(s);
	*s->to++ = 0;
	if (err)
		free(word);
	else
		append(words, xrealloc(word, (size_t)(s->to - word)), line, column);
	return err;
}

static int take_line(struct scan *s, struct words *words)
{
	int err = 0;

	skip_blank(s);
	while (!err && *s->at && *s->at != '\n') {
		err = take_word(s, words);
		skip_blank(s);
	}
	if (*s->at == '\n') {
		s->at++;
		next_line(s);
	}
	return err;
}

int words_next(const char **at, int *line, struct words *ret_words,
	       struct words_error *reterr_error)
{
	struct scan s = { .at = *at, .line_begin = *at, .line = *line, .error = reterr_error };
	struct words words = { 0 };
	int err = 0;

	while (!err && *s.at && !words.count)
		err = take_line(&s, &words);
	*at = s.at;
	*line = s.line;
	if (!err && !words.count)
		err = -ENODATA;
	if (err)
		words_fini(&words);
	else
		*ret_words = words;
	return err;
}

void words_fini(struct words *words)
{
	for (int i = 0; i < words->count; i++)
		free((char *)words->word[i]);
	free(words->word);
	free(words->line);
	free(words->column);
	*words = (struct words){ 0 };
}
