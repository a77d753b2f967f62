/* SPDX-License-Identifier: MIT */
/*
 * rule.c - which events of which processes a rule matches (base/rule.h), with sessions as a tool
 * writes them, and as nobody should.
 */
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/rule.h"

#define TEXT_BYTES 4096u

static struct tacho_session *session;

static int make_session(void **state)
{
	(void)state;
	session = calloc(1, sizeof(*session));
	session->text_allocated = TEXT_BYTES;
	session->channel_count = 2;
	session->rule_count = 1;
	session->rule[0] = (struct tacho_rule){ .enabled = TACHO_RULE_ENABLED };
	strcpy(session->rule[0].pattern, "shop:*");
	return 0;
}

static int drop_session(void **state)
{
	(void)state;
	free(session);
	return 0;
}

static struct rule_subject subject(void)
{
	static const uint32_t ancestors[] = { 50, 7, 1 };

	return (struct rule_subject){
		.event = "shop:order",
		.level = TACHO_LEVEL_INFO,
		.pid = 100,
		.uid = 1000,
		.gid = 2000,
		.executable = "/usr/bin/shop-server",
		.ancestors = ancestors,
		.ancestor_count = 3,
	};
}

static bool rule_matches(void)
{
	struct rule_subject s = subject();

	return rule_is_match(session, &session->rule[0], &s);
}

static bool event_matches(const char *event)
{
	struct rule_subject s = subject();

	s.event = event;
	return rule_is_match(session, &session->rule[0], &s);
}

static struct tacho_span put_text(const char *text, uint32_t bytes)
{
	static uint32_t at = 8;
	struct tacho_span span = { .at = at, .bytes = bytes };

	if (at + bytes > TEXT_BYTES)
		span.at = at = 8;
	memcpy(session->text + span.at, text, bytes);
	at += bytes;
	return span;
}

#define TEXT(literal) put_text(literal, sizeof(literal))

static void only_an_enabled_rule_matches(void **state)
{
	struct tacho_rule *rule = &session->rule[0];

	(void)state;
	assert_true(rule_matches());
	assert_false(event_matches("shopping:order"));
	rule->enabled = TACHO_RULE_DISABLED;
	assert_false(rule_matches());
	rule->enabled = TACHO_RULE_FREE;
	assert_false(rule_matches());
	rule->enabled = 77;
	assert_false(rule_matches());
}

static void levels_are_at_least_exactly_or_any(void **state)
{
	struct tacho_rule *rule = &session->rule[0];

	(void)state;
	rule->level_match = TACHO_LEVEL_AT_LEAST;
	rule->level = TACHO_LEVEL_INFO;
	assert_true(rule_matches());
	rule->level = TACHO_LEVEL_WARNING;
	assert_false(rule_matches());
	rule->level = TACHO_LEVEL_DEBUG;
	assert_true(rule_matches());
	rule->level_match = TACHO_LEVEL_EXACTLY;
	assert_false(rule_matches());
	rule->level_match = 99;
	assert_false(rule_matches());
}

static void pid_restricts_to_one_process(void **state)
{
	(void)state;
	session->rule[0].pid = 100;
	assert_true(rule_matches());
	session->rule[0].pid = 101;
	assert_false(rule_matches());
}

static void each_exclusion_takes_names_away(void **state)
{
	(void)state;
	session->rule[0].exclude = TEXT("shop:a*\0shop:order\0*:z");
	assert_false(event_matches("shop:order"));
	assert_false(event_matches("shop:apple"));
	assert_false(event_matches("shop:z"));
	assert_true(event_matches("shop:orders"));
	assert_true(event_matches("shop:zz"));
}

static void executable_is_a_name_or_a_path(void **state)
{
	struct tacho_span *pattern = &session->rule[0].executable;

	(void)state;
	*pattern = TEXT("shop-*");
	assert_true(rule_matches());
	*pattern = TEXT("usr*");
	assert_false(rule_matches());
	*pattern = TEXT("/usr/*/shop-server");
	assert_true(rule_matches());
	*pattern = TEXT("/opt/*");
	assert_false(rule_matches());
}

static void disabled_or_missing_channel_records_nothing(void **state)
{
	(void)state;
	session->rule[0].channel = 1;
	assert_true(rule_matches());
	session->channel[1].is_disabled = 1;
	assert_false(rule_matches());
	session->rule[0].trigger = 1;
	assert_true(rule_matches());
	session->rule[0].trigger = 0;
	session->rule[0].channel = 2;
	assert_false(rule_matches());
	session->rule[0].channel = UINT32_MAX;
	session->channel_count = UINT32_MAX;
	assert_false(rule_matches());
}

static const struct tacho_span outside[] = {
	{ .at = TEXT_BYTES, .bytes = 1 },
	{ .at = 0, .bytes = TEXT_BYTES + 1 },
	{ .at = UINT32_MAX, .bytes = 2 },
	{ .at = 2, .bytes = UINT32_MAX },
	{ .at = UINT32_MAX, .bytes = UINT32_MAX },
};

static void span_that_leads_out_of_the_text_matches_nothing(void **state)
{
	struct tacho_rule *rule = &session->rule[0];
	uint32_t bytes;

	(void)state;
	for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
		rule->exclude = outside[i];
		assert_false(rule_matches());
		rule->exclude = (struct tacho_span){ 0 };
		rule->executable = outside[i];
		assert_false(rule_matches());
		assert_null(rule_text(session, &outside[i], &bytes));
		assert_int_equal(bytes, 0);
		rule->executable = (struct tacho_span){ 0 };
	}
	session->text_allocated = TACHO_TEXT_BYTES + 1;
	assert_null(rule_text(session, &(struct tacho_span){ 0, 1 }, &bytes));
}

static void text_without_an_end_is_read_no_further(void **state)
{
	struct tacho_rule *rule = &session->rule[0];

	(void)state;
	memcpy(session->text + TEXT_BYTES - 4, "shop", 4);
	memcpy(session->text + TEXT_BYTES, ":order", 7);
	rule->exclude = (struct tacho_span){ TEXT_BYTES - 4, 4 };
	assert_true(rule_matches());
	rule->exclude = (struct tacho_span){ 0 };
	memcpy(session->text + TEXT_BYTES - 4, "sho*", 4);
	rule->executable = (struct tacho_span){ TEXT_BYTES - 4, 4 };
	assert_true(rule_matches());
}

static bool admits(void)
{
	struct rule_subject s = subject();

	return rule_trackers_admit(session, &s);
}

static void track(uint32_t place, uint32_t kind, uint64_t id)
{
	session->tracked_kinds |= 1u << kind;
	session->tracker[place] = (struct tacho_tracker){ .is_used = 1, .kind = kind, .id = id };
}

static void everybody_is_admitted_where_nothing_is_tracked(void **state)
{
	(void)state;
	assert_true(admits());
	track(0, TACHO_TRACK_VPID, 5);
	session->tracked_kinds = 0;
	assert_true(admits());
}

static void tracked_kind_without_a_tracker_admits_nobody(void **state)
{
	(void)state;
	session->tracked_kinds = 1u << TACHO_TRACK_VUID;
	assert_false(admits());
	session->tracked_kinds = 1u << 31;
	assert_false(admits());
}

static void one_tracker_of_each_kind_has_to_be_right(void **state)
{
	(void)state;
	track(0, TACHO_TRACK_VPID, 99);
	track(3, TACHO_TRACK_VPID, 100);
	assert_true(admits());
	track(4, TACHO_TRACK_VUID, 1001);
	assert_false(admits());
	track(63, TACHO_TRACK_VUID, 1000);
	assert_true(admits());
	track(5, TACHO_TRACK_VGID, 2000ull << 32 | 2000);
	assert_false(admits());
	track(5, TACHO_TRACK_VGID, 2000);
	assert_true(admits());
	session->tracker[63].is_used = 0;
	assert_false(admits());
}

static void descendants_include_the_process_itself(void **state)
{
	(void)state;
	for (uint64_t pid = 0; pid < 200; pid++) {
		track(0, TACHO_TRACK_DESCENDANTS, pid);
		assert_int_equal(admits(), pid == 100 || pid == 50 || pid == 7 || pid == 1);
	}
}

static void executables_are_tracked_by_name_or_path(void **state)
{
	(void)state;
	track(0, TACHO_TRACK_EXECUTABLE, 0);
	assert_false(admits());
	session->tracker[0].executable = TEXT("shop-server");
	assert_true(admits());
	session->tracker[0].executable = TEXT("/usr/bin/other");
	assert_false(admits());
}

static void damaged_rule_count_stays_in_the_table(void **state)
{
	(void)state;
	session->rule_count = UINT32_MAX;
	assert_int_equal(rule_count(session), TACHO_RULES_MAX);
}

static void rule_of_a_trigger_that_cannot_be_is_not_armed(void **state)
{
	struct tacho_rule rule = { .trigger = TACHO_TRIGGERS_MAX };

	(void)state;
	session->state = TACHO_SESSION_ACTIVE;
	session->trigger[TACHO_TRIGGERS_MAX - 1].is_used = 1;
	assert_true(rule_is_armed(session, &rule));
	for (rule.trigger = TACHO_TRIGGERS_MAX + 1; rule.trigger; rule.trigger *= 2)
		assert_false(rule_is_armed(session, &rule));
	rule.trigger = UINT32_MAX;
	assert_false(rule_is_armed(session, &rule));
}

static void a_program_is_of_each_family_that_it_was_started_in(void **state)
{
	uint64_t families[TACHO_FAMILIES_MAX] = { 7, 9 };

	(void)state;
	assert_true(tacho_is_of_family(families, 7));
	assert_true(tacho_is_of_family(families, 9));
	assert_false(tacho_is_of_family(families, 8));
	/* A session that asks for none takes all. */
	assert_true(tacho_is_of_family(families, 0));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, make_session, drop_session)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(only_an_enabled_rule_matches),
		CASE(levels_are_at_least_exactly_or_any),
		CASE(pid_restricts_to_one_process),
		CASE(each_exclusion_takes_names_away),
		CASE(executable_is_a_name_or_a_path),
		CASE(disabled_or_missing_channel_records_nothing),
		CASE(span_that_leads_out_of_the_text_matches_nothing),
		CASE(text_without_an_end_is_read_no_further),
		CASE(everybody_is_admitted_where_nothing_is_tracked),
		CASE(tracked_kind_without_a_tracker_admits_nobody),
		CASE(one_tracker_of_each_kind_has_to_be_right),
		CASE(descendants_include_the_process_itself),
		CASE(executables_are_tracked_by_name_or_path),
		CASE(rule_of_a_trigger_that_cannot_be_is_not_armed),
		CASE(damaged_rule_count_stays_in_the_table),
		CASE(a_program_is_of_each_family_that_it_was_started_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
