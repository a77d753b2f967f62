/* SPDX-License-Identifier: MIT */
/* parts.c - see parts.h */
#include "parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static bool is_same_stream(const struct read_part *a, const struct read_part *b)
{
	return a->identity.is_known && b->identity.is_known &&
	       a->identity.stream_id == b->identity.stream_id &&
	       a->identity.instance == b->identity.instance;
}

/* The files of a stream in their order; else by name. */
static int compare_parts(const void *x, const void *y)
{
	const struct read_part *a = x, *b = y;
	int order = compare(b->identity.is_known, a->identity.is_known);

	if (!order)
		order = compare(a->identity.stream_id, b->identity.stream_id);
	if (!order)
		order = compare(a->identity.instance, b->identity.instance);
	if (!order)
		order = compare(a->identity.begin_ticks, b->identity.begin_ticks);
	return order ? order : strcmp(a->path, b->path);
}

size_t read_parts_of_stream(const struct read_part *parts, size_t count)
{
	size_t used = 1;

	while (used < count && is_same_stream(&parts[0], &parts[used]))
		used++;
	return used;
}

int read_parts_new(const struct read_trace *trace, const struct read_paths *paths,
		   struct read_part **ret_parts)
{
	struct read_part *parts = calloc(paths->count + 1, sizeof(*parts));
	int rc = parts ? 0 : -ENOMEM;

	for (size_t i = 0; i < paths->count && !rc; i++) {
		parts[i].path = paths->path[i];
		rc = read_packet_identify(trace, parts[i].path, &parts[i].identity);
	}
	if (rc) {
		free(parts);
		return rc;
	}
	qsort(parts, paths->count, sizeof(*parts), compare_parts);
	*ret_parts = parts;
	return 0;
}
