/* SPDX-License-Identifier: MIT */
/*
 * What a program reads of a session that somebody has filled with lies: it finds it, attaches to it,
 * records by its rules, filters, triggers and trackers, goes on while its files change, and lets go of it.
 *
 * The input is what is changed in sound files (lies.h); the first byte says how many of the lies are told
 * before the program attaches.
 */
#include "lies.h"

static struct fixture *fixture;

/* Before what <tacho/event.h> has done at the start: the program is to find this directory. */
static __attribute__((constructor(101))) void begin(void)
{
	fixture_setup((void **)&fixture);
}

#include <tacho/control.h>
#include <tacho/event.h>

#include "format/trigger.h"
#include "tracer/tracer.h"

#define FILES  4
#define EVENTS 20

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

extern const unsigned long fuzz_random_runs;
const unsigned long fuzz_random_runs = 2000;

static struct target target[FILES];
static struct tacho_session sound;
static char sound_head[TACHO_EVENTS_BUCKETS_AT];

static void fini(void)
{
	fixture_teardown((void **)&fixture);
}

/* ---- sound files ---- */

static struct target target_in_session(const char *name, size_t bytes, uint64_t second,
				       uint64_t third, uint64_t fourth)
{
	return (struct target){ map_in_session(fixture, name, bytes),
				{ 0, second, third, fourth } };
}

static void add_rule(struct session *session, const struct rule_options *rule)
{
	assert_ok(fixture, session_enable_event(session, rule, &fixture->error));
}

static void add_rules(struct session *session)
{
	static const char *const exclude[] = { "lies:none*", "*:never", NULL };

	add_rule(session, &(struct rule_options){ .pattern = "lies:*" });
	add_rule(session, &(struct rule_options){ .pattern = "lies:num*", .filter = "number > 5" });
	add_rule(session, &(struct rule_options){ .pattern = "*text",
						  .exclude = exclude,
						  .filter = "text == \"a*\" || $ctx.vpid > 1" });
}

static void record(void)
{
	for (int i = 0; i < EVENTS; i++) {
		tacho_event(lies, number, "number", i);
		tacho_event(lies, text, "text", "a text that is somewhat longer", "number", i);
	}
}

static void init(void)
{
	struct session *session = create_session(fixture, "s", false, TACHO_MODE_OVERWRITE);

	atexit(fini);
	add_rules(session);
	assert_ok(fixture, session_start(session, &fixture->error));
	session_close(session);
	record();
	assert_non_null(tacho_tracer.attached[0]);
	target[0] = target_in_session(
		"session", sizeof(struct tacho_session), offsetof(struct tacho_session, channel),
		offsetof(struct tacho_session, rule), offsetof(struct tacho_session, text));
	target[1] = target_in_session("events", TACHO_EVENTS_DESCS_AT + TACHO_EVENTS_FIRST_DESCS,
				      TACHO_EVENTS_BUCKETS_AT, TACHO_EVENTS_ENTRIES_AT,
				      TACHO_EVENTS_DESCS_AT);
	target[2] = target_in_session(
		"channel0.rings", TACHO_RINGS_HEADER_BYTES + 2 * TACHO_RING_CONTROL_BYTES,
		TACHO_RINGS_HEADER_BYTES, TACHO_RINGS_HEADER_BYTES + AREA_BYTES,
		TACHO_RINGS_HEADER_BYTES + TACHO_RING_CONTROL_BYTES);
	target[3] = target_in_session(TACHO_TRIGGERS_FILE, TACHO_TRIGGERS_BYTES, 0, 0, 0);
	memcpy(&sound, target[0].map, sizeof(sound));
	memcpy(sound_head, target[1].map, sizeof(sound_head));
}

/* What was added to the table meanwhile is forgotten, so that it does not get full. */
static void put_back(const struct lie *lies, size_t count)
{
	lies_put_back(lies, count);
	memcpy(target[0].map, &sound, sizeof(sound));
	memcpy(target[1].map, sound_head, sizeof(sound_head));
	memset(target[1].map + TACHO_EVENTS_BUCKETS_AT, 0,
	       TACHO_EVENTS_ENTRIES_AT - TACHO_EVENTS_BUCKETS_AT);
}

/* ---- the program ---- */

static void see_news(void)
{
	uint32_t count = registry_event_count();

	for (uint32_t i = 0; i < count; i++)
		tacho_fetch_or_acq_rel(registry_state(i), TACHO_STATE_STALE);
}

static void let_go(void)
{
	struct tacho_session *session = (void *)target[0].map;
	struct grace_section section = grace_enter();

	session->state = TACHO_SESSION_DEAD;
	attachment_check(0);
	grace_leave(section);
	if (tacho_tracer.attached[0])
		abort();
	session->state = TACHO_SESSION_ACTIVE;
}

/* A channel that blocks may do so as long as its file says. */
static void do_not_block(void)
{
	struct tacho_rings *rings = (void *)target[2].map;

	if (rings->mode == TACHO_MODE_BLOCK)
		rings->mode = TACHO_MODE_DISCARD;
}

static void live(void)
{
	do_not_block();
	sessions_apply(0, registry_event_count());
	see_news();
	record();
	tacho_snapshot("since there are lies");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct lie before[LIES_MAX], later[LIES_MAX];
	size_t before_count, later_count, split;

	if (!target[0].map)
		init();
	if (!bytes)
		return 0;
	split = data[0] * LIE_BYTES < bytes - 1 ? data[0] * LIE_BYTES : bytes - 1;
	let_go();
	before_count = lies_tell(target, FILES, data + 1, split, before);
	live();
	later_count = lies_tell(target, FILES, data + 1 + split, bytes - 1 - split, later);
	live();
	put_back(later, later_count);
	put_back(before, before_count);
	sessions_apply(0, registry_event_count());
	return 0;
}
