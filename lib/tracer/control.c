/* SPDX-License-Identifier: MIT */
/* control.c - what programs may ask of sessions; see <tacho/control.h> */
#include "tacho/control.h"

#include "base/rule.h"
#include "tracer/tracer.h"
#include "tracer/trigger_hit.h"

/* A tool that died while it wrote leaves the generation odd; we then take what is there. */
#define READ_TRIES 100

/* Of those whose bit is set in the state of any event. */
static uint32_t recording_slots(void)
{
	uint32_t count = registry_event_count(), mask = 0;

	for (uint32_t i = 0; i < count; i++)
		mask |= tacho_load_relaxed(registry_state(i));
	return mask & ~TACHO_STATE_STALE;
}

static uint32_t read_requests(const struct tacho_session *session)
{
	uint32_t mask = 0;

	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		if (trigger_is_armed(session, i) &&
		    tacho_load_relaxed(&session->trigger[i].condition) == TACHO_CONDITION_REQUEST)
			mask |= 1u << i;
	}
	return mask;
}

static uint32_t find_requests(const struct tacho_session *session)
{
	uint32_t mask = 0;

	for (int i = 0; i < READ_TRIES; i++) {
		uint32_t generation = tacho_load_acquire(&session->generation); /* read:A */

		mask = read_requests(session);
		tacho_fence_acquire(); /* read:C pairs with write:B */
		if (!(generation & 1) && generation == tacho_load_relaxed(&session->generation))
			break;
	}
	return mask;
}

static int ask_session(uint32_t slot, const char *reason)
{
	struct grace_section section = grace_enter();
	struct attachment *a = attachment_get(slot);
	uint32_t mask = a ? find_requests(a->session) : 0;
	int count = __builtin_popcount(mask);

	for (; mask; mask &= mask - 1)
		trigger_hit_for(a, (uint32_t)__builtin_ctz(mask), reason);
	grace_leave(section);
	return count;
}

int tacho_snapshot(const char *reason)
{
	uint32_t slots;
	int count = 0;

	if (!tracer_is_ready())
		return 0;
	for (slots = recording_slots(); slots; slots &= slots - 1)
		count += ask_session((uint32_t)__builtin_ctz(slots), reason);
	return count;
}
