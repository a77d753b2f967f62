/* SPDX-License-Identifier: MIT */
/* take.c - see take.h */
#include "take.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Of the thread, as a drain and a snapshot copy at the same time. */
static _Thread_local uint8_t copy[1u << 20];

int take_subbuf(struct ring_file *file, uint32_t cpu, uint64_t number, struct walk *walk)
{
	struct ring_view view;
	int ret = ring_view(&file->rings, cpu, number, &view);

	if (ret == -ESTALE || ret == -EAGAIN)
		return 0;
	if (ret)
		return -1;
	memcpy(copy, view.content, view.content_bytes);
	if (!ring_view_is_intact(&file->rings, cpu, &view))
		return 0;
	return walk_content(walk, copy, view.content_bytes) ? 1 : -1;
}

bool take_blame(const char *what, uint32_t cpu, uint64_t number, const struct walk *walk)
{
	printf("# %s: cpu %u, sub-buffer %llu: %s\n", what, cpu, (unsigned long long)number,
	       walk->why[0] ? walk->why : "its description makes no sense");
	return false;
}

bool take_ring(struct ring_file *file, uint32_t cpu, struct walk *walk, bool is_end)
{
	struct ring_range range = ring_range(&file->rings, cpu);

	for (uint64_t k = range.oldest; k < range.end; k++) {
		if (k + 1 == range.end && !is_end)
			return true;
		if (take_subbuf(file, cpu, k, walk) != 1)
			return take_blame("drained", cpu, k, walk);
		ring_release(&file->rings, cpu, k + 1);
	}
	return true;
}
