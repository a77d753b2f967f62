/* SPDX-License-Identifier: MIT */
/*
 * ring_batch.c - many records by a tool (ring/batch.h): what is published is read as it was written,
 * by record_walk(), which knows nothing of the writer; what is not does not exist.
 */
#include "tests/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "ring/batch.h"
#include "ring/writer.h"
#include "session/drain/record_walk.h"

#define NAME       "channel0.kernel"
#define ID_COMPACT 7
#define ID_MEDIUM  1000
#define ID_LARGE   (TACHO_ID_MEDIUM_MAX + 1)
#define NOW        (9ull << TACHO_WINDOW_SHIFT)

static struct event_desc empty = { .provider = "test", .name = "empty" };

struct scene {
	struct rings rings;
	struct ring_batch batch;
	struct event_table table;
};

static const struct ring_batch_thread shell = { .pid = 10, .tid = 11, .name = "shell" };
static const struct ring_batch_thread other = { .pid = 10, .tid = 12, .name = "shell" };

static int make_rings(struct rings *rings, uint32_t mode)
{
	struct rings_parameters p = {
		.ring_count = 2, .mode = mode, .writer_kind = TACHO_WRITER_PORTABLE
	};
	char path[] = "/dev/shm/tacho-test.ring_batch.XXXXXX";
	int dir, ret;

	if (!mkdtemp(path))
		return -errno;
	dir = open(path, O_RDONLY | O_DIRECTORY);
	ret = ring_geometry_init(&p.geometry, TACHO_RING_BYTES_MIN);
	if (!ret)
		ret = rings_create(dir, NAME, &p, NULL);
	if (!ret)
		ret = rings_open(dir, NAME, rings, NULL);
	unlinkat(dir, NAME, 0);
	close(dir);
	rmdir(path);
	return ret ? ret : ring_allocate(rings, 0);
}

static int make_scene(void **state, uint32_t mode)
{
	struct scene *s = calloc(1, sizeof(*s));

	s->table.id_count = ID_LARGE + 1;
	s->table.desc = calloc(ID_LARGE + 1, sizeof(*s->table.desc));
	s->table.contexts = calloc(ID_LARGE + 1, sizeof(*s->table.contexts));
	s->table.desc[ID_COMPACT] = &empty;
	s->table.desc[ID_MEDIUM] = &empty;
	s->table.desc[ID_LARGE] = &empty;
	*state = s;
	return make_rings(&s->rings, mode);
}

static int make_discarding(void **state)
{
	return make_scene(state, TACHO_MODE_DISCARD);
}

static int make_overwriting(void **state)
{
	return make_scene(state, TACHO_MODE_OVERWRITE);
}

static int remove_scene(void **state)
{
	struct scene *s = *state;

	rings_close(&s->rings);
	free(s->table.desc);
	free(s->table.contexts);
	free(s);
	return 0;
}

static int put(struct scene *s, const struct ring_batch_thread *thread, uint32_t id,
	       uint64_t timestamp)
{
	uint8_t *payload;
	int ret = ring_batch_begin(&s->batch, thread, id, timestamp, 0, &payload);

	if (!ret)
		ring_batch_end(&s->batch, payload);
	return ret;
}

/* To a ring that nothing was written to yet. */
static void open_first(struct scene *s)
{
	assert_int_equal(ring_batch_open(&s->batch, &s->rings, 0), 0);
	assert_int_equal(put(s, &shell, ID_COMPACT, NOW), -ENOBUFS);
	assert_int_equal(ring_batch_switch(&s->batch, NOW), 0);
}

static struct record_walk walk(struct scene *s, uint64_t number)
{
	struct record_walk walk = { .is_strict = true };
	struct ring_view view;

	assert_int_equal(ring_view(&s->rings, 0, number, &view), 0);
	assert_int_equal(record_walk(&walk, &s->table, view.content, view.content_bytes), 0);
	return walk;
}

static uint32_t tid_of(const struct record_walk *walk)
{
	uint32_t tid;

	memcpy(&tid, walk->writer + 4, sizeof(tid));
	return tid;
}

static void only_what_is_published_exists(void **state)
{
	struct scene *s = *state;
	struct record_walk seen;

	open_first(s);
	assert_int_equal(put(s, &shell, ID_COMPACT, NOW), 0);
	assert_int_equal(ring_range(&s->rings, 0).end, 0);
	ring_batch_publish(&s->batch);
	assert_int_equal(put(s, &shell, ID_COMPACT, NOW + 1), 0);
	ring_batch_close(&s->batch);
	seen = walk(s, 0);
	assert_int_equal(seen.event_count, 1);
	assert_int_equal(seen.last_ts, NOW);
	assert_string_equal((char *)seen.writer + 8, "shell");
}

static void headers_are_as_long_as_ids_and_times_ask_for(void **state)
{
	struct scene *s = *state;
	static const struct {
		uint32_t id;
		uint64_t later, bytes;
	} cases[] = {
		{ ID_COMPACT, 1, TACHO_COMPACT_BYTES },
		{ ID_MEDIUM, 1, TACHO_MEDIUM_BYTES },
		{ ID_LARGE, 1, TACHO_EXTENDED_BYTES },
		{ ID_COMPACT, 1ull << TACHO_WINDOW_SHIFT, TACHO_EXTENDED_BYTES },
	};
	uint64_t now = NOW;

	open_first(s);
	assert_int_equal(put(s, &shell, ID_COMPACT, now), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t before = s->batch.position;

		now += cases[i].later;
		assert_int_equal(put(s, &shell, cases[i].id, now), 0);
		assert_int_equal(s->batch.position - before, cases[i].bytes);
	}
	ring_batch_publish(&s->batch);
	assert_int_equal(walk(s, 0).event_count, 5);
	assert_int_equal(walk(s, 0).last_ts, now);
	ring_batch_close(&s->batch);
}

static void another_thread_is_named_and_no_time_goes_back(void **state)
{
	struct scene *s = *state;
	struct record_walk seen;

	open_first(s);
	assert_int_equal(put(s, &shell, ID_COMPACT, NOW + 5), 0);
	assert_int_equal(put(s, &other, ID_COMPACT, NOW + 3), 0);
	ring_batch_publish(&s->batch);
	ring_batch_close(&s->batch);
	seen = walk(s, 0);
	assert_int_equal(seen.event_count, 2);
	assert_int_equal(seen.last_ts, NOW + 5);
	assert_int_equal(tid_of(&seen), 12);
}

static void the_next_to_open_it_goes_on(void **state)
{
	struct scene *s = *state;
	struct record_walk seen;

	open_first(s);
	assert_int_equal(put(s, &shell, ID_COMPACT, NOW), 0);
	ring_batch_publish(&s->batch);
	ring_batch_close(&s->batch);
	assert_int_equal(ring_batch_open(&s->batch, &s->rings, 0), 0);
	assert_int_equal(put(s, &other, ID_COMPACT, NOW - 1), 0);
	ring_batch_publish(&s->batch);
	ring_batch_close(&s->batch);
	seen = walk(s, 0);
	assert_int_equal(seen.event_count, 2);
	assert_int_equal(seen.last_ts, NOW);
	assert_int_equal(tid_of(&seen), 12);
}

/* Until there is no more room. */
static void fill_subbuf(struct scene *s)
{
	int ret;

	do {
		ret = put(s, &shell, ID_LARGE, NOW);
	} while (!ret);
	assert_int_equal(ret, -ENOBUFS);
	ring_batch_publish(&s->batch);
}

static void full_ring_waits_for_its_drain(void **state)
{
	struct scene *s = *state;
	uint32_t count = s->rings.subbuf_count;

	open_first(s);
	for (uint32_t i = 0; i < count; i++) {
		fill_subbuf(s);
		assert_int_equal(ring_batch_switch(&s->batch, NOW), i + 1 < count ? 0 : -ENOSPC);
	}
	ring_release(&s->rings, 0, 1);
	assert_int_equal(ring_batch_switch(&s->batch, NOW), 0);
	fill_subbuf(s);
	assert_int_equal(ring_range(&s->rings, 0).oldest, 1);
	assert_int_equal(ring_range(&s->rings, 0).end, count + 1);
	for (uint32_t number = 1; number <= count; number++)
		assert_true(walk(s, number).event_count > 100);
	ring_batch_close(&s->batch);
}

static void flight_recorder_keeps_the_newest(void **state)
{
	struct scene *s = *state;
	uint32_t laps = 3 * s->rings.subbuf_count;
	struct ring_view view;

	open_first(s);
	for (uint32_t i = 0; i < laps; i++) {
		fill_subbuf(s);
		assert_int_equal(ring_batch_switch(&s->batch, NOW + i), 0);
	}
	fill_subbuf(s);
	assert_int_equal(ring_view(&s->rings, 0, 0, &view), -ESTALE);
	assert_int_equal(ring_view(&s->rings, 0, laps - 1, &view), 0);
	assert_int_equal(view.begin_ts, NOW + laps - 2);
	assert_int_equal(view.end_ts, NOW + laps - 1);
	assert_int_equal(ring_view(&s->rings, 0, laps, &view), 0);
	assert_true(view.is_open);
	ring_batch_close(&s->batch);
}

static void what_no_subbuffer_holds_is_refused(void **state)
{
	struct scene *s = *state;
	uint8_t *payload;

	open_first(s);
	assert_int_equal(ring_batch_begin(&s->batch, &shell, ID_COMPACT, NOW,
					  1ull << s->rings.subbuf_shift, &payload),
			 -E2BIG);
	ring_batch_close(&s->batch);
}

static void ring_of_another_or_without_memory_is_not_opened(void **state)
{
	struct scene *s = *state;
	struct tacho_ring *ring =
		(struct tacho_ring *)((char *)s->rings.map + tacho_ring_at(0, s->rings.stride));

	assert_int_equal(ring_batch_open(&s->batch, &s->rings, 1), -EAGAIN);
	assert_true(ring_own(ring, tacho_ring_owner(process_pid_namespace(), 1), true));
	assert_int_equal(ring_batch_open(&s->batch, &s->rings, 0), -EBUSY);
}

/* As a drain is that was killed, and whose parent has not looked yet. */
static void ring_of_a_zombie_is_opened(void **state)
{
	struct scene *s = *state;
	struct tacho_ring *ring =
		(struct tacho_ring *)((char *)s->rings.map + tacho_ring_at(0, s->rings.stride));
	pid_t pid = fork();
	siginfo_t info;

	if (!pid)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_true(ring_own(ring, tacho_ring_owner(process_pid_namespace(), (uint32_t)pid), true));
	assert_int_equal(ring_batch_open(&s->batch, &s->rings, 0), 0);
	ring_batch_close(&s->batch);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_discarding, remove_scene)
	const struct CMUnitTest tests[] = {
		CASE(only_what_is_published_exists),
		CASE(headers_are_as_long_as_ids_and_times_ask_for),
		CASE(another_thread_is_named_and_no_time_goes_back),
		CASE(the_next_to_open_it_goes_on),
		CASE(full_ring_waits_for_its_drain),
		cmocka_unit_test_setup_teardown(flight_recorder_keeps_the_newest, make_overwriting,
						remove_scene),
		CASE(what_no_subbuffer_holds_is_refused),
		CASE(ring_of_another_or_without_memory_is_not_opened),
		CASE(ring_of_a_zombie_is_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
