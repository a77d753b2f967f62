/* SPDX-License-Identifier: MIT */
/*
 * calls.h - what was asked for of a trace, in two steps, so that the first one may be done by
 * several threads, each with items of its own:
 *
 *      item --- take: which fields, which values ---> calls --- put, in order of the items ---> numbers
 *
 * Most of the work is to find out what an event says. Much of what comes of it depends on the order
 * (which end belongs to which begin, which block is freed), so that is done by one thread at a time.
 */
#ifndef TACHO_CLI_STATS_CALLS_H
#define TACHO_CLI_STATS_CALLS_H

#include "report.h"

enum stats_calls_kind {
	STATS_CALL_FIELD,
	STATS_CALL_LATENCY,
	STATS_CALL_MALLOC,
	STATS_CALL_LOCKS,
	STATS_CALL_FUNCTIONS,
};

/* What one of those that were asked for is told. */
struct stats_call {
	enum stats_calls_kind kind;
	uint32_t index; /* of stats.fields or stats.latencies */
	const void *what;
	size_t bytes;
};

/* stats_take() - hand over each call that an item makes; the stats are only read */
void stats_take(const struct stats *stats, const struct ctf_item *item,
		void (*put)(void *data, const struct stats_call *call), void *data);

void stats_put(struct stats *stats, const struct stats_call *call);

/* Calls that wait for their turn. */
struct stats_log {
	char *data;
	size_t bytes, room;
};

void stats_log_fini(struct stats_log *log);
void stats_log_add(struct stats_log *log, const struct stats_call *call);
/* stats_log_put() - all of them, and forget them */
void stats_log_put(struct stats_log *log, struct stats *stats);

#endif
