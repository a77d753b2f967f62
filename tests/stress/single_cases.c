/* SPDX-License-Identifier: MIT */
/*
 * single_cases.c - what the tortures find by chance only, each brought about on purpose.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filter/filter.h"
#include "lib/audit.h"
#include "lib/home.h"
#include "lib/scenario.h"
#include "lib/stepper.h"
#include "lib/work.h"
#include "ring/writer.h"
#include "tacho/event.h"

#define ALL_KINDS ((1u << WORK_KINDS) - 1)

static struct work_books *books;
static struct home_session session;
static struct audit audit;

static void make_session(const char *name, uint64_t ring_bytes, enum tacho_mode mode)
{
	struct home_channel channel = { "channel0", ring_bytes, mode, UINT64_MAX, false };
	struct home_rule rule = { "*", 0 };

	if (!books)
		books = work_books_new();
	home_session_create(&session, name, 0, &channel, 1, &rule, 1);
	audit_init(&audit, &session, 0, ALL_KINDS, books);
}

static void record(int count)
{
	for (int i = 0; i < count; i++)
		work_record(WORK_WORD8, 0);
}

static bool has(uint64_t expected, uint64_t expected_lost)
{
	audit_drain(&audit, true);
	if (!audit.faults && audit_found(&audit) == expected && audit_lost(&audit) == expected_lost)
		return true;
	printf("# found %llu of %llu, lost %llu of %llu\n", (unsigned long long)audit_found(&audit),
	       (unsigned long long)expected, (unsigned long long)audit_lost(&audit),
	       (unsigned long long)expected_lost);
	return false;
}

static void wait_for(pid_t pid)
{
	if (waitpid(pid, NULL, 0) < 0)
		die("wait");
}

/* How many events of this program are listed (tracer/hot_list.h). */
static uint32_t count_listed(void)
{
	uint32_t count = 0;

	for (struct tacho_event **e = tacho_this_object.begin; e < tacho_this_object.end; e++)
		count += *e && (uintptr_t)(*e)->hot & RING_HOT_LISTED;
	return count;
}

/* Where it goes to many channels the fast way, no part of emit.c is run: what is left of it in the
 * event shows that it knows. */
static bool event_of_many_channels(const struct scenario *scenario)
{
	static const struct home_channel channels[] = {
		{ "a", 64 << 10, TACHO_MODE_DISCARD, 0, false },
		{ "b", 64 << 10, TACHO_MODE_OVERWRITE, 0, false },
		{ "c", 64 << 10, TACHO_MODE_OVERWRITE, 0, false },
	};
	static const struct home_rule rules[] = { { "*", 0 }, { "*", 1 }, { "*", 2 } };

	if (!books)
		books = work_books_new();
	home_session_create(&session, "many", 0, channels, 3, rules, 3);
	audit_init(&audit, &session, 0, ALL_KINDS, books);
	home_session_apply(&session);
	work_begin(books);
	record(100);
	return has(100, 0) && (scenario->portable || !ring_rseq_init() || count_listed() == 1) &&
	       ring_range(&session.rings[1], 0).head == ring_range(&session.rings[2], 0).head;
}

static void set_filter(const char *text)
{
	struct filter_complaint complaint, warning;
	struct tacho_filter *filter;

	if (filter_compile(text, NULL, NULL, &filter, &warning, &complaint))
		die("compile %s", text);
	session.file->text_allocated = TACHO_TEXT_BYTES;
	memcpy(session.file->text, filter, filter->bytes);
	session.file->rule[0].filter = (struct tacho_span){ 0, filter->bytes };
	free(filter);
}

static bool event_of_a_filter(const char *text, uint64_t expected)
{
	make_session("filtered", 64 << 10, TACHO_MODE_DISCARD);
	set_filter(text);
	home_session_apply(&session);
	work_begin(books);
	record(100);
	audit_drain(&audit, true);
	return audit_found(&audit) == expected && (!ring_rseq_init() || count_listed() == 1);
}

static bool event_of_a_comparison(const struct scenario *scenario)
{
	(void)scenario;
	return event_of_a_filter("who >= 0", 100);
}

static bool event_of_a_calculation(const struct scenario *scenario)
{
	(void)scenario;
	return event_of_a_filter("who * 0 == 0", 100);
}

static bool event_that_is_refused(const struct scenario *scenario)
{
	(void)scenario;
	return event_of_a_filter("who < 0", 0);
}

/* The parent is attached to a session that is gone, and has no event by which it could notice. */
static bool child_of_idle_parent(const struct scenario *scenario)
{
	pid_t pid;

	(void)scenario;
	make_session("first", 64 << 10, TACHO_MODE_DISCARD);
	home_session_apply(&session);
	work_begin(books);
	record(1);
	home_session_destroy(&session);
	make_session("second", 64 << 10, TACHO_MODE_DISCARD);
	home_session_apply(&session);
	pid = fork();
	if (!pid) {
		work_begin(books);
		record(5);
		_exit(0);
	}
	wait_for(pid);
	return has(5, 0);
}

/* Attempts to attach that failed are not held against the next session. */
static bool failed_attempts(const struct scenario *scenario)
{
	(void)scenario;
	make_session("hidden", 64 << 10, TACHO_MODE_DISCARD);
	home_session_hide(&session);
	home_session_apply(&session);
	work_begin(books);
	record(10);
	home_session_show(&session);
	home_session_apply(&session);
	record(10);
	return has(10, 0);
}

/* A child that the C library knows nothing of, whose first deed is to leave. */
static bool clone_child_that_exits(const struct scenario *scenario)
{
	pid_t pid;

	(void)scenario;
	make_session("shared", 64 << 10, TACHO_MODE_DISCARD);
	home_session_apply(&session);
	work_begin(books);
	record(1);
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (!pid) {
		tacho_object_unregister(&tacho_this_object);
		syscall(SYS_exit_group, 0);
	}
	wait_for(pid);
	home_session_apply(&session);
	record(5);
	return has(6, 0);
}

/* A clone()d child has an identity of its own. */
static bool clone_child_that_records(const struct scenario *scenario)
{
	pid_t pid;

	(void)scenario;
	make_session("shared", 64 << 10, TACHO_MODE_DISCARD);
	home_session_apply(&session);
	work_begin(books);
	record(3);
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (!pid) {
		work_begin(books);
		record(5);
		syscall(SYS_exit_group, 0);
	}
	wait_for(pid);
	record(2);
	return has(10, 0);
}

/* The first event of a thread is one in its vfork() child, which has another id. */
static bool first_event_in_vfork_child(const struct scenario *scenario)
{
	pid_t pid;

	(void)scenario;
	make_session("forked", 64 << 10, TACHO_MODE_DISCARD);
	home_session_apply(&session);
	work_begin(books);
	pid = vfork();
	if (!pid) {
		work_begin(books);
		record(1);
		_exit(0);
	}
	wait_for(pid);
	work_begin(books);
	record(5);
	return has(6, 0);
}

static void *record_too_many(void *unused)
{
	work_begin(books);
	for (int i = 0; i < 20000; i++)
		record(1);
	return unused;
}

static bool is_full(void)
{
	const struct rings *rings = &session.rings[0];

	for (uint32_t cpu = 0; cpu < rings->ring_count; cpu++) {
		if (ring_range(rings, cpu).end >= rings->subbuf_count)
			return true;
	}
	return false;
}

/* Nobody drains, and the timeout is for ever. */
static bool stop_frees_blocked(const struct scenario *scenario)
{
	pthread_t thread;

	(void)scenario;
	make_session("blocked", 16 << 10, TACHO_MODE_BLOCK);
	home_session_apply(&session);
	pthread_create(&thread, NULL, record_too_many, NULL);
	while (!is_full())
		sched_yield();
	home_session_stop(&session);
	pthread_join(thread, NULL);
	audit_drain(&audit, true);
	return !audit.faults && audit_found(&audit) > 100;
}

#if defined(__x86_64__)

/* Return: a child that was killed while it owned a ring, and not waited for */
static pid_t kill_owner(void)
{
	uint64_t there = (uint64_t)ring_append_owned;
	pid_t pid = fork();

	if (!pid) {
		stepper_attach_me();
		work_begin(books);
		stepper_mark();
		record(1);
		_exit(0);
	}
	if (stepper_wait(pid, 0) != STEPPER_MARK)
		die("the child did not come to its mark");
	stepper_go(pid, there, 0);
	if (stepper_wait(pid, there) != STEPPER_THERE)
		die("the child did not come to own a ring");
	kill(pid, SIGKILL);
	waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT);
	return pid;
}

static bool zombie_owner(const struct scenario *scenario)
{
	pid_t pid;

	(void)scenario;
	if (!stepper_works())
		scenario_skip("no hardware breakpoints");
	make_session("owned", 64 << 10, TACHO_MODE_DISCARD);
	home_session_apply(&session);
	pid = kill_owner();
	work_begin(books);
	record(100);
	wait_for(pid);
	record(100);
	return has(200, 0);
}

/* More than there can be rings. */
static bool many_dead_owners(const struct scenario *scenario)
{
	(void)scenario;
	if (!stepper_works())
		scenario_skip("no hardware breakpoints");
	make_session("owned", 64 << 10, TACHO_MODE_DISCARD);
	home_session_apply(&session);
	for (int i = 0; i < 20; i++)
		wait_for(kill_owner());
	work_begin(books);
	record(100);
	return has(100, 0);
}

#else

static bool zombie_owner(const struct scenario *scenario)
{
	(void)scenario;
	scenario_skip("no hardware breakpoints");
}

static bool many_dead_owners(const struct scenario *scenario)
{
	return zombie_owner(scenario);
}

#endif

/* ---- a string that another thread changes meanwhile ---- */

#define STRING_BYTES 100
static char string[STRING_BYTES + 1];
static uint32_t string_stop;

static void *change_string(void *unused)
{
	for (uint32_t i = 0; !tacho_load_relaxed(&string_stop); i++)
		tacho_store_relaxed(&string[i % STRING_BYTES], i % 3 ? 'a' : 0);
	return unused;
}

/* The tail tells whether the string has the length that it was recorded with. */
static bool strings_are_whole(uint32_t count)
{
	const struct rings *rings = &session.rings[0];
	uint32_t found = 0;

	for (uint32_t cpu = 0; cpu < rings->ring_count; cpu++) {
		struct ring_range range = ring_range(rings, cpu);
		struct parse_record record;
		struct ring_view view;
		struct parse p;

		for (uint64_t k = range.oldest; k < range.end; k++) {
			if (ring_view(rings, cpu, k, &view))
				return false;
			parse_begin(&p, view.content, view.content_bytes, 0);
			for (; parse_next(&p, &record); found++) {
				if (strnlen((char *)record.payload, record.max) != STRING_BYTES)
					return false;
				parse_skip(&p, STRING_BYTES + 1);
			}
			if (p.wrong)
				return false;
		}
	}
	return found == count;
}

static const struct tacho_field string_fields[] = {
	{ "s", TACHO_TYPE(TACHO_KIND_STRING, 1, 0), 0 },
};
static const struct tacho_event_info string_info = {
	"stress", "string", string_fields, 1, TACHO_LEVEL_DEBUG_LINE, "single_cases.c", 1, 0,
};
static struct tacho_event string_event = TACHO_EVENT_INIT_(&string_info);

static bool changing_string(const struct scenario *scenario)
{
	const uint32_t count = 100000;
	struct tacho_part part = { string, STRING_BYTES, 1 };
	pthread_t thread;
	bool good;

	(void)scenario;
	make_session("strings", 16 << 20, TACHO_MODE_DISCARD);
	memset(string, 'a', STRING_BYTES);
	pthread_create(&thread, NULL, change_string, NULL);
	for (uint32_t i = 0; i < count; i++)
		tacho_emit_parts(&string_event, &part, 1);
	good = strings_are_whole(count);
	tacho_store_relaxed(&string_stop, 1);
	pthread_join(thread, NULL);
	return good;
}

static const struct scenario scenarios[] = {
	{ .name = "child_of_an_idle_parent_records_the_next_session", .run = child_of_idle_parent },
	{ .name = "failed_attempts_to_attach_do_not_cost_the_next_session",
	  .run = failed_attempts },
	{ .name = "event_of_many_channels_goes_the_fast_way", .run = event_of_many_channels },
	{ .name = "event_that_is_compared_goes_the_fast_way", .run = event_of_a_comparison },
	{ .name = "event_that_is_calculated_with_goes_the_fast_way",
	  .run = event_of_a_calculation },
	{ .name = "event_that_is_refused_goes_the_fast_way", .run = event_that_is_refused },
	{ .name = "clone_child_that_exits_leaves_its_parents_events",
	  .run = clone_child_that_exits },
	{ .name = "clone_child_records_as_itself", .run = clone_child_that_records },
	{ .name = "vfork_child_does_not_name_its_parent", .run = first_event_in_vfork_child },
	{ .name = "stop_frees_a_blocked_writer", .run = stop_frees_blocked },
	{ .name = "stop_frees_a_blocked_writer_without_rseq",
	  .run = stop_frees_blocked,
	  .portable = true },
	{ .name = "owner_that_is_a_zombie_costs_nothing", .run = zombie_owner, .portable = true },
	{ .name = "rings_of_dead_owners_are_taken_over",
	  .run = many_dead_owners,
	  .portable = true },
	{ .name = "string_that_changes_keeps_its_length", .run = changing_string },
	{ .name = "string_that_changes_keeps_its_length_without_rseq",
	  .run = changing_string,
	  .portable = true },
};

int main(int argc, char **argv)
{
	return scenarios_main(scenarios, sizeof(scenarios) / sizeof(scenarios[0]), argc, argv);
}
