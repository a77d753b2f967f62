/* SPDX-License-Identifier: MIT */
/*
 * losses.h - when events were lost, as a table and as JSON.
 */
#ifndef TACHO_CLI_LOSSES_H
#define TACHO_CLI_LOSSES_H

#include "json.h"
#include "stats/counts.h"

/* losses_print() - with an empty line before it; nothing if nothing was lost. @rows: 0: all */
void losses_print(const struct stats_counts *counts, uint64_t rows);
/* losses_add() - "losses" and "losses_left_out" */
void losses_add(json_object *root, const struct stats_counts *counts);

#endif
