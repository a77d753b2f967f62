/* SPDX-License-Identifier: MIT */
/*
 * kernel_writer.c - the kernel's writer (kernel/writer.h), interrupted at each of its operations.
 *
 * writer.h is compiled here with operations of the test's own: before each of them an interrupt may come,
 * which records events of its own, and may be interrupted as well. A schedule says at which operations
 * interrupts come; the tests try each operation, each two, and many schedules by lot. A reader looks at
 * the ring whenever it has changed, since it may look at any time.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

#undef __always_inline
#define noinline        __attribute__((noinline))
#define __always_inline inline __attribute__((always_inline))
#define likely(x)       (x)
#define unlikely(x)     (x)
#define barrier()       __asm__ __volatile__("" ::: "memory")

static void before_operation(void);
static uint64_t next_time(void);

#define cpu_load(p)     (before_operation(), *(volatile __typeof__(*(p)) *)(p))
#define cpu_store(p, v) (before_operation(), (void)(*(volatile __typeof__(*(p)) *)(p) = (v)))
#define cpu_exchange_if(p, old, value)                                                             \
	(before_operation(), *(p) == (old) ? (*(p) = (value), (old)) : *(p))
#define cpu_increment(p)    (before_operation(), (void)++*(p))
#define cpu_ring_bell(bell) (before_operation(), (bell)->rung++)
#define cpu_clock(kind)     ((void)(kind), before_operation(), next_time())

struct bell {
	uint64_t rung;
};

#include "kernel/writer.h"

#define SHIFT         12
#define COUNT         4
#define CPUS_MAX      8
#define DATA_BYTES    (COUNT << SHIFT)
#define RING_BYTES    (TACHO_RING_CONTROL_BYTES + DATA_BYTES)
#define EVENT_ID      7
#define LARGE_ID      1000 /* a medium header */
#define SHORT_NAME    "t"
#define LONG_NAME     "with-15-letters"
#define POINTS_MAX    4096
#define SEQUENCES_MAX 65536

/* Interrupts that come: before the n-th operation of the run. */
struct schedule {
	uint16_t depth_at[POINTS_MAX]; /* how many interrupts come there */
};

struct payload {
	uint64_t sequence;
	uint8_t filling[24];
};

static struct machine {
	uint8_t memory[RING_BYTES] __attribute__((aligned(4096)));
	struct writer writer;
	struct bell bell;
	struct schedule schedule;
	uint64_t time;
	uint64_t time_step;
	uint32_t operations;
	uint32_t interrupts; /* that are on top of each other now */
	uint64_t begun;      /* records that somebody wanted */
	uint64_t sequence;
	bool is_watched; /* by a reader, after each operation that a reader can see */
	bool has_storm; /* an interrupt before each operation of who is not interrupted yet */
	uint64_t seen_head, seen_opened;
	uint64_t thread; /* that runs on the CPU, whatever interrupts it */
	uint64_t thread_of[SEQUENCES_MAX];
} machine;

static struct tacho_ring *ring(void)
{
	return (struct tacho_ring *)machine.memory;
}

static uint64_t next_time(void)
{
	return machine.time += machine.time_step;
}

/* The records */

static uint32_t event_bytes(uint32_t id, uint64_t sequence)
{
	return id == EVENT_ID ? 8 : 8 + sequence % sizeof(((struct payload *)0)->filling);
}

static struct writer_thread thread_named(uint64_t id)
{
	struct writer_thread thread = { .ids = id };

	strcpy((char *)thread.name, id % 2 ? LONG_NAME : SHORT_NAME);
	return thread;
}

static void record_with(struct writer *writer, uint64_t thread_id)
{
	struct writer_thread thread = thread_named(thread_id);
	struct writer_format format;
	uint32_t id = machine.sequence % 3 ? EVENT_ID : LARGE_ID;
	uint64_t sequence = machine.sequence;
	uint8_t *at;

	machine.begun++;
	if (!writer_enter(writer))
		return;
	machine.thread_of[machine.sequence++ % SEQUENCES_MAX] = thread_id;
	writer_format_init(&format, id, event_bytes(id, sequence));
	at = writer_begin(writer, thread, &format);
	if (at) {
		memcpy(at, &sequence, sizeof(sequence));
		memset(at + sizeof(sequence), (int)sequence,
		       event_bytes(id, sequence) - sizeof(sequence));
	}
	writer_leave(writer);
}

static void record_event(uint64_t thread_id)
{
	record_with(&machine.writer, thread_id);
}

/* The reader: format/ring.h's, of one sub-buffer; then all rules of format/record.h */

struct reading {
	uint64_t records;
	uint64_t last_ts;
	uint64_t thread; /* that the last tacho:writer named */
};

static const uint8_t *read_header(const uint8_t *at, bool is_first, uint64_t *ts, uint32_t *id)
{
	uint32_t word;
	uint16_t id16;

	if ((*at & 31) == TACHO_ID_EXTENDED) {
		assert_int_equal(*at, TACHO_ID_EXTENDED);
		memcpy(id, at + TACHO_EXTENDED_ID, sizeof(*id));
		memcpy(ts, at + TACHO_EXTENDED_TS, sizeof(*ts));
		return at + TACHO_EXTENDED_BYTES;
	}
	assert_false(is_first);
	memcpy(&word, at, sizeof(word));
	*ts = *ts >> TACHO_WINDOW_SHIFT << TACHO_WINDOW_SHIFT | word >> TACHO_ID_BITS;
	*id = word & 31;
	if (*id != TACHO_ID_MEDIUM)
		return at + TACHO_COMPACT_BYTES;
	memcpy(&id16, at + 4, sizeof(id16));
	*id = id16;
	return at + TACHO_MEDIUM_BYTES;
}

static const uint8_t *read_writer(const uint8_t *at, struct reading *reading)
{
	memcpy(&reading->thread, at, sizeof(reading->thread));
	at += sizeof(reading->thread);
	assert_string_equal(at, reading->thread % 2 ? LONG_NAME : SHORT_NAME);
	return at + strlen((const char *)at) + 1;
}

static const uint8_t *read_event(const uint8_t *at, uint32_t id, struct reading *reading)
{
	uint64_t sequence;

	memcpy(&sequence, at, sizeof(sequence));
	assert_true(id == EVENT_ID || id == LARGE_ID);
	assert_true(sequence < machine.sequence);
	assert_int_equal(machine.thread_of[sequence % SEQUENCES_MAX], reading->thread);
	for (uint32_t i = sizeof(sequence); i < event_bytes(id, sequence); i++)
		assert_int_equal(at[i], (uint8_t)sequence);
	reading->records++;
	return at + event_bytes(id, sequence);
}

static void read_subbuf(uint64_t number, uint64_t end_position, struct reading *reading)
{
	const uint8_t *at = machine.memory + tacho_subbuf_at(number, COUNT, SHIFT);
	const uint8_t *begin = at, *end = at + (end_position - (number << SHIFT));
	uint64_t ts = 0;
	uint32_t id;

	assert_true(end_position - (number << SHIFT) <= (1u << SHIFT) - TACHO_SLACK_BYTES);
	while (at < end) {
		bool is_first = at == begin;

		at = read_header(at, is_first, &ts, &id);
		assert_true(ts >= reading->last_ts);
		reading->last_ts = ts;
		assert_true(!is_first || id == TACHO_ID_WRITER);
		if (id == TACHO_ID_WRITER)
			at = read_writer(at, reading);
		else
			at = read_event(at, id, reading);
	}
	assert_ptr_equal(at, end);
}

static struct reading read_ring(void)
{
	struct reading reading = { 0 };
	uint64_t head = ring()->head, opened = ring()->opened,
		 open = tacho_open_subbuf(head, SHIFT);
	uint64_t oldest = opened > COUNT ? opened - COUNT : 0;

	if (!head)
		return reading;
	assert_true(open < opened);
	for (uint64_t k = oldest; k <= open; k++) {
		const struct tacho_subbuf *entry = &ring()->subbuf[k % COUNT];

		assert_int_equal(entry->subbuf_number, k);
		read_subbuf(k, k == open ? head : entry->content_end, &reading);
	}
	return reading;
}

/* Interrupts, and who looks on */

static void watch(void)
{
	if (!machine.is_watched ||
	    (ring()->head == machine.seen_head && ring()->opened == machine.seen_opened))
		return;
	machine.seen_head = ring()->head;
	machine.seen_opened = ring()->opened;
	read_ring();
}

static void before_operation(void)
{
	uint32_t n = machine.operations++;
	uint32_t count = n < POINTS_MAX ? machine.schedule.depth_at[n] : 0;

	if (machine.has_storm && !machine.interrupts)
		count = 1;
	watch();
	for (; count && machine.interrupts < WRITER_DEPTH_MAX + 1; count--) {
		machine.interrupts++;
		record_event(machine.thread);
		machine.interrupts--;
	}
}

static void start(uint32_t mode, bool is_watched)
{
	struct tacho_rings header = {
		.subbuf_count = COUNT,
		.subbuf_shift = SHIFT,
		.mode = mode,
		.ring_count = 1,
	};

	memset(&machine, 0, sizeof(machine));
	machine.time_step = 3;
	machine.thread = 2;
	assert_true(writer_init(&machine.writer, &header, ring()));
	machine.writer.bell = &machine.bell;
	machine.is_watched = is_watched;
}

static uint64_t lost(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		sum += ring()->lost[i];
	return sum;
}

/* Nothing is left behind: all is published, and nobody is inside. */
static void judge_rest(void)
{
	assert_int_equal(machine.writer.depth, 0);
	assert_int_equal(ring()->head, machine.writer.reserved);
}

/* Fills the first sub-buffer until the next records have to open another. */
static void fill_subbuf(void)
{
	machine.schedule = (struct schedule){ 0 };
	do {
		record_event(machine.thread);
	} while ((machine.writer.reserved & ((1u << SHIFT) - 1)) < (1u << SHIFT) - 100);
	machine.operations = 0;
}

static uint32_t operations_of(uint32_t records)
{
	machine.operations = 0;
	for (uint32_t i = 0; i < records; i++)
		record_event(machine.thread);
	return machine.operations;
}

static void run_one(uint32_t point, uint32_t second, uint8_t depth, bool at_end)
{
	start(TACHO_MODE_DISCARD, false);
	if (at_end)
		fill_subbuf();
	machine.is_watched = true;
	machine.schedule.depth_at[point] += depth;
	machine.schedule.depth_at[second] += depth;
	for (int i = 0; i < 4; i++) {
		machine.thread = 2 + (uint64_t)i / 2;
		record_event(machine.thread);
	}
	judge_rest();
	machine.is_watched = false;
	assert_int_equal(read_ring().records + lost(), machine.begun);
	assert_int_equal(lost(), 0);
	assert_int_equal(machine.bell.rung, ring()->opened);
}

static void an_interrupt_may_come_before_each_operation(void **state)
{
	uint32_t points;

	(void)state;
	start(TACHO_MODE_DISCARD, false);
	points = operations_of(4) + 40;
	for (int at_end = 0; at_end < 2; at_end++) {
		for (uint32_t i = 0; i < points; i++)
			run_one(i, POINTS_MAX - 1, 1, at_end);
	}
}

static void two_interrupts_may_come_before_any_two_operations(void **state)
{
	(void)state;
	for (int at_end = 0; at_end < 2; at_end++) {
		for (uint32_t i = 0; i < 110; i++) {
			for (uint32_t j = i; j < 110; j++)
				run_one(i, j, 1, at_end);
		}
	}
}

static void interrupts_by_lot(uint32_t mode, unsigned int seed)
{
	unsigned int lots = seed;

	start(mode, seed % 16 == 0);
	for (int round = 0; round < 4; round++) {
		machine.operations = 0;
		for (int i = 0; i < POINTS_MAX; i++)
			machine.schedule.depth_at[i] =
				(uint16_t)(rand_r(&lots) % 9 ? 0 : 1 + rand_r(&lots) % 3);
		machine.time_step = round == 2 ? 1 << 26 : 3;
		for (int i = 0; i < 60; i++) {
			machine.thread = (uint64_t)rand_r(&lots) % 3;
			record_event(machine.thread);
		}
		judge_rest();
	}
	machine.is_watched = false;
	if (mode == TACHO_MODE_DISCARD)
		assert_int_equal(read_ring().records + lost(), machine.begun);
	else
		assert_true(read_ring().records > 0);
}

static void discarding_counts_what_it_loses_whatever_interrupts(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed < 200; seed++)
		interrupts_by_lot(TACHO_MODE_DISCARD, seed);
}

static void overwriting_never_shows_a_hole_whatever_interrupts(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed < 200; seed++)
		interrupts_by_lot(TACHO_MODE_OVERWRITE, seed);
}

/* A whole ring of records on top of one writer: they are lost, not the writer's. */
static void interrupts_do_not_overwrite_the_writer_below_them(void **state)
{
	bool was_bounded = false;

	(void)state;
	for (uint32_t i = 0; i < 40; i++) {
		start(TACHO_MODE_OVERWRITE, true);
		operations_of(10);
		machine.operations = 0;
		machine.schedule.depth_at[i] = 2000;
		record_event(machine.thread);
		judge_rest();
		read_ring();
		was_bounded |= ring()->lost[TACHO_LOST_CONTENDED] > 0;
	}
	assert_true(was_bounded);
}

static void who_loses_every_race_gives_up_and_counts(void **state)
{
	(void)state;
	start(TACHO_MODE_DISCARD, false);
	machine.has_storm = true;
	record_event(machine.thread);
	machine.has_storm = false;
	record_event(machine.thread);
	judge_rest();
	assert_int_equal(ring()->lost[TACHO_LOST_CONTENDED], 1);
	assert_int_equal(read_ring().records + lost(), machine.begun);
}

/* Behind a record may be another's: of a name is stored what it has, however short the event is. */
static void names_of_every_length_are_stored_and_nothing_behind_them(void **state)
{
	struct writer_format format;
	const uint8_t *end;

	(void)state;
	start(TACHO_MODE_DISCARD, false);
	memset(machine.memory + TACHO_RING_CONTROL_BYTES, 0xee, DATA_BYTES);
	writer_format_init(&format, EVENT_ID, 0);
	for (uint32_t length = 0; length < TACHO_THREAD_NAME_BYTES; length++) {
		struct writer_thread thread = { .ids = 2 + length };

		memcpy(thread.name, "abcdefghijklmno", length);
		assert_true(writer_enter(&machine.writer));
		end = writer_begin(&machine.writer, thread, &format);
		writer_leave(&machine.writer);
		assert_ptr_equal(end, machine.writer.data + ring()->head);
		assert_string_equal(end - TACHO_COMPACT_BYTES - length - 1, thread.name);
		for (int i = 0; i < TACHO_THREAD_NAME_BYTES; i++)
			assert_int_equal(end[i], 0xee);
	}
}

static void a_cpu_without_a_ring_counts(void **state)
{
	struct tacho_rings header = { .subbuf_count = COUNT, .subbuf_shift = SHIFT };

	(void)state;
	memset(&machine, 0, sizeof(machine));
	assert_true(writer_init(&machine.writer, &header, NULL));
	for (int i = 0; i < 5; i++)
		record_event(1);
	assert_int_equal(machine.writer.lost_without_ring, 5);
}

static void a_writer_goes_on_where_another_stopped(void **state)
{
	struct tacho_rings header = {
		.subbuf_count = COUNT,
		.subbuf_shift = SHIFT,
		.mode = TACHO_MODE_OVERWRITE,
	};

	(void)state;
	start(TACHO_MODE_OVERWRITE, false);
	operations_of(1000);
	assert_true(writer_init(&machine.writer, &header, ring()));
	operations_of(1000);
	judge_rest();
	read_ring();
}

static bool may_resume(uint64_t head, uint64_t opened)
{
	struct tacho_rings header = { .subbuf_count = COUNT, .subbuf_shift = SHIFT };

	memset(&machine, 0, sizeof(machine));
	ring()->head = head;
	ring()->opened = opened;
	return writer_init(&machine.writer, &header, ring());
}

static void a_head_that_makes_no_sense_is_refused(void **state)
{
	(void)state;
	assert_true(may_resume(0, 0));
	assert_true(may_resume(100, 1));
	assert_true(may_resume(100, 2));
	assert_false(may_resume(100, 0));
	assert_false(may_resume(100, 3));
	assert_false(may_resume(0, 5));
	assert_false(may_resume(1 << SHIFT, 1)); /* within the slack */
	assert_false(may_resume(1ull << 62, (1ull << 62 >> SHIFT) + 1));
}

/* Eight CPUs with their writers, one ring file, a drain */

static struct {
	uint8_t file[TACHO_RINGS_HEADER_BYTES + CPUS_MAX * RING_BYTES]
		__attribute__((aligned(4096)));
	struct {
		struct writer writer;
	} __attribute__((aligned(TACHO_LINE_BYTES))) cpus[CPUS_MAX];
} shared, before;

#define LINES (sizeof(shared) / TACHO_LINE_BYTES)
static uint8_t line_owner[LINES]; /* 1 + the CPU that wrote to it; CPUS_MAX + 1: the drain */

static void judge_lines(uint8_t owner)
{
	for (size_t i = 0; i < LINES; i++) {
		size_t at = i * TACHO_LINE_BYTES;

		if (!memcmp((uint8_t *)&shared + at, (uint8_t *)&before + at, TACHO_LINE_BYTES))
			continue;
		assert_true(!line_owner[i] || line_owner[i] == owner);
		line_owner[i] = owner;
		memcpy((uint8_t *)&before + at, (uint8_t *)&shared + at, TACHO_LINE_BYTES);
	}
}

static struct tacho_ring *shared_ring(uint32_t cpu)
{
	return (struct tacho_ring *)(shared.file + tacho_ring_at(cpu, RING_BYTES));
}

static void no_line_is_written_by_two_cpus(void **state)
{
	struct tacho_rings header = {
		.subbuf_count = COUNT,
		.subbuf_shift = SHIFT,
		.mode = TACHO_MODE_DISCARD,
	};
	unsigned int lots = 1;

	(void)state;
	start(TACHO_MODE_DISCARD, false);
	for (uint32_t cpu = 0; cpu < CPUS_MAX; cpu++)
		assert_true(writer_init(&shared.cpus[cpu].writer, &header, shared_ring(cpu)));
	before = shared;
	for (int i = 0; i < 20000; i++) {
		uint32_t cpu = (uint32_t)rand_r(&lots) % CPUS_MAX;

		machine.thread = (uint64_t)rand_r(&lots) % 3;
		record_with(&shared.cpus[cpu].writer, machine.thread);
		judge_lines((uint8_t)(cpu + 1));
		if (i % 512)
			continue;
		cpu = (uint32_t)i / 512 % CPUS_MAX;
		tacho_store_release(&shared_ring(cpu)->released, shared_ring(cpu)->opened - 1);
		judge_lines(CPUS_MAX + 1);
	}
	for (uint32_t cpu = 0; cpu < CPUS_MAX; cpu++)
		assert_true(shared_ring(cpu)->opened > COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interrupt_may_come_before_each_operation),
		cmocka_unit_test(two_interrupts_may_come_before_any_two_operations),
		cmocka_unit_test(discarding_counts_what_it_loses_whatever_interrupts),
		cmocka_unit_test(overwriting_never_shows_a_hole_whatever_interrupts),
		cmocka_unit_test(interrupts_do_not_overwrite_the_writer_below_them),
		cmocka_unit_test(who_loses_every_race_gives_up_and_counts),
		cmocka_unit_test(names_of_every_length_are_stored_and_nothing_behind_them),
		cmocka_unit_test(a_cpu_without_a_ring_counts),
		cmocka_unit_test(a_writer_goes_on_where_another_stopped),
		cmocka_unit_test(no_line_is_written_by_two_cpus),
		cmocka_unit_test(a_head_that_makes_no_sense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
