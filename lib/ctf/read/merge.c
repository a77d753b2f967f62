/* SPDX-License-Identifier: MIT */
/* merge.c - see merge.h */
#include "merge.h"

#include <errno.h>
#include <stdlib.h>

/* What all streams together have in memory. */
#define WINDOWS_BYTES    (16ull << 20)
#define WINDOW_BYTES_MAX (1ull << 20)
#define WINDOW_BYTES_MIN (16ull << 10)

struct read_merge_stream {
	struct read_stream *stream;
	const struct ctf_item *item;
	uint64_t time_ns; /* of the item */
	size_t ordinal;
};

static bool is_before(const struct read_merge_stream *a, const struct read_merge_stream *b)
{
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns;
	return a->ordinal < b->ordinal;
}

static void swap(struct read_merge_stream *a, struct read_merge_stream *b)
{
	struct read_merge_stream c = *a;

	*a = *b;
	*b = c;
}

static void sift_up(struct read_merge *merge, size_t i)
{
	while (i && is_before(&merge->heap[i], &merge->heap[(i - 1) / 2])) {
		swap(&merge->heap[i], &merge->heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
}

static void sift_down(struct read_merge *merge)
{
	size_t i = 0, child;

	while ((child = 2 * i + 1) < merge->count) {
		if (child + 1 < merge->count &&
		    is_before(&merge->heap[child + 1], &merge->heap[child]))
			child++;
		if (!is_before(&merge->heap[child], &merge->heap[i]))
			return;
		swap(&merge->heap[child], &merge->heap[i]);
		i = child;
	}
}

static void find_second(struct read_merge *merge)
{
	merge->second = merge->count > 1;
	if (merge->count > 2 && is_before(&merge->heap[2], &merge->heap[1]))
		merge->second = 2;
}

static int reserve(struct read_merge *merge)
{
	size_t capacity = merge->capacity ? merge->capacity * 2 : 16;
	struct read_stream **streams;
	struct read_merge_stream *heap;

	if (merge->added < merge->capacity)
		return 0;
	streams = realloc(merge->streams, capacity * sizeof(*streams));
	if (!streams)
		return -ENOMEM;
	merge->streams = streams;
	heap = realloc(merge->heap, capacity * sizeof(*heap));
	if (!heap)
		return -ENOMEM;
	merge->heap = heap;
	merge->capacity = capacity;
	return 0;
}

int read_merge_add(struct read_merge *merge, struct read_stream *stream)
{
	int rc = reserve(merge);

	if (rc)
		read_stream_free(stream);
	else
		merge->streams[merge->added++] = stream;
	return rc;
}

void read_merge_skip_fields(struct read_merge *merge)
{
	for (size_t i = 0; i < merge->added; i++)
		read_stream_skip_fields(merge->streams[i]);
}

void read_merge_restart(struct read_merge *merge)
{
	merge->is_filled = false;
}

/* The first item of a stream. */
static int fill_with(struct read_merge *merge, size_t ordinal)
{
	struct read_merge_stream entry = { .stream = merge->streams[ordinal], .ordinal = ordinal };
	int rc = read_stream_next(entry.stream, &entry.item);

	if (rc <= 0)
		return rc;
	entry.time_ns = entry.item->time_ns;
	merge->heap[merge->count] = entry;
	sift_up(merge, merge->count++);
	return 0;
}

static void share_memory(struct read_merge *merge)
{
	uint64_t all_bytes = merge->windows_bytes ? merge->windows_bytes : WINDOWS_BYTES;
	uint64_t bytes = all_bytes / (merge->added + 1);

	if (bytes > WINDOW_BYTES_MAX)
		bytes = WINDOW_BYTES_MAX;
	if (bytes < WINDOW_BYTES_MIN)
		bytes = WINDOW_BYTES_MIN;
	for (size_t i = 0; i < merge->added; i++)
		read_stream_set_window(merge->streams[i], bytes);
}

static int fill(struct read_merge *merge)
{
	int rc = 0;

	merge->count = 0;
	merge->is_top_used = false;
	share_memory(merge);
	for (size_t i = 0; i < merge->added && !rc; i++)
		rc = fill_with(merge, i);
	find_second(merge);
	merge->is_filled = !rc;
	return rc;
}

static void remove_top(struct read_merge *merge)
{
	read_stream_rest(merge->heap[0].stream);
	merge->heap[0] = merge->heap[--merge->count];
}

/* The first one's item is another one, or there is none. */
static void reorder(struct read_merge *merge)
{
	sift_down(merge);
	find_second(merge);
}

/* Move the stream on whose item was used. */
static int advance(struct read_merge *merge)
{
	struct read_merge_stream *top = &merge->heap[0];
	int rc = read_stream_next(top->stream, &top->item);

	if (rc < 0)
		return rc;
	merge->is_top_used = false;
	if (!rc) {
		remove_top(merge);
		reorder(merge);
		return 0;
	}
	top->time_ns = top->item->time_ns;
	if (merge->second && !is_before(top, &merge->heap[merge->second]))
		reorder(merge);
	return 0;
}

int read_merge_next(struct read_merge *merge, const struct ctf_item **ret_item)
{
	int rc = 0;

	if (!merge->is_filled)
		rc = fill(merge);
	else if (merge->is_top_used)
		rc = advance(merge);
	if (rc || !merge->count)
		return rc;
	*ret_item = merge->heap[0].item;
	merge->is_top_used = true;
	return 1;
}

void read_merge_fini(struct read_merge *merge)
{
	for (size_t i = 0; i < merge->added; i++)
		read_stream_free(merge->streams[i]);
	free(merge->streams);
	free(merge->heap);
	*merge = (struct read_merge){ 0 };
}
