/* SPDX-License-Identifier: MIT */
/* session_triggers.c - triggers, and the watcher that acts on them (lib/session) */
#include "tests/unit/session_fixture.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "format/trigger.h"
#include "session/state.h"
#include "session/watch/watch.h"

static void add(struct fixture *f, struct session *session, const struct trigger_options *options)
{
	assert_ok(f, session_add_trigger(session, options, NULL, &f->error));
}

/* A request that runs a command which appends a line to the file "ran". */
static struct trigger_options appender(struct fixture *f, const char *name)
{
	static char command[200];

	snprintf(command, sizeof(command), "echo \"$TACHO_TRIGGER:$TACHO_REASON\" >>%s/ran",
		 f->dir);
	return (struct trigger_options){
		.name = name,
		.condition = TACHO_CONDITION_REQUEST,
		.actions = TACHO_ACTION_RUN,
		.command = command,
	};
}

/* As a program would: hit:A to hit:C of format/trigger.h. */
static void hit(struct session *session, uint32_t index, uint64_t times)
{
	struct tacho_triggers *triggers = triggers_map(session);

	assert_non_null(triggers);
	tacho_fetch_add_acq_rel(&triggers->hit[index].hit_count, times);
	triggers_unmap(triggers);
	watch_wake(session);
}

static const struct tacho_trigger *trigger(const struct session *session, uint32_t index)
{
	return &session_file(session)->trigger[index];
}

static void nap(void)
{
	struct timespec period = { .tv_nsec = 1000000 };

	nanosleep(&period, NULL);
}

#define wait_for(condition)                                                                        \
	do {                                                                                       \
		for (int wait_i = 0; !(condition) && wait_i < 20000; wait_i++)                     \
			nap();                                                                     \
		assert_true(condition);                                                            \
	} while (0)

static int lines_in(struct fixture *f, const char *name)
{
	char path[200];
	FILE *file;
	int lines = 0, c;

	snprintf(path, sizeof(path), "%s/%s", f->dir, name);
	file = fopen(path, "r");
	while (file && (c = getc(file)) != EOF)
		lines += c == '\n';
	if (file)
		fclose(file);
	return lines;
}

static struct session *started(struct fixture *f)
{
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);

	assert_ok(f, session_start(session, &f->error));
	return session;
}

static void hit_runs_the_command_and_is_noted(void **state)
{
	struct fixture *f = *state;
	struct session *session = started(f);
	struct trigger_options options = appender(f, "t");

	add(f, session, &options);
	assert_true(session_is_watched(session));
	hit(session, 0, 1);
	wait_for(trigger(session, 0)->done_count == 1 &&
		 strstr(trigger(session, 0)->result, "exit"));
	assert_int_equal(lines_in(f, "ran"), 1);
	assert_string_equal(trigger(session, 0)->result, "command started, exit status 0");
	assert_int_equal(trigger(session, 0)->failed_count, 0);
	assert_ok(f, session_destroy(session, &f->error));
}

static void watcher_lives_as_long_as_a_trigger_is_armed(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct trigger_options options = appender(f, "t");

	add(f, session, &options);
	assert_false(session_is_watched(session)); /* not started yet */
	assert_ok(f, session_start(session, &f->error));
	assert_true(session_is_watched(session));
	assert_ok(f, session_stop(session, &f->error));
	wait_for(!session_is_watched(session));
	assert_ok(f, session_start(session, &f->error));
	assert_true(session_is_watched(session));
	assert_ok(f, session_remove_trigger(session, "t", &f->error));
	wait_for(!session_is_watched(session));
	session_close(session);
}

static void hits_of_a_killed_watcher_are_handled_by_the_next(void **state)
{
	struct fixture *f = *state;
	struct session *session = started(f);
	struct trigger_options options = appender(f, "t");
	pid_t pid;

	add(f, session, &options);
	wait_for(session_file(session)->watch_pid);
	pid = (pid_t)session_file(session)->watch_pid;
	kill(pid, SIGKILL);
	wait_for(!session_is_watched(session));
	hit(session, 0, 1);
	assert_int_equal(trigger(session, 0)->done_count, 0);
	watch_revive_all(&f->runtime);
	wait_for(trigger(session, 0)->done_count == 1);
	wait_for(lines_in(f, "ran") == 1);
	assert_int_not_equal(session_file(session)->watch_pid, pid);
	session_close(session);
}

static void actions_that_a_killed_watcher_did_not_complete_are_done_again(void **state)
{
	struct fixture *f = *state;
	struct session *session = started(f);
	struct session *other = create_session(f, "other", true, TACHO_MODE_DISCARD);
	struct trigger_options options = { .condition = TACHO_CONDITION_REQUEST,
					   .actions = TACHO_ACTION_STOP,
					   .session = "other" };
	pid_t drain;

	assert_ok(f, session_start(other, &f->error));
	drain = (pid_t)session_file(other)->drain_pid;
	assert_int_equal(kill(drain, SIGSTOP), 0); /* so that the stop takes its time */
	add(f, session, &options);
	hit(session, 0, 1);
	wait_for(session_file(other)->state == TACHO_SESSION_STOPPED);
	kill((pid_t)session_file(session)->watch_pid, SIGKILL);
	wait_for(!session_is_watched(session));
	assert_int_equal(trigger(session, 0)->handled, 0);
	assert_int_equal(kill(drain, SIGCONT), 0);
	watch_revive_all(&f->runtime);
	wait_for(trigger(session, 0)->done_count == 1);
	assert_int_equal(trigger(session, 0)->handled, 1);
	assert_string_equal(trigger(session, 0)->result, "stop");
	session_close(other);
	session_close(session);
}

static void many_hits_at_once_are_one_firing(void **state)
{
	struct fixture *f = *state;
	struct session *session = started(f);
	struct trigger_options options = appender(f, "t");

	add(f, session, &options);
	hit(session, 0, 1000000);
	wait_for(trigger(session, 0)->done_count == 1);
	assert_int_equal(trigger(session, 0)->passed_count, 999999);
	assert_int_equal(trigger(session, 0)->handled, 1000000);
	session_close(session);
}

static void hit_and_wait(struct session *session, uint64_t times)
{
	uint64_t goal = trigger(session, 0)->handled + times;

	hit(session, 0, times);
	wait_for(trigger(session, 0)->handled == goal);
}

static void every_third_time(void **state)
{
	struct fixture *f = *state;
	struct session *session = started(f);
	struct trigger_options options = appender(f, "t");

	options.every = 3;
	add(f, session, &options);
	hit_and_wait(session, 2);
	assert_int_equal(trigger(session, 0)->done_count, 0);
	hit_and_wait(session, 1);
	assert_int_equal(trigger(session, 0)->done_count, 1);
	hit_and_wait(session, 1);
	assert_int_equal(trigger(session, 0)->done_count, 1);
	hit_and_wait(session, 5);
	assert_int_equal(trigger(session, 0)->done_count, 2);
	session_close(session);
}

static void once_after_four(void **state)
{
	struct fixture *f = *state;
	struct session *session = started(f);
	struct trigger_options options = appender(f, "t");

	options.once_after = 4;
	add(f, session, &options);
	hit_and_wait(session, 3);
	assert_int_equal(trigger(session, 0)->done_count, 0);
	hit_and_wait(session, 1);
	assert_int_equal(trigger(session, 0)->done_count, 1);
	hit_and_wait(session, 100);
	assert_int_equal(trigger(session, 0)->done_count, 1);
	assert_int_equal(trigger(session, 0)->passed_count, 103);
	session_close(session);
}

static void not_twice_within_the_interval(void **state)
{
	struct fixture *f = *state;
	struct session *session = started(f);
	struct trigger_options options = appender(f, "t");

	options.interval_ns = 3600000000000ull;
	add(f, session, &options);
	hit_and_wait(session, 1);
	hit_and_wait(session, 1);
	hit_and_wait(session, 1);
	assert_int_equal(trigger(session, 0)->done_count, 1);
	assert_int_equal(trigger(session, 0)->passed_count, 2);
	session_close(session);
}

static void snapshot_stop_and_command_in_this_order(void **state)
{
	struct fixture *f = *state;
	struct session *session = started(f);
	struct trigger_options options = appender(f, "t");
	char command[200];

	snprintf(command, sizeof(command), "test -d \"$TACHO_SNAPSHOT\" && echo >>%s/ran", f->dir);
	options.actions = TACHO_ACTION_SNAPSHOT | TACHO_ACTION_STOP | TACHO_ACTION_RUN;
	options.command = command;
	add(f, session, &options);
	hit(session, 0, 1);
	wait_for(strstr(trigger(session, 0)->result, "exit status"));
	assert_non_null(strstr(trigger(session, 0)->result, "snapshot in /"));
	assert_non_null(
		strstr(trigger(session, 0)->result, ", stop, command started, exit status 0"));
	assert_int_equal(lines_in(f, "ran"), 1);
	assert_int_equal(session_file(session)->state, TACHO_SESSION_STOPPED);
	wait_for(!session_is_watched(session));
	hit(session, 0, 5); /* that come too late */
	assert_ok(f, session_start(session, &f->error));
	hit_and_wait(session, 0);
	assert_int_equal(session_file(session)->state, TACHO_SESSION_ACTIVE);
	assert_int_equal(trigger(session, 0)->done_count, 1);
	session_close(session);
}

static void trigger_that_starts_is_armed_while_stopped(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct trigger_options options = { .condition = TACHO_CONDITION_REQUEST,
					   .actions = TACHO_ACTION_START };

	add(f, session, &options);
	assert_true(session_is_watched(session));
	hit(session, 0, 1);
	wait_for(session_file(session)->state == TACHO_SESSION_ACTIVE);
	assert_ok(f, session_stop(session, &f->error));
	assert_true(session_is_watched(session));
	assert_ok(f, session_destroy(session, &f->error));
}

static void another_session_is_stopped_and_one_that_is_gone_is_said(void **state)
{
	struct fixture *f = *state;
	struct session *session = started(f);
	struct session *other = create_session(f, "other", false, TACHO_MODE_OVERWRITE);
	struct trigger_options options = { .condition = TACHO_CONDITION_REQUEST,
					   .actions = TACHO_ACTION_STOP,
					   .session = "other" };

	assert_ok(f, session_start(other, &f->error));
	add(f, session, &options);
	hit_and_wait(session, 1);
	assert_int_equal(session_file(other)->state, TACHO_SESSION_STOPPED);
	assert_int_equal(session_file(session)->state, TACHO_SESSION_ACTIVE);
	assert_ok(f, session_destroy(other, &f->error));
	hit_and_wait(session, 1);
	assert_int_equal(trigger(session, 0)->failed_count, 1);
	assert_non_null(strstr(trigger(session, 0)->result, "no session 'other'"));
	session_close(session);
}

static void fuller_emptier_lost_and_size(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_DISCARD);
	struct trigger_options options = appender(f, "over");
	struct fake_writer w;
	uint32_t id;

	assert_ok(f, session_start(session, &f->error));
	options.condition = TACHO_CONDITION_USAGE_ABOVE;
	options.threshold = 500;
	add(f, session, &options);
	options.name = "under";
	options.condition = TACHO_CONDITION_USAGE_BELOW;
	options.threshold = 100;
	add(f, session, &options);
	options.name = "lost";
	options.condition = TACHO_CONDITION_LOST;
	add(f, session, &options);
	options.name = "size";
	options.condition = TACHO_CONDITION_SIZE;
	options.threshold = 20000;
	add(f, session, &options);
	id = table_add(f, "s", "e");
	writer_open(f, "s", 0, &w);
	for (uint32_t i = 0; i < 500; i++)
		writer_append(&w, id, i);
	wait_for(trigger(session, 1)->seen == 0); /* no longer below 10 % */
	assert_int_equal(trigger(session, 0)->done_count, 0);
	while (writer_append(&w, id, 0))
		;
	wait_for(trigger(session, 0)->done_count == 1);
	wait_for(trigger(session, 2)->done_count == 1);
	wait_for(trigger(session, 3)->done_count == 1);
	assert_int_equal(trigger(session, 2)->seen, 1);
	writer_append(&w, id, 0);
	wait_for(trigger(session, 2)->done_count == 2);
	assert_int_equal(trigger(session, 1)->done_count, 0);
	ring_release(&w.rings, 0, ring_range(&w.rings, 0).end);
	wait_for(trigger(session, 1)->done_count == 1);
	assert_int_equal(trigger(session, 0)->done_count, 1);
	assert_int_equal(trigger(session, 3)->done_count, 1);
	writer_close(&w);
	session_close(session);
}

static void reason_is_given_once_and_without_control_characters(void **state)
{
	struct fixture *f = *state;
	struct session *session = started(f);
	struct trigger_options options = appender(f, "t");
	struct tacho_triggers *triggers = triggers_map(session);
	char path[200], line[200] = "";
	FILE *ran;

	add(f, session, &options);
	memset(triggers->hit[0].reason, 'x', sizeof(triggers->hit[0].reason)); /* without an end */
	memcpy(triggers->hit[0].reason, "to\no $(id)", 10);
	tacho_store_release(&triggers->hit[0].reason_state, TACHO_REASON_THERE);
	hit(session, 0, 1);
	wait_for(trigger(session, 0)->done_count == 1 && lines_in(f, "ran") == 1);
	snprintf(path, sizeof(path), "%s/ran", f->dir);
	ran = fopen(path, "r");
	assert_non_null(fgets(line, sizeof(line), ran));
	fclose(ran);
	assert_memory_equal(line, "t:to?o $(id)xxx", 15);
	assert_int_equal(strlen(line), 2 + TACHO_REASON_BYTES - 1 + 1);
	assert_int_equal(triggers->hit[0].reason_state, TACHO_REASON_NONE);
	assert_non_null(strstr(trigger(session, 0)->result, "reason: to?o $(id)"));
	triggers_unmap(triggers);
	session_close(session);
}

static void trigger_by_event_has_a_rule_that_goes_with_it(void **state)
{
	struct fixture *f = *state;
	struct session *session = started(f);
	struct trigger_options options = appender(f, "t");
	struct fake_program p;

	program_init_self(f, &p);
	program_add(&p, "shop", "order", TACHO_LEVEL_INFO);
	options.condition = TACHO_CONDITION_EVENT;
	options.rule.pattern = "shop:*";
	add(f, session, &options);
	assert_int_equal(session_file(session)->rule[0].trigger, 1);
	assert_int_equal(p.event[0].state, 1 | TACHO_STATE_STALE);
	assert_int_equal(session_disable_event(session, "shop:*", &f->error), -ENOENT);
	assert_ok(f, session_remove_trigger(session, "t", &f->error));
	assert_int_equal(session_file(session)->rule[0].enabled, TACHO_RULE_FREE);
	assert_int_equal(p.event[0].state & 1, 0);
	program_fini(&p);
	session_close(session);
}

static void rules_of_a_trigger_that_starts_are_set_while_stopped(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct trigger_options options = { .condition = TACHO_CONDITION_EVENT,
					   .rule = { .pattern = "shop:order" },
					   .actions = TACHO_ACTION_START };
	struct rule_options rule = { .pattern = "shop:*" };
	struct fake_program p;

	program_init_self(f, &p);
	program_add(&p, "shop", "order", TACHO_LEVEL_INFO);
	program_add(&p, "shop", "other", TACHO_LEVEL_INFO);
	assert_ok(f, session_enable_event(session, &rule, &f->error));
	add(f, session, &options);
	assert_int_equal(p.event[0].state & 1, 1);
	assert_int_equal(p.event[1].state & 1, 0);
	program_fini(&p);
	session_close(session);
}

static void names_are_chosen_and_not_given_twice(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct trigger_options options = appender(f, NULL);
	char name[TACHO_TRIGGER_NAME_BYTES];

	assert_ok(f, session_add_trigger(session, &options, name, &f->error));
	assert_string_equal(name, "trigger0");
	options.name = "trigger1";
	add(f, session, &options);
	assert_int_equal(session_add_trigger(session, &options, NULL, &f->error), -EEXIST);
	options.name = NULL;
	assert_ok(f, session_add_trigger(session, &options, name, &f->error));
	assert_string_equal(name, "trigger2");
	assert_int_equal(session_remove_trigger(session, "nobody", &f->error), -ENOENT);
	assert_non_null(strstr(f->error.text, "trigger0, trigger1, trigger2"));
	for (int i = 3; i < TACHO_TRIGGERS_MAX; i++)
		add(f, session, &options);
	assert_int_equal(session_add_trigger(session, &options, NULL, &f->error), -ENOSPC);
	session_close(session);
}

static void triggers_that_make_no_sense_are_refused(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct trigger_options options = appender(f, "t");

	options.actions = 0;
	assert_int_equal(session_add_trigger(session, &options, NULL, &f->error), -EINVAL);
	options = appender(f, "t");
	options.command = "";
	assert_int_equal(session_add_trigger(session, &options, NULL, &f->error), -EINVAL);
	options = appender(f, "");
	assert_int_equal(session_add_trigger(session, &options, NULL, &f->error), -EINVAL);
	options = appender(f, "t");
	options.condition = TACHO_CONDITION_EVENT;
	options.rule.pattern = "malloc";
	assert_int_equal(session_add_trigger(session, &options, NULL, &f->error), -EINVAL);
	assert_int_equal(session_file(session)->rule_count, 0);
	options = appender(f, "t");
	options.condition = TACHO_CONDITION_LOST;
	options.channel = "nowhere";
	assert_int_equal(session_add_trigger(session, &options, NULL, &f->error), -ENOENT);
	assert_int_equal(trigger(session, 0)->is_used, 0);
	session_close(session);
}

static void destroyed_session_leaves_no_watcher(void **state)
{
	struct fixture *f = *state;
	struct session *session = started(f);
	struct trigger_options options = appender(f, "t");
	pid_t pid;

	add(f, session, &options);
	wait_for(session_file(session)->watch_pid);
	pid = (pid_t)session_file(session)->watch_pid;
	assert_ok(f, session_destroy(session, &f->error));
	wait_for(kill(pid, 0) && errno == ESRCH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		session_test(hit_runs_the_command_and_is_noted),
		session_test(watcher_lives_as_long_as_a_trigger_is_armed),
		session_test(hits_of_a_killed_watcher_are_handled_by_the_next),
		session_test(actions_that_a_killed_watcher_did_not_complete_are_done_again),
		session_test(many_hits_at_once_are_one_firing),
		session_test(every_third_time),
		session_test(once_after_four),
		session_test(not_twice_within_the_interval),
		session_test(snapshot_stop_and_command_in_this_order),
		session_test(trigger_that_starts_is_armed_while_stopped),
		session_test(another_session_is_stopped_and_one_that_is_gone_is_said),
		session_test(fuller_emptier_lost_and_size),
		session_test(reason_is_given_once_and_without_control_characters),
		session_test(trigger_by_event_has_a_rule_that_goes_with_it),
		session_test(rules_of_a_trigger_that_starts_are_set_while_stopped),
		session_test(names_are_chosen_and_not_given_twice),
		session_test(triggers_that_make_no_sense_are_refused),
		session_test(destroyed_session_leaves_no_watcher),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
