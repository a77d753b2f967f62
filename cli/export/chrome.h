/* SPDX-License-Identifier: MIT */
/*
 * chrome.h - a trace as JSON in the Trace Event Format, which chrome://tracing, Perfetto,
 * speedscope and others open:
 *
 *	{"displayTimeUnit":"ns","traceEvents":[
 *	{"ph":"M","pid":4711,"tid":4711,"ts":0,"name":"process_name","args":{"name":"shop"}},
 *	{"ph":"B","pid":4711,"tid":4712,"ts":17.250,"name":"shop:order","cat":"shop",
 *	 "args":{"id":7,"$ctx":{"cpu_id":2}}},
 *	{"ph":"E","pid":4711,"tid":4712,"ts":19.004,"name":"shop:order","cat":"shop"},
 *	..
 *	],"otherData":{"begin_ns":"1700000000123456789", ..}}
 *
 * Times are microseconds since the trace began, with three digits behind the point: since 1970 they
 * would be more than a double can tell apart. Integers that a double cannot hold are strings, and
 * those of base 16 are strings in that base.
 */
#ifndef TACHO_CLI_EXPORT_CHROME_H
#define TACHO_CLI_EXPORT_CHROME_H

#include "tracks.h"

/* What is lost is drawn in a process of its own, one thread for each CPU; 1 above any pid. */
#define EXPORT_CHROME_LOST_PID 4194305

struct export_sink *export_chrome_new(int fd);

#endif
