/* SPDX-License-Identifier: MIT */
/* compile.c - from the text of an expression to a program, and how to show where it is wrong. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "filter/lex.h"
#include "filter/parse.h"

/* What is built is checked like anybody's: then no mistake of ours gets into a program. */
static int finish(struct filter_builder *builder, struct tacho_filter **ret_filter,
		  struct filter_complaint *reterr)
{
	struct tacho_filter *filter = NULL;
	int err = build_end(builder, &filter);

	if (err == -E2BIG)
		complain(reterr, 0, "%s", builder->full);
	if (err)
		return err;
	err = filter_check(filter, filter->bytes);
	if (err) {
		free(filter);
		return complain(reterr, 0, "the expression cannot be compiled");
	}
	*ret_filter = filter;
	return 0;
}

int filter_compile(const char *text, filter_perf_fn perf, void *perf_data,
		   struct tacho_filter **ret_filter, struct filter_complaint *ret_warning,
		   struct filter_complaint *reterr)
{
	struct filter_parser parser = { text, perf, perf_data, NULL, ret_warning, reterr };
	int err;

	ret_warning->what[0] = 0;
	if (strnlen(text, FILTER_TEXT_MAX + 1) > FILTER_TEXT_MAX) {
		complain(reterr, 0, "the expression has more than %d bytes", FILTER_TEXT_MAX);
		return -E2BIG;
	}
	parser.builder = calloc(1, sizeof(*parser.builder));
	if (!parser.builder)
		return -ENOMEM;
	err = parse(&parser);
	if (!err)
		err = finish(parser.builder, ret_filter, reterr);
	free(parser.builder);
	return err;
}

/* ---- where it is wrong ---- */

#define EXCERPT_INDENT  "    "
#define EXCERPT_COLUMNS 72

static bool is_first_byte(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

size_t filter_column(const char *text, size_t at)
{
	size_t column = 1;

	for (size_t i = 0; i < at && text[i]; i++)
		column += is_first_byte(text[i + 1]);
	return column;
}

static void append(char *lines, const char *bytes, size_t count)
{
	size_t used = strlen(lines);

	if (used + count >= FILTER_EXCERPT_BYTES)
		return;
	memcpy(lines + used, bytes, count);
	lines[used + count] = 0;
}

static bool is_line_end(char c)
{
	return !c || c == '\n';
}

/* Of a long line, the part around @at. */
static size_t excerpt_begin(const char *text, size_t at)
{
	size_t begin = at;
	int columns = 0;

	while (begin && !is_line_end(text[begin - 1]) && columns < EXCERPT_COLUMNS / 2)
		columns += is_first_byte(text[--begin]);
	while (begin && !is_first_byte(text[begin]))
		begin--;
	return begin;
}

/* A tab, and what else would not take one column, is shown as a space. */
static void append_shown(char *lines, char c)
{
	bool is_control = (unsigned char)c < ' ' || c == 127;

	append(lines, is_control ? " " : &c, 1);
}

void filter_excerpt(const char *text, size_t at, char ret_lines[FILTER_EXCERPT_BYTES])
{
	size_t begin = excerpt_begin(text, at), i = begin;

	ret_lines[0] = 0;
	append(ret_lines, EXCERPT_INDENT, strlen(EXCERPT_INDENT));
	for (int columns = 0; !is_line_end(text[i]); i++) {
		columns += is_first_byte(text[i]);
		if (columns > EXCERPT_COLUMNS)
			break;
		append_shown(ret_lines, text[i]);
	}
	append(ret_lines, "\n" EXCERPT_INDENT, 1 + strlen(EXCERPT_INDENT));
	for (i = begin; i < at; i++) {
		if (is_first_byte(text[i]))
			append(ret_lines, " ", 1);
	}
	append(ret_lines, "^\n", 2);
}
