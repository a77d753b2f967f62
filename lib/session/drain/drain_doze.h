/* SPDX-License-Identifier: MIT */
/*
 * drain_doze.h - how a drain sleeps, and how it is woken; doc/design/drain.md tells why so.
 *
 * It asks to be woken (format/trigger.h: drain_sleeps), and sleeps until a program has completed a
 * sub-buffer, a tool has a wish, or the time is up. Where a program records that cannot wake it, it
 * sleeps only shortly, for DOZE_HURRY_NS after it was last told of one.
 */
#ifndef TACHO_SESSION_DRAIN_DOZE_H
#define TACHO_SESSION_DRAIN_DOZE_H

#include <stdbool.h>
#include <stdint.h>

#include "format/trigger.h"
#include "session/session.h"

#define DOZE_HURRY_NS 10000000000ull

/* Zeros at first. */
struct doze {
	struct tacho_triggers
		*page; /* NULL: nobody can wake the drain, so it does not sleep long */
	uint64_t period_ns;
	uint64_t hurry_until_ns; /* CLOCK_MONOTONIC */
};

void doze_init(struct doze *doze, const struct session *session);
void doze_fini(struct doze *doze);

/*
 * doze_choose() - for how long nothing has to be looked at
 * @finished: sub-buffers that were copied by the last look
 * @moved:    did it find anything new?
 */
uint64_t doze_choose(struct doze *doze, int finished, bool moved, uint64_t now_ns);

/*
 * doze_sleep() - sleep for @ns, or until woken
 * @has_news: doze:C, asked once after the request to be woken; NULL: do not ask to be woken
 */
void doze_sleep(struct doze *doze, uint64_t ns, bool (*has_news)(const void *arg), const void *arg);

/* doze_wake() - a tool has changed something that the session's drain goes by. */
void doze_wake(const struct session *session);

#endif
