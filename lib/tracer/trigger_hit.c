/* SPDX-License-Identifier: MIT */
/* trigger_hit.c - see trigger_hit.h; the orderings are told in format/trigger.h */
#include "tracer/trigger_hit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "format/trigger.h"
#include "tracer/call_drain.h"
#include "tracer/sys.h"

int trigger_map(struct attachment *a)
{
	char path[TRACER_PATH_BYTES];

	if (!tracer_path(path, "slots/%u/" TACHO_TRIGGERS_FILE, a->slot))
		return -ENAMETOOLONG;
	a->triggers = map_file(path, sizeof(*a->triggers), O_RDWR | O_NOFOLLOW,
			       &a->triggers_window);
	if (!a->triggers)
		return -ENOENT;
	if (a->triggers->magic != TACHO_TRIGGERS_MAGIC ||
	    a->triggers->version != TACHO_TRIGGERS_VERSION ||
	    a->triggers->instance != a->instance)
		return -EBADMSG;
	call_drain_attached(a);
	return 0;
}

static void wake_watcher(struct tacho_triggers *triggers)
{
	if (!call_is_allowed()) {
		tacho_store_relaxed(&triggers->watch_uncalled, 1);
		return;
	}
	tacho_fence_full(); /* hit:B pairs with watch:B */
	if (tacho_load_relaxed(&triggers->watch_sleeps) &&
	    tacho_exchange_acq_rel(&triggers->watch_sleeps, 0)) /* hit:C */
		sys_futex_wake(&triggers->watch_sleeps);
}

void trigger_hit(const struct attachment *a, uint32_t mask)
{
	for (mask &= (1u << TACHO_TRIGGERS_MAX) - 1; mask; mask &= mask - 1) {
		struct tacho_trigger_hits *hits = &a->triggers->hit[__builtin_ctz(mask)];

		/* hit:A pairs with watch:C: what was recorded before the hit */
		tacho_fetch_add_acq_rel(&hits->hit_count, 1);
	}
	wake_watcher(a->triggers);
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

void trigger_hit_for(const struct attachment *a, uint32_t index, const char *reason)
{
	if (index >= TACHO_TRIGGERS_MAX)
		return;
	if (reason)
		give_reason(&a->triggers->hit[index], reason);
	trigger_hit(a, 1u << index);
}
