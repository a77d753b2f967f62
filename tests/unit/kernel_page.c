/* SPDX-License-Identifier: MIT */
/* kernel_page.c - pages of the kernel's ring buffer, made by hand. */
#include "kernel/page.h"

#include <string.h>

#include "tests/test.h"

#define SIZE 4096

struct made {
	_Alignas(8) uint8_t bytes[SIZE];
	uint32_t end;
};

static void put32(struct made *m, uint32_t value)
{
	memcpy(m->bytes + m->end, &value, sizeof(value));
	m->end += sizeof(value);
}

static void put_word(struct made *m, uint32_t type, uint32_t delta)
{
	put32(m, delta << 5 | type);
}

static void put_data(struct made *m, uint16_t id, int32_t tid, uint32_t words)
{
	put32(m, id);
	put32(m, (uint32_t)tid);
	for (uint32_t i = 2; i < words; i++)
		put32(m, i);
}

static void begin(struct made *m, uint64_t time)
{
	memset(m, 0, sizeof(*m));
	memcpy(m->bytes, &time, sizeof(time));
	m->end = KERNEL_PAGE_HEADER_BYTES;
}

static bool open_made(struct made *m, uint64_t flags, struct kernel_page *page)
{
	uint64_t commit = (m->end - KERNEL_PAGE_HEADER_BYTES) | flags;

	memcpy(m->bytes + KERNEL_PAGE_COMMIT_AT, &commit, sizeof(commit));
	return kernel_page_open(page, m->bytes, SIZE);
}

static void an_empty_page_has_no_event(void **state)
{
	struct kernel_record record;
	struct kernel_page page;
	struct made m;

	(void)state;
	begin(&m, 5);
	assert_false(open_made(&m, 0, &page));
	assert_false(kernel_page_next(&page, &record));
}

static void times_add_up(void **state)
{
	struct kernel_record record;
	struct kernel_page page;
	struct made m;

	(void)state;
	begin(&m, 1000);
	put_word(&m, 3, 7);
	put_data(&m, 42, -1, 3);
	put_word(&m, 30, 5); /* time goes on: 2 << 27 | 5 */
	put32(&m, 2);
	put_word(&m, 2, 1);
	put_data(&m, 43, 12, 2);
	assert_true(open_made(&m, 0, &page));
	assert_true(kernel_page_next(&page, &record));
	assert_int_equal(record.time, 1007);
	assert_int_equal(record.id, 42);
	assert_int_equal(record.tid, -1);
	assert_int_equal(record.bytes, 12);
	assert_true(kernel_page_next(&page, &record));
	assert_int_equal(record.time, 1007 + (2ull << 27) + 5 + 1);
	assert_int_equal(record.tid, 12);
	assert_false(kernel_page_next(&page, &record));
}

static void an_absolute_time_keeps_the_pages_upper_bits(void **state)
{
	struct kernel_record record;
	struct kernel_page page;
	struct made m;

	(void)state;
	begin(&m, 3ull << 59);
	put_word(&m, 31, 9);
	put32(&m, 1);
	put_word(&m, 2, 0);
	put_data(&m, 1, 1, 2);
	assert_true(open_made(&m, 0, &page));
	assert_true(kernel_page_next(&page, &record));
	assert_true(record.time == ((3ull << 59) | 1ull << 27 | 9));
}

static void a_long_event_tells_its_length_itself(void **state)
{
	struct kernel_record record;
	struct kernel_page page;
	struct made m;

	(void)state;
	begin(&m, 0);
	put_word(&m, 0, 4);
	put32(&m, 4 + 4 * 40);
	put_data(&m, 7, 1, 40);
	assert_true(open_made(&m, 0, &page));
	assert_true(kernel_page_next(&page, &record));
	assert_int_equal(record.bytes, 160);
	assert_false(kernel_page_next(&page, &record));
}

static void padding_is_skipped_and_ends_the_page_without_a_delta(void **state)
{
	struct kernel_record record;
	struct kernel_page page;
	struct made m;

	(void)state;
	begin(&m, 0);
	put_word(&m, 29, 6);
	put32(&m, 12);
	put32(&m, 0);
	put32(&m, 0);
	put_word(&m, 2, 1);
	put_data(&m, 8, 1, 2);
	put_word(&m, 29, 0);
	put_word(&m, 2, 1);
	put_data(&m, 9, 1, 2);
	assert_true(open_made(&m, 0, &page));
	assert_true(kernel_page_next(&page, &record));
	assert_int_equal(record.id, 8);
	assert_int_equal(record.time, 7);
	assert_false(kernel_page_next(&page, &record));
}

static void lost_events_are_told(void **state)
{
	struct kernel_page page;
	uint64_t lost = 77;
	struct made m;

	(void)state;
	begin(&m, 0);
	put_word(&m, 2, 1);
	put_data(&m, 8, 1, 2);
	memcpy(m.bytes + m.end, &lost, sizeof(lost));
	assert_true(open_made(&m, 3ull << 30, &page));
	assert_true(page.has_lost);
	assert_int_equal(page.lost, 77);
}

static void an_event_that_leads_out_of_the_page_ends_it(void **state)
{
	struct kernel_record record;
	struct kernel_page page;
	struct made m;

	(void)state;
	begin(&m, 0);
	put_word(&m, 28, 1);
	put_data(&m, 8, 1, 4);
	assert_true(open_made(&m, 0, &page));
	assert_false(kernel_page_next(&page, &record));
	begin(&m, 0);
	put_word(&m, 0, 1);
	put32(&m, 3);
	assert_true(open_made(&m, 0, &page));
	assert_false(kernel_page_next(&page, &record));
}

/* Whatever is in a page: each event lies in it, and there are no more than fit. */
static void pages_of_noise_lead_nowhere(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct kernel_record record;
		struct kernel_page page;
		struct made m;
		int count = 0;

		begin(&m, 0);
		while (m.end < SIZE) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			put32(&m, (uint32_t)(seed >> 33) & (round % 2 ? ~0u : 0xfffu));
		}
		open_made(&m, 0, &page);
		while (kernel_page_next(&page, &record)) {
			assert_true(record.data >= m.bytes);
			assert_true(record.data + record.bytes <= m.bytes + SIZE);
			assert_true(++count <= SIZE / KERNEL_EVENT_HEAD_BYTES);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_page_has_no_event),
		cmocka_unit_test(times_add_up),
		cmocka_unit_test(an_absolute_time_keeps_the_pages_upper_bits),
		cmocka_unit_test(a_long_event_tells_its_length_itself),
		cmocka_unit_test(padding_is_skipped_and_ends_the_page_without_a_delta),
		cmocka_unit_test(lost_events_are_told),
		cmocka_unit_test(an_event_that_leads_out_of_the_page_ends_it),
		cmocka_unit_test(pages_of_noise_lead_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
