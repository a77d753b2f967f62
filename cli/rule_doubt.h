/* SPDX-License-Identifier: MIT */
/*
 * rule_doubt.h - would a new rule record nothing of the programs that run now?
 */
#ifndef TACHO_CLI_RULE_DOUBT_H
#define TACHO_CLI_RULE_DOUBT_H

#include <stdbool.h>

#include "session/session.h"

/*
 * rule_is_doubtful() - a mistyped rule would record nothing, without a word
 * @rule: its pattern, level and exclusions are looked at; its filter is filter_doubt()'s
 * @executables, @pids: programs for which there are such rules, up to NULL; none: for all
 *
 * Return: false as well where no program with events runs: who can tell?
 */
bool rule_is_doubtful(struct runtime *runtime, const struct rule_options *rule,
		      char *const *executables, char *const *pids);

#endif
