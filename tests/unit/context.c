/* SPDX-License-Identifier: MIT */
/* context.c - the contexts' names, numbers and sizes (lib/base), and how they get into a channel
 * (lib/session) */
#include "tests/test.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/context_name.h"
#include "session_fixture.h"

/* ---- names ---- */

static void each_name_is_of_the_context_that_is_called_so(void **state)
{
	struct context_wish wish;
	const char *name;
	size_t count = 0;

	(void)state;
	for (; (name = context_name_at(count)); count++) {
		assert_int_equal(context_parse(name, &wish, NULL), 0);
		if (wish.number == TACHO_CONTEXT_PERF) {
			assert_string_equal(wish.perf.name, name);
			assert_true(wish.perf.is_used);
		} else {
			assert_string_equal(context_field(wish.number)->name, name);
		}
	}
	assert_true(count > TACHO_CONTEXT_FIXED_COUNT + 50);
}

static void counters_are_those_of_perf_event_open(void **state)
{
	struct context_wish wish;

	(void)state;
	assert_int_equal(context_parse("perf:thread:cpu-cycles", &wish, NULL), 0);
	assert_int_equal(wish.perf.type, PERF_TYPE_HARDWARE);
	assert_int_equal(wish.perf.config, PERF_COUNT_HW_CPU_CYCLES);
	assert_int_equal(context_parse("perf:thread:LLC-store-misses", &wish, NULL), 0);
	assert_int_equal(wish.perf.type, PERF_TYPE_HW_CACHE);
	assert_int_equal(wish.perf.config, 2 | 1 << 8 | 1 << 16);
	assert_int_equal(context_parse("perf:thread:cs", &wish, NULL), 0);
	assert_int_equal(wish.perf.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(wish.perf.config, PERF_COUNT_SW_CONTEXT_SWITCHES);
	assert_int_equal(context_parse("perf:thread:raw:r1Fc2:my-own", &wish, NULL), 0);
	assert_int_equal(wish.perf.type, PERF_TYPE_RAW);
	assert_int_equal(wish.perf.config, 0x1fc2);
	assert_string_equal(wish.perf.name, "perf:thread:raw:r1Fc2:my-own");
}

static void what_is_no_context_is_refused_with_words(void **state)
{
	static const char *const wrong[] = {
		"",
		"vpid ",
		"VPID",
		"pid",
		"perf:cpu:cycles",
		"perf:thread:",
		"perf:thread:raw:r",
		"perf:thread:raw:r1c2",
		"perf:thread:raw:r1c2:",
		"perf:thread:raw:rx:a",
		"perf:thread:raw:r1:a b",
		"perf:thread:raw:r11112222333344445:a",
		"perf:thread:raw:r1:a-name-that-is-so-long-that-no-session-has-room-for-it-all",
	};
	struct tacho_error error;
	struct context_wish wish;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		error.text[0] = 0;
		assert_int_equal(context_parse(wrong[i], &wish, &error), -EINVAL);
		assert_string_not_equal(error.text, "");
	}
}

static void fields_of_counters_are_called_as_lttng_calls_them(void **state)
{
	char name[CONTEXT_PERF_NAME_BYTES] = "perf:thread:L1-dcache-loads";
	char field[CONTEXT_PERF_NAME_BYTES];

	(void)state;
	context_perf_field(name, field);
	assert_string_equal(field, "perf_thread_L1_dcache_loads");
	memset(name, ':', sizeof(name));
	context_perf_field(name, field);
	assert_int_equal(strlen(field), sizeof(field) - 1);
}

/* ---- sizes ---- */

static void all_contexts_fit_what_is_reserved_for_them(void **state)
{
	(void)state;
	assert_int_equal(contexts_bytes(CONTEXTS_FIXED | CONTEXTS_PERF), TACHO_CONTEXTS_BYTES_MAX);
	assert_int_equal(contexts_bytes(0), 0);
	assert_int_equal(context_bytes(TACHO_CONTEXT_PROCNAME), TACHO_PROCNAME_BYTES);
	assert_int_equal(context_bytes(TACHO_CONTEXT_UTS_NS), 8);
	assert_int_equal(context_bytes(TACHO_CONTEXT_PERF + TACHO_PERF_MAX - 1), 8);
}

static void unknown_bits_are_no_contexts(void **state)
{
	(void)state;
	assert_true(contexts_are_known(CONTEXTS_FIXED | CONTEXTS_PERF));
	for (unsigned int i = 0; i < 64; i++)
		assert_int_equal(contexts_are_known(1ull << i), context_bytes(i) != 0);
	assert_int_equal(context_bytes(TACHO_CONTEXT_FIXED_COUNT), 0);
	assert_int_equal(context_bytes(64), 0);
}

/* ---- sessions ---- */

static bool add(struct fixture *f, struct session *session, const char *channel, const char *name)
{
	const char *const names[] = { name, NULL };
	bool is_new = false;

	assert_ok(f, session_add_contexts(session, channel, names, &is_new, &f->error));
	return is_new;
}

static void contexts_are_added_once(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	const struct tacho_session *file = session_file(session);
	uint32_t generation;

	assert_true(add(f, session, NULL, "vtid"));
	assert_int_equal(file->channel[0].contexts, 1 << TACHO_CONTEXT_VTID);
	generation = file->generation;
	assert_false(add(f, session, file->channel[0].name, "vtid"));
	assert_int_equal(file->generation, generation);
	assert_true(add(f, session, NULL, "vpid"));
	assert_int_equal(file->channel[0].contexts,
			 1 << TACHO_CONTEXT_VTID | 1 << TACHO_CONTEXT_VPID);
	session_close(session);
}

static void counters_of_one_name_share_a_place(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	const struct tacho_session *file = session_file(session);

	add(f, session, NULL, "perf:thread:cycles");
	add(f, session, NULL, "perf:thread:cpu-cycles");
	assert_false(add(f, session, NULL, "perf:thread:cycles"));
	assert_int_equal(file->channel[0].contexts, 3ull << TACHO_CONTEXT_PERF);
	assert_string_equal(file->perf[0].name, "perf:thread:cycles");
	assert_string_equal(file->perf[1].name, "perf:thread:cpu-cycles");
	assert_false(file->perf[2].is_used);
	session_close(session);
}

static void one_wrong_name_adds_none(void **state)
{
	const char *const names[] = { "vpid", "perf:thread:cycles", "nothing", NULL };
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	bool is_new;

	assert_int_equal(session_add_contexts(session, NULL, names, &is_new, &f->error), -EINVAL);
	assert_int_equal(session_file(session)->channel[0].contexts, 0);
	assert_false(session_file(session)->perf[0].is_used);
	session_close(session);
}

static void the_17th_counter_is_refused(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	const char *names[] = { "perf:thread:raw:r99:last", NULL };
	char name[64];
	bool is_new;

	for (unsigned int i = 0; i < TACHO_PERF_MAX; i++) {
		snprintf(name, sizeof(name), "perf:thread:raw:r%x:mine", i);
		add(f, session, NULL, name);
	}
	assert_int_equal(session_add_contexts(session, NULL, names, &is_new, &f->error), -ENOSPC);
	assert_non_null(strstr(f->error.text, "16"));
	session_close(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_name_is_of_the_context_that_is_called_so),
		cmocka_unit_test(counters_are_those_of_perf_event_open),
		cmocka_unit_test(what_is_no_context_is_refused_with_words),
		cmocka_unit_test(fields_of_counters_are_called_as_lttng_calls_them),
		cmocka_unit_test(all_contexts_fit_what_is_reserved_for_them),
		cmocka_unit_test(unknown_bits_are_no_contexts),
		session_test(contexts_are_added_once),
		session_test(counters_of_one_name_share_a_place),
		session_test(one_wrong_name_adds_none),
		session_test(the_17th_counter_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
