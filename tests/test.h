/* SPDX-License-Identifier: MIT */
/*
 * test.h - cmocka and what it needs, for all unit tests.
 *
 * A test program is an array of cmocka_unit_test() given to cmocka_run_group_tests(); the runner
 * (tools/check) counts the cases by the lines that cmocka prints. cmocka's own TAP mode must not
 * be used: in 1.1.5 it turns a skip into a failure.
 */
#ifndef TACHO_TESTS_TEST_H
#define TACHO_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* Leave the running case as skipped; `reason` is a string that the runner shows. */
#define test_skip(reason)                                                                          \
	do {                                                                                       \
		printf("# skip: %s\n", (reason));                                                  \
		fflush(stdout);                                                                    \
		skip();                                                                            \
	} while (0)

#endif
