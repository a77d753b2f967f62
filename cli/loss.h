/* SPDX-License-Identifier: MIT */
/*
 * loss.h - what a session lost, in words, with what to do about it.
 */
#ifndef TACHO_CLI_LOSS_H
#define TACHO_CLI_LOSS_H

#include <stdint.h>

#include "format/ring.h"
#include "session/session.h"

uint64_t loss_total(const uint64_t lost[TACHO_LOST_REASONS]);
/* "full", "too_big", ..: the names in --json and in tables. */
const char *loss_name(enum tacho_lost reason);
/* What it means, as the end of "lost N events: ..". */
const char *loss_meaning(enum tacho_lost reason);

/* loss_say() - a line a reason, with a remedy, on the standard error output; nothing if nothing
 * was lost. @buffer_bytes: what each CPU's ring holds now. */
void loss_say(const uint64_t lost[TACHO_LOST_REASONS], uint64_t buffer_bytes);

/* loss_unrecorded() - why some programs were not recorded at all. */
const char *loss_unrecorded(const struct session_stats *stats);
/* loss_say_unrecorded() - that some programs were not recorded at all, if so, and why. */
void loss_say_unrecorded(const struct session_stats *stats);

#endif
