/* SPDX-License-Identifier: MIT */
/* calls.c - see calls.h */
#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "cli/text.h"

#define FIRST_ROOM 4096

struct handing {
	void (*hand)(void *data, const struct stats_call *call);
	void *data;
};

static void hand(const struct handing *handing, enum stats_calls_kind kind, size_t index,
		 const void *what, size_t bytes)
{
	const struct stats_call call = { kind, (uint32_t)index, what, bytes };

	if (bytes)
		handing->hand(handing->data, &call);
}

static void take_fields(const struct stats *stats, const struct ctf_event *event,
			const struct handing *handing)
{
	struct stats_field_call call;

	for (size_t i = 0; i < stats->field_count; i++) {
		if (stats_field_take(&stats->fields[i], event, &call))
			hand(handing, STATS_CALL_FIELD, i, &call, sizeof(call));
	}
}

static void take_latencies(const struct stats *stats, const struct ctf_item *item,
			   const struct handing *handing)
{
	struct stats_latency_call call;

	for (size_t i = 0; i < stats->latency_count; i++)
		hand(handing, STATS_CALL_LATENCY, i, &call,
		     stats_latency_take(&stats->latencies[i], item, &call));
}

static void take_malloc(const struct stats *stats, const struct ctf_item *item,
			const struct handing *handing)
{
	struct stats_malloc_call call;

	if (stats_malloc_take(&stats->heap, item, &call))
		hand(handing, STATS_CALL_MALLOC, 0, &call, sizeof(call));
}

static void take_locks(const struct stats *stats, const struct ctf_item *item,
		       const struct handing *handing)
{
	struct stats_locks_call call;

	if (stats_locks_take(&stats->locks, item, &call))
		hand(handing, STATS_CALL_LOCKS, 0, &call, sizeof(call));
}

static void take_functions(const struct stats *stats, const struct ctf_item *item,
			   const struct handing *handing)
{
	struct stats_functions_call call;

	if (stats_functions_take(&stats->functions, item, &call))
		hand(handing, STATS_CALL_FUNCTIONS, 0, &call, sizeof(call));
}

void stats_take(const struct stats *stats, const struct ctf_item *item,
		void (*put)(void *data, const struct stats_call *call), void *data)
{
	const struct handing handing = { put, data };

	if (item->kind != CTF_ITEM_EVENT)
		return;
	take_fields(stats, &item->event, &handing);
	take_latencies(stats, item, &handing);
	if (stats->with_malloc)
		take_malloc(stats, item, &handing);
	if (stats->with_locks)
		take_locks(stats, item, &handing);
	if (stats->with_functions)
		take_functions(stats, item, &handing);
}

void stats_put(struct stats *stats, const struct stats_call *call)
{
	switch (call->kind) {
	case STATS_CALL_FIELD:
		stats_field_put(&stats->fields[call->index], call->what);
		break;
	case STATS_CALL_LATENCY:
		stats_latency_put(&stats->latencies[call->index], call->what);
		break;
	case STATS_CALL_MALLOC:
		stats_malloc_put(&stats->heap, call->what);
		break;
	case STATS_CALL_LOCKS:
		stats_locks_put(&stats->locks, call->what);
		break;
	case STATS_CALL_FUNCTIONS:
		stats_functions_put(&stats->functions, call->what);
		break;
	}
}

/* ---- the log ---- */

/* In front of each; what follows is aligned as malloc() aligns. */
struct entry {
	uint16_t kind;
	uint16_t bytes;
	uint32_t index;
	uint64_t what[];
};

static size_t entry_bytes(size_t bytes)
{
	return sizeof(struct entry) + (bytes + 7) / 8 * 8;
}

void stats_log_fini(struct stats_log *log)
{
	free(log->data);
}

void stats_log_add(struct stats_log *log, const struct stats_call *call)
{
	size_t bytes = entry_bytes(call->bytes);
	struct entry *entry;

	if (log->room - log->bytes < bytes) {
		log->room = log->room ? 2 * log->room : FIRST_ROOM;
		log->data = xrealloc(log->data, log->room);
	}
	entry = (struct entry *)(void *)(log->data + log->bytes);
	entry->kind = (uint16_t)call->kind;
	entry->bytes = (uint16_t)call->bytes;
	entry->index = call->index;
	memcpy(entry->what, call->what, call->bytes);
	log->bytes += bytes;
}

void stats_log_put(struct stats_log *log, struct stats *stats)
{
	for (size_t at = 0; at < log->bytes;) {
		const struct entry *entry = (const struct entry *)(const void *)(log->data + at);
		const struct stats_call call = { (enum stats_calls_kind)entry->kind, entry->index,
						 entry->what, entry->bytes };

		stats_put(stats, &call);
		at += entry_bytes(entry->bytes);
	}
	log->bytes = 0;
}
