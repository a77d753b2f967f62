/* SPDX-License-Identifier: MIT */
/* count.c - see count.h */
#include "count.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BUCKETS 256

/* Open addressing. Sorting moves the counts, so buckets hold where each is, plus 1. */
struct ctf_counter {
	struct ctf_count *counts;
	size_t count;
	size_t capacity;
	size_t *buckets;
	size_t bucket_count; /* a power of two, at least twice the number of counts */
	size_t last; /* the count of the last event: the next one is often of the same name */
};

static uint64_t hash(const char *name)
{
	uint64_t h = 0xcbf29ce484222325ull;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 0x100000001b3ull;
	return h;
}

/* The bucket that has @name, or the empty one where it belongs. */
static size_t *find(const struct ctf_counter *counter, const char *name)
{
	size_t i = hash(name) & (counter->bucket_count - 1);

	while (counter->buckets[i] && strcmp(counter->counts[counter->buckets[i] - 1].name, name))
		i = (i + 1) & (counter->bucket_count - 1);
	return &counter->buckets[i];
}

static void fill_buckets(struct ctf_counter *counter)
{
	memset(counter->buckets, 0, counter->bucket_count * sizeof(*counter->buckets));
	for (size_t i = 0; i < counter->count; i++)
		*find(counter, counter->counts[i].name) = i + 1;
}

static int grow(struct ctf_counter *counter, size_t bucket_count)
{
	size_t *buckets = calloc(bucket_count, sizeof(*buckets));
	struct ctf_count *counts;

	if (!buckets)
		return -ENOMEM;
	counts = realloc(counter->counts, bucket_count / 2 * sizeof(*counts));
	if (!counts) {
		free(buckets);
		return -ENOMEM;
	}
	free(counter->buckets);
	counter->buckets = buckets;
	counter->bucket_count = bucket_count;
	counter->counts = counts;
	counter->capacity = bucket_count / 2;
	fill_buckets(counter);
	return 0;
}

int ctf_counter_new(struct ctf_counter **ret_counter)
{
	struct ctf_counter *counter = calloc(1, sizeof(*counter));

	if (!counter || grow(counter, FIRST_BUCKETS)) {
		ctf_counter_free(counter);
		return -ENOMEM;
	}
	*ret_counter = counter;
	return 0;
}

void ctf_counter_free(struct ctf_counter *counter)
{
	if (!counter)
		return;
	for (size_t i = 0; i < counter->count; i++)
		free(counter->counts[i].name);
	free(counter->counts);
	free(counter->buckets);
	free(counter);
}

static int add_name(struct ctf_counter *counter, const char *name)
{
	char *copy = strdup(name);

	if (!copy)
		return -ENOMEM;
	if (counter->count == counter->capacity && grow(counter, counter->bucket_count * 2)) {
		free(copy);
		return -ENOMEM;
	}
	counter->last = counter->count;
	*find(counter, copy) = counter->count + 1;
	counter->counts[counter->count++] = (struct ctf_count){ .name = copy, .events = 1 };
	return 0;
}

int ctf_counter_add(struct ctf_counter *counter, const struct ctf_item *item)
{
	const char *name;
	size_t bucket;

	if (item->kind != CTF_ITEM_EVENT || item->event.is_writer)
		return 0;
	name = item->event.name;
	if (!counter->count || strcmp(counter->counts[counter->last].name, name)) {
		bucket = *find(counter, name);
		if (!bucket)
			return add_name(counter, name);
		counter->last = bucket - 1;
	}
	counter->counts[counter->last].events++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct ctf_count *x = a, *y = b;

	if (x->events != y->events)
		return x->events < y->events ? 1 : -1;
	return strcmp(x->name, y->name);
}

const struct ctf_count *ctf_counter_sort(struct ctf_counter *counter, size_t *ret_count)
{
	qsort(counter->counts, counter->count, sizeof(*counter->counts), compare);
	fill_buckets(counter);
	counter->last = 0;
	*ret_count = counter->count;
	return counter->counts;
}
