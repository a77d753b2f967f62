/* SPDX-License-Identifier: MIT */
/* slices.c - see slices.h */
#include "slices.h"

#include <stdlib.h>

#include "calls.h"
#include "cli/text.h"
#include "cli/view/slices.h"

struct part {
	struct stats *stats; /* of all; others write what calls are put into, in turn */
	struct stats_counts counts;
	struct stats_log log;
	uint64_t limit_bytes;
};

static void add_call(void *data, const struct stats_call *call)
{
	struct part *part = data;

	stats_log_add(&part->log, call);
}

static int item(void *data, const struct ctf_item *item)
{
	struct part *part = data;

	stats_counts_add(&part->counts, item);
	stats_take(part->stats, item, add_call, part);
	return part->log.bytes > part->limit_bytes ? SLICES_FULL : 0;
}

static int pour(void *data, bool is_last)
{
	struct part *part = data;

	stats_log_put(&part->log, part->stats);
	if (is_last)
		stats_counts_append(&part->stats->counts, &part->counts);
	return 0;
}

static int open_part(const struct slices_job *job, bool is_first, void **ret_part)
{
	struct part *part = xcalloc(1, sizeof(*part));

	(void)is_first;
	part->stats = job->data;
	part->limit_bytes = job->part_bytes;
	stats_counts_init(&part->counts);
	*ret_part = part;
	return 0;
}

static void close_part(void *data)
{
	struct part *part = data;

	if (!part)
		return;
	stats_counts_fini(&part->counts);
	stats_log_fini(&part->log);
	free(part);
}

bool stats_slices_read(const struct command *command, const struct view_select_options *options,
		       struct view_walk *walk, struct stats *stats, int *ret_err)
{
	struct slices_job job = {
		.command = command,
		.dir = walk->dir,
		.select_options = options,
		.select = walk->select,
		.without_fields = walk->without_fields,
		.open = open_part,
		.item = item,
		.close = close_part,
		.pour = pour,
		.data = stats,
	};
	bool is_done = slices_read(&job, ret_err);

	walk->totals = job.totals;
	return is_done;
}
