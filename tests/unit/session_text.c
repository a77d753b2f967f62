/* SPDX-License-Identifier: MIT */
/* session_text.c - the heap of text in a session's file (lib/session) */
#include "tests/unit/session_fixture.h"

#include <errno.h>

#include "base/rule.h"
#include "session/state.h"
#include "session/text.h"

static struct session *locked_session(struct fixture *f)
{
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);

	assert_ok(f, session_lock(session, &f->error));
	return session;
}

static void close_locked(struct session *session)
{
	session_unlock(session);
	session_close(session);
}

/* Makes a rule of place @i that has these bytes as its exclusions. */
static void put_rule(struct fixture *f, struct session *session, uint32_t i, const void *data,
		     size_t bytes)
{
	struct text_piece piece = { data, bytes, { 0 } };

	assert_ok(f, session_text_put(session, &piece, 1, &f->error));
	session->file->rule[i].enabled = TACHO_RULE_ENABLED;
	session->file->rule[i].exclude = piece.span;
	if (session->file->rule_count <= i)
		session->file->rule_count = i + 1;
}

static uint64_t file_blocks(struct fixture *f)
{
	struct stat st;

	assert_int_equal(fstatat(f->runtime.fd, "sessions/s/session", &st, 0), 0);
	return (uint64_t)st.st_blocks;
}

static void pieces_are_put_together_and_found_again(void **state)
{
	struct fixture *f = *state;
	struct session *session = locked_session(f);
	struct text_piece pieces[] = { { "one", 4, { 0 } },
				       { NULL, 0, { 0 } },
				       { "three", 6, { 0 } } };
	uint32_t bytes;

	assert_int_equal(session->file->text_allocated, 0);
	assert_ok(f, session_text_put(session, pieces, 3, &f->error));
	assert_string_equal(rule_text(session->file, &pieces[0].span, &bytes), "one");
	assert_int_equal(bytes, 4);
	assert_int_equal(pieces[1].span.bytes, 0);
	assert_string_equal(rule_text(session->file, &pieces[2].span, &bytes), "three");
	assert_int_equal(pieces[2].span.at % 8, 0);
	assert_int_equal(session->file->generation % 2, 0);
	close_locked(session);
}

static void nothing_needs_no_memory_and_is_no_change(void **state)
{
	struct fixture *f = *state;
	struct session *session = locked_session(f);
	uint32_t generation = session->file->generation;
	struct text_piece piece = { NULL, 0, { 1, 2 } };

	assert_ok(f, session_text_put(session, &piece, 1, &f->error));
	assert_int_equal(piece.span.bytes, 0);
	assert_int_equal(session->file->text_allocated, 0);
	assert_int_equal(session->file->generation, generation);
	close_locked(session);
}

static void text_in_use_is_never_written_over(void **state)
{
	struct fixture *f = *state;
	struct session *session = locked_session(f);
	char data[64];
	uint32_t bytes;

	for (int round = 0; round < 2000; round++) {
		uint32_t i = (uint32_t)(round * 7 % 50);

		session->file->rule[i].enabled = TACHO_RULE_FREE;
		memset(data, (int)(1 + i), sizeof(data));
		put_rule(f, session, i, data, 1 + (size_t)(round % 60));
	}
	for (uint32_t i = 0; i < 50; i++) {
		const char *text =
			rule_text(session->file, &session->file->rule[i].exclude, &bytes);

		assert_non_null(text);
		for (uint32_t at = 0; at < bytes; at++)
			assert_int_equal(text[at], (int)(1 + i));
	}
	close_locked(session);
}

static void what_is_no_longer_named_is_used_again(void **state)
{
	struct fixture *f = *state;
	struct session *session = locked_session(f);
	char data[1000] = "text";
	struct tacho_span first;
	uint64_t blocks;

	put_rule(f, session, 0, data, sizeof(data));
	put_rule(f, session, 1, data, sizeof(data));
	first = session->file->rule[0].exclude;
	blocks = file_blocks(f);
	for (int i = 0; i < 10000; i++) {
		session->file->rule[0].enabled = TACHO_RULE_FREE;
		put_rule(f, session, 0, data, sizeof(data));
		assert_int_equal(session->file->rule[0].exclude.at, first.at);
	}
	assert_int_equal(file_blocks(f), blocks);
	close_locked(session);
}

static void trackers_and_triggers_use_text_too(void **state)
{
	struct fixture *f = *state;
	struct session *session = locked_session(f);
	struct text_piece a = { "tracker", 8, { 0 } };
	struct text_piece b = { "trigger", 8, { 0 } };

	assert_ok(f, session_text_put(session, &a, 1, &f->error));
	session->file->tracker[TACHO_TRACKERS_MAX - 1].is_used = 1;
	session->file->tracker[TACHO_TRACKERS_MAX - 1].executable = a.span;
	assert_ok(f, session_text_put(session, &b, 1, &f->error));
	assert_true(a.span.at != b.span.at);
	session->file->trigger[TACHO_TRIGGERS_MAX - 1].is_used = 1;
	session->file->trigger[TACHO_TRIGGERS_MAX - 1].session = b.span;
	put_rule(f, session, 0, "rule", 5);
	assert_string_equal(session->file->text + a.span.at, "tracker");
	assert_string_equal(session->file->text + b.span.at, "trigger");
	close_locked(session);
}

static void full_heap_is_refused_and_changes_nothing(void **state)
{
	struct fixture *f = *state;
	struct session *session = locked_session(f);
	char *large = calloc(1, TACHO_TEXT_BYTES + 1);
	struct text_piece piece = { large, TACHO_TEXT_BYTES + 1, { 0 } };

	assert_non_null(large);
	assert_int_equal(session_text_put(session, &piece, 1, &f->error), -ENOSPC);
	assert_int_equal(session->file->text_allocated, 0);
	put_rule(f, session, 0, large, TACHO_TEXT_BYTES - 8);
	put_rule(f, session, 1, "8 bytes", 8);
	assert_int_equal(session->file->text_allocated, TACHO_TEXT_BYTES);
	piece.bytes = 1;
	assert_int_equal(session_text_put(session, &piece, 1, &f->error), -ENOSPC);
	assert_non_null(strstr(f->error.text, "--remove"));
	session->file->rule[1].enabled = TACHO_RULE_FREE;
	put_rule(f, session, 1, "again", 6);
	free(large);
	close_locked(session);
}

static void damaged_spans_are_not_in_the_way(void **state)
{
	struct fixture *f = *state;
	struct session *session = locked_session(f);

	session->file->rule_count = 2;
	session->file->rule[0].enabled = TACHO_RULE_ENABLED;
	session->file->rule[0].exclude = (struct tacho_span){ UINT32_MAX, 8 };
	session->file->rule[0].filter = (struct tacho_span){ 8, UINT32_MAX };
	put_rule(f, session, 1, "text", 5);
	assert_int_equal(session->file->rule[1].exclude.at, 0);
	close_locked(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		session_test(pieces_are_put_together_and_found_again),
		session_test(nothing_needs_no_memory_and_is_no_change),
		session_test(text_in_use_is_never_written_over),
		session_test(what_is_no_longer_named_is_used_again),
		session_test(trackers_and_triggers_use_text_too),
		session_test(full_heap_is_refused_and_changes_nothing),
		session_test(damaged_spans_are_not_in_the_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
