/* SPDX-License-Identifier: MIT */
/* loss.c - see loss.h */
#include "loss.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "look.h"
#include "room.h"
#include "say.h"
#include "text.h"

/* Where nothing was recorded that could tell. */
#define EVENT_BYTES_GUESS 64

static const struct {
	const char *name;
	const char *meaning;
} reasons[TACHO_LOST_REASONS] = {
	[TACHO_LOST_FULL] = { "full", "the buffer was full: events came faster than they could "
				      "be written to the trace" },
	[TACHO_LOST_TOO_BIG] = { "too_big", "they were larger than a part of the buffer" },
	[TACHO_LOST_NO_MEMORY] = { "no_memory", "there was no memory for their buffer" },
	[TACHO_LOST_CONTENDED] = { "contended",
				   "they were interrupted again and again, or shared a "
				   "buffer with many threads" },
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

/*
 * The buffer that would have held it all, if what was lost is as large as what was not, and came on
 * one CPU while nobody emptied its buffer. The next power of 2; 0 if there is no room for that.
 */
static uint64_t enough_bytes(const struct loss *loss)
{
	uint64_t lost = loss->lost[TACHO_LOST_FULL];
	double each = loss->recorded_events ?
			      (double)loss->recorded_bytes / (double)loss->recorded_events :
			      EVENT_BYTES_GUESS;
	double wanted = (double)loss->buffer_bytes + (double)lost * each;
	uint64_t bytes = 2 * loss->buffer_bytes;

	while ((double)bytes < wanted && bytes < TACHO_RING_BYTES_MAX)
		bytes *= 2;
	return bytes <= loss->largest_bytes && (double)bytes >= wanted ? bytes : 0;
}

/* The options of tacho record; a session that is there gets other channels and rules. */
static void say_full(const struct loss *loss)
{
	const char *in = loss->is_record ? "" : "a session or channel with ";
	const char *fewer = loss->is_record ? "-e PATTERN" : "tacho disable-event";
	const char *wait = loss->is_blocking ? "wait longer" : "wait";
	uint64_t enough = enough_bytes(loss);

	if (loss->is_recorder)
		say(SAY_PLAIN, "  what helps: that the oldest events go instead: --overwrite");
	else if (enough)
		say(SAY_PLAIN,
		    "  what helps: %s--buffer %s (now %s per CPU), or fewer events: %s, or "
		    "programs that %s: --blocking-timeout",
		    in, option_bytes(enough).text, bytes_text(loss->buffer_bytes).text, fewer,
		    wait);
	else
		say(SAY_PLAIN,
		    "  what helps: fewer events: %s, or programs that %s: "
		    "--blocking-timeout; there is no room for a buffer that holds all of them (now "
		    "%s per CPU)",
		    fewer, wait, bytes_text(loss->buffer_bytes).text);
}

static void say_remedy(enum tacho_lost reason, const struct loss *loss)
{
	switch (reason) {
	case TACHO_LOST_FULL:
		say_full(loss);
		break;
	case TACHO_LOST_TOO_BIG:
		say(SAY_PLAIN,
		    "  what helps: --buffer of 8 times the largest event, or more; now it is %s "
		    "per "
		    "CPU, for events below %s",
		    bytes_text(loss->buffer_bytes).text, bytes_text(loss->event_bytes_max).text);
		break;
	case TACHO_LOST_NO_MEMORY:
		say(SAY_PLAIN, "  what helps: a smaller --buffer, or more room: %s",
		    loss->more_room ? loss->more_room : "tacho doctor says how");
		break;
	default:
		say(SAY_PLAIN, "  what helps: restartable sequences (tacho doctor)");
	}
}

void loss_say(const struct loss *loss)
{
	for (int i = 0; i < TACHO_LOST_REASONS; i++) {
		if (!loss->lost[i])
			continue;
		say(SAY_WARNING, "lost %s event%s: %s", count_text(loss->lost[i]).text,
		    loss->lost[i] == 1 ? "" : "s", loss_meaning(i));
		say_remedy(i, loss);
	}
	if (loss->channel[0] && loss_total(loss->lost))
		say(SAY_PLAIN, "  most of them were lost in the channel '%s'",
		    visible(loss->channel).text);
}

/* The one that lost most; where none lost anything, the first. */
static const struct tacho_channel *worst_channel(const struct tacho_session *file,
						 const struct session_stats *stats)
{
	uint32_t worst = 0;

	for (uint32_t i = 1; i < file->channel_count && i < TACHO_CHANNELS_MAX; i++)
		if (stats->channel_lost[i] > stats->channel_lost[worst])
			worst = i;
	return file->channel_count ? &file->channel[worst] : &file->first_channel;
}

void loss_init(const struct runtime *runtime, const struct tacho_session *file,
	       const struct session_stats *stats, struct loss *ret_loss)
{
	const struct tacho_channel *channel = worst_channel(file, stats);
	uint64_t buffer_bytes = look_buffer_bytes(channel);
	uint64_t room = room_free(runtime->fd) + room_needed(buffer_bytes);

	*ret_loss = (struct loss){
		.recorded_bytes = stats->bytes,
		.buffer_bytes = buffer_bytes,
		.largest_bytes = room_largest_buffer(room),
		.is_record = file->family,
		.is_recorder = !file->streaming,
		.is_blocking = channel->mode == TACHO_MODE_BLOCK,
		.more_room = room_remedy(runtime->path, runtime->fd, room_needed(buffer_bytes)),
	};
	memcpy(ret_loss->lost, stats->lost, sizeof(ret_loss->lost));
	if (buffer_bytes)
		ret_loss->event_bytes_max = 1ull << channel->subbuf_shift;
	if (file->channel_count > 1)
		snprintf(ret_loss->channel, sizeof(ret_loss->channel), "%.*s",
			 TACHO_CHANNEL_NAME_BYTES - 1, channel->name);
}

void loss_fini(struct loss *loss)
{
	free(loss->more_room);
}

static const struct {
	const char *why;
	const char *meaning;
	const char *remedy;
} unrecorded[] = {
	{ TACHO_UNRECORDED_VERSION, "their libtacho and this tacho are not of the same version",
	  "install both from one source, and start the programs again" },
	{ TACHO_UNRECORDED_REGISTRY,
	  "they could not make a file of 32 MiB (sparse) in the runtime "
	  "directory",
	  "room in there (tacho doctor), and no tight ulimit -f or -v" },
	{ TACHO_UNRECORDED_MAP, "they could not map the session's buffers",
	  "a smaller --buffer, or a larger ulimit -v" },
	{ TACHO_UNRECORDED_CONFINED,
	  "they had given up system calls (seccomp) before the session wanted them",
	  "to start the session first, and then the programs" },
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
	say(SAY_WARNING,
	    "%s program%s not recorded at all: %s (libtacho %s, tacho " TACHO_VERSION ")",
	    count_text(stats->unrecorded).text, stats->unrecorded == 1 ? " was" : "s were",
	    unrecorded[i].meaning, stats->unrecorded_version);
	say(SAY_PLAIN, "  what helps: %s", unrecorded[i].remedy);
}

void loss_say_damaged(uint64_t parts)
{
	if (!parts)
		return;
	say(SAY_WARNING,
	    "%s part%s of the buffers made no sense and %s left out: another program wrote into "
	    "them",
	    count_text(parts).text, parts == 1 ? "" : "s", parts == 1 ? "was" : "were");
}

bool loss_is_none(const struct session_stats *stats)
{
	return !loss_total(stats->lost) && !stats->unrecorded && !stats->damaged;
}
