/* SPDX-License-Identifier: MIT */
/*
 * Registry, session, event table and rings of a runtime directory that a program of its user has
 * changed, as tools read them: list, status, snapshot.
 *
 * The input is what is changed in sound files, LIE_BYTES each:
 *
 *      file, place in it, 2 bytes: offset in words from there, 8 bytes: the value
 *
 * What was there is put back afterwards.
 */
#include <stdint.h>
#include <stdlib.h>

#include "session/registry.h"
#include "tests/unit/session_fixture.h"

#define LIE_BYTES  12
#define LIES_MAX   64
#define FILES      4
#define PLACES     4
#define AREA_BYTES 4096u /* lies are told in so many bytes from a place on */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* Each writes a trace to disk. */
extern const unsigned long fuzz_random_runs;
const unsigned long fuzz_random_runs = 500;

struct target {
	char *map;
	uint64_t place[PLACES];
};

struct lie {
	uint64_t *at;
	uint64_t was;
};

static struct fixture *fixture;
static struct fake_program program;
static struct target target[FILES];

/* ---- sound files ---- */

static char *map_in_session(const char *name, size_t bytes)
{
	int dir_fd = session_dir(fixture, "s"), fd = openat(dir_fd, name, O_RDWR);
	char *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		abort();
	close(fd);
	close(dir_fd);
	return map;
}

static void make_rings(void)
{
	static struct fake_writer writer;

	writer_open(fixture, "s", 0, &writer);
	writer_append_all(&writer, table_add(fixture, "s", "one"), 0, 20000);
	target[3] = (struct target){ (char *)writer.rings.map,
				     { 0, TACHO_RINGS_HEADER_BYTES,
				       TACHO_RINGS_HEADER_BYTES + AREA_BYTES,
				       TACHO_RINGS_HEADER_BYTES + TACHO_RING_CONTROL_BYTES } };
}

static void fini(void)
{
	fixture_teardown((void **)&fixture);
}

static void init(void)
{
	struct session *session;

	fixture_setup((void **)&fixture);
	atexit(fini);
	program_init_self(fixture, &program);
	program_add(&program, "shop", "one", 6);
	program_add(&program, "shop", "two", 6);
	session = create_session(fixture, "s", false, TACHO_MODE_OVERWRITE);
	start_recording(fixture, session);
	session_close(session);
	make_rings();
	target[0] = (struct target){ program.map,
				     { 0, TACHO_REGISTRY_STATE_AT, TACHO_REGISTRY_INDEX_AT,
				       TACHO_REGISTRY_DESCS_AT } };
	target[1] = (struct target){ map_in_session("session", sizeof(struct tacho_session)),
				     { 0, 512, offsetof(struct tacho_session, channel),
				       offsetof(struct tacho_session, rule) } };
	target[2] = (struct target){ map_in_session("events", TACHO_EVENTS_FIRST_BYTES),
				     { 0, TACHO_EVENTS_BUCKETS_AT, TACHO_EVENTS_ENTRIES_AT,
				       TACHO_EVENTS_DESCS_AT } };
}

/* ---- lies ---- */

static struct lie tell(const uint8_t *input)
{
	const struct target *t = &target[input[0] % FILES];
	uint16_t word;
	struct lie lie;
	uint64_t value;

	memcpy(&word, input + 2, sizeof(word));
	memcpy(&value, input + 4, sizeof(value));
	lie.at = (uint64_t *)(void *)(t->map + t->place[input[1] % PLACES]) +
		 word % (AREA_BYTES / sizeof(uint64_t));
	lie.was = *lie.at;
	*lie.at = value;
	return lie;
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
	session_close(session);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct lie lies[LIES_MAX];
	size_t count = 0;

	if (!fixture)
		init();
	for (; count < LIES_MAX && bytes >= LIE_BYTES; count++, bytes -= LIE_BYTES) {
		lies[count] = tell(data);
		data += LIE_BYTES;
	}
	use_tools();
	while (count > 0) {
		count--;
		*lies[count].at = lies[count].was;
	}
	return 0;
}
