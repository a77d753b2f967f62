/* SPDX-License-Identifier: MIT */
/* session_rules.c - rules, and how running programs learn of them (lib/session) */
#include "tests/unit/session_fixture.h"

#include <errno.h>

static void enable(struct fixture *f, struct session *session, const char *pattern)
{
	struct rule_options options = { .pattern = pattern };

	assert_ok(f, session_enable_event(session, &options, &f->error));
}

static void active_session_sets_its_bit_where_a_rule_matches(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct fake_program p;
	uint32_t order;
	uint32_t other;

	program_init_self(f, &p);
	order = program_add(&p, "shop", "order", TACHO_LEVEL_INFO);
	other = program_add(&p, "bank", "order", TACHO_LEVEL_INFO);
	enable(f, session, "shop:*");
	assert_int_equal(p.event[order].state, 0); /* not started yet */
	assert_ok(f, session_start(session, &f->error));
	assert_int_equal(p.event[order].state, 1 | TACHO_STATE_STALE);
	assert_int_equal(p.event[other].state, 0);
	assert_ok(f, session_stop(session, &f->error));
	assert_int_equal(p.event[order].state & 1, 0);
	session_close(session);
	program_fini(&p);
}

static void rule_changed_while_recording_takes_effect(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	uint32_t generation = session_file(session)->generation;
	struct fake_program p;

	program_init_self(f, &p);
	program_add(&p, "shop", "order", TACHO_LEVEL_INFO);
	assert_ok(f, session_start(session, &f->error));
	assert_int_equal(p.event[0].state, 0);
	enable(f, session, "shop:order");
	assert_int_equal(p.event[0].state, 1 | TACHO_STATE_STALE);
	p.event[0].state = 1; /* the program has looked */
	enable(f, session, "*");
	assert_int_equal(p.event[0].state, 1 | TACHO_STATE_STALE);
	assert_ok(f, session_disable_event(session, "*", &f->error));
	assert_int_equal(p.event[0].state & 1, 1);
	assert_ok(f, session_disable_event(session, "shop:order", &f->error));
	assert_int_equal(p.event[0].state & 1, 0);
	assert_true(session_file(session)->generation > generation);
	assert_int_equal(session_file(session)->generation % 2, 0);
	session_close(session);
	program_fini(&p);
}

static void sessions_do_not_touch_each_others_bits(void **state)
{
	struct fixture *f = *state;
	struct session *one = create_session(f, "one", false, TACHO_MODE_OVERWRITE);
	struct session *two = create_session(f, "two", false, TACHO_MODE_OVERWRITE);
	struct fake_program p;

	program_init_self(f, &p);
	program_add(&p, "shop", "order", TACHO_LEVEL_INFO);
	enable(f, one, "*");
	enable(f, two, "*");
	assert_ok(f, session_start(one, &f->error));
	assert_ok(f, session_start(two, &f->error));
	assert_int_equal(p.event[0].state, 3 | TACHO_STATE_STALE);
	assert_ok(f, session_destroy(one, &f->error));
	assert_int_equal(p.event[0].state & 3, 2);
	assert_ok(f, session_destroy(two, &f->error));
	assert_int_equal(p.event[0].state & 3, 0);
	program_fini(&p);
}

static void levels_choose_events(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct rule_options options = { .pattern = "*",
					.level_match = TACHO_LEVEL_AT_LEAST,
					.level = TACHO_LEVEL_WARNING };
	struct fake_program p;

	program_init_self(f, &p);
	program_add(&p, "p", "err", TACHO_LEVEL_ERR);
	program_add(&p, "p", "warning", TACHO_LEVEL_WARNING);
	program_add(&p, "p", "debug", TACHO_LEVEL_DEBUG);
	assert_ok(f, session_start(session, &f->error));
	assert_ok(f, session_enable_event(session, &options, &f->error));
	assert_int_equal(p.event[0].state & 1, 1);
	assert_int_equal(p.event[1].state & 1, 1);
	assert_int_equal(p.event[2].state & 1, 0);
	options.level_match = TACHO_LEVEL_EXACTLY;
	assert_ok(f, session_disable_event(session, "*", &f->error));
	assert_ok(f, session_enable_event(session, &options, &f->error));
	assert_int_equal(p.event[0].state & 1, 0);
	assert_int_equal(p.event[1].state & 1, 1);
	session_close(session);
	program_fini(&p);
}

static void rules_that_make_no_sense_are_refused(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct rule_options options = { .pattern = "" };
	char longer[TACHO_PATTERN_BYTES + 1];

	assert_int_equal(session_enable_event(session, &options, &f->error), -EINVAL);
	options.pattern = "malloc";
	assert_int_equal(session_enable_event(session, &options, &f->error), -EINVAL);
	assert_non_null(strstr(f->error.text, "'malloc:*'"));
	memset(longer, '*', TACHO_PATTERN_BYTES);
	longer[TACHO_PATTERN_BYTES] = '\0';
	options.pattern = longer;
	assert_int_equal(session_enable_event(session, &options, &f->error), -ENAMETOOLONG);
	options.pattern = "*";
	options.channel = "";
	assert_int_equal(session_enable_event(session, &options, &f->error), -EINVAL);
	assert_int_equal(session_disable_event(session, "a:b", &f->error), -ENOENT);
	session_close(session);
}

static void rules_end_when_all_places_are_taken(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct rule_choice choice = { .pattern = "p:7", .remove = true };
	struct rule_options options;
	char pattern[16];
	size_t count;

	for (int i = 0; i < TACHO_RULES_MAX; i++) {
		snprintf(pattern, sizeof(pattern), "p:%d", i);
		enable(f, session, pattern);
	}
	options = (struct rule_options){ .pattern = "p:more" };
	assert_int_equal(session_enable_event(session, &options, &f->error), -ENOSPC);
	assert_ok(f, session_disable_event(session, "p:7", &f->error));
	assert_int_equal(session_enable_event(session, &options, &f->error), -ENOSPC);
	assert_ok(f, session_disable_events(session, &choice, &count, &f->error));
	assert_int_equal(count, 1);
	enable(f, session, "p:more");
	session_close(session);
}

static void generation_left_odd_by_a_dead_tool_becomes_even(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);

	((struct tacho_session *)session_file(session))->generation = 7;
	enable(f, session, "*");
	assert_int_equal(session_file(session)->generation, 8);
	session_close(session);
}

static void registry_of_a_dead_program_is_removed(void **state)
{
	struct fixture *f = *state;
	struct fake_program self;
	struct fake_program dead;
	struct fake_program foreign;
	struct program *programs;
	size_t count;

	program_init_self(f, &self);
	program_add(&self, "shop", "order", TACHO_LEVEL_INFO);
	program_init(f, getpid(), 12345, &dead); /* our pid, but started at another time */
	program_init(f, 99999999, 1, &foreign);
	foreign.head->pid_namespace++;
	assert_ok(f, programs_list(&f->runtime, &programs, &count, &f->error));
	assert_false(exists(f, dead.name));
	assert_true(exists(f, foreign.name));
	assert_int_equal(count, 2);
	assert_int_equal(programs[0].pid, getpid());
	assert_int_equal(programs[0].event_count, 1);
	assert_string_equal(programs[0].executable, "/usr/bin/fake");
	assert_string_equal(programs[0].events[0].desc->name, "order");
	programs_free(programs, count);
	program_fini(&self);
	program_fini(&dead);
	program_fini(&foreign);
}

static void hostile_registry_is_survived(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct fake_program p;
	uint64_t good_end;

	program_init_self(f, &p);
	program_add(&p, "shop", "order", TACHO_LEVEL_INFO);
	good_end = p.head->next_byte;
	enable(f, session, "*");
	p.head->event_count = UINT32_MAX;
	p.head->allocated_events = UINT64_MAX;
	p.head->next_byte = UINT64_MAX;
	p.event[1].desc_at = 17;
	p.event[2].desc_at = (uint32_t)good_end - 8;
	p.event[3].desc_at = TACHO_REGISTRY_BYTES - 1;
	p.event[4].desc_at = UINT32_MAX;
	memset(p.head->executable, 'x', sizeof(p.head->executable));
	assert_ok(f, session_start(session, &f->error));
	assert_int_equal(p.event[0].state & 1, 1);
	assert_int_equal(p.event[1].state & 1, 0);
	assert_int_equal(p.event[4].state & 1, 0);
	p.head->next_byte = 0;
	assert_ok(f, session_stop(session, &f->error));
	session_close(session);
	program_fini(&p);
}

static void a_registry_that_is_just_being_made_is_passed_over(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct fake_program p;

	program_init_self(f, &p);
	program_add(&p, "shop", "order", TACHO_LEVEL_INFO);
	p.head->magic = 0;
	enable(f, session, "*");
	assert_ok(f, session_start(session, &f->error));
	assert_int_equal(p.event[0].state, 0);
	assert_int_equal(faccessat(f->runtime.fd, p.name, F_OK, 0), 0);
	p.head->magic = TACHO_REGISTRY_MAGIC;
	enable(f, session, "*");
	assert_int_equal(p.event[0].state & 1, 1);
	session_close(session);
	program_fini(&p);
}

static void an_unloaded_event_is_nobodys(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct fake_program p;

	program_init_self(f, &p);
	program_add(&p, "shop", "order", TACHO_LEVEL_INFO);
	p.event[0].desc_at |= TACHO_REGISTRY_DROPPED;
	enable(f, session, "*");
	assert_ok(f, session_start(session, &f->error));
	assert_int_equal(p.event[0].state, 0);
	session_close(session);
	program_fini(&p);
}

static void truncated_registry_is_left_out(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	char path[200];
	struct fake_program p;

	program_init_self(f, &p);
	program_add(&p, "shop", "order", TACHO_LEVEL_INFO);
	snprintf(path, sizeof(path), "%s/%s", f->run, p.name);
	assert_int_equal(truncate(path, 8192), 0);
	enable(f, session, "*");
	assert_ok(f, session_start(session, &f->error));
	assert_int_equal(truncate(path, 0), 0);
	assert_ok(f, session_stop(session, &f->error));
	session_close(session);
	program_fini(&p);
}

static bool is_enabled(const struct session *session, struct rule_options options)
{
	return session_rule_state(session, &options) == TACHO_RULE_ENABLED;
}

static uint32_t count_rules(const struct session *session)
{
	const struct tacho_session *file = session_file(session);
	uint32_t count = 0;

	for (uint32_t i = 0; i < file->rule_count; i++)
		count += file->rule[i].enabled != TACHO_RULE_FREE;
	return count;
}

static void rules_that_differ_in_anything_stand_beside_each_other(void **state)
{
	const char *const some[] = { "a:x", "a:y", NULL }, *const same[] = { "a:y", "a:x", "a:x",
									     NULL };
	const char *const fewer[] = { "a:x", NULL };
	const struct rule_options different[] = {
		{ .pattern = "a:*" },
		{ .pattern = "a:**" },
		{ .pattern = "a:*", .level_match = TACHO_LEVEL_AT_LEAST, .level = 4 },
		{ .pattern = "a:*", .level_match = TACHO_LEVEL_EXACTLY, .level = 4 },
		{ .pattern = "a:*", .level_match = TACHO_LEVEL_EXACTLY, .level = 5 },
		{ .pattern = "a:*", .exclude = some },
		{ .pattern = "a:*", .exclude = fewer },
		{ .pattern = "a:*", .executable = "x" },
		{ .pattern = "a:*", .executable = "y" },
		{ .pattern = "a:*", .pid = 1 },
		{ .pattern = "a:*", .pid = 2 },
	};
	struct rule_options again = { .pattern = "a:*", .exclude = same };
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	size_t count = sizeof(different) / sizeof(different[0]);

	for (size_t i = 0; i < count; i++) {
		assert_false(is_enabled(session, different[i]));
		assert_ok(f, session_enable_event(session, &different[i], &f->error));
		assert_ok(f, session_enable_event(session, &different[i], &f->error));
		assert_true(is_enabled(session, different[i]));
		assert_int_equal(count_rules(session), i + 1);
	}
	assert_ok(f, session_enable_event(session, &again, &f->error)); /* a set has no order */
	assert_int_equal(count_rules(session), count);
	session_close(session);
}

static void disabled_rule_is_kept_and_removed_one_is_gone(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct rule_options one = { .pattern = "a:*" }, two = { .pattern = "a:*", .pid = 7 };
	struct rule_choice all = { .remove = true };
	size_t count;

	assert_ok(f, session_enable_event(session, &one, &f->error));
	assert_ok(f, session_enable_event(session, &two, &f->error));
	enable(f, session, "b:*");
	assert_ok(f, session_disable_event(session, "a:*", &f->error)); /* both */
	assert_int_equal(session_rule_state(session, &one), TACHO_RULE_DISABLED);
	assert_int_equal(session_rule_state(session, &two), TACHO_RULE_DISABLED);
	assert_ok(f, session_disable_event(session, "a:*", &f->error));
	assert_ok(f, session_enable_event(session, &two, &f->error));
	assert_int_equal(session_rule_state(session, &one), TACHO_RULE_DISABLED);
	assert_int_equal(session_rule_state(session, &two), TACHO_RULE_ENABLED);
	assert_int_equal(count_rules(session), 3);
	assert_ok(f, session_disable_events(session, &all, &count, &f->error));
	assert_int_equal(count, 3);
	assert_int_equal(count_rules(session), 0);
	assert_int_equal(session_disable_events(session, &all, &count, &f->error), -ENOENT);
	session_close(session);
}

static void rules_of_one_channel_can_be_disabled_alone(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct channel_options other = { .name = "other", .buffer_bytes = 16384 };
	struct rule_options here = { .pattern = "*" },
			    there = { .pattern = "*", .channel = "other" };
	struct rule_choice choice = { .pattern = "*", .channel = "other" };
	enum channel_change change;
	size_t count;

	assert_ok(f, session_enable_channel(session, &other, &change, &f->error));
	assert_ok(f, session_enable_event(session, &here, &f->error));
	assert_ok(f, session_enable_event(session, &there, &f->error));
	assert_ok(f, session_disable_events(session, &choice, &count, &f->error));
	assert_int_equal(count, 1);
	assert_true(is_enabled(session, here));
	assert_false(is_enabled(session, there));
	choice.channel = "nowhere";
	assert_int_equal(session_disable_events(session, &choice, &count, &f->error), -ENOENT);
	session_close(session);
}

static void exclusions_and_programs_decide_too(void **state)
{
	const char *const exclude[] = { "shop:*debug", "shop:x", NULL };
	struct rule_options options = { .pattern = "shop:*",
					.exclude = exclude,
					.executable = "fa*",
					.pid = (uint32_t)getpid() };
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct fake_program p;

	program_init_self(f, &p);
	program_add(&p, "shop", "order", TACHO_LEVEL_INFO);
	program_add(&p, "shop", "order_debug", TACHO_LEVEL_INFO);
	program_add(&p, "shop", "x", TACHO_LEVEL_INFO);
	assert_ok(f, session_start(session, &f->error));
	assert_ok(f, session_enable_event(session, &options, &f->error));
	assert_int_equal(p.event[0].state & 1, 1);
	assert_int_equal(p.event[1].state & 1, 0);
	assert_int_equal(p.event[2].state & 1, 0);
	assert_ok(f, session_disable_event(session, "shop:*", &f->error));
	options.executable = "/bin/*";
	assert_ok(f, session_enable_event(session, &options, &f->error));
	assert_int_equal(p.event[0].state & 1, 0);
	options.executable = NULL;
	options.pid++;
	assert_ok(f, session_enable_event(session, &options, &f->error));
	assert_int_equal(p.event[0].state & 1, 0);
	session_close(session);
	program_fini(&p);
}

static void exclusions_that_make_no_sense_are_refused(void **state)
{
	const char *const wrong[] = { "", "*", "noprovider" };
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);

	for (int i = 0; i < 3; i++) {
		const char *const exclude[] = { wrong[i], NULL };
		struct rule_options options = { .pattern = "*", .exclude = exclude };

		assert_int_equal(session_enable_event(session, &options, &f->error), -EINVAL);
	}
	session_close(session);
}

static uint64_t file_blocks(struct fixture *f)
{
	struct stat st;

	assert_int_equal(fstatat(f->runtime.fd, "sessions/s/session", &st, 0), 0);
	return (uint64_t)st.st_blocks;
}

static void ten_thousand_changes_leave_the_file_as_large(void **state)
{
	const char *const exclude[] = { "a:xxxxxxxxxxxxxxxx", "a:yyyyyyyyyyyyyyyyyyyyyyyyyyy*",
					NULL };
	struct rule_options options = { .pattern = "a:*", .exclude = exclude, .executable = "x*" };
	struct rule_choice choice = { .pattern = "a:*" };
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	uint64_t blocks;
	size_t count;

	assert_ok(f, session_enable_event(session, &options, &f->error));
	blocks = file_blocks(f);
	for (int i = 0; i < 10000; i++) {
		choice.remove = i % 2;
		assert_ok(f, session_disable_events(session, &choice, &count, &f->error));
		options.pid = (uint32_t)i % 3;
		assert_ok(f, session_enable_event(session, &options, &f->error));
	}
	assert_int_equal(file_blocks(f), blocks);
	assert_true(count_rules(session) <= 3);
	session_close(session);
}

static void enable_channel0(struct fixture *f, struct session *session)
{
	struct channel_options options = { .name = "channel0" };
	enum channel_change change;

	assert_ok(f, session_enable_channel(session, &options, &change, &f->error));
}

/* So that nobody takes for done what was only half done. */
static void change_that_programs_were_not_told_of_is_a_failure(void **state)
{
	struct rule_options options = { .pattern = "shop:*" };
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct fake_program p;

	program_init_self(f, &p);
	program_add(&p, "shop", "order", TACHO_LEVEL_INFO);
	assert_ok(f, session_start(session, &f->error));
	assert_int_equal(renameat(f->runtime.fd, "apps", f->runtime.fd, "gone"), 0);
	assert_int_equal(session_enable_event(session, &options, &f->error), -ENOENT);
	assert_non_null(strstr(f->error.text, "not all running programs could be told"));
	assert_int_equal(session_disable_channel(session, TACHO_DOMAIN_USER,
						 "channel0", &f->error), -ENOENT);
	assert_int_equal(renameat(f->runtime.fd, "gone", f->runtime.fd, "apps"), 0);
	assert_int_equal(p.event[0].state, 0);
	enable_channel0(f, session);
	assert_ok(f, session_enable_event(session, &options, &f->error));
	assert_int_equal(p.event[0].state & 1, 1);
	session_close(session);
	program_fini(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		session_test(active_session_sets_its_bit_where_a_rule_matches),
		session_test(rule_changed_while_recording_takes_effect),
		session_test(sessions_do_not_touch_each_others_bits),
		session_test(levels_choose_events),
		session_test(rules_that_make_no_sense_are_refused),
		session_test(rules_end_when_all_places_are_taken),
		session_test(generation_left_odd_by_a_dead_tool_becomes_even),
		session_test(registry_of_a_dead_program_is_removed),
		session_test(hostile_registry_is_survived),
		session_test(a_registry_that_is_just_being_made_is_passed_over),
		session_test(an_unloaded_event_is_nobodys),
		session_test(truncated_registry_is_left_out),
		session_test(rules_that_differ_in_anything_stand_beside_each_other),
		session_test(disabled_rule_is_kept_and_removed_one_is_gone),
		session_test(rules_of_one_channel_can_be_disabled_alone),
		session_test(exclusions_and_programs_decide_too),
		session_test(exclusions_that_make_no_sense_are_refused),
		session_test(change_that_programs_were_not_told_of_is_a_failure),
		session_test(ten_thousand_changes_leave_the_file_as_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
