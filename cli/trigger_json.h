/* SPDX-License-Identifier: MIT */
/*
 * trigger_json.h - triggers, and what became of them, as JSON; the keys are in
 * tacho-list-triggers(1).
 */
#ifndef TACHO_CLI_TRIGGER_JSON_H
#define TACHO_CLI_TRIGGER_JSON_H

#include "format/session.h"
#include "json.h"

/*
 * triggers_add_json() - those of a session
 * @file: a copy, from look_session()
 * @hits: TACHO_TRIGGERS_MAX, from session_trigger_hits()
 */
void triggers_add_json(json_object *list, const struct tacho_session *file, const uint64_t *hits);

/* trigger_own_hits() - without those of its place before it was there */
uint64_t trigger_own_hits(const struct tacho_session *file, uint32_t index, const uint64_t *hits);

#endif
