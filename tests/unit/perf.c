/* SPDX-License-Identifier: MIT */
/* perf.c - counters of the thread (lib/tracer): the page that the kernel maps is made here, since
 * not every machine has one. Its table is looked at from inside. */
#include "tests/test.h"

#include <pthread.h>
#include <string.h>

#include "tracer/perf.c"

static struct perf_event_mmap_page page;
static uint64_t raw;
static uint32_t asked, switches;

/* The kernel changes the page while it is read, so often. */
static uint64_t read_fake(uint32_t number)
{
	asked = number;
	if (switches) {
		switches--;
		page.lock++;
		page.offset += 1000;
	}
	return raw;
}

static void make_page(uint32_t index, int64_t offset, uint16_t width)
{
	memset(&page, 0, sizeof(page));
	page.cap_user_rdpmc = 1;
	page.index = index;
	page.offset = offset;
	page.pmc_width = width;
	switches = 0;
}

static void a_counter_is_the_processors_and_what_the_kernel_kept(void **state)
{
	(void)state;
	make_page(3, 100, 48);
	raw = 7;
	assert_int_equal(perf_page_read(&page, read_fake), 107);
	assert_int_equal(asked, 2);
}

static void a_counter_of_48_bits_has_a_sign(void **state)
{
	(void)state;
	make_page(1, 1ll << 47, 48);
	raw = 0xabcd000000000000 | 1ull << 47 | 5; /* of a processor that leaves anything above */
	assert_int_equal(perf_page_read(&page, read_fake), 5);
	make_page(1, 10, 64);
	raw = 5;
	assert_int_equal(perf_page_read(&page, read_fake), 15);
}

static void a_counter_that_is_not_running_has_what_the_kernel_kept(void **state)
{
	(void)state;
	make_page(0, 4711, 48);
	raw = 9;
	assert_int_equal(perf_page_read(&page, read_fake), 4711);
}

static void a_page_that_changes_meanwhile_is_read_again(void **state)
{
	(void)state;
	make_page(1, 0, 48);
	raw = 1;
	switches = 2;
	assert_int_equal(perf_page_read(&page, read_fake), 2001);
	switches = UINT32_MAX;
	assert_int_equal(perf_page_read(&page, read_fake), TACHO_PERF_UNAVAILABLE);
}

static void what_may_not_be_read_is_unavailable(void **state)
{
	(void)state;
	make_page(1, 5, 48);
	page.cap_user_rdpmc = 0;
	assert_int_equal(perf_page_read(&page, read_fake), TACHO_PERF_UNAVAILABLE);
	make_page(1, 5, 0);
	assert_int_equal(perf_page_read(&page, read_fake), TACHO_PERF_UNAVAILABLE);
	make_page(1, 5, 65);
	assert_int_equal(perf_page_read(&page, read_fake), TACHO_PERF_UNAVAILABLE);
}

static void what_the_kernel_counts_anyway_grows(void **state)
{
	uint64_t begin = perf_read(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	uint64_t faults = perf_read(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);

	(void)state;
	while (perf_read(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK) == begin)
		;
	assert_true(faults >= perf_read(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN) -
				      perf_read(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ));
	assert_int_not_equal(perf_read(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES),
			     TACHO_PERF_UNAVAILABLE);
}

static void an_unknown_counter_is_unavailable_each_time(void **state)
{
	(void)state;
	for (int i = 0; i < 10; i++)
		assert_int_equal(perf_read(0x7fffffff, 1), TACHO_PERF_UNAVAILABLE);
}

static uint32_t count_taken(void)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < ENTRIES; i++)
		count += table[i].owner != 0;
	return count;
}

static uint32_t count_mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	uint32_t count = 0;
	int c;

	while ((c = getc(maps)) != EOF)
		count += c == '\n';
	fclose(maps);
	return count;
}

/* What a child of fork() does not have. */
static void what_is_forgotten_is_made_again(void **state)
{
	(void)state;
	perf_read(0x7fffffff, 1);
	assert_int_not_equal(count_taken(), 0);
	perf_forget();
	assert_int_equal(count_taken(), 0);
	perf_read(0x7fffffff, 1);
	assert_int_equal(count_taken(), 1);
}

static void *ask_all(void *arg)
{
	tracer_know_thread();
	for (uint64_t config = 0; config < 8; config++) {
		perf_read(PERF_TYPE_HARDWARE, config);
		perf_read(0x7ffffff0, config);
	}
	return arg;
}

/* More counters than the table has places: those of threads that ended make room. */
static void threads_that_end_leave_nothing_for_long(void **state)
{
	uint32_t before = 0;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		pthread_t t;

		assert_int_equal(pthread_create(&t, NULL, ask_all, NULL), 0);
		pthread_join(t, NULL);
		if (i == 500)
			before = count_mappings();
	}
	assert_true(count_mappings() <= before + 100);
	assert_in_range(count_taken(), 16, ENTRIES / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_is_the_processors_and_what_the_kernel_kept),
		cmocka_unit_test(a_counter_of_48_bits_has_a_sign),
		cmocka_unit_test(a_counter_that_is_not_running_has_what_the_kernel_kept),
		cmocka_unit_test(a_page_that_changes_meanwhile_is_read_again),
		cmocka_unit_test(what_may_not_be_read_is_unavailable),
		cmocka_unit_test(what_the_kernel_counts_anyway_grows),
		cmocka_unit_test(an_unknown_counter_is_unavailable_each_time),
		cmocka_unit_test(what_is_forgotten_is_made_again),
		cmocka_unit_test(threads_that_end_leave_nothing_for_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
