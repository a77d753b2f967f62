/* SPDX-License-Identifier: MIT */
/* sqlite.c - see sqlite.h */
#include "sqlite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/say.h"
#include "cli/text.h"
#include "cli/view/map.h"
#include "sqlite_type.h"

#define TYPES_MAX 4096

static const char schema[] =
	"PRAGMA journal_mode = OFF;"
	"PRAGMA synchronous = OFF;"
	"PRAGMA locking_mode = EXCLUSIVE;"
	"PRAGMA cache_size = -16384;"
	"BEGIN;"
	"CREATE TABLE trace_info (key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
	"CREATE TABLE processes (id INTEGER PRIMARY KEY, pid INTEGER, name TEXT, host TEXT);"
	"CREATE TABLE threads (id INTEGER PRIMARY KEY, process INTEGER REFERENCES processes,"
	" tid INTEGER, name TEXT);"
	"CREATE TABLE event_types (id INTEGER PRIMARY KEY, name TEXT, provider TEXT, level INTEGER,"
	" \"view\" TEXT);"
	"CREATE TABLE events (id INTEGER PRIMARY KEY, time_ns INTEGER,"
	" type INTEGER REFERENCES event_types, cpu INTEGER, thread INTEGER REFERENCES threads);"
	"CREATE TABLE spans (id INTEGER PRIMARY KEY, name TEXT, thread INTEGER REFERENCES threads,"
	" begin_ns INTEGER, end_ns INTEGER, depth INTEGER, ended TEXT);"
	"CREATE TABLE losses (id INTEGER PRIMARY KEY, cpu INTEGER, begin_ns INTEGER,"
	" end_ns INTEGER, events INTEGER, packets INTEGER);"
	"CREATE TABLE damages (id INTEGER PRIMARY KEY, time_ns INTEGER, text TEXT);";

static const char indexes[] =
	"CREATE INDEX events_by_time ON events (time_ns);"
	"CREATE INDEX events_by_type ON events (type, time_ns);"
	"CREATE INDEX events_by_thread ON events (thread, time_ns);"
	"CREATE INDEX spans_by_name ON spans (name, begin_ns);"
	"CREATE VIEW event_list AS SELECT e.id, e.time_ns, e.cpu, p.pid, t.tid, t.name AS thread,"
	" y.name AS event, y.level FROM events e JOIN event_types y ON y.id = e.type"
	" LEFT JOIN threads t ON t.id = e.thread LEFT JOIN processes p ON p.id = t.process;";

enum statement {
	ADD_EVENT,
	ADD_PROCESS,
	ADD_THREAD,
	ADD_SPAN,
	ADD_LOSS,
	ADD_DAMAGE,
	ADD_INFO,
	ADD_TYPE,
	STATEMENTS,
};

static const char *const statement_text[STATEMENTS] = {
	[ADD_EVENT] = "INSERT INTO events VALUES (?,?,?,?,?)",
	[ADD_PROCESS] = "INSERT OR REPLACE INTO processes VALUES (?,?,?,?)",
	[ADD_THREAD] = "INSERT OR REPLACE INTO threads VALUES (?,?,?,?)",
	[ADD_SPAN] = "INSERT INTO spans VALUES (NULL,?,?,?,?,?,?)",
	[ADD_LOSS] = "INSERT INTO losses VALUES (NULL,?,?,?,?,?)",
	[ADD_DAMAGE] = "INSERT INTO damages VALUES (NULL,?,?)",
	[ADD_INFO] = "INSERT INTO trace_info VALUES (?,?)",
	[ADD_TYPE] = "INSERT INTO event_types VALUES (?,?,?,?,NULL)",
};

struct sqlite {
	struct export_sink sink; /* the first member */
	struct sqlite_tables tables;
	sqlite3_stmt *statement[STATEMENTS];
	struct view_map *types; /* struct sqlite_type by the event's name */
	struct sqlite_type *last_type;
	int64_t event_count;
	int result; /* the first that is not SQLITE_OK */
};

static struct sqlite *sqlite_of(struct export_sink *sink)
{
	return (struct sqlite *)sink;
}

static void note(struct sqlite *sqlite, int result)
{
	if (sqlite->result == SQLITE_OK)
		sqlite->result = result;
}

static int error_of(const struct sqlite *sqlite)
{
	switch (sqlite->result & 0xff) {
	case SQLITE_OK:
		return 0;
	case SQLITE_NOMEM:
		return -ENOMEM;
	case SQLITE_FULL:
		return -ENOSPC;
	case SQLITE_TOOBIG:
		return -EFBIG;
	default:
		return -EIO;
	}
}

/* ---- rows ---- */

static sqlite3_stmt *row(struct sqlite *sqlite, enum statement which)
{
	return sqlite->statement[which];
}

static void set_text(sqlite3_stmt *statement, int at, const char *text)
{
	sqlite3_bind_text(statement, at, text, -1, SQLITE_TRANSIENT);
}

static void set_number(sqlite3_stmt *statement, int at, uint64_t number)
{
	sqlite3_bind_int64(statement, at, (int64_t)number);
}

/* What is not known is NULL. */
static void set_known(sqlite3_stmt *statement, int at, int64_t number, bool is_known)
{
	if (is_known)
		sqlite3_bind_int64(statement, at, number);
	else
		sqlite3_bind_null(statement, at);
}

static void insert(struct sqlite *sqlite, sqlite3_stmt *statement)
{
	sqlite3_step(statement);
	note(sqlite, sqlite3_reset(statement));
}

static void sqlite_process(struct export_sink *sink, const struct export_process *process)
{
	struct sqlite *sqlite = sqlite_of(sink);
	sqlite3_stmt *statement = row(sqlite, ADD_PROCESS);

	set_number(statement, 1, process->number);
	set_known(statement, 2, process->pid, process->pid);
	set_text(statement, 3, process->name);
	set_text(statement, 4, process->host);
	insert(sqlite, statement);
}

static void sqlite_thread(struct export_sink *sink, const struct export_thread *thread)
{
	struct sqlite *sqlite = sqlite_of(sink);
	sqlite3_stmt *statement = row(sqlite, ADD_THREAD);

	set_number(statement, 1, thread->number);
	set_number(statement, 2, thread->process->number);
	set_known(statement, 3, thread->tid, thread->tid);
	set_text(statement, 4, thread->name);
	insert(sqlite, statement);
}

static void sqlite_end(struct export_sink *sink, const struct export_moment *moment)
{
	static const char *const words[] = {
		[EXPORT_PLAIN] = "plain",
		[EXPORT_CONTINUED] = "continued",
		[EXPORT_END_LOST] = "end_lost",
		[EXPORT_UNFINISHED] = "unfinished",
	};
	struct sqlite *sqlite = sqlite_of(sink);
	sqlite3_stmt *statement = row(sqlite, ADD_SPAN);

	if (moment->how == EXPORT_CONTINUED) /* it is one span, however it is drawn */
		return;
	set_text(statement, 1, moment->name->text);
	set_number(statement, 2, moment->thread->number);
	set_number(statement, 3, moment->span->begin_ns);
	set_number(statement, 4, moment->time_ns);
	set_number(statement, 5, moment->depth);
	set_text(statement, 6, words[moment->how]);
	insert(sqlite, statement);
}

static void sqlite_lost(struct export_sink *sink, const struct ctf_lost *lost, uint64_t begin_ns)
{
	struct sqlite *sqlite = sqlite_of(sink);
	sqlite3_stmt *statement = row(sqlite, ADD_LOSS);

	(void)begin_ns; /* here they may overlap */
	set_known(statement, 1, lost->cpu, lost->cpu != CTF_CPU_NONE);
	set_number(statement, 2, lost->begin_ns);
	set_number(statement, 3, lost->end_ns);
	set_number(statement, 4, lost->events);
	set_number(statement, 5, lost->packets);
	insert(sqlite, statement);
}

static void sqlite_damage(struct export_sink *sink, const struct ctf_damage *damage,
			  uint64_t time_ns)
{
	struct sqlite *sqlite = sqlite_of(sink);
	sqlite3_stmt *statement = row(sqlite, ADD_DAMAGE);

	set_number(statement, 1, time_ns);
	set_text(statement, 2, damage->text);
	insert(sqlite, statement);
}

/* ---- events ---- */

static void add_type(struct sqlite *sqlite, struct sqlite_type *type, const struct ctf_event *event)
{
	sqlite3_stmt *statement = row(sqlite, ADD_TYPE);

	type->number = (uint32_t)view_map_count(sqlite->types);
	type->event = xstrdup(event->name);
	type->next = sqlite->last_type;
	sqlite->last_type = type;
	note(sqlite, sqlite_type_create(&sqlite->tables, type));
	set_number(statement, 1, type->number);
	set_text(statement, 2, event->name);
	set_text(statement, 3, event->provider);
	set_known(statement, 4, event->level, event->level != CTF_LEVEL_NONE);
	insert(sqlite, statement);
}

static struct sqlite_type *type_of(struct sqlite *sqlite, const struct ctf_event *event)
{
	struct sqlite_type *type = view_map_get(sqlite->types, event->name, strlen(event->name));

	if (type && !type->number)
		add_type(sqlite, type, event);
	return type;
}

static void sqlite_event(struct export_sink *sink, const struct export_thread *thread,
			 const struct ctf_item *item)
{
	struct sqlite *sqlite = sqlite_of(sink);
	struct sqlite_type *type = type_of(sqlite, &item->event);
	sqlite3_stmt *statement = row(sqlite, ADD_EVENT);
	int64_t id = ++sqlite->event_count;

	if (sqlite->result != SQLITE_OK)
		return;
	sqlite3_bind_int64(statement, 1, id);
	set_number(statement, 2, item->time_ns);
	set_known(statement, 3, type ? type->number : 0, type);
	set_known(statement, 4, item->event.cpu, item->event.cpu != CTF_CPU_NONE);
	set_number(statement, 5, thread->number);
	insert(sqlite, statement);
	if (type)
		note(sqlite, sqlite_type_add(&sqlite->tables, type, id, &item->event));
	else
		sqlite->tables.left_out++;
}

/* ---- the whole ---- */

static void sqlite_start(struct export_sink *sink, const struct ctf_item *item, uint64_t begin_ns)
{
	(void)sink;
	(void)item;
	(void)begin_ns;
}

static int sqlite_flush(struct export_sink *sink)
{
	return error_of(sqlite_of(sink));
}

static void add_info(struct sqlite *sqlite, const char *key, const char *text)
{
	sqlite3_stmt *statement = row(sqlite, ADD_INFO);

	set_text(statement, 1, key);
	set_text(statement, 2, text);
	insert(sqlite, statement);
}

static void add_info_number(struct sqlite *sqlite, const char *key, uint64_t number)
{
	sqlite3_stmt *statement = row(sqlite, ADD_INFO);

	set_text(statement, 1, key);
	set_number(statement, 2, number);
	insert(sqlite, statement);
}

static void add_about(struct sqlite *sqlite, const struct export_about *about)
{
	add_info(sqlite, "tool", "tacho " TACHO_VERSION);
	add_info_number(sqlite, "begin_ns", about->begin_ns);
	add_info_number(sqlite, "end_ns", about->end_ns);
	add_info_number(sqlite, "events", (uint64_t)sqlite->event_count);
	add_info_number(sqlite, "lost_events", about->totals.lost_events);
	if (about->hostname)
		add_info(sqlite, "hostname", about->hostname);
}

static bool is_there(struct sqlite *sqlite, const char *name)
{
	sqlite3_stmt *statement;
	bool found = false;

	if (!strncasecmp(name, "sqlite_", 7))
		return true; /* names that are not to be had */
	if (sqlite3_prepare_v2(sqlite->tables.db,
			       "SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE", -1,
			       &statement, NULL) == SQLITE_OK) {
		set_text(statement, 1, name);
		found = sqlite3_step(statement) == SQLITE_ROW;
	}
	sqlite3_finalize(statement);
	return found;
}

/* The view of a type is called like the event, or has "event " before it where that is taken. */
static void add_view(struct sqlite *sqlite, const struct sqlite_type *type)
{
	char *name = xstrdup(type->event);

	while (is_there(sqlite, name)) {
		char *longer = xasprintf("event %s", name);

		free(name);
		name = longer;
	}
	note(sqlite, sqlite_type_view(&sqlite->tables, type, name));
	note(sqlite,
	     sqlite_run(sqlite->tables.db, "UPDATE event_types SET \"view\" = %Q WHERE id = %u",
			name, type->number));
	free(name);
}

static int sqlite_finish(struct export_sink *sink, const struct export_about *about)
{
	struct sqlite *sqlite = sqlite_of(sink);
	uint64_t left_out = sqlite->tables.left_out;

	add_about(sqlite, about);
	note(sqlite, sqlite_run(sqlite->tables.db, "%s", indexes));
	for (struct sqlite_type *type = sqlite->last_type; type; type = type->next)
		add_view(sqlite, type);
	note(sqlite, sqlite_run(sqlite->tables.db, "COMMIT"));
	if (left_out)
		say(SAY_WARNING, "%s values have no place in the database: see LIMITS in %s",
		    count_text(left_out).text, "tacho-export(1)");
	return error_of(sqlite);
}

static void sqlite_free(struct export_sink *sink)
{
	struct sqlite *sqlite = sqlite_of(sink);

	for (size_t i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(sqlite->statement[i]);
	for (struct sqlite_type *type = sqlite->last_type; type; type = type->next)
		sqlite_type_fini(type);
	view_map_free(sqlite->types);
	sqlite3_close(sqlite->tables.db);
	free(sqlite);
}

/* Names like ":memory:" mean something else; one of a file with a directory does not. */
static int open_database(struct sqlite *sqlite, const char *path)
{
	char *place = xasprintf("%s%s", strchr(path, '/') ? "" : "./", path);
	int result = sqlite3_open_v2(place, &sqlite->tables.db, SQLITE_OPEN_READWRITE, NULL);

	free(place);
	if (result == SQLITE_OK)
		result = sqlite_run(sqlite->tables.db, "%s", schema);
	for (size_t i = 0; i < STATEMENTS && result == SQLITE_OK; i++)
		result = sqlite3_prepare_v3(sqlite->tables.db, statement_text[i], -1,
					    SQLITE_PREPARE_PERSISTENT, &sqlite->statement[i], NULL);
	return result;
}

struct export_sink *export_sqlite_new(const char *path)
{
	struct sqlite *sqlite = xcalloc(1, sizeof(*sqlite));

	sqlite->sink = (struct export_sink){
		.start = sqlite_start,
		.flush = sqlite_flush,
		.finish = sqlite_finish,
		.free = sqlite_free,
		.process = sqlite_process,
		.thread = sqlite_thread,
		.event = sqlite_event,
		.end = sqlite_end,
		.lost = sqlite_lost,
		.damage = sqlite_damage,
	};
	sqlite->types = view_map_new(sizeof(struct sqlite_type), TYPES_MAX);
	if (open_database(sqlite, path) == SQLITE_OK)
		return &sqlite->sink;
	fail("cannot make a database of %s: %s", visible(path).text,
	     sqlite3_errmsg(sqlite->tables.db));
	sqlite_free(&sqlite->sink);
	return NULL;
}
