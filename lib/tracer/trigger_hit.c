/* SPDX-License-Identifier: MIT */
/* trigger_hit.c - see trigger_hit.h; the orderings are told in format/trigger.h */
#include "tracer/trigger_hit.h"

#include <errno.h>
#include <string.h>

#include "format/trigger.h"
#include "tracer/sys.h"

int trigger_map(struct attachment *a)
{
	char path[TRACER_PATH_BYTES];
	struct tacho_triggers *triggers;

	if (!tracer_path(path, "slots/%u/" TACHO_TRIGGERS_FILE, a->slot))
		return -ENAMETOOLONG;
	triggers = map_file(path, sizeof(*triggers), true, &a->triggers_window);
	if (!triggers)
		return -ENOENT;
	tacho_store_relaxed(&a->triggers, triggers);
	if (triggers->magic != TACHO_TRIGGERS_MAGIC ||
	    triggers->version != TACHO_TRIGGERS_VERSION || triggers->instance != a->instance)
		return -EBADMSG;
	return 0;
}

/* The file of the session that had this generation: an attachment that is used again has another
 * generation before it has another file, and addresses of windows never come again. */
static struct tacho_triggers *triggers_of(const struct attachment *a, uint32_t generation)
{
	struct tacho_triggers *triggers = tacho_load_acquire(&a->triggers);

	tacho_fence_acquire();
	return generation == tacho_load_relaxed(&a->generation) ? triggers : NULL;
}

static void wake_watcher(struct tacho_triggers *triggers)
{
	tacho_fence_full(); /* hit:B pairs with watch:B */
	if (tacho_load_relaxed(&triggers->watch_sleeps) &&
	    tacho_exchange_acq_rel(&triggers->watch_sleeps, 0)) /* hit:C */
		sys_futex_wake(&triggers->watch_sleeps);
}

void trigger_hit(const struct attachment *a, uint32_t generation, uint32_t mask)
{
	struct tacho_triggers *triggers = triggers_of(a, generation);

	if (!triggers)
		return;
	for (mask &= (1u << TACHO_TRIGGERS_MAX) - 1; mask; mask &= mask - 1) {
		struct tacho_trigger_hits *hits = &triggers->hit[__builtin_ctz(mask)];

		/* hit:A pairs with watch:C: what was recorded before the hit */
		tacho_fetch_add_acq_rel(&hits->hit_count, 1);
	}
	wake_watcher(triggers);
}

/* Who finds another at it leaves it alone. One that died there is in the way only until the watcher
 * has looked. */
static void give_reason(struct tacho_trigger_hits *hits, const char *reason)
{
	uint32_t none = TACHO_REASON_NONE;
	size_t bytes = strnlen(reason, sizeof(hits->reason) - 1);

	if (!tacho_cmpxchg_acq_rel(&hits->reason_state, &none, TACHO_REASON_BEING_WRITTEN))
		return;
	memcpy(hits->reason, reason, bytes);
	hits->reason[bytes] = 0;
	tacho_store_release(&hits->reason_state, TACHO_REASON_THERE);
}

void trigger_hit_for(const struct attachment *a, uint32_t generation, uint32_t index,
		     const char *reason)
{
	struct tacho_triggers *triggers = triggers_of(a, generation);

	if (triggers && index < TACHO_TRIGGERS_MAX && reason)
		give_reason(&triggers->hit[index], reason);
	if (index < TACHO_TRIGGERS_MAX)
		trigger_hit(a, generation, 1u << index);
}
