/* SPDX-License-Identifier: MIT */
/*
 * sqlite.h - a trace as a database of SQLite 3, which tacho-export(1) describes:
 *
 *	events          each event: when, of which type, on which CPU and thread
 *	fields_N        fields of the events of type N, a column each (sqlite_type.h)
 *	"shop:order"    a view for each type: its events with thread and fields
 *	event_types, processes, threads, spans, losses, damages, trace_info
 *
 * Rows go in by prepared statements in one transaction without a journal: the file is thrown away
 * if it does not become whole. Views and indexes are made at the end.
 */
#ifndef TACHO_CLI_EXPORT_SQLITE_H
#define TACHO_CLI_EXPORT_SQLITE_H

#include "tracks.h"

/* export_sqlite_new() - @path: of an empty file. Return: NULL: it was said why not. */
struct export_sink *export_sqlite_new(const char *path);

#endif
