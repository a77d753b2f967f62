/* SPDX-License-Identifier: MIT */
/* values.c - see values.h */
#include "values.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"

#define SUB_BITS   7
#define SUBS       (1u << SUB_BITS)
#define DROP_BITS  (52 - SUB_BITS)
#define BLOCKS     4096u /* sign and exponent */
#define POSITIVES  (BLOCKS / 2 * SUBS)
#define FINITES    (POSITIVES - SUBS) /* of a sign; the rest is infinite or no number */
#define FIRST_ROOM 64

struct stats_values {
	uint64_t count, not_finite;
	double min, max;
	double mean, squares; /* Welford: the sum of squares of distances from the mean */
	double *exact;        /* the first STATS_EXACT_MAX */
	size_t exact_room;
	bool is_sorted;
	uint64_t *block[BLOCKS]; /* SUBS counts each, or NULL */
};

struct stats_values *stats_values_new(void)
{
	return xcalloc(1, sizeof(struct stats_values));
}

void stats_values_free(struct stats_values *values)
{
	if (!values)
		return;
	for (size_t i = 0; i < BLOCKS; i++)
		free(values->block[i]);
	free(values->exact);
	free(values);
}

/* ---- buckets ---- */

/* What is too small to have all its digits counts as 0. */
static uint32_t bucket_of(double number)
{
	uint64_t bits;

	if (fabs(number) < DBL_MIN)
		return 0;
	memcpy(&bits, &number, sizeof(bits));
	return (uint32_t)(bits >> DROP_BITS);
}

/* The end of a bucket that is nearest to 0. */
static double bucket_edge(uint32_t bucket)
{
	uint64_t bits = (uint64_t)bucket << DROP_BITS;
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

static uint64_t bucket_count(const struct stats_values *values, uint32_t bucket)
{
	const uint64_t *block = values->block[bucket >> SUB_BITS];

	return block ? block[bucket & (SUBS - 1)] : 0;
}

/* A place among all buckets, from the most negative one on, and back. */
static uint32_t bucket_at(uint32_t place)
{
	return place < POSITIVES ? 2 * POSITIVES - 1 - place : place - POSITIVES;
}

/* ---- adding ---- */

static void keep_exact(struct stats_values *values, double number)
{
	if (values->count >= STATS_EXACT_MAX)
		return;
	if (values->count == values->exact_room) {
		values->exact_room = values->exact_room ? 2 * values->exact_room : FIRST_ROOM;
		values->exact =
			xrealloc(values->exact, values->exact_room * sizeof(*values->exact));
	}
	values->exact[values->count] = number;
	values->is_sorted = false;
}

static void count_bucket(struct stats_values *values, double number)
{
	uint32_t bucket = bucket_of(number);
	uint64_t **block = &values->block[bucket >> SUB_BITS];

	if (!*block)
		*block = xcalloc(SUBS, sizeof(**block));
	(*block)[bucket & (SUBS - 1)]++;
}

void stats_values_add(struct stats_values *values, double number)
{
	double distance;

	if (!isfinite(number)) {
		values->not_finite++;
		return;
	}
	number += 0.0; /* -0 is 0 */
	keep_exact(values, number);
	count_bucket(values, number);
	if (!values->count || number < values->min)
		values->min = number;
	if (!values->count || number > values->max)
		values->max = number;
	values->count++;
	distance = number - values->mean;
	values->mean += distance / (double)values->count;
	values->squares += distance * (number - values->mean);
}

/* ---- asking ---- */

struct stats_summary stats_values_summary(const struct stats_values *values)
{
	return (struct stats_summary){
		.count = values->count,
		.not_finite = values->not_finite,
		.min = values->min,
		.max = values->max,
		.mean = values->mean,
		.deviation = values->count ? sqrt(values->squares / (double)values->count) : 0,
		.is_exact = values->count <= STATS_EXACT_MAX,
	};
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double within(const struct stats_values *values, double number)
{
	if (number < values->min)
		return values->min;
	return number > values->max ? values->max : number;
}

static double bucket_middle(uint32_t bucket)
{
	return bucket ? (bucket_edge(bucket) + bucket_edge(bucket + 1)) / 2 : 0;
}

/* The middle of the bucket that holds the number of this rank, from 1. */
static double ranked(const struct stats_values *values, uint64_t rank)
{
	for (uint32_t place = 0; place < 2 * POSITIVES; place++) {
		uint32_t bucket = bucket_at(place);
		uint64_t count;

		if (!values->block[bucket >> SUB_BITS]) {
			place |= SUBS - 1;
			continue;
		}
		count = bucket_count(values, bucket);
		if (rank <= count)
			return within(values, bucket_middle(bucket));
		rank -= count;
	}
	return values->max;
}

double stats_values_percentile(struct stats_values *values, unsigned int per_mille)
{
	uint64_t rank = (uint64_t)(((unsigned __int128)values->count * per_mille + 999) / 1000);

	if (values->count > STATS_EXACT_MAX)
		return ranked(values, rank);
	if (!values->is_sorted)
		qsort(values->exact, values->count, sizeof(*values->exact), compare);
	values->is_sorted = true;
	return values->exact[rank - 1];
}

/* ---- histogram ---- */

/* Buckets of one sign that hold something, the one of 0 apart. */
struct range {
	uint32_t first, last; /* first > last: there is none */
};

static struct range range_of(const struct stats_values *values, uint32_t from)
{
	struct range range = { 1, 0 };

	for (uint32_t i = from + 1; i < from + POSITIVES; i++) {
		if (!bucket_count(values, i))
			continue;
		if (range.first > range.last)
			range.first = i;
		range.last = i;
	}
	return range;
}

/* How many rows of so many buckets it takes. */
static uint32_t rows_of(struct range range, uint32_t step)
{
	return range.first > range.last ? 0 : range.last / step - range.first / step + 1;
}

static uint64_t count_between(const struct stats_values *values, uint32_t first, uint32_t end)
{
	uint64_t count = 0;

	for (uint32_t i = first ? first : 1; i < end; i++) /* zeros have a row of their own */
		count += bucket_count(values, i);
	return count;
}

static void set_row(const struct stats_values *values, uint32_t row, uint32_t step,
		    struct stats_row *ret_row)
{
	uint32_t end = (row + 1) * step;
	double near = bucket_edge(row * step);
	double far =
		(end - 1) % POSITIVES < FINITES - 1 ? bucket_edge(end) : copysign(DBL_MAX, near);

	ret_row->low = near < far ? near : far;
	ret_row->high = near < far ? far : near;
	ret_row->count = count_between(values, row * step, (row + 1) * step);
}

size_t stats_values_rows(const struct stats_values *values,
			 struct stats_row ret_rows[2 * STATS_ROWS_MAX + 1])
{
	struct range negative = range_of(values, POSITIVES), positive = range_of(values, 0);
	uint64_t zeros = bucket_count(values, 0);
	uint32_t step = SUBS / 8;
	size_t count = 0;

	while (rows_of(negative, step) + rows_of(positive, step) > STATS_ROWS_MAX)
		step *= 2;
	for (uint32_t i = rows_of(negative, step); i; i--)
		set_row(values, negative.first / step + i - 1, step, &ret_rows[count++]);
	if (zeros)
		ret_rows[count++] = (struct stats_row){ 0, 0, zeros };
	for (uint32_t i = 0; i < rows_of(positive, step); i++)
		set_row(values, positive.first / step + i, step, &ret_rows[count++]);
	return count;
}
