/* SPDX-License-Identifier: MIT */
/*
 * rule.h - does a session's rule match this event of this process, and is the process one that the
 * session records? Asked by tools, for running programs (session/rules/apply.c), and by each traced
 * program for itself (tracer/session.c): the two must never disagree, so there is one answer.
 *
 *	recorded in channel C  =  the session is active, and of the program's family
 *	                          and rule_trackers_admit()
 *	                          and some rule of C has rule_is_match() (and its filter says yes)
 *
 * The session may be changing meanwhile, and what it says is hostile: each number is read once and
 * checked, patterns are matched in place by pattern_is_match(), which no change can lead astray, and
 * a rule whose spans lead out of the text matches nothing. What comes of a changing session is
 * thrown away by the caller (generation, format/session.h).
 *
 * Context: everything here may run in a signal handler; nothing allocates or keeps anything.
 */
#ifndef TACHO_BASE_RULE_H
#define TACHO_BASE_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/session.h"

/* An event of a process. */
struct rule_subject {
	const char *event; /* "provider:event"; of other kinds than the first its name */
	uint32_t kind; /* enum tacho_rule_kind */
	uint32_t level;
	uint32_t pid; /* as the process sees itself */
	uint32_t uid;
	uint32_t gid;
	const char *executable;    /* its path */
	const uint32_t *ancestors; /* pids of parent, grandparent, ... */
	uint32_t ancestor_count;
};

/* rule_is_probe() - is a rule of this kind one for an event of the kernel that the session makes itself? */
static inline bool rule_is_probe(uint32_t kind)
{
	return kind >= TACHO_RULE_PROBE && kind <= TACHO_RULE_USERSPACE;
}

/*
 * rule_is_match() - is it an enabled rule, for an event and a process like this?
 *
 * One that records into a channel which is disabled, or is not there, is none. Its filter is left
 * to the caller.
 */
bool rule_is_match(const struct tacho_session *session, const struct tacho_rule *rule,
		   const struct rule_subject *subject);

/*
 * rule_is_armed() - does the rule count in the state that its session is in?
 * trigger_is_armed() - the same of a trigger
 *
 * All do while the session is active; those of triggers that start sessions also while it is
 * stopped.
 */
bool rule_is_armed(const struct tacho_session *session, const struct tacho_rule *rule);
bool trigger_is_armed(const struct tacho_session *session, uint32_t index);

/* rule_trackers_admit() - does the session record processes like this? `event` and `level` of
 * @subject are not looked at. */
bool rule_trackers_admit(const struct tacho_session *session, const struct rule_subject *subject);

/* rule_asks_for_dump() - does the session want to know what programs have loaded? By a rule whose
 * pattern begins with RULE_DUMP: who wants all events does not ask for these. */
#define RULE_DUMP "lttng_ust_statedump"
bool rule_asks_for_dump(const struct tacho_session *session);

/* rule_count() - how many places of session->rule[] are to be looked at */
uint32_t rule_count(const struct tacho_session *session);

/* rule_text() - what a span names; NULL, with 0 bytes, if that is nothing or not in the text. What
 * is there may change at any time. */
const char *rule_text(const struct tacho_session *session, const struct tacho_span *span,
		      uint32_t *ret_bytes);

#endif
