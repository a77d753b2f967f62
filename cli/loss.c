/* SPDX-License-Identifier: MIT */
/* loss.c - see loss.h */
#include "loss.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "say.h"
#include "text.h"

static const struct {
	const char *name;
	const char *meaning;
} reasons[TACHO_LOST_REASONS] = {
	[TACHO_LOST_FULL] = { "full", "the buffer was full: events came faster than they could "
				      "be written to the trace" },
	[TACHO_LOST_TOO_BIG] = { "too_big", "they were larger than a part of the buffer" },
	[TACHO_LOST_NO_MEMORY] = { "no_memory", "there was no memory for their buffer" },
	[TACHO_LOST_CONTENDED] = { "contended", "they were interrupted again and again, or shared a "
						"buffer with many threads, or came from a child of "
						"vfork()" },
};

uint64_t loss_total(const uint64_t lost[TACHO_LOST_REASONS])
{
	uint64_t total = 0;

	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		total += lost[i];
	return total;
}

const char *loss_name(enum tacho_lost reason)
{
	return reasons[reason].name;
}

const char *loss_meaning(enum tacho_lost reason)
{
	return reasons[reason].meaning;
}

/* Four times what it is, in a unit that --buffer takes. */
static struct short_text larger_buffer(uint64_t buffer_bytes)
{
	struct short_text t;
	uint64_t wanted =
		buffer_bytes > TACHO_RING_BYTES_MAX / 4 ? TACHO_RING_BYTES_MAX : 4 * buffer_bytes;

	if (wanted < 1 << 20)
		snprintf(t.text, sizeof(t.text), "%" PRIu64 "K", (wanted + 1023) >> 10);
	else
		snprintf(t.text, sizeof(t.text), "%" PRIu64 "M", (wanted + (1 << 20) - 1) >> 20);
	return t;
}

static void say_remedy(enum tacho_lost reason, uint64_t buffer_bytes)
{
	switch (reason) {
	case TACHO_LOST_FULL:
	case TACHO_LOST_TOO_BIG:
		say(SAY_PLAIN, "  what helps: --buffer %s (now %s per CPU)%s",
		    larger_buffer(buffer_bytes).text, bytes_text(buffer_bytes).text,
		    reason == TACHO_LOST_FULL ? ", or fewer events: -e PATTERN" : "");
		break;
	case TACHO_LOST_NO_MEMORY:
		say(SAY_PLAIN, "  what helps: a smaller --buffer, or more room: "
			       "mount -o remount,size=50%% /dev/shm");
		break;
	default:
		say(SAY_PLAIN, "  what helps: restartable sequences (tacho doctor), and recording a "
			       "vfork() child only from its exec on");
	}
}

void loss_say(const uint64_t lost[TACHO_LOST_REASONS], uint64_t buffer_bytes)
{
	for (int i = 0; i < TACHO_LOST_REASONS; i++) {
		if (!lost[i])
			continue;
		say(SAY_WARNING, "lost %s event%s: %s", count_text(lost[i]).text,
		    lost[i] == 1 ? "" : "s", loss_meaning(i));
		say_remedy(i, buffer_bytes);
	}
}

static const struct {
	const char *why;
	const char *meaning;
	const char *remedy;
} unrecorded[] = {
	{ TACHO_UNRECORDED_VERSION, "their libtacho and this tacho are not of the same version",
	  "install both from one source, and start the programs again" },
	{ TACHO_UNRECORDED_REGISTRY, "they could not make a file of 32 MiB (sparse) in the runtime "
				     "directory",
	  "room in there (tacho doctor), and no tight ulimit -f or -v" },
	{ TACHO_UNRECORDED_MAP, "they could not map the session's buffers",
	  "a smaller --buffer, or a larger ulimit -v" },
	{ "", "they could not say why", "tacho doctor" },
};

static size_t find_unrecorded(const struct session_stats *stats)
{
	size_t i = 0;

	while (*unrecorded[i].why && strcmp(unrecorded[i].why, stats->unrecorded_why))
		i++;
	return i;
}

const char *loss_unrecorded(const struct session_stats *stats)
{
	return unrecorded[find_unrecorded(stats)].meaning;
}

void loss_say_unrecorded(const struct session_stats *stats)
{
	size_t i = find_unrecorded(stats);

	if (!stats->unrecorded)
		return;
	say(SAY_WARNING, "%s program%s not recorded at all: %s (libtacho %s, tacho " TACHO_VERSION ")",
	    count_text(stats->unrecorded).text, stats->unrecorded == 1 ? " was" : "s were",
	    unrecorded[i].meaning, stats->unrecorded_version);
	say(SAY_PLAIN, "  what helps: %s", unrecorded[i].remedy);
}
