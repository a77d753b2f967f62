/* SPDX-License-Identifier: MIT */
/* ended.c - see ended.h */
#include "ended.h"

#include <stdio.h>

#include "loss.h"
#include "say.h"
#include "text.h"
#include "traces.h"

int ended_stop(struct picked *picked, struct ended *ret_ended)
{
	const struct tacho_session *file = session_file(picked->session);
	struct tacho_error error;

	*ret_ended = (struct ended){ 0 };
	if (session_stop(picked->session, &error) ||
	    session_stats(picked->session, &ret_ended->stats, &error))
		return fail_with(&error);
	ret_ended->has_trace = file->streaming && trace_is_in(file->output);
	if (file->streaming)
		ret_ended->tally = tally_trace(file->output, ret_ended->stats.bytes);
	return STATUS_DONE;
}

/* May the oldest of what was recorded have left the trace? */
static bool may_lack_oldest(const struct tacho_session *file)
{
	bool may = file->max_bytes || file->clear_done;

	for (uint32_t i = 0; i < file->channel_count && i < TACHO_CHANNELS_MAX; i++)
		may |= file->channel[i].tracefile_count > 0;
	return may;
}

static void print_newest(const struct ended *ended)
{
	const struct tally *tally = &ended->tally;

	printf("%s recorded, of which the newest", bytes_text(ended->stats.bytes).text);
	if (tally->is_counted)
		printf(" %s event%s", count_text(tally->events).text,
		       tally->events == 1 ? "" : "s");
	printf(" %s in the trace", tally->is_counted && tally->events == 1 ? "is" : "are");
}

void ended_print(const struct picked *picked, const struct ended *ended)
{
	const struct tacho_session *file = session_file(picked->session);

	printf("Session '%s' is stopped", visible(file->name).text);
	if (file->streaming && !ended->has_trace) {
		printf(ended->stats.bytes ? "; its trace was cleared or rotated away.\n" :
					    "; it never recorded.\n");
		return;
	}
	printf(": ");
	if (may_lack_oldest(file))
		print_newest(ended);
	else
		printf("%s", tally_text(&ended->tally, ended->stats.bytes).text);
	printf("%s.\n", loss_is_none(&ended->stats) ? ", nothing lost" : "");
}

bool ended_is_empty(const struct ended *ended)
{
	return ended->tally.is_counted && !ended->tally.events && loss_is_none(&ended->stats);
}

void ended_say_lost(const struct picked *picked, const struct ended *ended)
{
	const struct session_stats *stats = &ended->stats;
	struct loss loss;

	fflush(stdout);
	loss_init(&picked->runtime, session_file(picked->session), stats, &loss);
	if (!may_lack_oldest(session_file(picked->session)))
		loss.recorded_events = ended->tally.events;
	loss_say(&loss);
	loss_fini(&loss);
	loss_say_unrecorded(stats);
	loss_say_damaged(stats->damaged);
}
