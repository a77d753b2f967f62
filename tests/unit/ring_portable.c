/* SPDX-License-Identifier: MIT */
/* ring_portable.c - the portable writer, step by step: owner word, short and extended records, state. */
#include "tests/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "ring/writer.h"

#define SHIFT 12
#define COUNT 4
#define ME    tacho_ring_owner(HOME, (uint32_t)getpid())
#define HOME  process_pid_namespace()

static const struct ring_writer nine = { .owner = 9, .name = 8 };

struct scene {
	struct ring_channel channel;
	struct tacho_ring *ring;
	uint32_t live, rules;
	uint64_t now;
};

static int make_scene(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));
	uint64_t stride = TACHO_RING_CONTROL_BYTES + (COUNT << SHIFT);
	size_t bytes = tacho_rings_file_bytes(1, stride);

	s->channel = (struct ring_channel){
		.map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0),
		.stride = stride,
		.ring_count = 1,
		.subbuf_count = COUNT,
		.subbuf_shift = SHIFT,
		.mode = TACHO_MODE_OVERWRITE,
		.tag = 1,
	};
	if (s->channel.map == MAP_FAILED)
		return -1;
	s->ring = ring_of_cpu(&s->channel, 0);
	s->live = 1;
	s->now = 5ull << TACHO_WINDOW_SHIFT;
	*state = s;
	return 0;
}

static int remove_scene(void **state)
{
	struct scene *s = *state;

	munmap(s->channel.map, tacho_rings_file_bytes(1, s->channel.stride));
	free(s);
	return 0;
}

static struct ring_append new_append(const struct scene *s)
{
	return (struct ring_append){ .live = &s->live, .live_tag = 1, .rules = &s->rules };
}

static struct ring_record record_of(uint32_t id, const struct tacho_part *parts, uint32_t count)
{
	struct ring_record record = {
		.id = id, .pid = 3, .tid = 4, .parts = parts, .part_count = count
	};

	for (uint32_t i = 0; i < count; i++)
		record.payload_bytes += parts[i].bytes + parts[i].is_string;
	return record;
}

/* Behind what is there, as one who wrote the last record or not. */
static enum ring_result put(struct scene *s, uint32_t id, const struct tacho_part *parts,
			    uint32_t count, bool is_known)
{
	struct ring_record record = record_of(id, parts, count);
	struct ring_append append = new_append(s);
	struct ring_slot slot;

	if (is_known) {
		ring_plan_state(&s->channel, 0, s->ring->head, &slot);
		assert_true(ring_slot_fits(&slot, &record));
		ring_plan_short(&append, &slot, &record);
	} else {
		assert_int_equal(
			ring_plan_extended(&append, &s->channel, 0, s->ring->head, false, &record),
			0);
	}
	return ring_append_owned(&append, s->now, &nine);
}

static void record_of_a_stranger_says_who_writes(void **state)
{
	struct scene *s = *state;
	struct tacho_part part = { "payload", 7, 0 };
	const char *data = (char *)s->ring + TACHO_RING_CONTROL_BYTES;

	assert_int_equal(put(s, 7, &part, 1, false), RING_DONE);
	assert_int_equal(s->ring->head, s->ring->state_head);
	assert_int_equal(s->ring->state_writer, 9);
	assert_int_equal(s->ring->state_name, 8);
	assert_int_equal(s->ring->opened, 1);
	assert_memory_equal(data + s->ring->head - 7, "payload", 7);
	assert_int_equal(s->ring->head,
			 2 * TACHO_EXTENDED_BYTES + 8 + strlen(tacho_thread.name) + 1 + 7);
}

static void next_record_has_a_short_header(void **state)
{
	struct scene *s = *state;
	struct tacho_part parts[] = { { "ab", 2, 1 }, { "12345678", 8, 0 } };
	const char *data = (char *)s->ring + TACHO_RING_CONTROL_BYTES;
	uint64_t before;
	uint32_t word;

	assert_int_equal(put(s, 7, parts, 2, false), RING_DONE);
	before = s->ring->head;
	s->now += 3;
	assert_int_equal(put(s, 7, parts, 2, true), RING_DONE);
	assert_int_equal(s->ring->head - before, TACHO_COMPACT_BYTES + 3 + 8);
	memcpy(&word, data + before, sizeof(word));
	assert_int_equal(word, tacho_header_word(s->now, 7));
	assert_memory_equal(data + before + TACHO_COMPACT_BYTES, "ab\00012345678", 11);
	before = s->ring->head;
	assert_int_equal(put(s, 1000, NULL, 0, true), RING_DONE);
	assert_int_equal(s->ring->head - before, TACHO_MEDIUM_BYTES);
}

static void contexts_stand_before_the_payload(void **state)
{
	struct scene *s = *state;
	struct tacho_part part = { "payload", 7, 0 };
	struct ring_record record = record_of(7, &part, 1);
	struct ring_append append = new_append(s);

	record.contexts = "context";
	record.context_bytes = 7;
	assert_int_equal(ring_plan_extended(&append, &s->channel, 0, 0, false, &record), 0);
	assert_int_equal(ring_append_owned(&append, s->now, &nine), RING_DONE);
	assert_memory_equal((char *)s->ring + TACHO_RING_CONTROL_BYTES + s->ring->head - 14,
			    "contextpayload", 14);
}

static void string_that_lost_its_length_stays_one_string(void **state)
{
	struct scene *s = *state;
	struct tacho_part part = { "a\0b", 3, 1 };
	const char *data = (char *)s->ring + TACHO_RING_CONTROL_BYTES;

	assert_int_equal(put(s, 7, &part, 1, false), RING_DONE);
	assert_memory_equal(data + s->ring->head - 4, "a?b", 4);
}

static void full_subbuffer_is_closed_and_the_next_opened(void **state)
{
	struct scene *s = *state;
	char big[1500] = "";
	struct tacho_part part = { big, sizeof(big), 0 };
	uint64_t end = 0;

	for (int i = 0; i < 3; i++) {
		end = s->ring->head;
		s->now++;
		assert_int_equal(put(s, 7, &part, 1, false), RING_DONE);
	}
	assert_int_equal(s->ring->opened, 2);
	assert_int_equal(s->ring->subbuf[0].content_end, end);
	assert_int_equal(s->ring->subbuf[0].end_ts, s->now);
	assert_int_equal(s->ring->subbuf[1].subbuf_number, 1);
	assert_int_equal(s->ring->subbuf[1].begin_ts, s->now);
}

static void nothing_is_written_that_no_longer_holds(void **state)
{
	struct scene *s = *state;
	uint64_t head;

	assert_int_equal(put(s, 7, NULL, 0, false), RING_DONE);
	head = s->ring->head;
	s->rules = 2;
	assert_int_equal(put(s, 7, NULL, 0, false), RING_OTHER_RULES);
	s->rules = 1; /* a change that is not over */
	assert_int_equal(put(s, 7, NULL, 0, false), RING_DONE);
	s->live = 2;
	assert_int_equal(put(s, 7, NULL, 0, false), RING_GONE);
	s->live = 1;
	assert_true(s->ring->head > head);
	head = s->ring->head;
	s->now += 1ull << TACHO_WINDOW_SHIFT;
	assert_int_equal(put(s, 7, NULL, 0, true), RING_NEW_WINDOW);
	assert_int_equal(s->ring->head, head);
}

static void slot_of_what_was_written_fits_the_next(void **state)
{
	struct scene *s = *state;
	struct ring_record record = record_of(7, NULL, 0);
	struct ring_append append = new_append(s);
	struct ring_slot slot;

	assert_int_equal(ring_plan_extended(&append, &s->channel, 0, 0, false, &record), 0);
	assert_int_equal(ring_append_owned(&append, s->now, &nine), RING_DONE);
	ring_plan_slot(&append, &s->channel, &slot);
	assert_ptr_equal(slot.ring, s->ring);
	assert_int_equal(slot.head, s->ring->head);
	assert_int_equal(slot.limit, (1 << SHIFT) - TACHO_SLACK_BYTES);
	assert_int_equal(slot.window, 5);
	assert_ptr_equal((char *)(uintptr_t)slot.bias, (char *)s->ring + TACHO_RING_CONTROL_BYTES);
}

/* The id of a thread that there was. */
static uint32_t dead_thread(void)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	return (uint32_t)child;
}

static void only_a_dead_owner_is_replaced(void **state)
{
	struct scene *s = *state;

	assert_true(ring_own(s->ring, ME, true));
	assert_false(ring_own(s->ring, ME, true));
	assert_false(ring_own(s->ring, tacho_ring_owner(HOME, dead_thread()), true));
	ring_disown(s->ring);
	assert_true(ring_own(s->ring, tacho_ring_owner(HOME, dead_thread()), true));
	errno = 0;
	assert_true(ring_own(s->ring, ME, true));
	assert_int_equal(errno, 0);
	assert_int_equal(s->ring->owner, ME);
}

static void who_may_not_ask_replaces_nobody(void **state)
{
	struct scene *s = *state;

	assert_true(ring_own(s->ring, tacho_ring_owner(HOME, dead_thread()), true));
	assert_false(ring_own(s->ring, ME, false));
	assert_true(ring_own(s->ring, ME, true));
}

/* The same number is another thread there, or none. */
static void owner_of_another_pid_namespace_is_never_replaced(void **state)
{
	struct scene *s = *state;
	uint32_t dead = dead_thread();

	assert_true(ring_own(s->ring, tacho_ring_owner(HOME + 1, dead), true));
	assert_false(ring_own(s->ring, ME, true));
	ring_disown(s->ring);
	assert_true(ring_own(s->ring, tacho_ring_owner(0, dead), true));
	assert_false(ring_own(s->ring, ME, true));
	assert_false(ring_own(s->ring, tacho_ring_owner(0, (uint32_t)getpid()), true));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_scene, remove_scene)
	const struct CMUnitTest tests[] = {
		CASE(record_of_a_stranger_says_who_writes),
		CASE(next_record_has_a_short_header),
		CASE(contexts_stand_before_the_payload),
		CASE(string_that_lost_its_length_stays_one_string),
		CASE(full_subbuffer_is_closed_and_the_next_opened),
		CASE(nothing_is_written_that_no_longer_holds),
		CASE(slot_of_what_was_written_fits_the_next),
		CASE(only_a_dead_owner_is_replaced),
		CASE(who_may_not_ask_replaces_nobody),
		CASE(owner_of_another_pid_namespace_is_never_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
