/* SPDX-License-Identifier: MIT */
/*
 * rules.h - rules below the session lock, for those that have more to write than one.
 */
#ifndef TACHO_SESSION_RULES_RULES_H
#define TACHO_SESSION_RULES_RULES_H

#include "session/session.h"

/*
 * rules_put() - write a rule into the session file, or enable it again if it is there
 * @trigger: 0, or 1 + index of the trigger that the rule hits instead of recording
 *
 * Below the session lock. The caller applies it (apply.h).
 */
int rules_put(struct session *session, const struct rule_options *options, uint32_t trigger,
	      struct tacho_error *error);

/* rules_remove_trigger() - take out the rules of a trigger; as rules_put(). */
void rules_remove_trigger(struct session *session, uint32_t trigger);

#endif
