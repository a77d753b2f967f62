/* SPDX-License-Identifier: MIT */
/* drain_doze.c - how long a drain sleeps, and what wakes it (drain_doze.h) */
#include "tests/unit/session_fixture.h"

#include <pthread.h>
#include <sched.h>

#include "session/drain/drain_doze.h"

#define SECOND_NS 1000000000ull

static bool no_news(const void *arg)
{
	(void)arg;
	return false;
}

static bool some_news(const void *arg)
{
	(void)arg;
	return true;
}

static void *sleep_for_long(void *arg)
{
	doze_sleep(arg, 3600 * SECOND_NS, no_news, NULL);
	return NULL;
}

/* The drain's page, and a thread that sleeps as the drain does. */
struct sleeper {
	struct session *session;
	struct doze doze;
	pthread_t thread;
};

static void sleeper_begin(struct fixture *f, struct sleeper *s)
{
	s->session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	doze_init(&s->doze, s->session);
	assert_non_null(s->doze.page);
	assert_int_equal(pthread_create(&s->thread, NULL, sleep_for_long, &s->doze), 0);
	while (!tacho_load_acquire(&s->doze.page->drain_sleeps))
		sched_yield();
}

static void sleeper_end(struct sleeper *s)
{
	pthread_join(s->thread, NULL);
	assert_int_equal(s->doze.page->drain_sleeps, 0);
	doze_fini(&s->doze);
	session_close(s->session);
}

static void tool_wakes_the_drain(void **state)
{
	struct sleeper s = { 0 };

	sleeper_begin(*state, &s);
	doze_wake(s.session);
	sleeper_end(&s);
}

static void news_keep_it_awake(void **state)
{
	struct session *session = create_session(*state, "s", true, TACHO_MODE_DISCARD);
	struct doze doze;

	doze_init(&doze, session);
	doze_sleep(&doze, 3600 * SECOND_NS, some_news, NULL);
	assert_int_equal(doze.page->drain_sleeps, 0);
	doze_fini(&doze);
	session_close(session);
}

static void rests_are_longer_the_longer_nothing_happens(void **state)
{
	struct session *session = create_session(*state, "s", true, TACHO_MODE_DISCARD);
	struct doze doze;
	uint64_t ns = 0;

	doze_init(&doze, session);
	assert_int_equal(doze_choose(&doze, 1, true, 0), 0);
	for (int i = 0; i < 10; i++) {
		assert_true(doze_choose(&doze, 0, false, 0) >= ns);
		ns = doze.period_ns;
	}
	assert_int_equal(ns, SECOND_NS / 5);
	assert_true(doze_choose(&doze, 0, true, 0) < SECOND_NS / 20);
	doze_fini(&doze);
	session_close(session);
}

static void rests_are_short_while_a_program_cannot_call(void **state)
{
	struct session *session = create_session(*state, "s", true, TACHO_MODE_DISCARD);
	struct doze doze;

	doze_init(&doze, session);
	doze.page->drain_uncalled = 1;
	for (int i = 0; i < 1000; i++)
		assert_true(doze_choose(&doze, 0, false, SECOND_NS) <= SECOND_NS / 100);
	for (int i = 0; i < 10; i++)
		doze_choose(&doze, 0, false, SECOND_NS + DOZE_HURRY_NS);
	assert_int_equal(doze.period_ns, SECOND_NS / 5);
	doze_fini(&doze);
	session_close(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		session_test(tool_wakes_the_drain),
		session_test(news_keep_it_awake),
		session_test(rests_are_longer_the_longer_nothing_happens),
		session_test(rests_are_short_while_a_program_cannot_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
