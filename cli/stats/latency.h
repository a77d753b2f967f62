/* SPDX-License-Identifier: MIT */
/*
 * latency.h - how long it is from one event to another.
 *
 * Without a key, the two are of one thread, and an end belongs to the latest begin that has none: so
 * spans of one name nest. With a key, they are of any threads, and belong together if their field of
 * that name has the same value; a second begin of a key takes the place of the first.
 *
 *      begin --> threads or keys that have begun, with the times --> end: the difference
 *
 * At most STATS_THREADS_MAX threads, with STATS_DEPTH_MAX begins each, or STATS_OPEN_MAX keys can
 * have begun at a time; what is beyond is left out, and counted.
 */
#ifndef TACHO_CLI_STATS_LATENCY_H
#define TACHO_CLI_STATS_LATENCY_H

#include "ctf/read/reader.h"
#include "values.h"

#define STATS_THREADS_MAX 16384
#define STATS_DEPTH_MAX   64
#define STATS_OPEN_MAX    262144

struct view_map;

struct stats_latency {
	char *begin, *end;           /* names of events */
	const char *span;            /* whose they are; NULL: two events were named */
	const char *key;             /* of a field, or NULL */
	struct stats_values *values; /* nanoseconds */
	struct view_map *open;
	uint64_t begins, ends;    /* events */
	uint64_t unfinished;      /* begins that have no end yet */
	uint64_t ends_alone;      /* without a begin */
	uint64_t begins_replaced; /* of a key that had begun */
	uint64_t left_out;        /* begins: too many at a time, or without the key */
};

/*
 * stats_latency_init() - @text: "BEGIN,END", or "SPAN": tacho_begin() and tacho_end() of that name
 *
 * Return: 0; -EINVAL: it is neither.
 */
int stats_latency_init(struct stats_latency *latency, const char *text, const char *key);
void stats_latency_fini(struct stats_latency *latency);

#define STATS_KEY_BYTES_MAX 256

/* What an event says to it (calls.h). */
struct stats_latency_call {
	uint64_t time_ns;
	uint32_t pid, tid;
	bool is_begin, is_end; /* it may be both: the end of one and the begin of the next */
	bool has_key;
	uint32_t key_bytes;
	char key[STATS_KEY_BYTES_MAX]; /* what belongs together has the same */
};

/* stats_latency_take() - Return: how much of the call is in use; 0: the event is another one. */
size_t stats_latency_take(const struct stats_latency *latency, const struct ctf_item *item,
			  struct stats_latency_call *ret_call);
void stats_latency_put(struct stats_latency *latency, const struct stats_latency_call *call);

#endif
