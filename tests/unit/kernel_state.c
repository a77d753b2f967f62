/* SPDX-License-Identifier: MIT */
/* kernel_state.c - records that tell what the system is like, and what they are made of. */
#include "session/kernel/state_source.h"

#include <errno.h>
#include <string.h>

#include "tests/test.h"

static void a_thread_is_what_its_stat_says(void **state)
{
	struct state_thread thread;

	(void)state;
	assert_true(
		state_thread_parse("7 (bash) S 3 7 7 34816 9 4194304 1 2 3 4 5 6 7 8 20 0 1 0 99 1 "
				   "2 3 4 5 6 7 8 9 10 11 12 13 14 0 17 5 0 0 0 0 0",
				   &thread));
	assert_string_equal(thread.name, "bash");
	assert_int_equal(thread.state, 'S');
	assert_int_equal(thread.ppid, 3);
	assert_false(thread.is_kernel);
	assert_int_equal(thread.cpu, 5);
	assert_true(state_thread_parse("2 (kthreadd) S 0 0 0 0 -1 2129984 0", &thread));
	assert_true(thread.is_kernel);
}

static void a_name_that_looks_like_the_rest_is_a_name(void **state)
{
	struct state_thread thread;

	(void)state;
	assert_true(state_thread_parse("7 (a) R 1 (\n) Z 3 7 7 0 9 0 1", &thread));
	assert_string_equal(thread.name, "a) R 1 (\n");
	assert_int_equal(thread.state, 'Z');
	assert_int_equal(thread.ppid, 3);
	assert_int_equal(thread.cpu, 0);
}

static void what_makes_no_sense_is_no_thread(void **state)
{
	struct state_thread thread;

	(void)state;
	assert_false(state_thread_parse("", &thread));
	assert_false(state_thread_parse(")(", &thread));
	assert_false(state_thread_parse("7 (bash)", &thread));
	assert_false(state_thread_parse("7 (bash) S x", &thread));
}

static void make_file(struct kernel_state *state, const char *path)
{
	kernel_state_begin(state, KERNEL_STATE_FILE);
	kernel_state_add_number(state, 1, 8);
	for (int i = 0; i < 3; i++)
		kernel_state_add_number(state, 3, 4);
	kernel_state_add_text(state, path, 0);
}

static void what_is_told_is_read_back(void **state)
{
	enum kernel_state_kind kind;
	struct kernel_state told;

	(void)state;
	make_file(&told, "/etc/passwd");
	memset(told.bytes + told.used, 0xff, 3); /* padding */
	assert_int_equal(kernel_state_read(told.bytes, told.used + 3, &kind), 20 + 12);
	assert_int_equal(kind, KERNEL_STATE_FILE);
	kernel_state_begin(&told, KERNEL_STATE_END);
	assert_int_equal(kernel_state_read(told.bytes, told.used, &kind), 0);
	assert_int_equal(kind, KERNEL_STATE_END);
}

static void texts_that_are_too_long_are_cut(void **state)
{
	char path[2 * KERNEL_STATE_BYTES_MAX];
	enum kernel_state_kind kind;
	struct kernel_state told;

	(void)state;
	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 1] = 0;
	make_file(&told, path);
	assert_int_equal(told.used, KERNEL_STATE_BYTES_MAX);
	assert_int_equal(kernel_state_read(told.bytes, told.used, &kind),
			 KERNEL_STATE_BYTES_MAX - 4);
	kernel_state_begin(&told, KERNEL_STATE_INTERFACE);
	kernel_state_add_text(&told, path, 4);
	kernel_state_add_number(&told, 7, 4);
	assert_int_equal(kernel_state_read(told.bytes, told.used, &kind),
			 KERNEL_STATE_BYTES_MAX - 4);
}

/* Another program of root's may write to the instance what it likes. */
static void what_others_write_is_no_record(void **state)
{
	static const uint32_t words[] = { 0, KERNEL_STATE_MAGIC - 1,
					  KERNEL_STATE_MAGIC + KERNEL_STATE_KINDS, UINT32_MAX };
	enum kernel_state_kind kind;
	struct kernel_state told;

	(void)state;
	make_file(&told, "/etc/passwd");
	for (uint32_t size = 0; size < told.used; size++)
		assert_int_equal(kernel_state_read(told.bytes, size, &kind), -EBADMSG);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		memcpy(told.bytes, &words[i], sizeof(words[i]));
		assert_int_equal(kernel_state_read(told.bytes, told.used, &kind), -EBADMSG);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_is_what_its_stat_says),
		cmocka_unit_test(a_name_that_looks_like_the_rest_is_a_name),
		cmocka_unit_test(what_makes_no_sense_is_no_thread),
		cmocka_unit_test(what_is_told_is_read_back),
		cmocka_unit_test(texts_that_are_too_long_are_cut),
		cmocka_unit_test(what_others_write_is_no_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
