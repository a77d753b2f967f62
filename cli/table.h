/* SPDX-License-Identifier: MIT */
/*
 * table.h - tables for people, with libsmartcols.
 *
 *	static const struct column columns[] = {
 *		{ "EVENTS", COLUMN_RIGHT }, { "EVENT", COLUMN_LEFT }, { 0 },
 *	};
 *	struct table *table = table_new(columns);
 *
 *	table_row(table, count_text(events).text, name);    as many texts as columns
 *	table_print(table);                                 on the standard output; frees it
 */
#ifndef TACHO_CLI_TABLE_H
#define TACHO_CLI_TABLE_H

enum column_kind {
	COLUMN_LEFT,
	COLUMN_RIGHT,
};

struct column {
	const char *title;
	enum column_kind kind;
};

struct table;

struct table *table_new(const struct column *columns);
/* Texts are copied. */
void table_row(struct table *table, const char *first, ...);
void table_print(struct table *table);

#endif
