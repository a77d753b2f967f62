/* SPDX-License-Identifier: MIT */
/* clocks.c - clocks of several traces; see edit.h */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "edit_private.h"

#define NS_PER_S        1000000000
#define FREQ_DIFF_SHARE 1000 /* frequencies that differ by less than one in so many are measured */

static bool is_near(uint64_t a, uint64_t b)
{
	uint64_t diff = a > b ? a - b : b - a;

	return diff <= a / FREQ_DIFF_SHARE;
}

static const struct edit_clock *find(const struct edit *edit, const struct read_clock *clock)
{
	for (const struct edit_clock *known = edit->clocks; known; known = known->next) {
		if (!strcmp(known->uuid, clock->uuid) && !strcmp(known->clock.name, clock->name) &&
		    is_near(known->clock.freq_hz, clock->freq_hz))
			return known;
	}
	return NULL;
}

static int remember(struct edit *edit, const struct read_clock *clock)
{
	struct edit_clock *known = calloc(1, sizeof(*known));

	if (!known)
		return -ENOMEM;
	strncpy(known->uuid, clock->uuid, sizeof(known->uuid) - 1);
	known->clock = *clock;
	known->clock.name = strdup(clock->name);
	known->next = edit->clocks;
	edit->clocks = known;
	return known->clock.name ? 0 : -ENOMEM;
}

void edit_clocks_fini(struct edit *edit)
{
	while (edit->clocks) {
		struct edit_clock *next = edit->clocks->next;

		free((char *)edit->clocks->clock.name);
		free(edit->clocks);
		edit->clocks = next;
	}
}

/* One clock, which several traces have measured. */
static int unify(struct edit *edit, struct read_clock *clock)
{
	const struct edit_clock *known;

	if (!clock->uuid)
		return 0;
	known = find(edit, clock);
	if (!known)
		return remember(edit, clock);
	clock->freq_hz = known->clock.freq_hz;
	clock->offset_s = known->clock.offset_s;
	clock->offset_ticks = known->clock.offset_ticks;
	return 0;
}

static void shift(struct read_clock *clock, int64_t offset_ns)
{
	int64_t seconds = offset_ns / NS_PER_S, rest = offset_ns % NS_PER_S;

	if (rest < 0) {
		seconds--;
		rest += NS_PER_S;
	}
	clock->offset_s += seconds;
	clock->offset_ticks += (int64_t)((__int128)rest * (__int128)clock->freq_hz / NS_PER_S);
}

/* Time goes on so fast as from one corrected point to the other. */
static uint64_t correct_freq(uint64_t freq_hz, const struct edit_correction *c)
{
	__int128 span_ns = (__int128)c->at_ns[1] - c->at_ns[0];
	__int128 right_ns = span_ns + c->offset_ns[1] - c->offset_ns[0];
	__int128 freq;

	if (!span_ns || (span_ns < 0) != (right_ns < 0) || !right_ns)
		return freq_hz;
	freq = ((__int128)freq_hz * span_ns * 2 + right_ns) / (right_ns * 2);
	return freq > 0 && freq <= INT64_MAX ? (uint64_t)freq : freq_hz;
}

/* A frequency is a whole number: what that leaves is nothing half way between the points. */
static void correct(struct read_clock *clock, const struct edit_correction *c)
{
	uint64_t middle_ns = c->at_ns[0] / 2 + c->at_ns[1] / 2, freq_hz = clock->freq_hz;
	__int128 since_ns = (__int128)middle_ns - read_clock_ns(clock, 0), right_ns;

	clock->freq_hz = correct_freq(freq_hz, c);
	if (clock->freq_hz == freq_hz) {
		shift(clock, c->offset_ns[0]);
		return;
	}
	/* The same ticks of the offset are another time, too. */
	clock->offset_ticks = (int64_t)((__int128)clock->offset_ticks * clock->freq_hz / freq_hz);
	right_ns = since_ns * freq_hz / clock->freq_hz;
	shift(clock, (int64_t)(since_ns - right_ns) + c->offset_ns[0] / 2 + c->offset_ns[1] / 2);
}

int edit_clocks(struct edit *edit, size_t input, struct source_trace *trace, bool *ret_is_changed)
{
	const struct edit_request *request = edit->request;
	struct edit_correction correction = { 0 };
	int rc = 0;

	*ret_is_changed = request->input_count > 1 && trace->trace->metadata.clocks;
	if (!*ret_is_changed)
		return 0;
	if (request->correct)
		correction = request->correct(request->data, input, trace->trace);
	for (struct read_clock *clock = trace->trace->metadata.clocks; clock && !rc;
	     clock = clock->next) {
		rc = unify(edit, clock);
		correct(clock, &correction);
		clock->is_absolute = true;
	}
	return rc ? error_set(edit->e, rc, "no memory") : 0;
}
