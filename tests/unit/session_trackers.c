/* SPDX-License-Identifier: MIT */
/* session_trackers.c - of which processes a session records (lib/session) */
#include "tests/unit/session_fixture.h"

#include <errno.h>

#include "session/rules/trackers.h"

/* A session that records everything of a program, which is the test itself. */
struct scene {
	struct fixture *f;
	struct session *session;
	struct fake_program p;
};

static void scene_init(struct scene *s, void **state)
{
	struct rule_options all = { .pattern = "*" };

	s->f = *state;
	s->session = create_session(s->f, "s", false, TACHO_MODE_OVERWRITE);
	program_init_self(s->f, &s->p);
	program_add(&s->p, "shop", "order", TACHO_LEVEL_INFO);
	s->p.head->uid = 1000;
	s->p.head->gid = 100;
	assert_ok(s->f, session_enable_event(s->session, &all, &s->f->error));
	assert_ok(s->f, session_start(s->session, &s->f->error));
	assert_int_equal(s->p.event[0].state & 1, 1);
}

static void scene_fini(struct scene *s)
{
	session_close(s->session);
	program_fini(&s->p);
}

static bool is_recorded(const struct scene *s)
{
	return s->p.event[0].state & 1;
}

static struct tracked_value of(enum tacho_tracker_kind kind, uint64_t id)
{
	return (struct tracked_value){ .kind = kind, .id = id };
}

static struct tracked_value program(const char *pattern)
{
	return (struct tracked_value){ .kind = TACHO_TRACK_EXECUTABLE, .executable = pattern };
}

static void track(struct scene *s, struct tracked_value value)
{
	assert_ok(s->f, session_track(s->session, &value, 1, &s->f->error));
}

static void untrack(struct scene *s, struct tracked_value value)
{
	assert_ok(s->f, session_untrack(s->session, &value, 1, &s->f->error));
}

static int try_untrack(struct scene *s, struct tracked_value value)
{
	return session_untrack(s->session, &value, 1, &s->f->error);
}

static void first_value_replaces_every_value_and_more_are_added(void **state)
{
	struct scene s;

	scene_init(&s, state);
	track(&s, of(TACHO_TRACK_VPID, 1));
	assert_false(is_recorded(&s));
	track(&s, of(TACHO_TRACK_VPID, (uint64_t)getpid()));
	assert_true(is_recorded(&s));
	track(&s, of(TACHO_TRACK_VPID, (uint64_t)getpid())); /* twice is once */
	untrack(&s, of(TACHO_TRACK_VPID, (uint64_t)getpid()));
	assert_false(is_recorded(&s));
	untrack(&s, of(TACHO_TRACK_VPID, 1)); /* the last one: now the set is empty, not whole */
	assert_false(is_recorded(&s));
	assert_ok(s.f, session_track_all(s.session, 1u << TACHO_TRACK_VPID, &s.f->error));
	assert_true(is_recorded(&s));
	scene_fini(&s);
}

static void none_is_tracked_after_all_were_taken_out(void **state)
{
	struct scene s;

	scene_init(&s, state);
	assert_ok(s.f, session_untrack_all(s.session, 1u << TACHO_TRACK_VUID, &s.f->error));
	assert_false(is_recorded(&s));
	track(&s, of(TACHO_TRACK_VUID, 1000));
	assert_true(is_recorded(&s));
	scene_fini(&s);
}

static void process_has_to_fit_in_each_kind(void **state)
{
	struct scene s;

	scene_init(&s, state);
	track(&s, of(TACHO_TRACK_VUID, 1000));
	assert_true(is_recorded(&s));
	track(&s, of(TACHO_TRACK_VGID, 7));
	assert_false(is_recorded(&s));
	track(&s, of(TACHO_TRACK_VGID, 100));
	assert_true(is_recorded(&s));
	track(&s, program("other*"));
	assert_false(is_recorded(&s));
	track(&s, program("fa*e"));
	assert_true(is_recorded(&s));
	untrack(&s, program("fa*e"));
	assert_false(is_recorded(&s));
	track(&s, program("/usr/*/fake"));
	assert_true(is_recorded(&s));
	scene_fini(&s);
}

static void descendants_of_a_process_are_recorded(void **state)
{
	struct scene s;

	scene_init(&s, state);
	track(&s, of(TACHO_TRACK_DESCENDANTS, 99999999));
	assert_false(is_recorded(&s));
	track(&s, of(TACHO_TRACK_DESCENDANTS, (uint64_t)getppid()));
	assert_true(is_recorded(&s));
	untrack(&s, of(TACHO_TRACK_DESCENDANTS, (uint64_t)getppid()));
	assert_false(is_recorded(&s));
	track(&s, of(TACHO_TRACK_DESCENDANTS, (uint64_t)getpid()));
	assert_true(is_recorded(&s));
	scene_fini(&s);
}

/* What pids mean there cannot be known here: only what such a program has noted itself counts. */
static void ancestors_in_another_pid_namespace_are_not_guessed(void **state)
{
	struct scene s;

	scene_init(&s, state);
	s.p.head->pid_namespace++;
	track(&s, of(TACHO_TRACK_DESCENDANTS, (uint64_t)getppid()));
	assert_false(is_recorded(&s));
	assert_int_equal(s.p.head->ancestors_known, 0);
	s.p.head->ancestor[0] = 7;
	s.p.head->ancestors_known = 2;
	track(&s, of(TACHO_TRACK_DESCENDANTS, 7));
	assert_true(is_recorded(&s));
	scene_fini(&s);
}

static void what_is_not_tracked_cannot_be_untracked(void **state)
{
	struct tracked_value two[] = { of(TACHO_TRACK_VPID, 1), of(TACHO_TRACK_VPID, 2) };
	struct scene s;

	scene_init(&s, state);
	assert_int_equal(try_untrack(&s, two[0]), -ENOENT);
	assert_non_null(strstr(s.f->error.text, "tracks every process id"));
	assert_true(is_recorded(&s));
	two[1].kind = TACHO_TRACK_VUID;
	track(&s, two[0]);
	assert_int_equal(session_untrack(s.session, two, 2, &s.f->error), -ENOENT);
	assert_true(session_tracks(s.session, &two[0])); /* all or none */
	assert_false(session_tracks(s.session, &two[1]));
	untrack(&s, of(TACHO_TRACK_VPID, 2)); /* it was not there: as it should be */
	assert_true(session_tracks(s.session, &two[0]));
	scene_fini(&s);
}

static void wrong_values_are_refused(void **state)
{
	struct tracked_value wrong[] = { of(99, 1), of(TACHO_TRACK_VPID, 1ull << 32), program("") };
	struct scene s;

	scene_init(&s, state);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(session_track(s.session, &wrong[i], 1, &s.f->error), -EINVAL);
	assert_int_equal(session_file(s.session)->tracked_kinds, 0);
	scene_fini(&s);
}

static void trackers_end_when_all_places_are_taken(void **state)
{
	struct tracked_value values[TACHO_TRACKERS_MAX + 1];
	struct scene s;

	scene_init(&s, state);
	for (uint32_t i = 0; i <= TACHO_TRACKERS_MAX; i++)
		values[i] = of(TACHO_TRACK_VPID, i + 1);
	assert_int_equal(session_track(s.session, values, TACHO_TRACKERS_MAX + 1, &s.f->error),
			 -ENOSPC);
	assert_int_equal(session_file(s.session)->tracked_kinds, 0); /* all or none */
	assert_ok(s.f, session_track(s.session, values, TACHO_TRACKERS_MAX, &s.f->error));
	assert_int_equal(session_track(s.session, &values[TACHO_TRACKERS_MAX], 1, &s.f->error),
			 -ENOSPC);
	assert_ok(s.f, session_track_all(s.session, 1u << TACHO_TRACK_VPID, &s.f->error));
	track(&s, values[TACHO_TRACKERS_MAX]);
	scene_fini(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		session_test(first_value_replaces_every_value_and_more_are_added),
		session_test(none_is_tracked_after_all_were_taken_out),
		session_test(process_has_to_fit_in_each_kind),
		session_test(descendants_of_a_process_are_recorded),
		session_test(ancestors_in_another_pid_namespace_are_not_guessed),
		session_test(what_is_not_tracked_cannot_be_untracked),
		session_test(wrong_values_are_refused),
		session_test(trackers_end_when_all_places_are_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
