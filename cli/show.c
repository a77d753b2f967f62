/* SPDX-License-Identifier: MIT */
/* show.c - see show.h */
#include "show.h"

#include <string.h>

#include "say.h"
#include "shown.h"

static int find_channel(struct shown *shown, const char *name)
{
	shown->only = UINT32_MAX;
	for (uint32_t i = 0; name && i < shown->file.channel_count; i++)
		if (!strcmp(shown->file.channel[i].name, name))
			shown->only = i;
	if (!name || shown->only != UINT32_MAX)
		return STATUS_DONE;
	return fail("the session '%s' has no channel '%s'; those it has: tacho status '%s'",
		    shown->file.name, name, shown->file.name);
}

const char *shown_channel_name(const struct shown *shown, uint32_t index)
{
	return index < shown->file.channel_count ? shown->file.channel[index].name : "?";
}

int show_session(struct picked *picked, const struct show_wish *wish)
{
	static struct shown shown;
	struct tacho_error error;
	int status;

	if (session_stats(picked->session, &shown.stats, &error))
		return fail_with(&error);
	shown.runtime = &picked->runtime;
	look_session(picked->session, &shown.file);
	session_trigger_hits(picked->session, shown.trigger_hits);
	shown.watch_alive = session_is_watched(picked->session);
	status = find_channel(&shown, wish->channel);
	if (status)
		return status;
	return wish->json ? show_json(&shown) : show_text(&shown);
}
