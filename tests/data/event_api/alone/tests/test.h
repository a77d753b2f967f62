/* SPDX-License-Identifier: MIT */
/*
 * test.h - as much of cmocka as the tests of <tacho/event.h> use, in place of tests/test.h: they
 * are compiled in many dialects and for machines that have no cmocka.
 */
#ifndef TACHO_TESTS_TEST_H
#define TACHO_TESTS_TEST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*run)(void **);
	int (*setup)(void **);
};

static int alone_failures __attribute__((unused));

static inline void alone_judge(int holds, const char *text, const char *file, int line)
{
	if (holds)
		return;
	printf("# %s:%d: not so: %s\n", file, line, text);
	alone_failures++;
}

static inline int alone_run(const struct CMUnitTest *tests, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const int before = alone_failures;

		if (tests[i].setup)
			tests[i].setup(NULL);
		tests[i].run(NULL);
		if (alone_failures != before)
			printf("# failed: %s\n", tests[i].name);
	}
	return alone_failures;
}

#define assert_true(x)                  alone_judge(!!(x), #x, __FILE__, __LINE__)
#define assert_false(x)                 alone_judge(!(x), "not " #x, __FILE__, __LINE__)
#define assert_int_equal(a, b)          alone_judge((a) == (b), #a " == " #b, __FILE__, __LINE__)
#define assert_string_equal(a, b)       alone_judge(!strcmp(a, b), #a " is " #b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, n)    alone_judge(!memcmp(a, b, n), #a " is " #b, __FILE__, __LINE__)
#define assert_null(a)                  alone_judge(!(a), #a " is null", __FILE__, __LINE__)
#define assert_non_null(a)              alone_judge(!!(a), #a " is not null", __FILE__, __LINE__)
#define cmocka_unit_test(f)             {#f, f, NULL}
#define cmocka_unit_test_setup(f, s)    {#f, f, s}
#define cmocka_run_group_tests(t, s, e) alone_run(t, sizeof(t) / sizeof((t)[0]))

#endif
