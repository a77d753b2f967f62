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

void ended_print(const struct picked *picked, const struct ended *ended)
{
	const struct tacho_session *file = session_file(picked->session);

	if (file->streaming && !ended->has_trace)
		printf("Session '%s' is stopped; it never recorded.\n", visible(file->name).text);
	else
		printf("Session '%s' is stopped: %s%s.\n", visible(file->name).text,
		       tally_text(&ended->tally, ended->stats.bytes).text,
		       loss_is_none(&ended->stats) ? ", nothing lost" : "");
}

void ended_say_lost(const struct picked *picked, const struct ended *ended)
{
	const struct session_stats *stats = &ended->stats;
	struct loss loss;

	fflush(stdout);
	loss_init(&picked->runtime, session_file(picked->session), stats, &loss);
	loss.recorded_events = ended->tally.events;
	loss_say(&loss);
	loss_fini(&loss);
	loss_say_unrecorded(stats);
	loss_say_damaged(stats->damaged);
}
