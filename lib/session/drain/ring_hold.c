/* SPDX-License-Identifier: MIT */
/* ring_hold.c - see ring_hold.h */
#include "session/drain/ring_hold.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

/* How much more than the ring itself can be held: what was written while it was copied. */
#define PLACES_PER_SUBBUF 2

static size_t subbuf_bytes(const struct ring_hold *hold)
{
	return (size_t)1 << hold->rings->subbuf_shift;
}

static size_t memory_bytes(const struct ring_hold *hold)
{
	return hold->place_count * subbuf_bytes(hold);
}

/* So that no page has to be found while the writers run on. It is no harm if that fails. Huge pages
 * would be faster, but are waited for, 100 ms and more, where memory has to be compacted for them. */
static void populate(const struct ring_hold *hold, uint64_t end)
{
	uint64_t count = hold->rings->subbuf_count;

	if (end < count)
		count = end;
	madvise(hold->memory, count * subbuf_bytes(hold), MADV_POPULATE_WRITE);
}

void ring_hold_init(struct ring_hold *hold, const struct rings *rings, uint32_t cpu)
{
	*hold = (struct ring_hold){
		.rings = rings,
		.cpu = cpu,
		.place_count = rings->subbuf_count * PLACES_PER_SUBBUF,
	};
}

/* Most rings of a large machine are empty: memory is taken by those that are not. */
static int take_memory(struct ring_hold *hold, const struct ring_range *range)
{
	void *memory;

	if (hold->memory)
		return 0;
	hold->views = calloc(hold->place_count, sizeof(*hold->views));
	memory = mmap(NULL, memory_bytes(hold), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!hold->views || memory == MAP_FAILED) {
		free(hold->views);
		hold->views = NULL;
		return -ENOMEM;
	}
	hold->memory = memory;
	if (!hold->is_light)
		populate(hold, range->end);
	return 0;
}

void ring_hold_fini(struct ring_hold *hold)
{
	if (hold->memory)
		munmap(hold->memory, memory_bytes(hold));
	free(hold->views);
	*hold = (struct ring_hold){ 0 };
}

static uint32_t place(const struct ring_hold *hold, uint64_t number)
{
	return (uint32_t)(number % hold->place_count);
}

static bool is_held(const struct ring_hold *hold, uint64_t number)
{
	return number >= hold->first && number < hold->end;
}

/* Bytes of it that are held already: those of an open one, which has grown. */
static uint64_t bytes_held(const struct ring_hold *hold, uint64_t number)
{
	return is_held(hold, number) ? hold->views[place(hold, number)].content_bytes : 0;
}

/* Return: 0; -ESTALE: overwritten; -EBADMSG: damaged; or what pread() gave. */
static int copy_subbuf(struct ring_hold *hold, uint64_t number)
{
	char *content = hold->memory + place(hold, number) * subbuf_bytes(hold);
	uint64_t held = bytes_held(hold, number);
	struct ring_view view;
	int ret = ring_view_kept(hold->rings, hold->cpu, number, &view);

	if (ret)
		return ret;
	if (view.content_bytes < held)
		return -EBADMSG;
	if (!hold->is_light || view.is_open) {
		ret = ring_view_read(hold->rings, hold->cpu, &view, held, content);
		view.content = content;
	}
	if (ret)
		return ret;
	if (!ring_view_is_intact(hold->rings, hold->cpu, &view))
		return -ESTALE;
	hold->views[place(hold, number)] = view;
	return 0;
}

/* Nothing before @number can be had in one piece with what follows. An open sub-buffer that is held
 * was followed by others, so it goes as well. */
static void give_up(struct ring_hold *hold, uint64_t number)
{
	hold->first = number;
	hold->end = number;
}

static void keep(struct ring_hold *hold, uint64_t number)
{
	if (hold->first == hold->end)
		hold->first = number;
	hold->end = number + 1;
	if (hold->end - hold->first > hold->place_count)
		hold->first = hold->end - hold->place_count;
}

static int hold_subbuf(struct ring_hold *hold, uint64_t number)
{
	int ret = copy_subbuf(hold, number);

	if (ret == -ESTALE)
		give_up(hold, number + 1);
	else if (!ret || ret == -EBADMSG)
		keep(hold, number);
	if (ret == -EBADMSG)
		hold->views[place(hold, number)] = (struct ring_view){ .number = number };
	return ret == -ESTALE || ret == -EBADMSG ? 0 : ret;
}

/* The first that may bring something: the last one that is held, if it was open. */
static uint64_t first_new(const struct ring_hold *hold)
{
	return hold->end > hold->first && ring_hold_get(hold, hold->end - 1)->is_open ?
		       hold->end - 1 :
		       hold->end;
}

static bool is_news(const struct ring_hold *hold, const struct ring_range *range)
{
	uint64_t last = range->end - 1;

	if (range->end != hold->end)
		return range->end > hold->end;
	return bytes_held(hold, last) != range->head - (last << hold->rings->subbuf_shift);
}

static int copy_range(struct ring_hold *hold, const struct ring_range *range)
{
	uint64_t number = first_new(hold);
	int ret = 0;

	if (number < range->oldest) {
		give_up(hold, range->oldest);
		number = range->oldest;
	}
	for (; !ret && number < range->end; number++)
		ret = hold_subbuf(hold, number);
	return ret == -EAGAIN ? 0 : ret;
}

void ring_hold_copy(struct ring_hold *hold)
{
	if (!hold->is_light)
		return;
	hold->is_light = false;
	give_up(hold, 0);
	if (hold->memory)
		populate(hold, UINT64_MAX);
}

int ring_hold_pass(struct ring_hold *hold)
{
	struct ring_range range = ring_range_kept(hold->rings, hold->cpu);
	int ret;

	hold->is_settled = !range.end;
	if (hold->is_settled)
		return 0;
	ret = take_memory(hold, &range);
	if (ret)
		return ret;
	hold->is_settled = !is_news(hold, &range);
	if (hold->is_settled)
		return 0;
	if (hold->end)
		ring_hold_copy(hold);
	/* What the memory took its time for. */
	range = ring_range_kept(hold->rings, hold->cpu);
	return copy_range(hold, &range);
}

uint64_t ring_hold_missing(const struct ring_hold *hold, uint64_t end_ts, uint64_t floor)
{
	uint64_t most = hold->rings->subbuf_count - 1u;
	uint64_t count = 0;

	if (hold->is_settled || hold->first <= floor)
		return 0;
	for (uint64_t number = hold->first; number < hold->end; number++)
		count += ring_hold_get(hold, number)->end_ts <= end_ts;
	return count < most ? most - count : 0;
}

const struct ring_view *ring_hold_get(const struct ring_hold *hold, uint64_t number)
{
	return &hold->views[place(hold, number)];
}
