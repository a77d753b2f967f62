/* SPDX-License-Identifier: MIT */
/*
 * loss.h - what a session lost, in words, with what to do about it.
 */
#ifndef TACHO_CLI_LOSS_H
#define TACHO_CLI_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/ring.h"
#include "session/session.h"

uint64_t loss_total(const uint64_t lost[TACHO_LOST_REASONS]);
/* "full", "too_big", ..: the names in --json and in tables. */
const char *loss_name(enum tacho_lost reason);
/* What it means, as the end of "lost N events: ..". */
const char *loss_meaning(enum tacho_lost reason);

/* What was lost, and what an advice is computed from. */
struct loss {
	uint64_t lost[TACHO_LOST_REASONS];
	uint64_t recorded_events; /* 0 if they were not counted */
	uint64_t recorded_bytes;
	uint64_t buffer_bytes;                  /* what each CPU's ring holds */
	uint64_t event_bytes_max;               /* what none can be larger than */
	char channel[TACHO_CHANNEL_NAME_BYTES]; /* that lost most, of several; "" */
	uint64_t largest_bytes;                 /* buffer for which there is room */
	bool is_record;   /* the session is that of a tacho record, whose options help */
	bool is_recorder; /* a flight recorder: nothing makes room */
	bool is_blocking; /* programs waited already */
	char *more_room;  /* how to get more */
};

/* loss_init() - what a session lost; what is known of the trace comes from the caller. */
void loss_init(const struct runtime *runtime, const struct tacho_session *file,
	       const struct session_stats *stats, struct loss *ret_loss);
void loss_fini(struct loss *loss);

/* loss_say() - a line a reason, with a remedy, on the standard error output; nothing if nothing
 * was lost. */
void loss_say(const struct loss *loss);

/* loss_unrecorded() - why some programs were not recorded at all. */
const char *loss_unrecorded(const struct session_stats *stats);
/* loss_say_unrecorded() - that some programs were not recorded at all, if so, and why. */
void loss_say_unrecorded(const struct session_stats *stats);
/* loss_say_damaged() - that parts of rings made no sense and were left out, if so. */
void loss_say_damaged(uint64_t parts);

/* loss_is_none() - was all recorded that was to be? */
bool loss_is_none(const struct session_stats *stats);

#endif
