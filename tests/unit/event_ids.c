/* SPDX-License-Identifier: MIT */
/* event_ids.c - the session's event table: found again, added once, full, and damaged (lib/base) */
#include "tests/test.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/event_ids.h"

struct table {
	struct tacho_events *events;
	uint64_t grown;
	int refusal; /* what growing gives */
};

static int make_table(void **state)
{
	static struct table table;

	table = (struct table){
		.events = mmap(NULL, TACHO_EVENTS_BYTES, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
	};
	if (table.events == MAP_FAILED)
		return -1;
	table.events->next_id = TACHO_ID_FIRST;
	table.events->next_byte = TACHO_EVENTS_DESCS_AT;
	table.events->allocated_bytes = TACHO_EVENTS_DESCS_AT;
	*state = &table;
	return 0;
}

static int remove_table(void **state)
{
	struct table *table = *state;

	return munmap(table->events, TACHO_EVENTS_BYTES);
}

static int allocate(uint64_t at, uint64_t bytes, void *arg)
{
	struct table *table = arg;

	assert_true(at >= TACHO_EVENTS_ENTRIES_AT && bytes);
	assert_true(at + bytes <= TACHO_EVENTS_BYTES);
	if (table->refusal)
		return table->refusal;
	table->grown++;
	return 0;
}

static struct tacho_desc desc_of(uint64_t hash)
{
	return (struct tacho_desc){ .bytes = sizeof(struct tacho_desc), .hash = hash };
}

static int get(struct table *table, uint64_t contexts, uint64_t hash)
{
	struct tacho_desc desc = desc_of(hash);

	return event_ids_get(table->events, contexts, &desc, allocate, table);
}

static uint32_t *bucket(struct table *table, uint64_t hash)
{
	return (uint32_t *)((char *)table->events + TACHO_EVENTS_BUCKETS_AT) +
	       tacho_event_bucket(0, hash) % TACHO_EVENT_BUCKETS;
}

static void the_same_event_has_the_same_id(void **state)
{
	struct table *table = *state;
	int first = get(table, 0, 1);

	assert_int_equal(first, TACHO_ID_FIRST);
	assert_int_equal(get(table, 0, 2), TACHO_ID_FIRST + 1);
	assert_int_equal(get(table, 0, 1), first);
	assert_int_equal(table->grown, 2); /* ids, and descriptions */
}

static void other_contexts_are_another_event(void **state)
{
	struct table *table = *state;

	assert_int_equal(get(table, 0, 1), TACHO_ID_FIRST);
	assert_int_equal(get(table, 5, 1), TACHO_ID_FIRST + 1);
	assert_int_equal(get(table, 5, 1), TACHO_ID_FIRST + 1);
}

static void events_of_one_bucket_lie_side_by_side(void **state)
{
	struct table *table = *state;

	for (uint64_t i = 0; i < 3 * TACHO_BUCKET_PROBES; i++)
		assert_int_equal(get(table, 0, 1 + i * TACHO_EVENT_MORE_BUCKETS), TACHO_ID_FIRST + i);
	assert_int_equal(get(table, 0, 1), TACHO_ID_FIRST);
	/* The second ones are among more buckets. */
	assert_int_equal(get(table, 0, 1 + TACHO_BUCKET_PROBES * TACHO_EVENT_MORE_BUCKETS),
			 TACHO_ID_FIRST + TACHO_BUCKET_PROBES);
	/* Those that found no bucket are legal, but not found again. */
	assert_int_equal(get(table, 0, 1 + 2 * TACHO_BUCKET_PROBES * TACHO_EVENT_MORE_BUCKETS),
			 TACHO_ID_FIRST + 3 * TACHO_BUCKET_PROBES);
}

static void many_events_are_found_again(void **state)
{
	struct table *table = *state;
	const int count = 200000;

	for (int i = 0; i < count; i++)
		assert_int_equal(get(table, 0, (uint64_t)i * 0x9e3779b97f4a7c15ull),
				 TACHO_ID_FIRST + i);
	for (int i = 0; i < count; i++)
		assert_int_equal(get(table, 0, (uint64_t)i * 0x9e3779b97f4a7c15ull),
				 TACHO_ID_FIRST + i);
	assert_true(table->grown < 100);
}

static void few_events_need_no_more_buckets(void **state)
{
	struct table *table = *state;

	for (uint64_t i = 0; i < 4096; i++)
		get(table, 0, i * 0x9e3779b97f4a7c15ull);
	assert_int_equal(table->events->has_more_buckets, 0);
}

static void a_full_table_refuses(void **state)
{
	struct table *table = *state;

	table->refusal = -ENOSPC;
	assert_int_equal(get(table, 0, 1), -ENOSPC);
	table->refusal = 0;
	table->events->next_id = TACHO_EVENT_IDS;
	assert_int_equal(get(table, 0, 1), -ENOSPC);
	table->events->next_id = TACHO_ID_FIRST;
	table->events->next_byte = TACHO_EVENTS_BYTES;
	assert_int_equal(get(table, 0, 1), -ENOSPC);
}

static void what_others_scribbled_leads_nowhere(void **state)
{
	static const uint32_t entries[] = {
		1, TACHO_EVENTS_DESCS_AT + 4, TACHO_EVENTS_BYTES - 8, UINT32_MAX, UINT32_MAX & ~7u,
	};
	struct table *table = *state;
	uint32_t *entry = (uint32_t *)((char *)table->events + TACHO_EVENTS_ENTRIES_AT);

	*bucket(table, 1) = UINT32_MAX;
	assert_int_equal(get(table, 0, 1), TACHO_ID_FIRST);
	for (int i = 0; i < (int)(sizeof(entries) / sizeof(entries[0])); i++) {
		*bucket(table, 2 + (uint64_t)i) = 9000;
		entry[9000] = entries[i];
		assert_int_equal(get(table, 0, 2 + (uint64_t)i), TACHO_ID_FIRST + 1 + i);
	}
	table->events->next_byte = TACHO_EVENTS_DESCS_AT - 8;
	assert_int_equal(get(table, 0, 77), -ENOSPC);
	table->events->next_byte = TACHO_EVENTS_DESCS_AT + 4;
	assert_int_equal(get(table, 0, 77), -ENOSPC);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_table, remove_table)
	const struct CMUnitTest tests[] = {
		CASE(the_same_event_has_the_same_id),
		CASE(many_events_are_found_again),
		CASE(few_events_need_no_more_buckets),
		CASE(other_contexts_are_another_event),
		CASE(events_of_one_bucket_lie_side_by_side),
		CASE(a_full_table_refuses),
		CASE(what_others_scribbled_leads_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
