/* SPDX-License-Identifier: MIT */
/*
 * What is no filter expression, and how that is said.
 */
#include "tests/unit/filter_fixture.h"

#include <errno.h>
#include <locale.h>

struct refusal {
	const char *text;
	size_t column;
	const char *what;
};

static void expect_refusal(const struct refusal *r)
{
	struct filter_complaint warning, error = { 0 };
	struct tacho_filter *filter;
	size_t column;

	if (!filter_compile(r->text, some_counter, NULL, &filter, &warning, &error))
		fail_msg("'%s' is accepted", r->text);
	column = filter_column(r->text, error.at);
	if (column != r->column || !strstr(error.what, r->what))
		fail_msg("'%s', column %zu: %s", r->text, column, error.what);
}

static void expect_refusals(const struct refusal *table, size_t count)
{
	for (size_t i = 0; i < count; i++)
		expect_refusal(&table[i]);
}
#define EXPECT_REFUSALS(table) expect_refusals(table, sizeof(table) / sizeof((table)[0]))

static void an_error_says_what_is_expected_where(void **state)
{
	static const struct refusal table[] = {
		{ "", 1, "expected a field" },
		{ "  ", 3, "the expression ends here" },
		{ "a &&", 5, "the expression ends here" },
		{ "total > && 1", 9,
		  "expected a field, a context ($ctx.vpid), a number, a string or "
		  "'(', not '&&'" },
		{ "a b", 3,
		  "expected an operator (&& || == != < <= > >= & ^ | << >> + - * / %) or "
		  "the end, not 'b'" },
		{ "a == 1 b == 2", 8, "not 'b'" },
		{ "(a == 1", 1, "not closed" },
		{ "(a == 1 2)", 9, "or ')', not '2'" },
		{ "a == 1)", 7, "no '('" },
		{ "()", 2, "not ')'" },
		{ "a = 1", 3, "'==' does" },
		{ "a == 1 & ", 10, "ends here" },
		{ "a # 1", 3, "'#' has no meaning" },
		{ "a == \xc3\xa4", 6, "0xc3" },
		{ "a == \"\xc3\xa4\xc3\xb6\" b", 11, "not 'b'" },
		{ "a ! b", 3, "not '!'" },
		{ "a ~ b", 3, "not '~'" },
		{ "== 1", 1, "not '=='" },
		{ "a and b", 3, "not 'and'" },
		{ "\"a\" \"b\" == a", 5, "not '\"b\"'" },
		{ "a == 1\n&&\n", 11, "ends here" },
	};

	(void)state;
	EXPECT_REFUSALS(table);
}

static void fields_and_contexts_are_spelled_right(void **state)
{
	static const struct refusal table[] = {
		{ "a. == 1", 2, "behind a dot" },
		{ "a.1 == 1", 2, "behind a dot" },
		{ "a[", 3, "constant integer" },
		{ "a[b] == 1", 3, "constant integer, not 'b'" },
		{ "a[-1] == 1", 3, "constant integer, not '-'" },
		{ "a[1.5] == 1", 3, "constant integer" },
		{ "a[1 == 1", 5, "expected ']'" },
		{ "a[1][2] == 1", 5, "no elements" },
		{ "a[1].b == 1", 5, "no fields" },
		{ "a[4294967295] == 1", 3, "so many elements" },
		{ "$ctx.vpit == 1", 1, "no context 'vpit'; tacho add-context --list" },
		{ "$ctx. == 1", 1, "name of a context" },
		{ "$ctx == 1", 1, "$ctx.vpid" },
		{ "$ == 1", 1, "$ctx.vpid" },
		{ "1 + $app.shop:user == 1", 5, "give the event a field" },
		{ "$ctx.perf:thread:branches == 1", 1, "does not count 'perf:thread:branches'" },
	};

	(void)state;
	EXPECT_REFUSALS(table);
}

static void numbers_are_spelled_right(void **state)
{
	static const struct refusal table[] = {
		{ "a == 12ab", 6, "'12ab' is no number" },
		{ "a == 0x", 6, "no number" },
		{ "a == 0b", 6, "no number" },
		{ "a == 0b12", 6, "no number" },
		{ "a == 09", 6, "no number" },
		{ "a == 1uu", 6, "no number" },
		{ "a == 1lll", 6, "no number" },
		{ "a == 1.2.3", 6, "no number" },
		{ "a == 1e", 6, "no number" },
		{ "a == 1.5x", 6, "no number" },
		{ "a == 0x.p1", 6, "no number" },
		{ "a == 18446744073709551616", 6, "more than 64 bits" },
		{ "a == 0x10000000000000000", 6, "more than 64 bits" },
		{ "a == 1e999", 6, "too large" },
		{ "a == 1e300f", 6, "too large" },
	};

	(void)state;
	EXPECT_REFUSALS(table);
}

static void numbers_have_the_value_that_c_gives_them(void **state)
{
	static const struct expectation table[] = {
		{ "0x1F == 31 && 0X1f == 31 && 017 == 15 && 0b101 == 5 && 0 == 00", true },
		{ "10u == 10 && 10UL == 10 && 10llu == 10 && 10LL == 10 && 0xful == 15", true },
		{ "1.5 == 3 / 2.0 && .5 == 0.5 && 5. == 5 && 1e3 == 1000 && 1E-1 == 0.1", true },
		{ "0x1p4 == 16 && 0x1.8p1 == 3 && 2.5f == 2.5 && 0.1f != 0.1 && 1.5L == 1.5",
		  true },
		{ "'a' == 97 && '\\n' == 10 && '\\'' == 39 && '\"' == 34 && '\\0' == 0", true },
		{ "'*' == 42 && '\\x41' == 65 && '\\101' == 65 && '\\\\' == 92", true },
		{ "1e3-1 == 999 && 0xe-1 == 13", true },
	};

	EXPECT(*state, table);
}

static void strings_are_spelled_right(void **state)
{
	static const struct refusal table[] = {
		{ "a == \"b", 6, "no end" },
		{ "a == \"b\\", 8, "no such escape" },
		{ "a == \"b\\\"", 6, "no end" },
		{ "a == \"b\\q\"", 8, "no such escape" },
		{ "a == \"\\xg\"", 7, "hexadecimal" },
		{ "a == \"\\400\"", 7, "largest byte" },
		{ "a == ''", 6, "exactly one character" },
		{ "a == 'ab'", 6, "exactly one character" },
		{ "a == 'a", 6, "exactly one character" },
		{ "a == '", 6, "exactly one character" },
		{ "a == '\xc3\xa4'", 6, "ASCII" },
		{ "a == '\\377'", 6, "ASCII" },
	};

	(void)state;
	EXPECT_REFUSALS(table);
}

static void escapes_are_those_of_c(void **state)
{
	static const struct expectation table[] = {
		{ "\"\\a\\b\\f\\n\\r\\t\\v\\?\\'\\\"\" == \"\\7\\10\\14\\12\\15\\11\\13?'\\42\"",
		  true },
		{ "\"\\x41b\" == \"Ab\" && \"\\1011\" == \"A1\" && \"\\08\" == \"\\x008\"", true },
		{ "'\\t' == 9 && \"a\\\\\" != \"a\"", true },
	};

	EXPECT(*state, table);
}

static void what_does_not_fit_is_said_at_the_operator(void **state)
{
	static const struct refusal table[] = {
		{ "name < \"b\"", 6, "strings have no order" },
		{ "\"a\" >= 1", 5, "strings have no order" },
		{ "$ctx.procname > 1", 15, "strings have no order" },
		{ "name == \"a\" + 1", 13, "'+' takes numbers, not strings" },
		{ "-\"a\" == 1", 1, "'-' takes numbers, not strings" },
		{ "~\"a\" == 1", 1, "'~' takes numbers, not strings" },
		{ "a & \"x\"", 3, "'&' takes numbers, not strings" },
		{ "a == 1 && \"x\"", 8, "neither true nor false" },
		{ "\"x\" || a", 5, "neither true nor false" },
		{ "!\"x\"", 1, "neither true nor false" },
		{ "\"x\"", 1, "neither true nor false" },
		{ "$ctx.procname", 1, "neither true nor false" },
		{ "1 == \"1\"", 3, "never equal" },
		{ "$ctx.vpid != \"1\"", 11, "never equal" },
		{ "(a == b) == \"1\"", 10, "never equal" },
		{ "\"a*\" == \"*a\"", 6, "only one of two strings" },
		{ "1.5 & a", 5, "takes integers only" },
		{ "a << 1.5", 3, "takes integers only" },
		{ "1.5 % 2", 5, "takes integers only" },
		{ "~1.5", 1, "takes integers only" },
	};

	(void)state;
	EXPECT_REFUSALS(table);
}

/* ---- limits ---- */

static char *repeated(const char *first, const char *again, size_t count, const char *last)
{
	char *text = calloc(1, strlen(first) + strlen(again) * count + strlen(last) + 1), *to;

	assert_non_null(text);
	to = stpcpy(text, first);
	while (count--)
		to = stpcpy(to, again);
	stpcpy(to, last);
	return text;
}

static int compile_repeated(const char *first, const char *again, size_t count, const char *last,
			    const char *reason)
{
	char *text = repeated(first, again, count, last);
	struct filter_complaint warning, error = { 0 };
	struct tacho_filter *filter = NULL;
	int err = filter_compile(text, NULL, NULL, &filter, &warning, &error);

	if (err && !strstr(error.what, reason))
		fail_msg("%s", error.what);
	assert_true(err || !filter_check(filter, filter->bytes));
	free(filter);
	free(text);
	return err;
}

static void an_expression_that_is_too_large_is_refused(void **state)
{
	(void)state;
	assert_int_equal(compile_repeated("1", " + 1", 500, "", ""), 0);
	assert_int_equal(compile_repeated("1", " + 1", 600, "", "too many operators and operands"),
			 -E2BIG);
	assert_int_equal(compile_repeated("a", " && a", 300, "", ""), 0);
	assert_int_equal(compile_repeated("", "(1+", 15, "1)))))))))))))))", ""), 0);
	assert_int_equal(compile_repeated("", "(1+", 16, "1))))))))))))))))", "wait here"), -E2BIG);
	assert_int_equal(compile_repeated("", "(", 64,
					  "1))))))))))))))))))))))))))))))))))))))))))"
					  "))))))))))))))))))))))",
					  ""),
			 0);
	assert_int_equal(compile_repeated("", "(", 10000, "1", "nested too deeply"), -E2BIG);
	assert_int_equal(compile_repeated("", "!", 64, "1", ""), 0);
	assert_int_equal(compile_repeated("", "!", 10000, "1", "nested too deeply"), -E2BIG);
	assert_int_equal(compile_repeated("a == \"", "xxxxxxxxxx", 1600, "\"", ""), 0);
	assert_int_equal(compile_repeated("a == \"", "xxxxxxxxxx", 1637, "\"", "too long"), -E2BIG);
	assert_int_equal(compile_repeated("a == \"", "xxxxxxxxxx", 1700, "\"", "16384 bytes"),
			 -E2BIG);
	assert_int_equal(compile_repeated("", "x", 255, "", ""), 0);
	assert_int_equal(compile_repeated("", "x", 256, "", "255 bytes"), -EINVAL);
	assert_int_equal(compile_repeated("1", "1", 300, "", "too long"), -EINVAL);
}

static void fields_and_numbers_are_kept_once(void **state)
{
	struct filter_fixture *f = *state;
	struct tacho_filter *filter =
		compiled(f, "i8 == 1 || i8 == 2 || i8 + 1 == 2 || a[1] == a[2] && a[1] == 1");

	assert_int_equal(filter->field_count, 3);
	assert_int_equal(filter->word_count, 2);
	assert_int_equal(filter->pool_bytes, strlen("i8a"));
	free(filter);
}

static void too_many_fields_or_numbers_are_refused(void **state)
{
	char *text = calloc(1, FILTER_TEXT_MAX), *to = text;
	struct filter_complaint warning, error;
	struct tacho_filter *filter;

	(void)state;
	assert_non_null(text);
	for (int i = 0; i <= TACHO_FILTER_FIELDS_MAX; i++)
		to += sprintf(to, "%sf%d", i ? "||" : "", i);
	assert_int_equal(filter_compile(text, NULL, NULL, &filter, &warning, &error), -E2BIG);
	assert_non_null(strstr(error.what, "too many fields"));
	to = text;
	for (int i = 0; i <= TACHO_FILTER_WORDS_MAX; i++)
		to += sprintf(to, "%s%d", i ? "+" : "", i);
	assert_int_equal(filter_compile(text, NULL, NULL, &filter, &warning, &error), -E2BIG);
	assert_non_null(strstr(error.what, "too many numbers"));
	free(text);
}

/* ---- warnings ---- */

static void expect_warning(struct filter_fixture *f, const char *text, size_t column)
{
	free(compiled(f, text));
	if (!column != !f->warning.what[0] ||
	    (column && filter_column(text, f->warning.at) != column))
		fail_msg("'%s': column %zu '%s'", text, f->warning.at + 1, f->warning.what);
}

static void what_lttng_reads_otherwise_is_warned_of(void **state)
{
	expect_warning(*state, "a & 1 == 1", 3);
	expect_warning(*state, "a == 1 & b", 8);
	expect_warning(*state, "x && a | b < c", 8);
	expect_warning(*state, "a ^ b != c", 3);
	expect_warning(*state, "(a & 1) == 1", 0);
	expect_warning(*state, "a & (b == 1)", 0);
	expect_warning(*state, "a == 1 && b == 2", 0);
	expect_warning(*state, "a << 1 == 2", 0);
	expect_warning(*state, "a & b | c", 0);
}

/* ---- where ---- */

static void expect_excerpt(const char *text, size_t at, const char *expected)
{
	char lines[FILTER_EXCERPT_BYTES];

	filter_excerpt(text, at, lines);
	assert_string_equal(lines, expected);
}

static void an_excerpt_has_a_caret_below_the_place(void **state)
{
	char text[400] = { 0 }, lines[FILTER_EXCERPT_BYTES];

	(void)state;
	expect_excerpt("a b", 2, "    a b\n      ^\n");
	expect_excerpt("a b", 3, "    a b\n       ^\n");
	expect_excerpt("", 0, "    \n    ^\n");
	expect_excerpt("a\tb\x1b", 2, "    a b \n      ^\n");
	expect_excerpt("one\ntwo three\nfour", 8, "    two three\n        ^\n");
	expect_excerpt("\xc3\xa4\xc3\xb6 b", 5, "    \xc3\xa4\xc3\xb6 b\n       ^\n");
	memset(text, '.', 300);
	text[200] = 'X';
	filter_excerpt(text, 200, lines);
	assert_true(strchr(lines, '^') - strchr(lines, '\n') - 1 == strchr(lines, 'X') - lines);
	assert_int_equal(strchr(lines, '\n') - lines, 4 + 72);
}

static void numbers_do_not_depend_on_the_locale(void **state)
{
	if (!setlocale(LC_ALL, "de_DE.UTF-8"))
		test_skip("no German locale is installed");
	assert_true(is_match(*state, "1.5 == 3 / 2.0"));
	setlocale(LC_ALL, "C");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, filter_set_up, filter_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(an_error_says_what_is_expected_where),
		CASE(fields_and_contexts_are_spelled_right),
		CASE(numbers_are_spelled_right),
		CASE(numbers_have_the_value_that_c_gives_them),
		CASE(strings_are_spelled_right),
		CASE(escapes_are_those_of_c),
		CASE(what_does_not_fit_is_said_at_the_operator),
		CASE(an_expression_that_is_too_large_is_refused),
		CASE(fields_and_numbers_are_kept_once),
		CASE(too_many_fields_or_numbers_are_refused),
		CASE(what_lttng_reads_otherwise_is_warned_of),
		CASE(an_excerpt_has_a_caret_below_the_place),
		CASE(numbers_do_not_depend_on_the_locale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
