/* SPDX-License-Identifier: MIT */
/*
 * every_instruction.c - a thread that records is stopped at every instruction of the restartable
 * sections, one after the other, and there
 *
 *	- it is killed: its event is in the ring as a whole, or not at all;
 *	- another process writes to the same ring: the section must begin anew;
 *	- a signal handler records: the same, in the same thread;
 *	- it is moved to another CPU: it must not write to the first one's ring any more.
 *
 * And at every instruction of the slow path around them, the session is replaced by another in the
 * same slot, to which another thread of the process attaches, or tries to in vain: the late thread
 * must leave it alone. Or one of two rules is switched off there: then the event goes only to where the
 * other one says, and there once.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/context.h"
#include "lib/audit.h"
#include "lib/home.h"
#include "lib/scenario.h"
#include "lib/stepper.h"
#include "lib/work.h"
#include "tacho/abi.h"

/* Hidden parts of libtacho. */
void tacho_emit_word_slow(struct tacho_event *event, uint64_t payload, uint64_t bytes);
void tacho_emit_parts_slow(struct tacho_event *event, const struct tacho_part *parts,
			   uint32_t count);

#define ALL_KINDS  ((1u << WORK_KINDS) - 1)
#define RING_BYTES (64u << 10)

static struct work_books *books;
static struct home_session session;
static struct audit audit;

/* Of the session whose sections are tried: */
static uint64_t contexts;
static struct home_session other; /* that has the first slots, or none */
static struct audit other_audit;
static uint32_t situation_step = 1; /* every so manieth */

/* ---- situations: what an event finds ---- */

struct situation {
	enum work_kind kind;
	bool after_other; /* another process wrote the ring's last record */
	bool at_end;      /* the sub-buffer has hardly any room */
};

static const struct situation situations[] = {
	{ WORK_WORD8, false, false }, { WORK_BLOB, false, false }, { WORK_TEXT, false, false },
	{ WORK_WORD8, true, false },  { WORK_TEXT, true, false },  { WORK_WORD8, false, true },
	{ WORK_TEXT, false, true },   { WORK_BLOB, true, true },
};
#define SITUATIONS (sizeof(situations) / sizeof(situations[0]))

static void stay_on_cpu(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(pid, sizeof(set), &set))
		die("sched_setaffinity");
}

static uint64_t room(void)
{
	uint64_t head = ring_range(&session.rings[0], 0).head;
	uint64_t subbuf = 1ull << session.rings[0].subbuf_shift;

	return subbuf - TACHO_SLACK_BYTES - head % subbuf;
}

static void prepare(const struct situation *s)
{
	work_record(s->kind, 0);
	work_record(s->kind, 0);
	while (s->at_end && room() > 13 + contexts_bytes(contexts))
		work_record(WORK_WORD0, 0);
}

/* ---- the child ---- */

static void on_signal(int signal)
{
	(void)signal;
	work_record(WORK_BLOB, 1);
}

static void child_main(const struct situation *s, uint32_t rounds)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGUSR1, &action, NULL);
	stay_on_cpu(0, 0);
	stepper_attach_me();
	work_begin(books);
	for (; rounds; rounds--) {
		prepare(s);
		stepper_mark();
		work_record(s->kind, 0);
		stepper_mark();
	}
	_exit(0);
}

static pid_t start_child(const struct situation *s, uint32_t rounds)
{
	pid_t pid = scenario_fork();

	if (!pid)
		child_main(s, rounds);
	if (stepper_wait(pid, 0) != STEPPER_MARK)
		die("the child did not come to its first mark");
	return pid;
}

/* ---- one stop ---- */

static void drain_all(bool all)
{
	audit_drain(&audit, all);
	if (other.file)
		audit_drain(&other_audit, all);
}

enum deed { KILL, OTHER_WRITES, SIGNAL, MIGRATE };

static uint32_t strayed; /* records that came to a ring after their thread had left the CPU */

static bool migrate(pid_t pid)
{
	uint64_t head = ring_range(&session.rings[0], 0).head;

	stay_on_cpu(pid, 1);
	stepper_go(pid, 0, 0);
	if (stepper_wait(pid, 0) != STEPPER_MARK)
		die("the child did not get over its event");
	strayed += ring_range(&session.rings[0], 0).head != head;
	stay_on_cpu(pid, 0);
	return true;
}

/* The child is before its event. Return: did it come to @there? It is after the event then, or
 * dead. */
static bool stop_at(pid_t pid, const struct situation *s, uint64_t there, enum deed deed)
{
	enum stepper_stop stop;

	if (s->after_other)
		work_record(WORK_WORD8, 0);
	stepper_go(pid, there, 0);
	stop = stepper_wait(pid, there);
	if (stop != STEPPER_THERE) {
		if (stop != STEPPER_MARK)
			die("the child ended by itself");
		return false;
	}
	if (deed == KILL) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, __WALL);
		return true;
	}
	if (deed == MIGRATE)
		return migrate(pid);
	if (deed == OTHER_WRITES)
		work_record(WORK_TEXT, 0);
	stepper_go(pid, 0, deed == SIGNAL ? SIGUSR1 : 0);
	if (stepper_wait(pid, 0) != STEPPER_MARK)
		die("the child did not get over its event");
	return true;
}

static void to_next_round(pid_t pid)
{
	stepper_go(pid, 0, 0);
	stepper_wait(pid, 0);
	drain_all(false);
}

/* Stop at each byte of a section; @ret_fired: at which there was an instruction that is reached.
 * Return: how many */
static uint32_t try_bytes(const struct situation *s, const struct stepper_section *section,
			  enum deed deed, unsigned char *ret_fired)
{
	uint32_t bytes = (uint32_t)section->bytes + 1, count = 0;
	pid_t pid = start_child(s, bytes + 1);

	for (uint32_t i = 0; i < bytes; i++) {
		ret_fired[i] = stop_at(pid, s, section->start + i, deed);
		count += ret_fired[i];
		to_next_round(pid);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, __WALL);
	return count;
}

static uint32_t kill_at_each(const struct situation *s, const struct stepper_section *section,
			     const unsigned char *fired)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i <= section->bytes; i++) {
		pid_t pid;

		if (!fired[i])
			continue;
		pid = start_child(s, 1);
		if (!stop_at(pid, s, section->start + i, KILL)) {
			kill(pid, SIGKILL);
			waitpid(pid, NULL, __WALL);
		}
		drain_all(false);
		count++;
	}
	return count;
}

static uint32_t try_section(const struct situation *s, const struct stepper_section *section)
{
	unsigned char fired[4096];
	uint32_t count;

	if (section->bytes >= sizeof(fired))
		die("a section of %llu bytes", (unsigned long long)section->bytes);
	count = try_bytes(s, section, OTHER_WRITES, fired);
	if (!count)
		return 0;
	count += try_bytes(s, section, SIGNAL, fired);
	if (session.rings[0].ring_count > 1)
		count += try_bytes(s, section, MIGRATE, fired);
	return count + kill_at_each(s, section, fired);
}

static void open_session(uint64_t ring_bytes)
{
	struct home_channel channel = { "channel0", ring_bytes, TACHO_MODE_DISCARD, 0, false };
	struct home_rule rule = { "*", 0 };

	home_session_create(&session, "stepped", 3, &channel, 1, &rule, 1);
	session.file->channel[0].contexts = contexts;
	audit_init(&audit, &session, 0, ALL_KINDS, books);
}

static bool is_well(struct audit *a)
{
	audit_settle(a, false);
	if (audit_lost(a))
		printf("# %llu were lost\n", (unsigned long long)audit_lost(a));
	return !a->faults && !audit_lost(a);
}

static bool stop_in_sections(const struct scenario *scenario)
{
	const struct stepper_section *sections;
	size_t count = stepper_sections(&sections);
	uint32_t stops = 0;

	(void)scenario;
	if (!count || !stepper_works())
		scenario_skip("no restartable sections, or no hardware breakpoints");
	if (!books)
		books = work_books_new();
	open_session(RING_BYTES);
	home_session_apply(&session);
	stay_on_cpu(0, 0);
	work_begin(books);
	for (size_t i = 0; i < SITUATIONS; i += situation_step) {
		for (size_t k = 0; k < count; k++)
			stops += try_section(&situations[i], &sections[k]);
	}
	printf("# stopped %u times, strayed %u\n", stops, strayed);
	drain_all(true);
	return stops > 1000 && !strayed && is_well(&audit) &&
	       (!other.file || is_well(&other_audit));
}

static bool stop_with_contexts(const struct scenario *scenario)
{
	contexts = 1 << TACHO_CONTEXT_VPID | 1 << TACHO_CONTEXT_VTID | 1 << TACHO_CONTEXT_PROCNAME;
	return stop_in_sections(scenario);
}

/* Of which the other one has slot 0, as it is attached first. */
static bool stop_with_two_sessions(const struct scenario *scenario)
{
	struct home_channel channel = { "channel0", RING_BYTES, TACHO_MODE_DISCARD, 0, false };
	struct home_rule rule = { "*", 0 };

	contexts = 1 << TACHO_CONTEXT_VTID | 1 << TACHO_CONTEXT_PROCNAME | 1 << TACHO_CONTEXT_IP |
		   1 << TACHO_CONTEXT_CPU_ID;
	home_session_create(&other, "other", 2, &channel, 1, &rule, 1);
	home_session_apply(&other);
	books = work_books_new();
	audit_init(&other_audit, &other, 0, ALL_KINDS, books);
	home_first_id(TACHO_ID_COMPACT_MAX - 2);
	situation_step = 2;
	return stop_in_sections(scenario);
}

/* Three channels: each event is listed (tracer/hot_list.h). */
static bool stop_with_three_channels(uint64_t wanted_contexts)
{
	struct home_channel channels[] = {
		{ "first", RING_BYTES, TACHO_MODE_DISCARD, 0, false },
		{ "second", RING_BYTES, TACHO_MODE_OVERWRITE, 0, false },
	};
	const struct home_rule rules[] = { { "*", 0 }, { "*", 1 } };

	contexts = wanted_contexts;
	home_session_create(&other, "other", 2, channels, 2, rules, 2);
	home_session_apply(&other);
	books = work_books_new();
	audit_init(&other_audit, &other, 0, ALL_KINDS, books);
	situation_step = 2;
	return stop_in_sections(NULL);
}

static bool stop_listed(const struct scenario *scenario)
{
	(void)scenario;
	return stop_with_three_channels(0);
}

static bool stop_listed_with_contexts(const struct scenario *scenario)
{
	(void)scenario;
	home_first_id(TACHO_ID_COMPACT_MAX - 2);
	return stop_with_three_channels(1 << TACHO_CONTEXT_VTID | 1 << TACHO_CONTEXT_IP);
}

/* ---- the session is replaced ---- */

/* What two threads of the child do; in memory that the parent shares. */
struct script {
	uint32_t wanted; /* of the second thread: how often it is to record its events */
	uint32_t done;
};
static struct script *script;

#define SECOND_EVENTS 30

static void *second_thread(void *unused)
{
	work_begin(books);
	for (uint32_t done = 0;; done++) {
		while (tacho_load_acquire(&script->wanted) == done)
			sched_yield();
		for (int i = 0; i < SECOND_EVENTS; i++)
			work_record(i % 2 ? WORK_WORD8 : WORK_TEXT, 0);
		tacho_store_release(&script->done, done + 1);
	}
	return unused;
}

static void let_second_record(void)
{
	uint32_t wanted = script->wanted + 1;

	tacho_store_release(&script->wanted, wanted);
	while (tacho_load_acquire(&script->done) != wanted)
		sched_yield();
}

/* The second thread is no child that is traced. */
static pid_t start_pair(enum work_kind kind)
{
	pthread_t thread;
	pid_t pid = scenario_fork();

	if (!pid) {
		work_begin(books);
		pthread_create(&thread, NULL, second_thread, NULL);
		stepper_attach_me();
		for (;;) {
			stepper_mark();
			work_record(kind, 0);
		}
	}
	if (stepper_wait(pid, 0) != STEPPER_MARK)
		die("the child did not come to its first mark");
	return pid;
}

static void replace_session(void)
{
	static uint32_t count;

	audit_fini(&audit);
	home_session_destroy(&session);
	open_session((count++ % 2 ? 16u : 40u) << 10);
	home_session_apply(&session);
}

static bool desc_is_sound(const struct tacho_desc *desc)
{
	return desc->bytes >= sizeof(*desc) && desc->bytes <= 1024 &&
	       desc->hash == tacho_desc_hash((char *)desc + TACHO_DESC_HASHED,
					     desc->bytes - TACHO_DESC_HASHED);
}

/* Is each description in the event table what its writer made it? */
static bool events_are_sound(void)
{
	const uint32_t *entry = (uint32_t *)(session.events + TACHO_EVENTS_ENTRIES_AT);

	for (uint32_t id = TACHO_ID_FIRST; id < 64; id++) {
		const struct tacho_event_class *class = (void *)(session.events + entry[id]);

		if (entry[id] && !desc_is_sound(&class->desc))
			return false;
	}
	return true;
}

/* All that is in the session is what the second thread recorded there, and at most @late more. */
static bool is_untouched(uint32_t expected, uint32_t late, uint64_t at)
{
	uint64_t found;

	audit_drain(&audit, true);
	found = audit_found(&audit) + audit_lost(&audit);
	if (!audit.faults && found >= expected && found <= expected + late && events_are_sound())
		return true;
	printf("# late at %#llx: found %llu of %u, %s event table\n", (unsigned long long)at,
	       (unsigned long long)found, expected, events_are_sound() ? "good" : "damaged");
	return false;
}

#define PATH_MAX_STEPS 60000
#define LEAST          50

/* To its end, or to where it gives up: it cannot be stepped through. */
static void leave_section(pid_t pid, const struct stepper_section *section)
{
	const uint64_t exits[] = {
		section->start + section->bytes,
		(uint64_t)tacho_emit_word_slow,
		(uint64_t)tacho_emit_parts_slow,
	};

	stepper_go_any(pid, exits, 3, 0);
	stepper_wait(pid, 0);
}

static void enter_libtacho(pid_t pid)
{
	const uint64_t entries[] = { (uint64_t)tacho_emit_word, (uint64_t)tacho_emit_parts };

	stepper_go_any(pid, entries, 2, 0);
	stepper_wait(pid, 0);
}

/* The addresses that the event comes by in libtacho, outside of sections, each once. */
static uint32_t trace_path(pid_t pid, uint64_t *ret_path)
{
	uint32_t count = 0;

	enter_libtacho(pid);
	for (uint32_t steps = 0; steps < PATH_MAX_STEPS; steps++) {
		const struct stepper_section *section;
		uint64_t at;
		uint32_t i;

		stepper_step(pid);
		if (stepper_wait(pid, 0) == STEPPER_MARK)
			break;
		at = stepper_at(pid);
		section = stepper_section_at(at);
		if (section) {
			leave_section(pid, section);
			continue;
		}
		for (i = 0; i < count && ret_path[i] != at; i++)
			;
		if (i == count)
			ret_path[count++] = at;
	}
	return count;
}

/* Before its event everything has to be looked up again. */
static bool replace_at(pid_t pid, uint64_t at, bool is_hidden)
{
	home_session_apply(&session);
	stepper_go(pid, at, 0);
	if (stepper_wait(pid, at) != STEPPER_THERE)
		return true;
	replace_session();
	if (is_hidden)
		home_session_hide(&session);
	let_second_record();
	if (is_hidden)
		home_session_show(&session);
	stepper_go(pid, 0, 0);
	if (stepper_wait(pid, 0) != STEPPER_MARK)
		die("the child did not get over its event at %#llx", (unsigned long long)at);
	return is_untouched(is_hidden ? 0 : SECOND_EVENTS, 1, at);
}

static bool replace_everywhere(enum work_kind kind, uint64_t deadline)
{
	static uint64_t path[PATH_MAX_STEPS];
	pid_t pid = start_pair(kind);
	uint32_t count, tried = 0;
	bool good = true;

	replace_session();
	let_second_record();
	home_session_apply(&session);
	count = trace_path(pid, path);
	/* In any order, since there may not be time for all. */
	for (uint32_t i = count; i > 0 && (tried < LEAST || scenario_now_ns() < deadline);
	     i--, tried++) {
		uint32_t chosen = scenario_random(i);
		uint64_t at = path[chosen];

		path[chosen] = path[i - 1];
		good &= replace_at(pid, at, tried % 3 == 0);
	}
	printf("# replaced the session at %u of %u instructions\n", tried, count);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, __WALL);
	return good && count > LEAST;
}

#define SECONDS 8

static bool replace_session_in_slow_path(const struct scenario *scenario)
{
	static const enum work_kind kinds[] = { WORK_WORD8, WORK_TEXT, WORK_HUGE };
	bool good = true;

	(void)scenario;
	if (!stepper_works())
		scenario_skip("no hardware breakpoints");
	books = work_books_new();
	script = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	open_session(RING_BYTES);
	for (size_t i = 0; i < 3; i++) {
		script->wanted = script->done = 0;
		good &= replace_everywhere(kinds[i], scenario_deadline_ns(6, SECONDS));
	}
	return good;
}

/* ---- a rule is switched off ---- */

static uint32_t switched; /* channel and rule that are on and off; the other one is audited */

static void open_two_channels(void)
{
	struct home_channel channels[] = {
		{ "first", RING_BYTES, TACHO_MODE_DISCARD, 0, false },
		{ "second", RING_BYTES, TACHO_MODE_DISCARD, 0, false },
	};
	const struct home_rule rules[] = { { "*", 0 }, { "*", 1 } };

	channels[switched].mode = TACHO_MODE_OVERWRITE;
	home_session_create(&session, "switched", 3, channels, 2, rules, 2);
	audit_init(&audit, &session, !switched, ALL_KINDS, books);
}

/* As a tool does. */
static void switch_rule(uint32_t enabled)
{
	tacho_fetch_add_acq_rel(&session.file->generation, 1);
	tacho_store_release(&session.file->rule[switched].enabled, enabled);
	tacho_fetch_add_acq_rel(&session.file->generation, 1);
	home_session_apply(&session);
}

static uint64_t sum_of_heads(const struct rings *rings)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < rings->ring_count; i++)
		sum += ring_range(rings, i).head;
	return sum;
}

/* Return: was nothing recorded by the rule after it was off? */
static bool switch_off_at(pid_t pid, uint64_t at, uint32_t *stops)
{
	uint64_t before, after;

	switch_rule(TACHO_RULE_ENABLED);
	stepper_go(pid, at, 0);
	if (stepper_wait(pid, at) != STEPPER_THERE)
		return true;
	++*stops;
	switch_rule(TACHO_RULE_FREE);
	before = sum_of_heads(&session.rings[switched]);
	stepper_go(pid, 0, 0);
	if (stepper_wait(pid, 0) != STEPPER_MARK)
		die("the child did not get over its event at %#llx", (unsigned long long)at);
	after = sum_of_heads(&session.rings[switched]);
	if (before != after)
		printf("# recorded too late, after a stop at %#llx\n", (unsigned long long)at);
	audit_drain(&audit, false);
	return before == after;
}

static bool switch_off_everywhere(enum work_kind kind, uint64_t deadline)
{
	static uint64_t path[PATH_MAX_STEPS];
	pid_t pid = start_pair(kind);
	uint32_t count, stops = 0;
	bool good = true;

	switch_rule(TACHO_RULE_ENABLED);
	count = trace_path(pid, path);
	for (uint32_t i = count; i > 0 && (stops < LEAST || scenario_now_ns() < deadline); i--) {
		uint32_t chosen = scenario_random(i);
		uint64_t at = path[chosen];

		path[chosen] = path[i - 1];
		good &= switch_off_at(pid, at, &stops);
	}
	printf("# switched the rule off at %u of %u instructions\n", stops, count);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, __WALL);
	return good && stops >= LEAST;
}

static bool switch_off(uint32_t which, enum work_kind kind)
{
	switched = which;
	script->wanted = script->done = 0;
	books = work_books_new();
	open_two_channels();
	if (!switch_off_everywhere(kind, scenario_deadline_ns(4, SECONDS)))
		return false;
	audit_drain(&audit, true);
	audit_settle(&audit, true);
	return !audit.faults && !audit_lost(&audit);
}

/* The portable writer cannot be stopped by anybody between its last look and the commit, so there the
 * first event to come by an instruction is the other channel's. (Its time is of before, anyway.) */
static bool switch_off_in_slow_path(const struct scenario *scenario)
{
	if (!stepper_works())
		scenario_skip("no hardware breakpoints");
	script = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!switch_off(1, WORK_TEXT))
		return false;
	home_session_destroy(&session);
	return switch_off(scenario->portable, WORK_WORD8);
}

static const struct scenario scenarios[] = {
	{ .name = "a_section_may_be_left_at_any_instruction", .run = stop_in_sections },
	{ .name = "so_it_may_with_contexts", .run = stop_with_contexts },
	{ .name = "so_it_may_in_two_sessions_with_long_ids", .run = stop_with_two_sessions },
	{ .name = "so_it_may_in_three_channels", .run = stop_listed },
	{ .name = "so_it_may_in_three_channels_with_contexts", .run = stop_listed_with_contexts },
	{ .name = "a_late_thread_leaves_the_next_session_alone",
	  .run = replace_session_in_slow_path },
	{ .name = "a_late_thread_without_rseq_leaves_the_next_session_alone",
	  .run = replace_session_in_slow_path,
	  .portable = true },
	{ .name = "nothing_is_recorded_by_a_rule_that_is_off", .run = switch_off_in_slow_path },
	{ .name = "nothing_is_recorded_by_a_rule_that_is_off_without_rseq",
	  .run = switch_off_in_slow_path,
	  .portable = true },
};

int main(int argc, char **argv)
{
	return scenarios_main(scenarios, sizeof(scenarios) / sizeof(scenarios[0]), argc, argv);
}
