/* SPDX-License-Identifier: MIT */
/*
 * counts.h - how many events there are of each name, process, thread and CPU, and what was
 * lost when.
 *
 * Of each there are at most so many rows; events beyond are in the sum only, and how many they are
 * is known. Of losses, the first STATS_LOSSES_MAX are kept, and the sum of all.
 */
#ifndef TACHO_CLI_STATS_COUNTS_H
#define TACHO_CLI_STATS_COUNTS_H

#include "cli/view/map.h"
#include "ctf/read/reader.h"

#define STATS_KEYS_MAX   65536
#define STATS_LOSSES_MAX 4096

enum stats_by {
	STATS_BY_EVENT,
	STATS_BY_PROCESS,
	STATS_BY_THREAD,
	STATS_BY_CPU,
	STATS_BY_COUNT,
};

#define STATS_NAME_BYTES 64

/* A row. Of an event, its name is the key. */
struct stats_count {
	uint64_t events;
	uint32_t pid, tid;
	int32_t cpu;
	bool is_of_first; /* of a process: the name, or the lack of one, is that of its first thread */
	char name
		[STATS_NAME_BYTES]; /* of a thread, the last; of a process, that of its first thread */
};

struct stats_counts {
	struct view_map *by[STATS_BY_COUNT]; /* struct stats_count */
	uint64_t events;
	uint64_t begin_ns, end_ns; /* of the first event or loss, and of the last */
	bool has_time;
	uint64_t lost_events, lost_packets;
	struct ctf_lost *losses;
	size_t loss_count;
	uint64_t losses_left_out;
};

void stats_counts_init(struct stats_counts *counts);
void stats_counts_fini(struct stats_counts *counts);
void stats_counts_add(struct stats_counts *counts, const struct ctf_item *item);

/* stats_counts_append() - add what was counted of items behind all these: as adding each of them */
void stats_counts_append(struct stats_counts *counts, const struct stats_counts *later);

/* stats_counts_sorted() - the rows, the largest first. Return: as view_map_sorted(). */
struct view_map_entry *stats_counts_sorted(const struct stats_counts *counts, enum stats_by by);

/* Events a second from the begin to the end; 0 where that is no time. */
double stats_counts_rate(const struct stats_counts *counts, uint64_t events);

#endif
