/* SPDX-License-Identifier: MIT */
/* table.c - see table.h */
#include "table.h"

#include <libsmartcols.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "text.h"

struct table {
	struct libscols_table *scols;
	unsigned int column_count;
};

static void check(int err)
{
	if (!err)
		return;
	fputs("tacho: out of memory\n", stderr);
	exit(1);
}

struct table *table_new(const struct column *columns)
{
	struct table *table = xcalloc(1, sizeof(*table));

	table->scols = scols_new_table();
	check(!table->scols);
	for (; columns->title; columns++, table->column_count++)
		check(!scols_table_new_column(table->scols, columns->title, 0,
					      columns->kind == COLUMN_RIGHT ? SCOLS_FL_RIGHT : 0));
	return table;
}

void table_row(struct table *table, const char *first, ...)
{
	struct libscols_line *line = scols_table_new_line(table->scols, NULL);
	const char *text = first;
	va_list args;

	check(!line);
	va_start(args, first);
	for (unsigned int i = 0; i < table->column_count; i++) {
		check(scols_line_set_data(line, i, text));
		if (i + 1 < table->column_count)
			text = va_arg(args, const char *);
	}
	va_end(args);
}

void table_print(struct table *table)
{
	scols_print_table(table->scols);
	scols_unref_table(table->scols);
	free(table);
}
