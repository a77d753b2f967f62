/* SPDX-License-Identifier: MIT */
/*
 * watch_look.c - conditions that no program tells of: how full rings are, what they lost, how much was
 * recorded. Each that has come about counts as a hit, so that rates and the handling of hits are the
 * same for all conditions. Looks at rings, and writes nothing to them.
 *
 *      usage, size     hit when it begins to hold; again only after it has ceased to
 *      lost            hit when more is lost than at the last look
 */
#include "session/drain/ring_copy.h"
#include "session/state.h"
#include "session/watch/watch.h"

/* What the rings of a session, or of one channel, say. */
struct levels {
	uint64_t usage; /* of the fullest, in thousandths */
	uint64_t lost;
	uint64_t bytes; /* recorded, ever */
};

static bool is_looked_at(const struct watched *w)
{
	uint32_t condition = w->trigger.condition;

	return w->is_armed && condition >= TACHO_CONDITION_USAGE_ABOVE &&
	       condition <= TACHO_CONDITION_SIZE;
}

static uint64_t sum_lost(const uint64_t lost[TACHO_LOST_REASONS])
{
	uint64_t sum = 0;

	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		sum += lost[i];
	return sum;
}

static uint64_t usage_of(const struct rings *rings, const struct ring_range *range)
{
	uint64_t size = (uint64_t)rings->subbuf_count << rings->subbuf_shift;
	uint64_t used = 0;

	if (range->end > range->oldest)
		used = range->head - (range->oldest << rings->subbuf_shift);
	if (used >= size)
		return 1000;
	return used * 1000 / size;
}

static void add_ring(const struct ring_copy *copy, struct levels *levels)
{
	struct ring_range range = ring_range(copy->rings, copy->cpu);
	uint64_t usage = usage_of(copy->rings, &range);
	uint64_t lost[TACHO_LOST_REASONS];

	ring_lost(copy->rings, copy->cpu, lost);
	levels->lost += sum_lost(lost);
	levels->bytes += range.head;
	if (usage > levels->usage)
		levels->usage = usage;
}

/* Of each of a channel's files, ring 0 is there once. */
static void add_copy(const struct ring_copy *copy, struct levels *levels)
{
	uint64_t lost[TACHO_LOST_REASONS];

	if (copy->cpu == 0) {
		rings_lost_unattributed(copy->rings, lost);
		levels->lost += sum_lost(lost);
	}
	if (ring_is_allocated(copy->rings, copy->cpu))
		add_ring(copy, levels);
}

static struct levels measure(const struct ring_set *set, uint32_t channel)
{
	struct levels levels = { 0 };

	for (uint32_t i = 0; i < set->copy_count; i++) {
		if (channel == UINT32_MAX || set->copies[i].channel == channel)
			add_copy(&set->copies[i], &levels);
	}
	return levels;
}

static bool holds(const struct tacho_trigger *t, const struct levels *levels)
{
	switch (t->condition) {
	case TACHO_CONDITION_USAGE_ABOVE:
		return levels->usage >= t->threshold;
	case TACHO_CONDITION_USAGE_BELOW:
		return levels->usage <= t->threshold;
	case TACHO_CONDITION_SIZE:
		return levels->bytes >= t->threshold;
	}
	return false;
}

static void look_at(struct watch *watch, struct watched *w, const struct ring_set *set)
{
	struct tacho_trigger *t = &w->trigger;
	struct levels levels = measure(set, t->channel);
	bool is_lost = t->condition == TACHO_CONDITION_LOST;
	uint64_t seen = is_lost ? levels.lost : holds(t, &levels);

	if (seen == t->seen)
		return;
	if (seen > t->seen)
		tacho_fetch_add_acq_rel(&watch->triggers->hit[w - watch->watched].hit_count, 1);
	t->seen = seen;
	watch_store(watch, w);
}

bool watch_look(struct watch *watch)
{
	struct ring_set set;
	bool any = false;

	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++)
		any |= is_looked_at(&watch->watched[i]);
	if (!any || ring_set_open(watch->session, &set, NULL))
		return any;
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		if (is_looked_at(&watch->watched[i]))
			look_at(watch, &watch->watched[i], &set);
	}
	ring_set_close(&set, NULL);
	return true;
}

uint64_t watch_lost_so_far(const struct session *session, uint32_t channel)
{
	struct ring_set set;
	struct levels levels;

	if (ring_set_open(session, &set, NULL))
		return 0;
	levels = measure(&set, channel);
	ring_set_close(&set, NULL);
	return levels.lost;
}
