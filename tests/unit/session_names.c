/* SPDX-License-Identifier: MIT */
/* session_names.c - names as names of files, and lists of CPUs (lib/session) */
#include "tests/test.h"

#include <errno.h>
#include <string.h>

#include "session/cpus.h"
#include "session/names.h"

static void assert_escaped(const char *name, const char *expected)
{
	char escaped[NAME_ESCAPED_BYTES];
	char back[256];

	assert_int_equal(name_escape("session", name, 255, escaped, NULL), 0);
	assert_string_equal(escaped, expected);
	assert_int_equal(name_unescape(escaped, back, sizeof(back)), 0);
	assert_string_equal(back, name);
}

static void escaping_and_back_gives_the_same_name(void **state)
{
	(void)state;
	assert_escaped("plain", "plain");
	assert_escaped("with space", "with space");
	assert_escaped("a/b", "a%2Fb");
	assert_escaped("..", "%2E.");
	assert_escaped("v1.2", "v1.2");
	assert_escaped("100%", "100%25");
	assert_escaped("\n\x7f", "%0A%7F");
	assert_escaped("Zoë 測試", "Zoë 測試");
}

static void empty_name_is_refused(void **state)
{
	char escaped[NAME_ESCAPED_BYTES];
	struct tacho_error error;

	(void)state;
	assert_int_equal(name_escape("channel", "", 255, escaped, &error), -EINVAL);
	assert_string_equal(error.text, "the name of a channel cannot be empty");
}

static void long_name_is_refused_with_both_numbers(void **state)
{
	char escaped[NAME_ESCAPED_BYTES];
	char name[301];
	struct tacho_error error;

	(void)state;
	memset(name, 'x', 300);
	name[300] = '\0';
	assert_int_equal(name_escape("session", name, 255, escaped, &error), -ENAMETOOLONG);
	assert_non_null(strstr(error.text, "300"));
	assert_non_null(strstr(error.text, "255"));
	memset(name, '/', 67);
	name[67] = '\0';
	assert_int_equal(name_escape("session", name, 255, escaped, &error), -ENAMETOOLONG);
	assert_non_null(strstr(error.text, "201"));
	assert_non_null(strstr(error.text, "200"));
	name[66] = '\0';
	assert_int_equal(name_escape("session", name, 255, escaped, &error), 0);
}

static void what_escaping_never_gives_is_no_name(void **state)
{
	static const char *const wrong[] = { "", ".new-1", "a%", "a%2", "a%zz", "a%2f", "a%00" };
	char name[16];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(name_unescape(wrong[i], name, sizeof(name)), -EINVAL);
	assert_int_equal(name_unescape("0123456789abcdef", name, sizeof(name)), -EINVAL);
}

static void cpu_list_is_read_as_the_kernel_writes_it(void **state)
{
	struct cpu_set set;

	(void)state;
	assert_int_equal(cpu_set_parse("0-3,8,10-11", &set), 0);
	assert_int_equal(cpu_set_count(&set), 7);
	assert_true(cpu_set_has(&set, 8));
	assert_false(cpu_set_has(&set, 4));
	assert_false(cpu_set_has(&set, 9));
	assert_true(cpu_set_has(&set, 11));
}

static void malformed_cpu_list_is_refused(void **state)
{
	static const char *const wrong[] = { "",   "x",   "1-",   "-1",
					     "1,", "1 2", "4096", "0-99999999999" };
	struct cpu_set set;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(cpu_set_parse(wrong[i], &set), -EINVAL);
}

static void there_is_a_cpu(void **state)
{
	struct cpu_set online;

	(void)state;
	cpus_online(&online);
	assert_true(cpu_set_count(&online) >= 1);
	assert_true(cpus_possible() >= cpu_set_count(&online));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escaping_and_back_gives_the_same_name),
		cmocka_unit_test(empty_name_is_refused),
		cmocka_unit_test(long_name_is_refused_with_both_numbers),
		cmocka_unit_test(what_escaping_never_gives_is_no_name),
		cmocka_unit_test(cpu_list_is_read_as_the_kernel_writes_it),
		cmocka_unit_test(malformed_cpu_list_is_refused),
		cmocka_unit_test(there_is_a_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
