/* SPDX-License-Identifier: MIT */
/*
 * sqlite_type.h - the table with the fields of the events of one name: a part of
 * sqlite.h.
 *
 *	fields_3 (event INTEGER PRIMARY KEY, id INTEGER, customer TEXT, ctx_vtid INTEGER, ..)
 *
 * A column is added when the first event comes that has such a field, since events of one name may
 * have different ones. SQL knows no case in names, and the view of the type has columns of its own,
 * so a column whose name is taken gets a number behind it.
 */
#ifndef TACHO_CLI_EXPORT_SQLITE_TYPE_H
#define TACHO_CLI_EXPORT_SQLITE_TYPE_H

#include <sqlite3.h>

#include "ctf/print/out.h"
#include "ctf/read/reader.h"

#define EXPORT_COLUMNS_MAX 500

struct sqlite_column {
	char *field; /* as the trace has it, "$ctx." before a context */
	char *name;  /* as SQL has it */
};

struct sqlite_type {
	uint32_t number; /* 0: not known yet */
	char *event;
	struct sqlite_column *columns;
	uint32_t column_count, room;
	sqlite3_stmt *insert; /* NULL: there is another column since */
	struct sqlite_type *next;
};

/* What all types share. */
struct sqlite_tables {
	sqlite3 *db;
	struct read_out json; /* a structure or an array, while it becomes text */
	uint64_t left_out;    /* values for which there was no column, or that were too long */
};

/* Return of all: an SQLite result. */
int sqlite_type_create(struct sqlite_tables *tables, struct sqlite_type *type);
int sqlite_type_add(struct sqlite_tables *tables, struct sqlite_type *type, int64_t id,
		    const struct ctf_event *event);
/* sqlite_type_view() - @name: one that is free */
int sqlite_type_view(struct sqlite_tables *tables, const struct sqlite_type *type,
		     const char *name);
void sqlite_type_fini(struct sqlite_type *type);

/* sqlite_run() - a statement made as printf() does, with sqlite3_mprintf()'s conversions */
int sqlite_run(sqlite3 *db, const char *fmt, ...);

#endif
