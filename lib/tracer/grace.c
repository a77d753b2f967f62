/* SPDX-License-Identifier: MIT */
/* grace.c - see grace.h, where the orderings are told */
#include "tracer/grace.h"

#include "tracer/tracer.h"

/* Steps of the sequence from when something was retired until nobody looks at it any more. */
#define STEPS 3

static struct grace *grace(void)
{
	return &tacho_tracer.grace;
}

/* ---- sections ---- */

static struct grace_lane *lanes(void)
{
	return tacho_tracer.wiped->lane;
}

/* Any lane will do; where the CPU is not known each thread has its own. */
static uint16_t choose_lane(void)
{
	uint32_t cpu = ring_cpu();

	return (uint16_t)((cpu == UINT32_MAX ? tacho_thread.tid : cpu) % GRACE_LANES);
}

/* The number wraps in its half; only whether two sums are the same matters. */
static uint64_t plus_one(uint64_t count)
{
	return (count & ~(uint64_t)UINT32_MAX) | (uint32_t)(count + 1);
}

static uint32_t epoch_of(uint64_t count)
{
	return (uint32_t)(count >> 32);
}

/* Return: the epoch that it was counted in */
static uint32_t count_entry(uint64_t *entered)
{
	uint64_t count = tacho_load_relaxed(entered);

	while (!tacho_cmpxchg_acq_rel(entered, &count, plus_one(count)))
		;
	return epoch_of(count);
}

struct grace_section grace_enter(void)
{
	struct grace_section section = { .lane = choose_lane() };

	tacho_thread.sections++;
	section.parity = tacho_load_relaxed(&grace()->sequence) & 1;
	/* enter:A */
	section.epoch = count_entry(&lanes()[section.lane].parity[section.parity].entered);
	tacho_fence_full(); /* enter:B pairs with poll:B and retire:B */
	return section;
}

void grace_leave(struct grace_section section)
{
	uint64_t *left = &lanes()[section.lane].parity[section.parity].left;
	uint64_t count = tacho_load_relaxed(left);

	/* leave:A pairs with poll:C */
	while (epoch_of(count) == section.epoch &&
	       !tacho_cmpxchg_acq_rel(left, &count, plus_one(count)))
		;
	if (--tacho_thread.sections == 0 && tacho_thread.has_retired) {
		tacho_thread.has_retired = 0;
		grace_poll();
	}
}

/* Of a section that the thread which forked is in, right now, only that thread knows: its entry
 * does not count in the new epoch. */
void grace_reset(void)
{
	struct grace *g = grace();
	uint64_t count = (uint64_t)++g->epoch << 32;

	if (tacho_thread.sections)
		g->is_off = true;
	for (uint32_t i = 0; i < GRACE_LANES; i++) {
		for (uint32_t parity = 0; parity < 2; parity++)
			lanes()[i].parity[parity] = (struct grace_count){ count, count };
	}
}

/* ---- the sequence ---- */

static bool is_empty(uint32_t parity)
{
	uint32_t entered = 0, left = 0;

	tacho_fence_full(); /* poll:B pairs with enter:B and retire:B */
	for (uint32_t i = 0; i < GRACE_LANES; i++)
		left += (uint32_t)tacho_load_acquire(&lanes()[i].parity[parity].left);
	/* That was poll:C, pairs with leave:A. Now poll:D. */
	for (uint32_t i = 0; i < GRACE_LANES; i++)
		entered += (uint32_t)tacho_load_acquire(&lanes()[i].parity[parity].entered);
	return entered == left;
}

/* If another was faster, that is as good. */
static bool advance(void)
{
	uint64_t sequence = tacho_load_acquire(&grace()->sequence); /* poll:A */

	if (!is_empty(~sequence & 1))
		return false;
	tacho_cmpxchg_acq_rel(&grace()->sequence, &sequence, sequence + 1); /* poll:E */
	return true;
}

/* ---- the limbo ---- */

static void put_into_limbo(struct retired *retired)
{
	retired->next = tacho_load_relaxed(&grace()->limbo);
	while (!tacho_cmpxchg_acq_rel(&grace()->limbo, &retired->next, retired))
		;
}

/* Sort a list that nobody else has: what is to wait goes back into the limbo. Return: the rest */
static struct retired *take_ripe(struct retired *list, uint64_t sequence)
{
	struct retired *ripe = NULL;

	while (list) {
		struct retired *next = list->next;

		if (sequence - list->since >= STEPS) {
			list->next = ripe;
			ripe = list;
		} else {
			put_into_limbo(list);
		}
		list = next;
	}
	return ripe;
}

static void give_back(struct retired *ripe)
{
	while (ripe) {
		struct retired *next = ripe->next;

		ripe->give_back(ripe);
		tacho_fetch_add_relaxed(&grace()->limbo_count, -1u);
		ripe = next;
	}
}

void grace_poll(void)
{
	struct grace *g = grace();
	uint64_t sequence;
	struct retired *ripe;

	if (!tacho_load_relaxed(&g->limbo) || g->is_off)
		return;
	for (int i = 0; i < STEPS && advance(); i++)
		;
	sequence = tacho_load_acquire(&g->sequence);
	if (tacho_exchange_acq_rel(&g->swept, sequence) == sequence)
		return; /* nothing there has ripened since */
	ripe = take_ripe(tacho_exchange_acq_rel(&g->limbo, NULL), sequence);
	if (ripe)
		give_back(ripe);
}

void grace_retire(struct retired *retired, void (*give_back_it)(struct retired *retired))
{
	struct grace *g = grace();

	tacho_fence_full(); /* retire:B pairs with enter:B and poll:B */
	retired->since = tacho_load_relaxed(&g->sequence); /* retire:C */
	retired->give_back = give_back_it;
	if (g->is_off || tacho_load_relaxed(&g->limbo_count) >= GRACE_LIMBO_MAX) {
		tacho_fetch_add_relaxed(&g->kept_count, 1);
		return;
	}
	tacho_fetch_add_relaxed(&g->limbo_count, 1);
	put_into_limbo(retired);
	tacho_thread.has_retired = 1;
	grace_poll();
}
