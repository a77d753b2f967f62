/* SPDX-License-Identifier: MIT */
/*
 * session_fixture.h - for tests of lib/session: a runtime directory of the test's own, a program's
 * registry made by hand, and a writer that follows format/ring.h step by step.
 */
#ifndef TACHO_TESTS_UNIT_SESSION_FIXTURE_H
#define TACHO_TESTS_UNIT_SESSION_FIXTURE_H

#include "tests/test.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/event_desc.h"
#include "base/process.h"
#include "base/str.h"
#include "ctf/read/reader.h"
#include "ctf/write/clock.h"
#include "ring/rings.h"
#include "session/session.h"

struct fixture {
	char dir[64];   /* everything of the test is below it */
	char run[80];   /* TACHO_RUNTIME_DIR */
	char trace[80]; /* a directory that is not there yet */
	struct runtime runtime;
	struct tacho_error error;
};

static inline int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static inline int fixture_setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	strcpy(f->dir, "/dev/shm/tacho-test-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	snprintf(f->run, sizeof(f->run), "%s/run", f->dir);
	snprintf(f->trace, sizeof(f->trace), "%s/trace", f->dir);
	setenv("TACHO_RUNTIME_DIR", f->run, 1);
	setenv("HOME", f->dir, 1);
	assert_int_equal(runtime_open(&f->runtime, &f->error), 0);
	*state = f;
	return 0;
}

static inline int fixture_teardown(void **state)
{
	struct fixture *f = *state;
	char **names;

	/* Drains of failed tests must not outlive them. */
	if (!session_names(&f->runtime, &names, NULL)) {
		for (char **name = names; *name; name++) {
			struct session *session;

			if (!session_open(&f->runtime, *name, &session, NULL))
				session_discard(session, NULL);
		}
		session_names_free(names);
	}
	runtime_close(&f->runtime);
	nftw(f->dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	free(f);
	return 0;
}

#define session_test(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

/* Does the result mean success? If not, say why. */
#define assert_ok(f, call)                                                                         \
	do {                                                                                       \
		int assert_ok_ret = (call);                                                        \
		if (assert_ok_ret)                                                                 \
			fail_msg("%d: %s", assert_ok_ret, (f)->error.text);                        \
	} while (0)

static inline struct session *create_session(struct fixture *f, const char *name, bool streaming,
					     enum tacho_mode mode)
{
	struct session_options options = {
		.name = name,
		.output = streaming ? f->trace : NULL,
		.streaming = streaming,
		.channel = { .buffer_bytes = 32768, .mode = mode },
	};
	struct session *session;

	assert_ok(f, session_create(&f->runtime, &options, &session, &f->error));
	return session;
}

static inline bool exists(const struct fixture *f, const char *name)
{
	struct stat st;

	return !fstatat(f->runtime.fd, name, &st, AT_SYMLINK_NOFOLLOW);
}

/* ---- a program's registry ---- */

struct fake_program {
	char name[64]; /* below the runtime directory */
	char *map;
	struct tacho_registry *head;
	struct tacho_registry_event *event;
};

static inline void program_fini(struct fake_program *p)
{
	munmap(p->map, TACHO_REGISTRY_BYTES);
}

static inline void program_init(struct fixture *f, pid_t pid, uint64_t start_time,
				struct fake_program *p)
{
	int fd;

	snprintf(p->name, sizeof(p->name), "apps/%d.%llu", (int)pid,
		 (unsigned long long)start_time);
	fd = openat(f->runtime.fd, p->name, O_RDWR | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, TACHO_REGISTRY_BYTES), 0);
	p->map = mmap(NULL, TACHO_REGISTRY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(p->map != MAP_FAILED);
	close(fd);
	p->head = (struct tacho_registry *)(void *)p->map;
	p->event = (struct tacho_registry_event *)(void *)(p->map + TACHO_REGISTRY_EVENTS_AT);
	*p->head = (struct tacho_registry){
		.magic = TACHO_REGISTRY_MAGIC,
		.version = TACHO_REGISTRY_VERSION,
		.pid = (uint32_t)pid,
		.uid = geteuid(),
		.start_time = start_time,
		.pid_namespace = process_pid_namespace(),
		.next_byte = TACHO_REGISTRY_DESCS_AT,
		.allocated_bytes = TACHO_REGISTRY_BYTES,
		.allocated_events = TACHO_REGISTRY_EVENTS,
		.executable = "/usr/bin/fake",
	};
}

/* The test itself, as a program. */
static inline void program_init_self(struct fixture *f, struct fake_program *p)
{
	uint64_t start_time;

	assert_int_equal(process_start_time(getpid(), &start_time), 0);
	program_init(f, getpid(), start_time, p);
}

/* A description with one field, u32 "value". */
static inline int build_desc(const char *provider, const char *name, unsigned int level,
			     void *bytes, size_t size)
{
	struct event_field field = { "value", TACHO_TYPE(TACHO_KIND_INTEGER, 4, 0), 0 };
	struct event_desc desc = {
		.provider = provider,
		.name = name,
		.file = "",
		.level = level,
		.field_count = 1,
		.fields = &field,
	};
	int n = event_desc_build(&desc, bytes, size);

	assert_true(n > 0);
	return n;
}

static inline uint32_t program_add(struct fake_program *p, const char *provider, const char *name,
				   unsigned int level)
{
	uint32_t i = p->head->event_count++;
	uint64_t at = p->head->next_byte;

	p->head->next_byte += (uint64_t)build_desc(provider, name, level, p->map + at, 4096);
	tacho_store_release(&p->event[i].desc_at, (uint32_t)at);
	return i;
}

/* ---- a session's event table and rings ---- */

struct fake_writer {
	struct rings rings;
	uint32_t cpu;
	uint64_t ts;
};

static inline int session_dir(struct fixture *f, const char *name)
{
	char path[300];

	snprintf(path, sizeof(path), "sessions/%s", name);
	return openat(f->runtime.fd, path, O_RDONLY | O_DIRECTORY);
}

/* Publishes an event "test:NAME" with one u32; @damage is what is wrong with its hash. Return: its
 * id. */
static inline uint32_t table_add_odd(struct fixture *f, const char *session, const char *name,
				     unsigned int level, uint64_t damage)
{
	int dir_fd = session_dir(f, session);
	int fd = openat(dir_fd, "events", O_RDWR);
	char *map = mmap(NULL, TACHO_EVENTS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	struct tacho_events *events = (struct tacho_events *)(void *)map;
	uint32_t *entry = (uint32_t *)(void *)(map + TACHO_EVENTS_ENTRIES_AT);
	struct tacho_event_class *class;
	uint64_t at;
	uint32_t id;

	assert_true(map != MAP_FAILED);
	id = tacho_fetch_add_relaxed(&events->next_id, 1);
	at = events->next_byte;
	class = (void *)(map + at);
	class->contexts = 0;
	events->next_byte += offsetof(struct tacho_event_class, desc) +
			     (uint64_t)build_desc("test", name, level, &class->desc, 4096);
	class->desc.hash ^= damage;
	tacho_store_release(&entry[id], (uint32_t)at);
	munmap(map, TACHO_EVENTS_BYTES);
	close(fd);
	close(dir_fd);
	return id;
}

static inline uint32_t table_add(struct fixture *f, const char *session, const char *name)
{
	return table_add_odd(f, session, name, 6, 0);
}

static inline void writer_open(struct fixture *f, const char *session, uint32_t cpu,
			       struct fake_writer *w)
{
	int dir_fd = session_dir(f, session);
	struct tacho_clock_tuple now;

	assert_ok(f, rings_open(dir_fd, "channel0.rings", &w->rings, &f->error));
	close(dir_fd);
	assert_true(ring_is_allocated(&w->rings, cpu));
	assert_int_equal(ctf_clock_sample(w->rings.clock_kind, &now), 0);
	w->cpu = cpu;
	w->ts = now.counter;
}

static inline void writer_close(struct fake_writer *w)
{
	rings_close(&w->rings);
}

static inline struct tacho_ring *writer_ring(const struct fake_writer *w)
{
	return (struct tacho_ring *)(void *)((char *)w->rings.map +
					     tacho_ring_at(w->cpu, w->rings.stride));
}

static inline char *writer_at(const struct fake_writer *w, uint64_t position)
{
	uint32_t shift = w->rings.subbuf_shift;

	return (char *)writer_ring(w) +
	       tacho_subbuf_at(position >> shift, w->rings.subbuf_count, shift) +
	       (position & ((1ull << shift) - 1));
}

static inline size_t put_extended(char *at, uint32_t id, uint64_t ts)
{
	memset(at, 0, TACHO_EXTENDED_BYTES);
	*at = TACHO_BIG_ENDIAN ? (char)(TACHO_ID_EXTENDED << 3) : TACHO_ID_EXTENDED;
	memcpy(at + TACHO_EXTENDED_ID, &id, 4);
	memcpy(at + TACHO_EXTENDED_TS, &ts, 8);
	return TACHO_EXTENDED_BYTES;
}

static inline size_t put_writer(char *at, uint64_t ts)
{
	uint32_t ids[2] = { 4711, 4712 };
	size_t n = put_extended(at, TACHO_ID_WRITER, ts);

	memcpy(at + n, ids, sizeof(ids));
	memcpy(at + n + 8, "fake", 5);
	return n + 8 + 5;
}

/* open:A to open:E, but for the record. Return: where the record goes, or 0 if there is no room. */
static inline uint64_t writer_switch(struct fake_writer *w, uint64_t head)
{
	struct tacho_ring *ring = writer_ring(w);
	uint32_t n = w->rings.subbuf_count;
	uint32_t shift = w->rings.subbuf_shift;
	uint64_t next = head ? tacho_open_subbuf(head, shift) + 1 : 0;
	struct tacho_subbuf *opening = &ring->subbuf[next % n];

	if (w->rings.mode != TACHO_MODE_OVERWRITE && next >= n &&
	    next - n >= tacho_load_acquire(&ring->released)) {
		tacho_fetch_add_relaxed(&ring->lost[TACHO_LOST_FULL], 1);
		return 0;
	}
	tacho_store_relaxed(&ring->opened, next + 1);
	tacho_fence_full();
	if (head) {
		struct tacho_subbuf *closing = &ring->subbuf[(next - 1) % n];

		closing->content_end = head;
		closing->end_ts = w->ts;
		memcpy(closing->lost_before_close, ring->lost, sizeof(ring->lost));
	}
	opening->subbuf_number = next;
	opening->begin_ts = w->ts;
	return (next << shift) + put_writer(writer_at(w, next << shift), w->ts);
}

/* A record of event @id. Return: false if the ring was full. */
static inline bool writer_append(struct fake_writer *w, uint32_t id, uint32_t value)
{
	struct tacho_ring *ring = writer_ring(w);
	uint64_t head = ring->head;
	uint64_t size = TACHO_EXTENDED_BYTES + sizeof(value);
	uint64_t room = 1ull << w->rings.subbuf_shift;
	uint64_t at = head;

	w->ts++;
	if (!head || (head & (room - 1)) + size > room - TACHO_SLACK_BYTES || !(head & (room - 1)))
		at = writer_switch(w, head);
	if (!at)
		return false;
	put_extended(writer_at(w, at), id, w->ts);
	memcpy(writer_at(w, at) + TACHO_EXTENDED_BYTES, &value, sizeof(value));
	tacho_store_release(&ring->head, at + size);
	return true;
}

/* ---- what is in a trace ---- */

struct trace_sum {
	uint64_t events;
	uint64_t lost;
	uint64_t lost_packets;
	uint64_t damages;
	uint64_t first; /* field of the first and of the last event */
	uint64_t last;
	uint64_t gaps; /* events whose field is not one more than that of the event before */
};

static inline void sum_event(const struct ctf_item *item, struct trace_sum *sum)
{
	uint64_t value = item->event.field_count ? item->event.fields[0].u : 0;

	if (!sum->events++)
		sum->first = value;
	else if (value != sum->last + 1)
		sum->gaps++;
	sum->last = value;
}

static inline struct trace_sum trace_read(const char *dir)
{
	struct trace_sum sum = { 0 };
	struct tacho_error error = { 0 };
	struct ctf_reader *reader;
	const struct ctf_item *item;
	int more = ctf_reader_open(dir, &error, &reader);

	if (more)
		fail_msg("%s: %s", dir, error.text);
	while ((more = ctf_reader_next(reader, &item)) > 0) {
		if (item->kind == CTF_ITEM_EVENT && !item->event.is_writer)
			sum_event(item, &sum);
	}
	assert_int_equal(more, 0);
	sum.lost = ctf_reader_totals(reader).lost_events;
	sum.lost_packets = ctf_reader_totals(reader).lost_packets;
	sum.damages = ctf_reader_totals(reader).damages;
	ctf_reader_close(reader);
	return sum;
}

/* The trace has the values 0 .. @events - 1 and nothing else; nothing was lost or damaged. */
static inline void assert_trace_is_whole(const char *dir, uint64_t events)
{
	struct trace_sum sum = trace_read(dir);

	assert_int_equal(sum.events, events);
	assert_int_equal(sum.first, 0);
	assert_int_equal(sum.gaps, 0);
	assert_int_equal(sum.lost, 0);
	assert_int_equal(sum.lost_packets, 0);
	assert_int_equal(sum.damages, 0);
}

/* All events, from now on. */
static inline void start_recording(struct fixture *f, struct session *session)
{
	struct rule_options rule = { .pattern = "*" };

	assert_ok(f, session_enable_event(session, &rule, &f->error));
	assert_ok(f, session_start(session, &f->error));
}

static inline struct session *record_one(struct fixture *f, bool streaming, enum tacho_mode mode,
					 struct fake_writer *w, uint32_t *ret_id)
{
	struct session *session = create_session(f, "s", streaming, mode);

	start_recording(f, session);
	writer_open(f, "s", 0, w);
	*ret_id = table_add(f, "s", "one");
	return session;
}

/* A session "s" that records into f->trace; a writer of its first ring, and the id of an event. */
static inline struct session *record_stream(struct fixture *f, struct fake_writer *w, uint32_t *ret_id)
{
	return record_one(f, true, TACHO_MODE_DISCARD, w, ret_id);
}

/* The same as a flight recorder. */
static inline struct session *record_flight(struct fixture *f, struct fake_writer *w, uint32_t *ret_id)
{
	return record_one(f, false, TACHO_MODE_OVERWRITE, w, ret_id);
}

/* The values @first .. @end - 1; where the ring is full, waits for the drain. */
static inline void writer_append_all(struct fake_writer *w, uint32_t id, uint32_t first, uint32_t end)
{
	struct timespec pause = { .tv_nsec = 100000 };

	for (uint32_t value = first; value < end; value++) {
		while (!writer_append(w, id, value)) {
			tacho_fetch_add_relaxed(&writer_ring(w)->lost[TACHO_LOST_FULL], -1ull);
			nanosleep(&pause, NULL);
		}
	}
}

#endif
