/* SPDX-License-Identifier: MIT */
/* Filters of a session's rules: what is written into its file. */
#include "tests/unit/session_fixture.h"

#include <errno.h>

#include "base/rule.h"
#include "filter/filter.h"

static int enable(struct fixture *f, struct session *session, const char *filter)
{
	struct rule_options options = { .pattern = "shop:*", .filter = filter };

	return session_enable_event(session, &options, &f->error);
}

/* The program of a rule, copied and checked as a traced program does it. */
static void expect_program(const struct tacho_session *file, const struct tacho_rule *rule)
{
	uint64_t copy[TACHO_FILTER_BYTES_MAX / 8];
	uint32_t bytes = 0;
	const char *code = rule_text(file, &rule->filter, &bytes);

	assert_non_null(code);
	assert_int_equal((uintptr_t)code % 8, 0);
	assert_true(bytes <= sizeof(copy));
	memcpy(copy, code, bytes);
	assert_int_equal(filter_check((struct tacho_filter *)copy, bytes), 0);
}

static void a_rule_keeps_text_and_program_of_its_filter(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	const struct tacho_session *file = session_file(session);
	uint32_t bytes = 0;

	assert_ok(f, enable(f, session, NULL));
	assert_int_equal(file->rule[0].filter.bytes, 0);
	assert_ok(f, enable(f, session, "total > 100 && customer == \"a*\""));
	assert_ok(f, enable(f, session, "total > 100"));
	assert_ok(f, enable(f, session, "total > 100"));
	assert_int_equal(file->rule_count, 3);
	assert_string_equal(rule_text(file, &file->rule[1].filter_text, &bytes),
			    "total > 100 && customer == \"a*\"");
	expect_program(file, &file->rule[1]);
	expect_program(file, &file->rule[2]);
	session_close(session);
}

static void a_wrong_filter_changes_nothing(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	const struct tacho_session *file = session_file(session);
	uint32_t generation = file->generation;

	assert_int_equal(enable(f, session, "total >"), -EINVAL);
	assert_non_null(strstr(f->error.text, "column 8"));
	assert_int_equal(enable(f, session, "$ctx.perf:thread:cpu-cycles > 1"), -EINVAL);
	assert_non_null(strstr(f->error.text, "tacho add-context"));
	assert_int_equal(file->rule_count, 0);
	assert_int_equal(file->generation, generation);
	session_close(session);
}

static void a_counter_of_the_session_can_be_named(void **state)
{
	static const char *const names[] = { "perf:thread:instructions", "perf:thread:cpu-cycles",
					     NULL };
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	const struct tacho_session *file = session_file(session);
	bool is_new;

	assert_ok(f, enable(f, session, NULL));
	assert_ok(f, session_add_contexts(session, NULL, names, &is_new, &f->error));
	assert_ok(f, enable(f, session, "$ctx.perf:thread:cpu-cycles > 1"));
	expect_program(file, &file->rule[1]);
	session_close(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		session_test(a_rule_keeps_text_and_program_of_its_filter),
		session_test(a_wrong_filter_changes_nothing),
		session_test(a_counter_of_the_session_can_be_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
