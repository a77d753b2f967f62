/* SPDX-License-Identifier: MIT */
/*
 * programs_and_rules.c - programs start and end while rules change. One rule is there all the time:
 * of each program each of its events is recorded, from the first one on. The other rule comes and
 * goes, and its events are recorded exactly while it is there: from when its coming was made known
 * until its going begins.
 *
 * TACHO_STRESS_PROGRAMS programs, started anew (this file's main(), with other arguments), some at the
 * same time.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/home.h"
#include "lib/parse.h"
#include "lib/scenario.h"
#include "tacho/event.h"

#define PROGRAMS_DEFAULT 200
#define PROGRAMS_MAX     1000
#define AT_ONCE          6
#define EVENTS           60 /* of each kind and program */
#define CHANGES_MAX      20000
#define RING_BYTES       (16u << 20)

/* ---- a program ---- */

/* In a file that all programs map: how many events of the second rule. */
struct books {
	uint32_t begun[PROGRAMS_MAX];
	uint32_t ended[PROGRAMS_MAX];
};

static struct books *map_books(void)
{
	char path[512];
	void *map;
	int fd;

	snprintf(path, sizeof(path), "%s/books", home_path());
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(struct books)))
		die("make %s", path);
	map = mmap(NULL, sizeof(struct books), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		die("map %s", path);
	close(fd);
	return map;
}

static int program_main(uint32_t program)
{
	struct books *books = map_books();

	for (uint32_t i = 0; i < EVENTS; i++) {
		tacho_event(always, tick, "program", program, "number", i);
		tacho_store_relaxed(&books->begun[program], i + 1);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		tacho_event(sometimes, tick, "program", program, "number", i);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		tacho_store_release(&books->ended[program], i + 1);
		if (i % 4 == 0)
			sched_yield();
	}
	return 0;
}

static pid_t start_program(uint32_t program)
{
	char number[16];
	char *args[] = { "programs_and_rules", "program", number, NULL };
	pid_t pid;

	snprintf(number, sizeof(number), "%u", program);
	pid = scenario_fork();
	if (!pid) {
		execv("/proc/self/exe", args);
		_exit(127);
	}
	return pid;
}

/* ---- the rule that comes and goes ---- */

/* Of one program: what it had done when the rule came, or went. */
struct change {
	uint16_t ended_before[PROGRAMS_MAX];
	uint16_t begun_after[PROGRAMS_MAX];
};

static struct home_session session;
static struct books *books;
static struct change *changes; /* even: the rule comes; odd: it goes */
static uint32_t change_count, program_count;

static void read_books(const uint32_t *from, uint16_t *ret_numbers)
{
	for (uint32_t i = 0; i < program_count; i++)
		ret_numbers[i] = (uint16_t)tacho_load_acquire(&from[i]);
}

static void change_rule(void)
{
	bool comes = change_count % 2 == 0;
	struct change *change = &changes[change_count++];

	read_books(books->ended, change->ended_before);
	tacho_fetch_add_acq_rel(&session.file->generation, 1);
	tacho_store_release(&session.file->rule[1].enabled,
			    comes ? TACHO_RULE_ENABLED : TACHO_RULE_DISABLED);
	tacho_fetch_add_acq_rel(&session.file->generation, 1);
	home_session_apply(&session);
	read_books(books->begun, change->begun_after);
}

/* ---- what is found ---- */

static uint8_t (*found_always)[EVENTS], (*found_sometimes)[EVENTS];

static bool count_record(struct parse *p, const struct parse_record *r)
{
	uint32_t program, number;
	uint8_t(*found)[EVENTS];
	char name[64];

	if (!home_session_event_name(&session, r->id, name, sizeof(name)) || r->max < 8)
		return false;
	found = strcmp(name, "always:tick") ? found_sometimes : found_always;
	memcpy(&program, r->payload, 4);
	memcpy(&number, r->payload + 4, 4);
	if (program >= program_count || number >= EVENTS)
		return false;
	found[program][number]++;
	parse_skip(p, 8);
	return true;
}

static bool read_ring(uint32_t cpu)
{
	struct ring_range range = ring_range(&session.rings[0], cpu);
	struct parse_record r;
	struct ring_view view;
	struct parse p;

	for (uint64_t k = range.oldest; k < range.end; k++) {
		if (ring_view(&session.rings[0], cpu, k, &view))
			return false;
		parse_begin(&p, view.content, view.content_bytes, 0);
		while (parse_next(&p, &r)) {
			if (!count_record(&p, &r))
				return false;
		}
		if (p.wrong)
			return false;
	}
	return true;
}

static bool is_faulty(const char *what, uint32_t program, uint32_t number)
{
	printf("# program %u, event %u: %s\n", program, number, what);
	return true;
}

static bool lacks_an_event(uint32_t program)
{
	for (uint32_t i = 0; i < EVENTS; i++) {
		if (found_always[program][i] != 1)
			return is_faulty("not there once", program, i);
	}
	return false;
}

/* From when one change was known until the next one began. */
static bool is_wrong_between(uint32_t program, uint32_t i)
{
	uint32_t number = changes[i].begun_after[program];
	uint32_t end = i + 1 < change_count ? changes[i + 1].ended_before[program] : EVENTS;

	for (; number < end; number++) {
		if (found_sometimes[program][number] != (i % 2 == 0))
			return is_faulty(i % 2 ? "there without a rule" : "not there with a rule",
					 program, number);
	}
	return false;
}

static bool is_wrong(uint32_t program)
{
	if (lacks_an_event(program))
		return true;
	for (uint32_t i = 0; i < change_count; i++) {
		if (is_wrong_between(program, i))
			return true;
	}
	return false;
}

static bool all_is_right(void)
{
	for (uint32_t cpu = 0; cpu < session.rings[0].ring_count; cpu++) {
		if (!read_ring(cpu)) {
			printf("# ring %u makes no sense\n", cpu);
			return false;
		}
	}
	for (uint32_t i = 0; i < program_count; i++) {
		if (is_wrong(i))
			return false;
	}
	return true;
}

/* ---- */

static void prepare(void)
{
	static const struct home_channel channel = { "channel0", RING_BYTES, TACHO_MODE_DISCARD, 0,
						     false };
	static const struct home_rule rules[] = { { "always:*", 0 }, { "sometimes:*", 0 } };
	const char *wanted = getenv("TACHO_STRESS_PROGRAMS");

	program_count = wanted ? (uint32_t)atoi(wanted) : PROGRAMS_DEFAULT;
	if (program_count > PROGRAMS_MAX)
		program_count = PROGRAMS_MAX;
	books = map_books();
	changes = calloc(CHANGES_MAX, sizeof(*changes));
	found_always = calloc(program_count, sizeof(*found_always));
	found_sometimes = calloc(program_count, sizeof(*found_sometimes));
	home_session_create(&session, "rules", 0, &channel, 1, rules, 2);
	session.file->rule[1].enabled = TACHO_RULE_DISABLED;
}

/* Return: did it end well? */
static bool reap_one(int flags, uint32_t *running)
{
	int status;
	pid_t pid = waitpid(-1, &status, flags);

	if (pid <= 0)
		return true;
	--*running;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool run(const struct scenario *scenario)
{
	uint32_t started = 0, running = 0;
	bool good = true;

	(void)scenario;
	prepare();
	while (good && started < program_count) {
		for (; running < AT_ONCE && started < program_count; running++)
			start_program(started++);
		if (change_count < CHANGES_MAX)
			change_rule();
		good = reap_one(WNOHANG, &running);
	}
	while (running)
		good &= reap_one(0, &running);
	printf("# %u programs, %u changes\n", started, change_count);
	good = good && all_is_right();
	home_session_destroy(&session);
	return good;
}

static const struct scenario scenarios[] = {
	{ .name = "programs_find_the_rules_of_now", .run = run },
	{ .name = "programs_find_the_rules_of_now_without_rseq", .run = run, .portable = true },
};

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "program"))
		return program_main((uint32_t)atoi(argv[2]));
	return scenarios_main(scenarios, sizeof(scenarios) / sizeof(scenarios[0]), argc, argv);
}
