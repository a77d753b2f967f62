/* SPDX-License-Identifier: MIT */
/*
 * triggers.h - a session's triggers, as they stand in its file (format/session.h) and in the page
 * that programs count hits in (format/trigger.h). Who acts on them is the watcher, watch.h.
 *
 *      session file: trigger[i]      name, condition, actions, rate      written by tools
 *                                    handled, results                    by the watcher
 *                    rule[..]        .trigger == 1 + i: what hits it     by tools
 *      triggers:     hit[i]          hit_count                           by programs; of conditions
 *                                                                        that are looked at: by the
 *                                                                        watcher
 */
#ifndef TACHO_SESSION_RULES_TRIGGERS_H
#define TACHO_SESSION_RULES_TRIGGERS_H

#include "format/trigger.h"
#include "session/session.h"

/* triggers_map() - the page of hits; NULL if it cannot be had. To be undone with triggers_unmap(),
 * which takes NULL. */
struct tacho_triggers *triggers_map(const struct session *session);
void triggers_unmap(struct tacho_triggers *triggers);

/* triggers_are_armed() - any of them, in the state that the session is in; base/rule.h */
bool triggers_are_armed(const struct tacho_session *file);

/* triggers_forget_hits() - below the session lock, before the session is active: what hit a trigger
 * that was not armed, since it came too late before the last stop, is of no account any more. */
void triggers_forget_hits(struct session *session);

/* trigger_text() - a copy of what a span of a trigger names, as a string; NULL: nothing, or no memory */
char *trigger_text(const struct tacho_session *file, const struct tacho_span *span);

#endif
