/* SPDX-License-Identifier: MIT */
/*
 * rule_words.h - what a rule says besides its pattern, level and channel.
 */
#ifndef TACHO_CLI_RULE_WORDS_H
#define TACHO_CLI_RULE_WORDS_H

#include "session/session.h"

/* rule_conditions() - "not 'a:*', 'b:*'; program 'cash*'; process 12; filter x > 1", or "". To be
 * freed. */
char *rule_conditions(const struct tacho_session *file, const struct tacho_rule *rule);

/* rule_exclusion() - the next pattern of those that do not match
 * @at: 0 at first; moves. Return: to be freed; NULL: no more. */
char *rule_exclusion(const struct tacho_session *file, const struct tacho_rule *rule, uint32_t *at);

#endif
