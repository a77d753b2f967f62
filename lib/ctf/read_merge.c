/* SPDX-License-Identifier: MIT */
/* read_merge.c - see read_merge.h */
#include "read_merge.h"

#include <errno.h>
#include <stdlib.h>

struct read_merge_stream {
	struct read_stream *stream;
	const struct ctf_item *item;
	size_t ordinal;
};

static bool is_before(const struct read_merge_stream *a, const struct read_merge_stream *b)
{
	if (a->item->time_ns != b->item->time_ns)
		return a->item->time_ns < b->item->time_ns;
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

static int reserve(struct read_merge *merge)
{
	size_t capacity = merge->capacity ? merge->capacity * 2 : 16;
	struct read_merge_stream *heap;

	if (merge->count < merge->capacity)
		return 0;
	heap = realloc(merge->heap, capacity * sizeof(*heap));
	if (!heap)
		return -ENOMEM;
	merge->heap = heap;
	merge->capacity = capacity;
	return 0;
}

int read_merge_add(struct read_merge *merge, struct read_stream *stream)
{
	struct read_merge_stream entry = { .stream = stream, .ordinal = merge->added++ };
	int rc = reserve(merge);

	if (!rc)
		rc = read_stream_next(stream, &entry.item);
	if (rc <= 0) {
		read_stream_free(stream);
		return rc;
	}
	merge->heap[merge->count] = entry;
	sift_up(merge, merge->count++);
	return 0;
}

static void remove_top(struct read_merge *merge)
{
	read_stream_free(merge->heap[0].stream);
	merge->heap[0] = merge->heap[--merge->count];
}

/* Move the stream on whose item was used. */
static int advance(struct read_merge *merge)
{
	struct read_merge_stream *top = &merge->heap[0];
	int rc = read_stream_next(top->stream, &top->item);

	if (rc < 0)
		return rc;
	if (!rc)
		remove_top(merge);
	merge->is_top_used = false;
	sift_down(merge);
	return 0;
}

int read_merge_next(struct read_merge *merge, const struct ctf_item **ret_item)
{
	int rc = merge->is_top_used ? advance(merge) : 0;

	if (rc || !merge->count)
		return rc;
	*ret_item = merge->heap[0].item;
	merge->is_top_used = true;
	return 1;
}

void read_merge_fini(struct read_merge *merge)
{
	for (size_t i = 0; i < merge->count; i++)
		read_stream_free(merge->heap[i].stream);
	free(merge->heap);
	*merge = (struct read_merge){ 0 };
}
