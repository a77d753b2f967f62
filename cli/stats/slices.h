/* SPDX-License-Identifier: MIT */
/*
 * slices.h - statistics of a trace on several CPUs (view/slices.h): the same numbers, to the last bit,
 * as of one.
 *
 * A part counts its events by itself, and its counts are added to the others when all of it was read.
 * What was asked for beside them is put in order, at its turn (calls.h).
 */
#ifndef TACHO_CLI_STATS_SLICES_H
#define TACHO_CLI_STATS_SLICES_H

#include "cli/view/walk.h"
#include "report.h"

/*
 * stats_slices_read() - count what is wanted of a trace, and say what is damaged
 * @walk: dir, select, without_fields; totals afterwards
 *
 * Return: false: it does not pay here; nothing was counted.
 */
bool stats_slices_read(const struct command *command, const struct view_select_options *options,
		       struct view_walk *walk, struct stats *stats, int *ret_err);

#endif
