/* SPDX-License-Identifier: MIT */
/* apply.c - see apply.h; the protocol, en:A to en:C, is told in format/runtime.h */
#include "session/apply.h"

#include <stdio.h>

#include "base/pattern.h"
#include "session/registry.h"
#include "session/state.h"

/* "provider:event", the longest that a description can hold. */
#define EVENT_NAME_BYTES (2 * TACHO_NAME_MAX + 2)

static bool level_matches(const struct tacho_rule *rule, unsigned int level)
{
	switch (rule->level_match) {
	case TACHO_LEVEL_ANY:
		return true;
	case TACHO_LEVEL_AT_LEAST:
		return level <= rule->level;
	case TACHO_LEVEL_EXACTLY:
		return level == rule->level;
	}
	return false;
}

bool rules_match(const struct tacho_session *file, const struct event_desc *desc)
{
	uint32_t count = file->rule_count <= TACHO_RULES_MAX ? file->rule_count : TACHO_RULES_MAX;
	char name[EVENT_NAME_BYTES];

	if (file->state != TACHO_SESSION_ACTIVE)
		return false;
	snprintf(name, sizeof(name), "%s:%s", desc->provider, desc->name);
	for (uint32_t i = 0; i < count; i++) {
		const struct tacho_rule *rule = &file->rule[i];

		if (rule->enabled && level_matches(rule, desc->level) &&
		    pattern_is_match(rule->pattern, sizeof(rule->pattern), name))
			return true;
	}
	return false;
}

static void apply_to_event(const struct tacho_session *file, struct registry *registry, uint32_t i)
{
	struct event_desc *desc = registry_event(registry, i);
	uint32_t bit = 1u << file->slot;

	if (!desc)
		return;
	if (tacho_is_of_family(registry->head.family, file->family) && rules_match(file, desc))
		tacho_fetch_or_acq_rel(&registry->state[i], bit | TACHO_STATE_STALE);
	else if (tacho_load_relaxed(&registry->state[i]) & bit)
		tacho_fetch_and_acq_rel(&registry->state[i], ~bit);
	event_desc_free(desc);
}

static int apply_to_program(struct registry *registry, void *session)
{
	for (uint32_t i = 0; i < registry->event_count; i++)
		apply_to_event(((struct session *)session)->file, registry, i);
	return 0;
}

void apply_rules(struct session *session)
{
	/* en:A was done by the caller */
	tacho_fence_full(); /* en:B pairs with reg:B: rules and state before what programs publish */
	registries_visit(session->runtime, apply_to_program, session); /* en:C */
}
