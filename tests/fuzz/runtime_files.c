/* SPDX-License-Identifier: MIT */
/*
 * Registry, session, event table, triggers and rings, of both kinds of writers, of a runtime directory
 * that a program of its user has changed, as tools read them: list, status, snapshot, watch; and as root
 * makes such a session like one of its own.
 *
 * The input is what is changed in sound files (lies.h).
 */
#include <stdint.h>
#include <stdlib.h>

#include "lies.h"
#include "session/registry.h"
#include "session/users/mirror.h"
#include "session/watch/watch.h"

#define FILES 6

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* Each writes a trace to disk. */
extern const unsigned long fuzz_random_runs;
const unsigned long fuzz_random_runs = 500;

static struct fixture *fixture;
static struct fake_program program;
static struct target target[FILES];
/* Root's session, and that of the user as it was. */
static struct tacho_session model, mirror;

/* ---- sound files ---- */

static struct target target_of(const struct rings *rings)
{
	return (struct target){ (char *)rings->map,
				{ 0, TACHO_RINGS_HEADER_BYTES,
				  TACHO_RINGS_HEADER_BYTES + AREA_BYTES,
				  TACHO_RINGS_HEADER_BYTES + TACHO_RING_CONTROL_BYTES } };
}

static void make_rings(uint32_t id)
{
	static struct fake_writer writer;

	writer_open(fixture, "s", 0, &writer);
	writer_append_all(&writer, id, 0, 20000);
	target[3] = target_of(&writer.rings);
}

static void make_shards(uint32_t id)
{
	static struct fake_writer writer;
	int dir_fd = session_dir(fixture, "s");
	struct tacho_clock_tuple now;

	if (rings_open(dir_fd, "channel0.shards", &writer.rings, NULL) ||
	    ring_allocate(&writer.rings, 0) || ctf_clock_sample(writer.rings.clock_kind, &now))
		abort();
	close(dir_fd);
	writer.ts = now.counter;
	writer_append_all(&writer, id, 20000, 40000);
	target[5] = target_of(&writer.rings);
}

static void fini(void)
{
	fixture_teardown((void **)&fixture);
}

static void init(void)
{
	struct session *session;
	uint32_t id;

	fixture_setup((void **)&fixture);
	atexit(fini);
	program_init_self(fixture, &program);
	program_add(&program, "shop", "one", 6);
	program_add(&program, "shop", "two", 6);
	session = create_session(fixture, "s", false, TACHO_MODE_OVERWRITE);
	start_recording(fixture, session);
	session_close(session);
	id = table_add(fixture, "s", "one");
	make_rings(id);
	make_shards(id);
	target[0] =
		(struct target){ program.map,
				 { 0, 256, TACHO_REGISTRY_EVENTS_AT, TACHO_REGISTRY_DESCS_AT } };
	target[1] =
		(struct target){ map_in_session(fixture, "session", sizeof(struct tacho_session)),
				 { 0, 512, offsetof(struct tacho_session, channel),
				   offsetof(struct tacho_session, rule) } };
	target[2] = (struct target){
		map_in_session(fixture, "events", TACHO_EVENTS_DESCS_AT + TACHO_EVENTS_FIRST_DESCS),
		{ 0, TACHO_EVENTS_BUCKETS_AT, TACHO_EVENTS_ENTRIES_AT, TACHO_EVENTS_DESCS_AT }
	};
	memcpy(&model, target[1].map, sizeof(model));
	((struct tacho_session *)(void *)target[1].map)->mirror_of = model.instance;
	memcpy(&mirror, target[1].map, sizeof(mirror));
	target[4] =
		(struct target){ map_in_session(fixture, TACHO_TRIGGERS_FILE, TACHO_TRIGGERS_BYTES),
				 { 0, 0, 0, 0 } };
}

/* ---- tools ---- */

static int look_at_events(struct registry *registry, void *unused)
{
	(void)unused;
	for (uint32_t i = 0; i < registry->event_count; i++)
		event_desc_free(registry_event(registry, i));
	return 0;
}

static void take_snapshot(struct session *session)
{
	struct snapshot_options options = { .output = fixture->trace };
	struct snapshot_result result;
	struct tacho_error error = { 0 };

	session_snapshot(session, &options, &result, &error);
	nftw(fixture->trace, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void look_at_triggers(struct session *session)
{
	uint64_t hits[TACHO_TRIGGERS_MAX];
	struct watch *watch = calloc(1, sizeof(*watch));

	watch->session = session;
	watch->triggers = triggers_map(session);
	session_trigger_hits(session, hits);
	triggers_forget_hits(session);
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		watch->watched[i].trigger = session_file(session)->trigger[i];
		watch->watched[i].trigger.condition = TACHO_CONDITION_USAGE_ABOVE + i % 4;
		watch->watched[i].is_armed = true;
	}
	if (watch->triggers) {
		watch_look(watch);
		watch_look(watch);
		triggers_unmap(watch->triggers);
	}
	free(watch);
}

/* What it changed is undone: the next lies are told to the same files. */
static void make_mirror(void)
{
	struct session *session;
	struct tacho_error error = { 0 };

	if (!session_mirror(&fixture->runtime, &model, &session, &error))
		session_close(session);
	memcpy(target[1].map, &mirror, sizeof(mirror));
}

static void use_tools(void)
{
	struct session_stats stats;
	struct session *session;
	struct tacho_error error = { 0 };

	registries_visit(&fixture->runtime, look_at_events, NULL);
	if (session_open(&fixture->runtime, "s", &session, &error))
		return;
	session_stats(session, &stats, &error);
	take_snapshot(session);
	look_at_triggers(session);
	session_close(session);
	make_mirror();
}

/* A mirror's trace goes to the working directory, mirror.h. */
static void use_tools_in_place(void)
{
	int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (here < 0 || chdir(fixture->dir))
		abort();
	use_tools();
	if (fchdir(here))
		abort();
	close(here);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct lie lies[LIES_MAX];
	size_t count;

	if (!fixture)
		init();
	count = lies_tell(target, FILES, data, bytes, lies);
	use_tools_in_place();
	lies_put_back(lies, count);
	return 0;
}
