/* SPDX-License-Identifier: MIT */
/*
 * pattern.c - the patterns of event rules (base/pattern.h), against a matcher that is simple enough
 * to be right.
 */
#include "tests/test.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"

static bool matches(const char *pattern, const char *text)
{
	return pattern_is_match(pattern, strlen(pattern) + 1, text);
}

/* By trying everything. */
static bool simple_match(const char *p, const char *t)
{
	if (!*p)
		return !*t;
	if (*p == '*')
		return simple_match(p + 1, t) || (*t && simple_match(p, t + 1));
	if (*p == '\\' && (p[1] == '*' || p[1] == '\\'))
		return *t == p[1] && simple_match(p + 2, t + 1);
	return *t == *p && simple_match(p + 1, t + 1);
}

static void plain_pattern_matches_only_itself(void **state)
{
	(void)state;
	assert_true(matches("shop:order", "shop:order"));
	assert_false(matches("shop:order", "shop:orders"));
	assert_false(matches("shop:order", "shop:orde"));
	assert_false(matches("", "x"));
	assert_true(matches("", ""));
}

static void star_matches_any_bytes_anywhere(void **state)
{
	(void)state;
	assert_true(matches("*", ""));
	assert_true(matches("*", "shop:order"));
	assert_true(matches("shop:*", "shop:"));
	assert_true(matches("*:order", "shop:order"));
	assert_true(matches("s*p:*r", "shop:order"));
	assert_true(matches("***", "x"));
	assert_false(matches("shop:*x", "shop:order"));
	assert_true(matches("*\xc3\xa9*", "caf\xc3\xa9"));
}

static void backslash_takes_the_meaning_from_a_star(void **state)
{
	(void)state;
	assert_true(matches("a\\*b", "a*b"));
	assert_false(matches("a\\*b", "axb"));
	assert_true(matches("a\\\\b", "a\\b"));
	assert_true(matches("a\\b", "a\\b"));
	assert_true(matches("a\\", "a\\"));
}

static void pattern_without_an_end_is_read_no_further(void **state)
{
	char *pattern = malloc(4);

	(void)state;
	memcpy(pattern, "abc*", 4);
	assert_true(pattern_is_match(pattern, 4, "abcdef"));
	memcpy(pattern, "abc\\", 4);
	assert_true(pattern_is_match(pattern, 4, "abc\\"));
	assert_false(pattern_is_match(pattern, 0, "x"));
	free(pattern);
}

static void random_string(char *to, const char *alphabet, int max)
{
	int n = rand() % (max + 1);

	for (int i = 0; i < n; i++)
		to[i] = alphabet[(size_t)rand() % strlen(alphabet)];
	to[n] = 0;
}

static void agrees_with_a_simple_matcher(void **state)
{
	char pattern[16], text[16];

	(void)state;
	srand(1);
	for (int i = 0; i < 300000; i++) {
		random_string(pattern, "ab**\\", 9);
		random_string(text, "aab*\\", 10);
		if (matches(pattern, text) != simple_match(pattern, text))
			fail_msg("'%s' and '%s'", pattern, text);
	}
}

static void hostile_pattern_takes_no_exponential_time(void **state)
{
	char pattern[512], text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(pattern) - 2; i += 2)
		memcpy(pattern + i, "*a", 2);
	memcpy(pattern + sizeof(pattern) - 2, "b", 2);
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	assert_false(matches(pattern, text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_pattern_matches_only_itself),
		cmocka_unit_test(star_matches_any_bytes_anywhere),
		cmocka_unit_test(backslash_takes_the_meaning_from_a_star),
		cmocka_unit_test(pattern_without_an_end_is_read_no_further),
		cmocka_unit_test(agrees_with_a_simple_matcher),
		cmocka_unit_test(hostile_pattern_takes_no_exponential_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
