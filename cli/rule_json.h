/* SPDX-License-Identifier: MIT */
/*
 * rule_json.h - what a rule says, but for where its events go, as JSON.
 */
#ifndef TACHO_CLI_RULE_JSON_H
#define TACHO_CLI_RULE_JSON_H

#include "format/session.h"
#include "json.h"

/* rule_add_json() - @file: a copy, from look_session() */
void rule_add_json(json_object *entry, const struct tacho_session *file,
		   const struct tacho_rule *rule);

#endif
