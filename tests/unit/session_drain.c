/* SPDX-License-Identifier: MIT */
/* session_drain.c - rings on their way to disk: the drain and snapshots (lib/session) */
#include "tests/unit/session_fixture.h"

#include <signal.h>
#include <time.h>

#include "session/drain.h"

static void start(struct fixture *f, struct session *session)
{
	struct rule_options rule = { .pattern = "*" };

	assert_ok(f, session_enable_event(session, &rule, &f->error));
	assert_ok(f, session_start(session, &f->error));
}

/* Writes the values @first .. @end - 1; where the ring is full, waits for the drain. */
static void write_all(struct fake_writer *w, uint32_t id, uint32_t first, uint32_t end)
{
	struct timespec pause = { .tv_nsec = 100000 };

	for (uint32_t value = first; value < end; value++) {
		while (!writer_append(w, id, value)) {
			tacho_fetch_add_relaxed(&writer_ring(w)->lost[TACHO_LOST_FULL], -1ull);
			nanosleep(&pause, NULL);
		}
	}
}

static void stop_writes_all_that_was_recorded(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", true, TACHO_MODE_DISCARD);
	struct fake_writer w;
	struct trace_sum sum;

	start(f, session);
	writer_open(f, "s", 0, &w);
	write_all(&w, table_add(f, "s", "one"), 0, 20000);
	assert_ok(f, session_stop(session, &f->error));
	sum = trace_read(f->trace);
	assert_int_equal(sum.events, 20000);
	assert_int_equal(sum.gaps, 0);
	assert_int_equal(sum.damages, 0);
	assert_int_equal(sum.lost, 0);
	writer_close(&w);
	assert_ok(f, session_destroy(session, &f->error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		session_test(stop_writes_all_that_was_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
