/* SPDX-License-Identifier: MIT */
/*
 * csv.h - events as lines of comma-separated values (RFC 4180), the first of which names the
 * columns:
 *
 *	time_ns,cpu,pid,tid,thread,event,level,fields
 *	1700000000123456789,2,4711,4712,worker,shop:order_placed,13,"{""id"":7,""total"":2.5}"
 *
 * The last column is the event's fields as one JSON object; or, where columns were named, there is
 * one for each, empty where an event has no such field. What is not known is empty. Lines end with
 * CR LF; bytes of a string are as they are.
 */
#ifndef TACHO_CLI_VIEW_CSV_H
#define TACHO_CLI_VIEW_CSV_H

#include "ctf/read/reader.h"

struct view_csv;

/*
 * view_csv_new() - @columns: names of fields, NULL-terminated, which have to stay; may be empty
 * @with_header: the line that names the columns
 */
struct view_csv *view_csv_new(int fd, char *const *columns, bool with_header);
void view_csv_free(struct view_csv *csv);

/* view_csv_event() - one line. Return: 0 or what write() gave. */
int view_csv_event(struct view_csv *csv, const struct ctf_event *event, uint64_t time_ns);
int view_csv_flush(struct view_csv *csv);
/* view_csv_bytes() - how much was printed, flushed or not */
uint64_t view_csv_bytes(const struct view_csv *csv);

#endif
