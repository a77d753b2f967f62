/* SPDX-License-Identifier: MIT */
/*
 * info.h - what is in traces: gathered once, printed as text or as JSON.
 *
 * Each trace is read stream by stream, without fields; only what all of it says is kept, and the
 * limits of stats/counts.h hold for names, processes and losses.
 */
#ifndef TACHO_CLI_INFO_H
#define TACHO_CLI_INFO_H

#include "edit/source.h"
#include "stats/counts.h"

#define INFO_DAMAGES_MAX 256

struct info_stream {
	const char *name; /* of its first file */
	size_t file_count;
	uint64_t class_id;
	bool has_class; /* a packet was read */
	int32_t cpu;    /* CTF_CPU_NONE */
	uint64_t packets, events, bytes;
	uint64_t lost_events, lost_packets;
	uint64_t begin_ns, end_ns; /* of its items; 0: there are none */
};

struct info_trace {
	const struct source_trace *source;
	struct info_stream *streams;
	size_t stream_count;
	struct stats_counts counts;
	struct view_map
		*classes; /* uint64_t: how many events; by the address of the class's name */
	uint64_t packets, bytes;
	uint64_t begin_ns, end_ns; /* 0: there is no event */
	char **damages;
	size_t damage_count;
	uint64_t damages_left_out;
};

struct info {
	const char *dir;
	struct source source;
	struct info_trace *traces;
};

/* info_gather() - says what is wrong. Return: exit status. */
int info_gather(const char *dir, struct info *ret_info);
void info_fini(struct info *info);

/* How many traces and parts of them could not be read. */
uint64_t info_damages(const struct info *info);

/* A clock's value 0, in nanoseconds since 1970. */
int64_t info_clock_origin_ns(const struct read_clock *clock);

/* How many events of a class there are; several classes may have one name. */
uint64_t info_events_of(const struct info_trace *trace, const struct read_event *event);

void info_print_text(const struct info *infos, size_t count);
/* Return: STATUS_DONE. */
int info_print_json(const struct info *infos, size_t count);

#endif
