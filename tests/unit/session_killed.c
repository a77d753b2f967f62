/* SPDX-License-Identifier: MIT */
/*
 * session_killed.c - a tool is killed, or watched by a reader without a lock, while it changes rules,
 * channels and trackers (lib/session)
 */
#include "tests/unit/session_fixture.h"

#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "base/rule.h"
#include "session/state.h"
#include "session/rules/trackers.h"

#define ROUNDS     200
#define NUMBERS    40
#define TEXT_BYTES 200

/* What a rule of this number says: long, so that it takes as long as possible to write. */
static void make_text(char *text, uint32_t number)
{
	memset(text, 'x', TEXT_BYTES);
	text[TEXT_BYTES - 1] = '\0';
	text[snprintf(text, TEXT_BYTES, "a:%u", number)] = '*';
}

static void change_rule(struct session *session, uint32_t number)
{
	char text[TEXT_BYTES];
	const char *const exclude[] = { text, NULL };
	struct rule_options options = {
		.pattern = text, .exclude = exclude, .executable = text, .pid = number + 1
	};
	struct rule_choice choice = { .pattern = text, .remove = true };
	size_t count;

	make_text(text, number);
	if (session_rule_state(session, &options) == TACHO_RULE_FREE)
		session_enable_event(session, &options, NULL);
	else
		session_disable_events(session, &choice, &count, NULL);
}

static void change_tracker(struct session *session, uint32_t number)
{
	char text[TEXT_BYTES];
	struct tracked_value value = { .kind = TACHO_TRACK_EXECUTABLE, .executable = text };

	make_text(text, number);
	if (session_untrack(session, &value, 1, NULL))
		session_track(session, &value, 1, NULL);
}

static void change_channel(struct session *session, uint32_t number)
{
	char name[16];
	struct channel_options options = { .name = name, .buffer_bytes = 16384 };
	enum channel_change change;

	snprintf(name, sizeof(name), "c%u", number % 5);
	if (session_disable_channel(session, TACHO_DOMAIN_USER, name, NULL))
		session_enable_channel(session, &options, &change, NULL);
}

/* Of a child, which a test that fails does not leave behind. */
static void change_without_end(struct fixture *f, uint32_t seed)
{
	struct session *session;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || session_open(&f->runtime, "s", &session, NULL))
		_exit(1);
	for (uint32_t i = seed;; i = i * 1664525 + 1013904223) {
		change_rule(session, (i >> 8) % NUMBERS);
		change_tracker(session, (i >> 16) % NUMBERS);
		if (i % 16 == 0)
			change_channel(session, i >> 24);
	}
}

static void kill_one(struct fixture *f, uint32_t round)
{
	struct timespec some = { .tv_nsec = 300000 + (long)(round * 7919 % 1500000) };
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid)
		change_without_end(f, round);
	nanosleep(&some, NULL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void assert_text(const struct tacho_session *file, const struct tacho_span *span,
			uint32_t number)
{
	char expected[TEXT_BYTES];
	uint32_t bytes;
	const char *text = rule_text(file, span, &bytes);

	make_text(expected, number);
	assert_int_equal(bytes, TEXT_BYTES);
	assert_string_equal(text, expected);
}

static void assert_rules_are_whole(const struct tacho_session *file)
{
	for (uint32_t i = 0; i < rule_count(file); i++) {
		const struct tacho_rule *rule = &file->rule[i];
		char expected[TEXT_BYTES];

		if (rule->enabled == TACHO_RULE_FREE)
			continue;
		make_text(expected, rule->pid - 1);
		assert_string_equal(rule->pattern, expected);
		assert_text(file, &rule->exclude, rule->pid - 1);
		assert_text(file, &rule->executable, rule->pid - 1);
	}
}

static void assert_trackers_are_whole(const struct tacho_session *file)
{
	for (uint32_t i = 0; i < TACHO_TRACKERS_MAX; i++) {
		uint32_t bytes;
		const char *text = rule_text(file, &file->tracker[i].executable, &bytes);

		if (file->tracker[i].is_used)
			assert_text(file, &file->tracker[i].executable,
				    (uint32_t)strtoul(text + 2, NULL, 10));
	}
}

static void assert_channels_have_rings(struct fixture *f, struct session *session)
{
	const struct tacho_session *file = session->file;
	char name[NAME_MAX + 1];

	for (uint32_t i = 0; i < file->channel_count; i++) {
		struct rings rings;

		assert_int_equal(session_ring_file(&file->channel[i], TACHO_WRITER_RSEQ, name), 0);
		assert_ok(f, rings_open(session->dir_fd, name, &rings, &f->error));
		rings_close(&rings);
	}
}

static void tool_killed_in_the_middle_leaves_nothing_half_done(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);

	for (uint32_t round = 0; round < ROUNDS; round++) {
		kill_one(f, round);
		assert_rules_are_whole(session->file);
		assert_trackers_are_whole(session->file);
		assert_channels_have_rings(f, session);
		change_rule(session, round % NUMBERS);
		assert_int_equal(session->file->generation % 2, 0);
	}
	assert_ok(f, session_destroy(session, &f->error));
	assert_false(exists(f, "sessions/s"));
}

/* ---- readers ---- */

/* What a reader takes from a rule; pieces that are no text are empty. */
struct copied_rule {
	struct tacho_rule rule;
	char exclude[TEXT_BYTES + 1];
	char executable[TEXT_BYTES + 1];
};

static void copy_text(const struct tacho_session *file, const struct tacho_span *span, char *to)
{
	uint32_t bytes;
	const char *text = rule_text(file, span, &bytes);

	to[0] = '\0';
	if (text)
		snprintf(to, TEXT_BYTES + 1, "%.*s", (int)bytes, text);
}

/* As programs do: read:A to read:D of format/session.h. Return: did nothing change meanwhile? */
static bool read_rule(const struct tacho_session *file, uint32_t i, struct copied_rule *ret_copy)
{
	uint32_t generation = tacho_load_acquire(&file->generation);

	ret_copy->rule = file->rule[i];
	copy_text(file, &file->rule[i].exclude, ret_copy->exclude);
	copy_text(file, &file->rule[i].executable, ret_copy->executable);
	tacho_fence_acquire();
	return !(generation & 1) && generation == tacho_load_relaxed(&file->generation);
}

static void assert_copy_is_whole(const struct copied_rule *copy)
{
	char expected[TEXT_BYTES];

	if (copy->rule.enabled == TACHO_RULE_FREE)
		return;
	make_text(expected, copy->rule.pid - 1);
	assert_string_equal(copy->rule.pattern, expected);
	assert_string_equal(copy->exclude, expected);
	assert_string_equal(copy->executable, expected);
}

static void reader_that_saw_no_change_saw_whole_rules(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	uint32_t start = session->file->generation, whole = 0;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid)
		change_without_end(f, 1);
	while (session->file->generation - start < 20000) {
		for (uint32_t i = 0; i < rule_count(session->file); i++) {
			struct copied_rule copy;

			if (!read_rule(session->file, i, &copy))
				continue;
			assert_copy_is_whole(&copy);
			whole++;
		}
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_true(whole > 0);
	session_close(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		session_test(tool_killed_in_the_middle_leaves_nothing_half_done),
		session_test(reader_that_saw_no_change_saw_whole_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
