/* SPDX-License-Identifier: MIT */
/*
 * changing_sessions.c - a program of eight threads goes on recording while sessions come and go and
 * everything in them changes: rules, filters, channels. Exactly what each change says is recorded,
 * from when it was made known until the next one begins, and the program does not grow.
 *
 * TACHO_STRESS_CYCLES sessions; in between, each of its channels is to have the events of some of
 * the threads:
 *
 *	a change       before it             it is made         after it was made known
 *	thread goes on   no event up to here    maybe            each event from here on
 *	thread goes off  each event up to here  maybe            no event from here on
 *
 * and those in between without a gap.
 */
#include <dirent.h>
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

#include "filter/filter.h"
#include "lib/home.h"
#include "lib/parse.h"
#include "lib/scenario.h"
#include "tacho/event.h"
#include "tracer/tracer.h"

#define THREADS        8
#define ALL            ((1u << THREADS) - 1)
#define CHANNELS       2
#define CYCLES_DEFAULT 300
#define CHANGES        6  /* of a session */
#define STRETCH        40 /* events of each thread before, and again while a change is made */
#define NUMBERS        (2 * STRETCH * (CHANGES + 2))
#define RING_BYTES     (256u << 10)

/* ---- the program ---- */

struct books {
	uint32_t stop;
	uint32_t memory_used; /* of tracer/memory.h */
	uint32_t kept;        /* of tracer/grace.h */
	uint32_t begun[THREADS];
	uint32_t ended[THREADS];
	uint32_t granted; /* events of each thread, so many and no more */
};

static struct books *books;

static bool is_of_text(uint32_t number)
{
	return number % 8 == 0;
}

static void record(uint32_t thread, uint32_t number)
{
	if (is_of_text(number))
		tacho_event(changing, text, "thread", thread, "number", number, "text", "-");
	else
		tacho_event(changing, tick, "thread", thread, "number", number);
}

static void *record_what_is_granted(void *arg)
{
	uint32_t thread = (uint32_t)(uintptr_t)arg;

	while (!tacho_load_relaxed(&books->stop)) {
		uint32_t number = books->begun[thread];

		if (number >= tacho_load_acquire(&books->granted)) {
			sched_yield();
			continue;
		}
		tacho_store_relaxed(&books->begun[thread], number + 1);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		record(thread, number);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		tacho_store_release(&books->ended[thread], number + 1);
		tacho_store_relaxed(&books->memory_used, tacho_tracer.memory.used);
		tacho_store_relaxed(&books->kept, tacho_tracer.grace.kept_count);
	}
	return arg;
}

static void program_main(void)
{
	pthread_t threads[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, record_what_is_granted, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	exit(0);
}

/* ---- what is expected ---- */

/* Of one thread in one channel: while it is on. Numbers of events; the four times are in order. */
struct span {
	uint32_t first_maybe;
	uint32_t first_sure;
	uint32_t end_sure;
	uint32_t end_maybe;
};

struct flow {
	struct span span[CHANGES + 2];
	uint32_t span_count;
	uint8_t times[NUMBERS]; /* how often each was found, from `base` on */
};

static struct flow flows[CHANNELS][THREADS];
static uint32_t base;             /* the first number that a session can have */
static uint32_t wanted[CHANNELS]; /* masks of threads */
static uint32_t found_count;

static void begin_expecting(void)
{
	memset(flows, 0, sizeof(flows));
	memset(wanted, 0, sizeof(wanted));
	base = books->granted;
}

static void note(const uint32_t *now, const uint32_t *ended, const uint32_t *begun)
{
	for (int c = 0; c < CHANNELS; c++) {
		for (int t = 0; t < THREADS; t++) {
			struct flow *flow = &flows[c][t];
			struct span *last = &flow->span[flow->span_count - 1];
			bool was_on = wanted[c] >> t & 1, is_on = now[c] >> t & 1;

			if (!was_on && is_on)
				flow->span[flow->span_count++] =
					(struct span){ ended[t], begun[t], 0, 0 };
			if (was_on && !is_on) {
				last->end_sure = ended[t];
				last->end_maybe = begun[t];
			}
		}
		wanted[c] = now[c];
	}
}

static bool is_faulty(int c, int t, const char *what, uint32_t number)
{
	const struct flow *flow = &flows[c][t];

	printf("# channel %d, thread %d: event %u is %s, %u times\n", c, t, number, what,
	       flow->times[number - base]);
	for (uint32_t i = 0; i < flow->span_count; i++)
		printf("# on from %u (%u) to %u (%u)\n", flow->span[i].first_maybe,
		       flow->span[i].first_sure, flow->span[i].end_sure, flow->span[i].end_maybe);
	return true;
}

/* The events of a span are there without a gap, those that must be among them. The two kinds of events
 * change one after the other. */
static bool has_faulty_span(int c, int t, const struct span *span, bool is_text)
{
	const struct flow *flow = &flows[c][t];
	uint32_t first = span->first_maybe, end = span->end_maybe;

	while (first < span->first_sure &&
	       (is_of_text(first) != is_text || !flow->times[first - base]))
		first++;
	while (end > span->end_sure &&
	       (is_of_text(end - 1) != is_text || !flow->times[end - 1 - base]))
		end--;
	for (uint32_t n = first; n < end; n++) {
		if (is_of_text(n) == is_text && flow->times[n - base] != 1)
			return is_faulty(c, t, "not there", n);
	}
	return false;
}

static bool is_in_a_span(const struct flow *flow, uint32_t number)
{
	for (uint32_t i = 0; i < flow->span_count; i++) {
		if (number >= flow->span[i].first_maybe && number < flow->span[i].end_maybe)
			return true;
	}
	return false;
}

static bool has_faulty_flow(int c, int t)
{
	const struct flow *flow = &flows[c][t];

	for (uint32_t i = 0; i < flow->span_count; i++) {
		if (has_faulty_span(c, t, &flow->span[i], false) ||
		    has_faulty_span(c, t, &flow->span[i], true))
			return true;
	}
	for (uint32_t i = 0; i < NUMBERS; i++) {
		if (flow->times[i] && !is_in_a_span(flow, base + i))
			return is_faulty(c, t, "there though it was off", base + i);
	}
	return false;
}

/* ---- what is there ---- */

static struct home_session session;

static bool count_record(int c, struct parse *p, const struct parse_record *r)
{
	uint32_t thread, number;
	char name[64];

	if (!home_session_event_name(&session, r->id, name, sizeof(name)) || r->max < 8)
		return false;
	memcpy(&thread, r->payload, 4);
	memcpy(&number, r->payload + 4, 4);
	if (thread >= THREADS || number - base >= NUMBERS)
		return false;
	flows[c][thread].times[number - base]++;
	found_count++;
	parse_skip(p, strcmp(name, "changing:text") ? 8 : 10);
	return true;
}

static bool read_ring(int c, uint32_t cpu)
{
	const struct rings *rings = &session.rings[c];
	struct ring_range range = ring_range(rings, cpu);
	struct parse_record r;
	struct ring_view view;
	struct parse p;

	for (uint64_t k = range.oldest; k < range.end; k++) {
		if (ring_view(rings, cpu, k, &view))
			return false;
		parse_begin(&p, view.content, view.content_bytes, 0);
		while (parse_next(&p, &r)) {
			if (!count_record(c, &p, &r))
				return false;
		}
		if (p.wrong)
			printf("# %s\n", p.wrong);
		if (p.wrong)
			return false;
	}
	return true;
}

static bool nothing_is_lost(int c)
{
	const struct rings *rings = &session.rings[c];
	uint64_t lost[TACHO_LOST_REASONS], sum = 0;

	for (uint32_t cpu = 0; cpu <= rings->ring_count; cpu++) {
		if (cpu < rings->ring_count)
			ring_lost(rings, cpu, lost);
		else
			rings_lost_unattributed(rings, lost);
		for (int i = 0; i < TACHO_LOST_REASONS; i++)
			sum += lost[i];
	}
	if (sum)
		printf("# %llu lost in channel %d\n", (unsigned long long)sum, c);
	return !sum;
}

static bool all_is_right(void)
{
	bool good = true;

	for (int c = 0; c < (int)session.channel_count; c++) {
		for (uint32_t cpu = 0; cpu < session.rings[c].ring_count; cpu++)
			good = good && read_ring(c, cpu);
		good = good && nothing_is_lost(c);
		for (int t = 0; t < THREADS; t++)
			good = good && !has_faulty_flow(c, t);
	}
	return good;
}

/* ---- changes ---- */

static uint32_t place[CHANNELS]; /* of a channel's rule */
static uint32_t masks[CHANNELS]; /* of a disabled channel, when it was not */

static void grant(void)
{
	tacho_store_release(&books->granted, books->granted + STRETCH);
}

static bool program_is_gone(pid_t pid)
{
	siginfo_t info = { 0 };

	return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid;
}

static pid_t program;

/* Return: false if the program has ended */
static bool let_record(void)
{
	grant();
	for (int t = 0; t < THREADS; t++) {
		while (tacho_load_acquire(&books->ended[t]) < books->granted) {
			if (program_is_gone(program))
				return false;
			sched_yield();
		}
	}
	return true;
}

static void read_books(const uint32_t *from, uint32_t *ret_numbers)
{
	for (int t = 0; t < THREADS; t++)
		ret_numbers[t] = tacho_load_acquire(&from[t]);
}

/* As tools do it: a program that reads in between, and has to take what is there since the one who
 * writes got no CPU for long, finds the rules of before, or of after, or both. */
static void change_begin(void)
{
	tacho_fetch_add_acq_rel(&session.file->generation, 1);
	tacho_fence_release();
}

/* Known to everybody when it returns. */
static void change_end(void)
{
	tacho_fetch_add_acq_rel(&session.file->generation, 1);
	home_session_apply(&session);
}

/* A few comparisons where that will do: those have a way of their own (filter/simple.h). */
static void describe(uint32_t mask, char *ret_text, size_t bytes)
{
	uint32_t first = mask ? (uint32_t)__builtin_ctz(mask) : 0;
	uint32_t end = mask ? 32 - (uint32_t)__builtin_clz(mask) : 0;

	if (mask == (1u << end) - (1u << first))
		snprintf(ret_text, bytes, "thread >= %u && %u > thread", first, end);
	else
		snprintf(ret_text, bytes, "(1 << thread) & %u", mask);
}

/* What the threads in @mask record, as a filter in the session's text. */
static struct tacho_span put_filter(uint32_t mask)
{
	static uint32_t at;
	struct filter_complaint complaint, warning;
	struct tacho_filter *filter;
	struct tacho_span span;
	char text[64];

	describe(mask, text, sizeof(text));
	if (filter_compile(text, NULL, NULL, &filter, &warning, &complaint))
		die("compile %s", text);
	at = at + filter->bytes > TACHO_TEXT_BYTES ? 0 : at;
	span = (struct tacho_span){ at, filter->bytes };
	memcpy(session.file->text + at, filter, filter->bytes);
	at += filter->bytes;
	free(filter);
	return span;
}

static uint32_t *rule_state(int c)
{
	return &session.file->rule[place[c]].enabled;
}

/* A rule in a place that no rule had before; only to be enabled. */
static uint32_t *prepare_rule(int c, uint32_t mask)
{
	uint32_t number = tacho_load_relaxed(&session.file->rule_count);
	struct tacho_rule *rule = &session.file->rule[number];

	place[c] = number;
	rule->channel = (uint32_t)c;
	rule->filter = mask == ALL ? (struct tacho_span){ 0 } : put_filter(mask);
	snprintf(rule->pattern, sizeof(rule->pattern), "%s",
		 scenario_random(2) ? "changing:*" : "*:t*");
	tacho_store_release(&session.file->rule_count, number + 1);
	return &rule->enabled;
}

static uint32_t choose_mask(void)
{
	switch (scenario_random(4)) {
	case 0:
		return 0;
	case 1:
		return ALL;
	}
	return 1 + scenario_random(ALL);
}

static void change_rule(int c, uint32_t *now)
{
	uint32_t *old = rule_state(c), *new;

	now[c] = choose_mask();
	new = prepare_rule(c, now[c]);
	change_begin();
	tacho_store_release(new, now[c] ? TACHO_RULE_ENABLED : TACHO_RULE_DISABLED);
	tacho_store_release(old, TACHO_RULE_FREE);
	change_end();
}

static void enable_channel(int c, uint32_t *now)
{
	now[c] = masks[c];
	change_begin();
	tacho_store_release(&session.file->channel[c].is_disabled, 0);
	change_end();
}

static void disable_channel(int c, uint32_t *now)
{
	masks[c] = now[c];
	now[c] = 0;
	change_begin();
	tacho_store_release(&session.file->channel[c].is_disabled, 1);
	change_end();
}

static void add_channel(uint32_t *now)
{
	static const struct home_channel second = { "channel1", RING_BYTES, TACHO_MODE_DISCARD, 0,
						    true };

	uint32_t *new;

	now[1] = choose_mask();
	home_session_add_rings(&session, &second);
	new = prepare_rule(1, now[1]);
	change_begin();
	home_session_add_channel(&session, &second);
	tacho_store_release(new, now[1] ? TACHO_RULE_ENABLED : TACHO_RULE_DISABLED);
	change_end();
}

static void make_change(uint32_t *now)
{
	int c = (int)scenario_random(session.channel_count);

	if (session.channel_count < CHANNELS && !scenario_random(3))
		add_channel(now);
	else if (session.file->channel[c].is_disabled)
		enable_channel(c, now);
	else if (!scenario_random(4))
		disable_channel(c, now);
	else
		change_rule(c, now);
}

/* Events are being recorded when it begins, and when it ends. */
static void change(void (*make)(uint32_t *now))
{
	uint32_t now[CHANNELS], ended[THREADS], begun[THREADS];

	memcpy(now, wanted, sizeof(now));
	grant();
	read_books(books->ended, ended);
	make(now);
	read_books(books->begun, begun);
	note(now, ended, begun);
}

/* ---- a session's life ---- */

static void create(uint32_t *now)
{
	struct home_channel channel = { "channel0", RING_BYTES, TACHO_MODE_DISCARD, 0,
					scenario_random(2) };
	struct home_rule rule = { "changing:*", 0 };

	now[0] = ALL;
	place[0] = 0;
	home_session_create(&session, "changing", 0, &channel, 1, &rule, 1);
	session.file->text_allocated = TACHO_TEXT_BYTES;
	home_session_apply(&session);
}

static void stop(uint32_t *now)
{
	memset(now, 0, CHANNELS * sizeof(*now));
	home_session_stop(&session);
}

static bool live(void)
{
	uint32_t changes = scenario_random(CHANGES + 1);
	bool good;

	begin_expecting();
	change(create);
	good = let_record();
	for (uint32_t i = 0; good && i < changes; i++) {
		change(make_change);
		good = let_record();
	}
	change(stop);
	good = good && let_record() && all_is_right();
	home_session_destroy(&session);
	return good;
}

/* ---- growth ---- */

struct size {
	uint64_t address_space; /* KiB */
	uint64_t maps;
	uint64_t files;
	uint64_t memory; /* of tracer/memory.h */
};

static uint64_t count_lines(const char *what, const char *line_start)
{
	char path[64], line[512];
	uint64_t count = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)program, what);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file)) {
		if (!line_start)
			count++;
		else if (!strncmp(line, line_start, strlen(line_start)))
			count = strtoull(line + strlen(line_start), NULL, 10);
	}
	if (file)
		fclose(file);
	return count;
}

static uint64_t count_files(void)
{
	uint64_t count = 0;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)program);
	dir = opendir(path);
	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

static void raise_to(uint64_t *most, uint64_t value)
{
	if (value > *most)
		*most = value;
}

static void measure(struct size *most)
{
	raise_to(&most->address_space, count_lines("status", "VmSize:"));
	raise_to(&most->maps, count_lines("maps", NULL));
	raise_to(&most->files, count_files());
	raise_to(&most->memory, tacho_load_relaxed(&books->memory_used));
}

/* What a thread that is in the middle of something keeps for a while: two sessions, and a few blocks. */
static bool has_grown(const struct size *early, const struct size *late)
{
	uint64_t slack = 2 * (CHANNELS * 20 * (uint64_t)RING_BYTES + sizeof(struct tacho_session) +
			      TACHO_EVENTS_BYTES + sizeof(struct attachment)) >>
			 10;

	printf("# %llu -> %llu KiB, %llu -> %llu maps, %llu -> %llu files, %llu -> %llu bytes of "
	       "blocks; %u kept\n",
	       (unsigned long long)early->address_space, (unsigned long long)late->address_space,
	       (unsigned long long)early->maps, (unsigned long long)late->maps,
	       (unsigned long long)early->files, (unsigned long long)late->files,
	       (unsigned long long)early->memory, (unsigned long long)late->memory, books->kept);
	return late->address_space > early->address_space + slack ||
	       late->maps > early->maps + 20 || late->files > early->files ||
	       late->memory > early->memory + (256u << 10) || books->kept;
}

static uint32_t cycles_wanted(void)
{
	const char *wanted_cycles = getenv("TACHO_STRESS_CYCLES");
	uint32_t cycles = wanted_cycles ? (uint32_t)atoi(wanted_cycles) : CYCLES_DEFAULT;

	return cycles < 20 ? 20 : cycles;
}

static bool run(const struct scenario *scenario)
{
	uint32_t cycles = cycles_wanted(), done = 0;
	struct size early = { 0 }, late = { 0 };
	bool good = true;

	(void)scenario;
	books = mmap(NULL, sizeof(*books), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	program = scenario_fork();
	if (!program)
		program_main();
	for (; good && done < cycles; done++) {
		good = live();
		measure(done < cycles / 10 ? &early : &late);
	}
	tacho_store_relaxed(&books->stop, 1);
	good = waitpid(program, NULL, 0) == program && good;
	printf("# %u sessions, %u events found\n", done, found_count);
	return good && found_count && !has_grown(&early, &late);
}

static const struct scenario scenarios[] = {
	{ .name = "changes_are_exact_and_leave_nothing_behind", .run = run },
	{ .name = "changes_are_exact_without_rseq", .run = run, .portable = true },
};

int main(int argc, char **argv)
{
	return scenarios_main(scenarios, sizeof(scenarios) / sizeof(scenarios[0]), argc, argv);
}
