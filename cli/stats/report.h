/* SPDX-License-Identifier: MIT */
/*
 * report.h - what tacho stats has found, as text and as JSON.
 *
 * What was asked for by options comes instead of the tables of counts; the head, of the whole, is
 * always there.
 */
#ifndef TACHO_CLI_STATS_REPORT_H
#define TACHO_CLI_STATS_REPORT_H

#include "counts.h"
#include "field.h"
#include "functions.h"
#include "latency.h"
#include "locks.h"
#include "malloc.h"

struct stats {
	bool with_counts, with_malloc, with_locks, with_functions;
	uint64_t rows; /* of a table of text, and of sites; 0: all */
	struct ctf_reader_totals totals;
	struct stats_counts counts;
	struct stats_field *fields;
	size_t field_count;
	struct stats_latency *latencies;
	size_t latency_count;
	struct stats_malloc heap;
	struct stats_locks locks;
	struct stats_functions functions;
	struct view_symbols *symbols; /* NULL: addresses stay what they are */
};

/* Percentiles that are shown, in thousandths. */
#define STATS_PERCENTILES                                                                          \
	{                                                                                          \
		500, 900, 950, 990, 999                                                            \
	}
#define STATS_PERCENTILES_COUNT 5

void stats_print_text(const struct stats *stats);
/* Return: STATUS_DONE. */
int stats_print_json(const struct stats *stats);

#endif
