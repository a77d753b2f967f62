/* SPDX-License-Identifier: MIT */
/* draw.c - see draw.h */
#include "draw.h"

#include <math.h>
#include <stdio.h>

#include "report.h"

#define BAR_COLUMNS 40

static struct short_text ns_text(double ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 } };
	struct short_text t;
	size_t i = 0;

	while (i < 3 && ns < units[i].ns)
		i++;
	snprintf(t.text, sizeof(t.text), "%.*f %s", i == 3 ? 0 : 2, ns / units[i].ns,
		 units[i].name);
	return t;
}

static struct short_text plain_text(double number)
{
	struct short_text t;

	if (number == rint(number) && fabs(number) < 1e15)
		snprintf(t.text, sizeof(t.text), "%.0f", number);
	else
		snprintf(t.text, sizeof(t.text), "%.6g", number);
	return t;
}

struct short_text stats_number_text(double number, enum stats_unit unit)
{
	switch (unit) {
	case STATS_NS:
		return ns_text(number);
	case STATS_BYTES:
		return bytes_text((uint64_t)number);
	default:
		return plain_text(number);
	}
}

/* ---- a summary ---- */

static void put(const char *name, double number, enum stats_unit unit)
{
	printf("  %-10s %s\n", name, stats_number_text(number, unit).text);
}

static void put_percentiles(struct stats_values *values, enum stats_unit unit)
{
	static const unsigned int per_mille[] = STATS_PERCENTILES;

	for (size_t i = 0; i < STATS_PERCENTILES_COUNT; i++) {
		char name[16];

		snprintf(name, sizeof(name), "%g %%", per_mille[i] / 10.0);
		put(name, stats_values_percentile(values, per_mille[i]), unit);
	}
}

/* ---- a histogram ---- */

static void put_bar(uint64_t count, uint64_t largest)
{
	unsigned int length = (unsigned int)ceil((double)count * BAR_COLUMNS / (double)largest);

	if (length)
		putchar(' ');
	while (length--)
		putchar('#');
	putchar('\n');
}

static void put_rows(const struct stats_row *rows, size_t count, enum stats_unit unit)
{
	uint64_t largest = 1;

	for (size_t i = 0; i < count; i++)
		largest = rows[i].count > largest ? rows[i].count : largest;
	for (size_t i = 0; i < count; i++) {
		printf("  %12s .. %12s %10s", stats_number_text(rows[i].low, unit).text,
		       stats_number_text(rows[i].high, unit).text, count_text(rows[i].count).text);
		put_bar(rows[i].count, largest);
	}
}

void stats_draw(struct stats_values *values, enum stats_unit unit)
{
	struct stats_summary summary = stats_values_summary(values);
	struct stats_row rows[2 * STATS_ROWS_MAX + 1];

	printf("  %-10s %s\n", "count", count_text(summary.count).text);
	if (summary.not_finite)
		printf("  %-10s %s\n", "no number", count_text(summary.not_finite).text);
	if (!summary.count)
		return;
	put("min", summary.min, unit);
	put("max", summary.max, unit);
	put("mean", summary.mean, unit);
	put("deviation", summary.deviation, unit);
	put_percentiles(values, unit);
	if (!summary.is_exact)
		puts("  (percentiles are to 0.4 %: there are too many values for more)");
	putchar('\n');
	put_rows(rows, stats_values_rows(values, rows), unit);
}
