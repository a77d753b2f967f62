/* SPDX-License-Identifier: MIT */
/* sqlite_type.c - see sqlite_type.h */
#include "sqlite_type.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/text.h"
#include "json.h"

int sqlite_run(sqlite3 *db, const char *fmt, ...)
{
	va_list args;
	char *text;
	int result;

	va_start(args, fmt);
	text = sqlite3_vmprintf(fmt, args);
	va_end(args);
	if (!text)
		return SQLITE_NOMEM;
	result = sqlite3_exec(db, text, NULL, NULL, NULL);
	sqlite3_free(text);
	return result;
}

/* ---- columns ---- */

static bool is_taken(const struct sqlite_type *type, const char *name)
{
	static const char *const of_view[] = { "event", "id",  "time_ns", "cpu",
					       "pid",   "tid", "thread",  "level" };

	for (size_t i = 0; i < sizeof(of_view) / sizeof(of_view[0]); i++) {
		if (!strcasecmp(of_view[i], name))
			return true;
	}
	for (uint32_t i = 0; i < type->column_count; i++) {
		if (!strcasecmp(type->columns[i].name, name))
			return true;
	}
	return false;
}

/* "$ctx.vtid" is ctx_vtid. To be freed. */
static char *free_name(const struct sqlite_type *type, const char *field)
{
	bool is_context = !strncmp(field, "$ctx.", 5);
	char *plain = xasprintf("%s%s", is_context ? "ctx_" : "", field + (is_context ? 5 : 0));
	char *name = xstrdup(plain);

	for (unsigned int n = 2; is_taken(type, name); n++) {
		free(name);
		name = xasprintf("%s_%u", plain, n);
	}
	free(plain);
	return name;
}

/* A column of integers would make a double of digits that are too many for them. */
static const char *affinity(const struct ctf_value *value)
{
	switch ((enum ctf_value_kind)value->kind) {
	case CTF_VALUE_UNSIGNED:
		return value->bits < 64 ? "INTEGER" : "";
	case CTF_VALUE_SIGNED:
		return "INTEGER";
	case CTF_VALUE_FLOAT:
		return "REAL";
	case CTF_VALUE_BYTES:
		return "BLOB";
	default:
		return "TEXT";
	}
}

static int add_column(struct sqlite_tables *tables, struct sqlite_type *type, const char *field,
		      const struct ctf_value *value)
{
	char *name = free_name(type, field);

	if (type->column_count == type->room) {
		type->room = type->room ? 2 * type->room : 8;
		type->columns = xrealloc(type->columns, type->room * sizeof(type->columns[0]));
	}
	type->columns[type->column_count++] = (struct sqlite_column){ xstrdup(field), name };
	sqlite3_finalize(type->insert);
	type->insert = NULL;
	return sqlite_run(tables->db, "ALTER TABLE fields_%u ADD COLUMN \"%w\" %s", type->number,
			  name, affinity(value));
}

static bool is_of(const struct sqlite_column *column, const char *prefix, const char *name)
{
	size_t length = strlen(prefix);

	return !strncmp(column->field, prefix, length) && !strcmp(column->field + length, name);
}

/* @guess: where it is if this event is like the one before. Return: column_count: nowhere. */
static uint32_t find_column(const struct sqlite_type *type, uint32_t guess, const char *prefix,
			    const char *name)
{
	if (guess < type->column_count && is_of(&type->columns[guess], prefix, name))
		return guess;
	for (uint32_t i = 0; i < type->column_count; i++) {
		if (is_of(&type->columns[i], prefix, name))
			return i;
	}
	return type->column_count;
}

static int add_missing(struct sqlite_tables *tables, struct sqlite_type *type, uint32_t *guess,
		       const char *prefix, const struct ctf_value *values, uint32_t count)
{
	int result = SQLITE_OK;

	for (uint32_t i = 0; i < count && result == SQLITE_OK; i += values[i].span) {
		char *field;

		if (values[i].is_length ||
		    find_column(type, (*guess)++, prefix, values[i].name) < type->column_count)
			continue;
		if (type->column_count == EXPORT_COLUMNS_MAX)
			break;
		field = xasprintf("%s%s", prefix, values[i].name);
		result = add_column(tables, type, field, &values[i]);
		free(field);
	}
	return result;
}

/* ---- values ---- */

/* What no integer of SQL holds is text. */
static int bind_integer(sqlite3_stmt *insert, int at, const struct ctf_value *value)
{
	char text[24];

	if (value->is_signed || value->u <= INT64_MAX)
		return sqlite3_bind_int64(insert, at, value->i);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)value->u);
	return sqlite3_bind_text(insert, at, text, -1, SQLITE_TRANSIENT);
}

/* It is copied: there is but one buffer. */
static int bind_json(struct sqlite_tables *tables, sqlite3_stmt *insert, int at,
		     const struct ctf_value *value)
{
	struct read_out *json = &tables->json;

	json->fd = -1; /* more than the buffer holds fails */
	json->used = 0;
	json->error = 0;
	export_json_value(json, value);
	tables->left_out += json->error != 0;
	if (json->error)
		return sqlite3_bind_null(insert, at);
	return sqlite3_bind_text(insert, at, json->data, (int)json->used, SQLITE_TRANSIENT);
}

static int bind_value(struct sqlite_tables *tables, sqlite3_stmt *insert, int at,
		      const struct ctf_value *value)
{
	switch ((enum ctf_value_kind)value->kind) {
	case CTF_VALUE_UNSIGNED:
	case CTF_VALUE_SIGNED:
		return bind_integer(insert, at, value);
	case CTF_VALUE_FLOAT:
		return sqlite3_bind_double(insert, at, value->f);
	case CTF_VALUE_STRING:
		return sqlite3_bind_text64(insert, at, value->bytes, value->length, SQLITE_STATIC,
					   SQLITE_UTF8);
	case CTF_VALUE_BYTES:
		return sqlite3_bind_blob64(insert, at, value->bytes, value->length, SQLITE_STATIC);
	case CTF_VALUE_ENUM:
		if (value->label)
			return sqlite3_bind_text(insert, at, value->label, -1, SQLITE_STATIC);
		return bind_integer(insert, at, value);
	case CTF_VALUE_STRUCT:
	case CTF_VALUE_ARRAY:
		return bind_json(tables, insert, at, value);
	}
	return SQLITE_MISUSE;
}

static int bind_level(struct sqlite_tables *tables, struct sqlite_type *type, uint32_t *guess,
		      const char *prefix, const struct ctf_value *values, uint32_t count)
{
	int result = SQLITE_OK;

	for (uint32_t i = 0; i < count && result == SQLITE_OK; i += values[i].span) {
		uint32_t column;

		if (values[i].is_length)
			continue;
		column = find_column(type, (*guess)++, prefix, values[i].name);
		if (column == type->column_count)
			tables->left_out++;
		else
			result = bind_value(tables, type->insert, (int)column + 2, &values[i]);
	}
	return result;
}

/* ---- rows ---- */

int sqlite_type_create(struct sqlite_tables *tables, struct sqlite_type *type)
{
	return sqlite_run(tables->db, "CREATE TABLE fields_%u (event INTEGER PRIMARY KEY)",
			  type->number);
}

static int prepare(struct sqlite_tables *tables, struct sqlite_type *type)
{
	sqlite3_str *text = sqlite3_str_new(tables->db);
	char *statement;
	int result;

	sqlite3_str_appendf(text, "INSERT INTO fields_%u VALUES (?", type->number);
	for (uint32_t i = 0; i < type->column_count; i++)
		sqlite3_str_appendall(text, ",?");
	sqlite3_str_appendall(text, ")");
	statement = sqlite3_str_finish(text);
	if (!statement)
		return SQLITE_NOMEM;
	result = sqlite3_prepare_v3(tables->db, statement, -1, SQLITE_PREPARE_PERSISTENT,
				    &type->insert, NULL);
	sqlite3_free(statement);
	return result;
}

static int make_ready(struct sqlite_tables *tables, struct sqlite_type *type,
		      const struct ctf_event *event)
{
	uint32_t guess = 0;
	int result = add_missing(tables, type, &guess, "", event->fields, event->field_count);

	if (result == SQLITE_OK)
		result = add_missing(tables, type, &guess, "$ctx.", event->context,
				     event->context_count);
	if (result == SQLITE_OK && !type->insert)
		result = prepare(tables, type);
	return result;
}

int sqlite_type_add(struct sqlite_tables *tables, struct sqlite_type *type, int64_t id,
		    const struct ctf_event *event)
{
	uint32_t guess = 0;
	int result = make_ready(tables, type, event);

	if (result != SQLITE_OK)
		return result;
	sqlite3_clear_bindings(type->insert);
	sqlite3_bind_int64(type->insert, 1, id);
	result = bind_level(tables, type, &guess, "", event->fields, event->field_count);
	if (result == SQLITE_OK)
		result = bind_level(tables, type, &guess, "$ctx.", event->context,
				    event->context_count);
	if (result == SQLITE_OK)
		sqlite3_step(type->insert);
	return result == SQLITE_OK ? sqlite3_reset(type->insert) : result;
}

int sqlite_type_view(struct sqlite_tables *tables, const struct sqlite_type *type, const char *name)
{
	sqlite3_str *text = sqlite3_str_new(tables->db);
	char *columns;
	int result;

	for (uint32_t i = 0; i < type->column_count; i++)
		sqlite3_str_appendf(text, ", f.\"%w\"", type->columns[i].name);
	columns = sqlite3_str_finish(text);
	result = sqlite_run(tables->db,
			    "CREATE VIEW \"%w\" AS SELECT e.id, e.time_ns, e.cpu, p.pid, t.tid, "
			    "t.name AS thread%s FROM fields_%u f JOIN events e ON e.id = f.event "
			    "LEFT JOIN threads t ON t.id = e.thread "
			    "LEFT JOIN processes p ON p.id = t.process",
			    name, columns ? columns : "", type->number);
	sqlite3_free(columns);
	return result;
}

void sqlite_type_fini(struct sqlite_type *type)
{
	sqlite3_finalize(type->insert);
	for (uint32_t i = 0; i < type->column_count; i++) {
		free(type->columns[i].field);
		free(type->columns[i].name);
	}
	free(type->columns);
	free(type->event);
}
