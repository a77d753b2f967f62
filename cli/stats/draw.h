/* SPDX-License-Identifier: MIT */
/*
 * draw.h - numbers, percentiles and a histogram, for people:
 *
 *	count      1,000
 *	min        1.02 us
 *	..
 *	  1.02 us ..  2.05 us     712 ########################################
 */
#ifndef TACHO_CLI_STATS_DRAW_H
#define TACHO_CLI_STATS_DRAW_H

#include "cli/text.h"
#include "values.h"

enum stats_unit {
	STATS_PLAIN,
	STATS_NS,
	STATS_BYTES,
};

/* stats_number_text() - with three or more digits that count, and its unit */
struct short_text stats_number_text(double number, enum stats_unit unit);

void stats_draw(struct stats_values *values, enum stats_unit unit);

#endif
