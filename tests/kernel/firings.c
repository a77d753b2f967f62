/* SPDX-License-Identifier: MIT */
/*
 * firings.c - every hit of a tracepoint from every context is in the ring or counted as lost, from a
 * program in the booted kernel: firings CASE MILLISECONDS.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/firing.h"
#include "lib/guest.h"
#include "lib/ring_file.h"
#include "lib/sleeper.h"
#include "lib/take.h"

#define RING_BYTES  (256u << 10)
#define SEND_NMIS   "/sys/module/tacho_fire/parameters/send_nmis"
#define RESTS       "/sys/module/tacho_fire/parameters/rests"
#define TOLD_ENOUGH 2
#define REPEATS_MAX 50
#define OUTSIDE     "/dev/ttyS1" /* who sends NMIs there listens here: '1' begin, '0' stop */

struct ledgers {
	struct firing_ledger of[FIRING_CPUS_MAX];
};

/* Of the drain, and of snapshots. */
static struct ledgers drained, seen;

struct run {
	struct ring_file file;
	struct firing firing;
	struct fired before, after;
	unsigned int repeated;
};

struct totals {
	uint64_t hits[FIRING_CONTEXTS], read, lost, skipped;
	bool is_equal, is_in_order;
};

static bool start(struct run *run, uint32_t mode, unsigned int milliseconds)
{
	run->repeated = 0;
	if (ring_file_open(&run->file, mode, RING_BYTES, guest_cpus()) ||
	    !firing_count(&run->before) || ring_file_record(&run->file, "tacho_fire", FIRING_ID, 2))
		return false;
	for (uint32_t cpu = 0; cpu < FIRING_CPUS_MAX; cpu++) {
		ledger_init(&drained.of[cpu]);
		ledger_init(&seen.of[cpu]);
	}
	return firing_start(&run->firing, milliseconds);
}

/* Nobody writes to the rings behind it. */
static void stop(struct run *run)
{
	firing_join(&run->firing);
	firing_count(&run->after);
	ring_file_detach(&run->file);
}

static uint64_t lost_of(struct ring_file *file, uint32_t cpu)
{
	uint64_t lost[TACHO_LOST_REASONS], sum = 0;

	ring_lost(&file->rings, cpu, lost);
	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		sum += lost[i];
	return sum;
}

static void balance_cpu(struct totals *t, struct run *run, struct ledgers *ledgers, uint32_t cpu)
{
	const struct firing_ledger *ledger = &ledgers->of[cpu];
	uint64_t read = ledger_read(ledger), lost = lost_of(&run->file, cpu);

	for (int i = 0; i < FIRING_CONTEXTS; i++)
		t->hits[i] += run->after.hits[cpu][i] - run->before.hits[cpu][i];
	t->read += read;
	t->lost += lost;
	t->skipped += ledger->skipped;
	t->is_equal &= firing_hits(&run->before, &run->after, cpu) == read + lost;
	t->is_in_order &= !ledger->went_back;
}

static struct totals balance(struct run *run, struct ledgers *ledgers)
{
	struct totals t = { .is_equal = true, .is_in_order = true };

	for (uint32_t cpu = 0; cpu < run->file.rings.ring_count; cpu++)
		balance_cpu(&t, run, ledgers, cpu);
	return t;
}

static bool say_totals(const char *name, bool passed, const struct totals *t)
{
	return guest_say(
		name, passed,
		"hits of task %llu, softirq %llu, irq %llu, NMI %llu; read %llu, lost %llu",
		(unsigned long long)t->hits[0], (unsigned long long)t->hits[1],
		(unsigned long long)t->hits[2], (unsigned long long)t->hits[3],
		(unsigned long long)t->read, (unsigned long long)t->lost);
}

/* Every context was there, or the test shows nothing. */
static bool has_all_contexts(const struct totals *t)
{
	return t->hits[0] && t->hits[1] && t->hits[2] && t->hits[3];
}

static bool drain(struct ring_file *file, bool is_end)
{
	for (uint32_t cpu = 0; cpu < file->rings.ring_count; cpu++) {
		if (!take_ring(file, cpu, &drained.of[cpu].walk, is_end))
			return false;
	}
	return true;
}

/* Reads all there is, while it is written to. Returns the sub-buffers that were whole, or -1. */
static long snapshot_ring(struct ring_file *file, uint32_t cpu, struct firing_ledger *ledger)
{
	struct ring_range range = ring_range_kept(&file->rings, cpu);
	long whole = 0;

	ledger_forget_place(ledger);
	for (uint64_t k = range.oldest; k < range.end; k++) {
		int ret = take_subbuf(file, cpu, k, &ledger->walk);

		if (ret < 0) {
			take_blame("snapshot", cpu, k, &ledger->walk);
			return -1;
		}
		if (!ret)
			ledger_forget_place(ledger);
		whole += ret;
	}
	return whole;
}

static long snapshot(struct ring_file *file)
{
	long sum = 0;

	for (uint32_t cpu = 0; cpu < file->rings.ring_count; cpu++) {
		long whole = snapshot_ring(file, cpu, &seen.of[cpu]);

		if (whole < 0)
			return -1;
		sum += whole;
	}
	return sum;
}

struct snapshots {
	struct run *run;
	long taken, whole; /* whole: sub-buffers, or -1 */
};

static void take_snapshots(struct snapshots *s)
{
	while (s->whole >= 0 && !firing_is_over(&s->run->firing)) {
		long whole = snapshot(&s->run->file);

		s->whole = whole < 0 ? -1 : s->whole + whole;
		s->taken++;
		usleep(500);
	}
}

static void *take_snapshots_beside(void *snapshots)
{
	take_snapshots(snapshots);
	return NULL;
}

static bool drain_to_the_end(struct run *run)
{
	bool is_whole = true;

	while (is_whole && !firing_is_over(&run->firing)) {
		is_whole = drain(&run->file, false);
		usleep(500);
	}
	stop(run);
	return is_whole && drain(&run->file, true);
}

/* A drain, and snapshots beside it, while all contexts write. */
static bool discard(const char *name, unsigned int milliseconds)
{
	struct run run;
	struct snapshots snapshots = { .run = &run };
	pthread_t beside;
	struct totals t;
	bool is_whole;

	if (!start(&run, TACHO_MODE_DISCARD, milliseconds))
		return guest_say(name, false, "not recorded: %s", strerror(errno));
	pthread_create(&beside, NULL, take_snapshots_beside, &snapshots);
	is_whole = drain_to_the_end(&run);
	pthread_join(beside, NULL);
	t = balance(&run, &seen);
	is_whole &= t.is_in_order && snapshots.whole > 0;
	t = balance(&run, &drained);
	ring_file_close(&run.file);
	printf("# %ld snapshots beside the drain, %ld sub-buffers\n", snapshots.taken,
	       snapshots.whole);
	return say_totals(name,
			  is_whole && t.is_equal && t.is_in_order && has_all_contexts(&t) && t.read,
			  &t);
}

static bool discard_is_exact(unsigned int milliseconds)
{
	return discard("each_hit_of_each_context_is_read_or_counted_as_lost_also_while_snapshots_"
		       "are_taken",
		       milliseconds);
}

static bool say_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	bool is_said = fd >= 0 && write(fd, text, 1) == 1;

	close(fd);
	return is_said;
}

/* NMIs of the emulated board, not of another CPU of it. */
static bool outside_is_exact(unsigned int milliseconds)
{
	const char *name = "nmis_from_outside_are_read_or_counted_as_lost";

	if (!say_to(SEND_NMIS, "0") || !say_to(OUTSIDE, "1"))
		return guest_say(name, false, "nobody is asked: %s", strerror(errno));
	discard(name, milliseconds);
	return say_to(OUTSIDE, "0");
}

/* A machine may be too slow to tell anybody in the time: the hits are repeated until it was done. */
static bool goes_on(struct run *run, struct sleeper *sleeper)
{
	if (!firing_is_over(&run->firing))
		return true;
	if (sleeper_told(sleeper) >= TOLD_ENOUGH || run->repeated++ >= REPEATS_MAX)
		return false;
	firing_join(&run->firing);
	return firing_start(&run->firing, run->firing.milliseconds);
}

/* Sleeps between looks, and drains what it was woken for. Returns how often it was not told. */
static unsigned int sleep_and_drain(struct run *run, struct sleeper *sleeper)
{
	unsigned int forgotten = 0;
	bool is_whole = true;

	while (is_whole && goes_on(run, sleeper)) {
		forgotten += !sleeper_sleep(sleeper, &run->file);
		is_whole = drain(&run->file, false);
	}
	return is_whole ? forgotten : UINT32_MAX;
}

/* Nobody sleeps: nobody is told. */
static bool is_left_alone(struct sleeper *sleeper)
{
	struct firing firing;

	if (!firing_start(&firing, 50))
		return false;
	firing_join(&firing);
	return !sleeper_told(sleeper);
}

static bool sleeper_is_told(unsigned int milliseconds)
{
	const char *name = "a_drain_that_sleeps_is_told_of_complete_sub_buffers_and_no_other";
	struct run run;
	struct sleeper sleeper;
	struct totals t;
	bool is_right;
	unsigned int forgotten;
	int ret;

	if (!say_to(RESTS, "1") || !start(&run, TACHO_MODE_DISCARD, milliseconds))
		return guest_say(name, false, "not recorded: %s", strerror(errno));
	ret = sleeper_init(&sleeper, &run.file);
	forgotten = sleep_and_drain(&run, &sleeper);
	is_right = !ret && !sleeper_hang(&sleeper, &run.file);
	stop(&run);
	is_right &= drain(&run.file, true) && sleeper_take_down(&run.file) == -ENOENT;
	sleeper_fini(&sleeper);
	t = balance(&run, &drained);
	ring_file_close(&run.file);
	printf("# told %llu times, forgotten %u times\n",
	       (unsigned long long)sleeper_told(&sleeper), forgotten);
	return say_totals(name,
			  is_right && !forgotten && sleeper_told(&sleeper) >= TOLD_ENOUGH &&
				  t.is_equal && t.is_in_order,
			  &t);
}

/* With events that come, and another one in its place again and again. */
static bool waking_changes(unsigned int turns)
{
	const char *name =
		"who_is_told_changes_while_events_are_recorded_and_who_does_not_sleep_is_not";
	struct run run;
	struct sleeper sleeper;
	bool is_right;
	unsigned int turn = 0;

	if (!start(&run, TACHO_MODE_OVERWRITE, 1))
		return guest_say(name, false, "not recorded: %s", strerror(errno));
	firing_join(&run.firing);
	is_right = !sleeper_init(&sleeper, &run.file) && is_left_alone(&sleeper);
	firing_start(&run.firing, 300);
	for (; is_right && (goes_on(&run, &sleeper) || turn < turns); turn++) {
		__atomic_store_n(sleeper.word, 1, __ATOMIC_RELAXED);
		is_right = !sleeper_hang(&sleeper, &run.file) &&
			   (turn % 3 || !sleeper_take_down(&run.file));
	}
	stop(&run);
	sleeper_fini(&sleeper);
	ring_file_close(&run.file);
	return guest_say(name, is_right && sleeper_told(&sleeper) >= TOLD_ENOUGH,
			 "%u times, told %llu times", turn,
			 (unsigned long long)sleeper_told(&sleeper));
}

/* The newest record of each context is in the last snapshot, but for what was lost. */
static uint64_t missing_at_the_end(const struct run *run)
{
	uint64_t missing = 0;

	for (uint32_t cpu = 0; cpu < run->file.rings.ring_count; cpu++) {
		for (int i = 0; i < FIRING_CONTEXTS; i++) {
			if (seen.of[cpu].has_next[i])
				missing += run->after.hits[cpu][i] - seen.of[cpu].next[i];
		}
	}
	return missing;
}

static bool snapshots_are_whole(unsigned int milliseconds)
{
	const char *name =
		"snapshots_of_a_ring_that_is_overwritten_have_no_hole_and_end_by_the_last_hit";
	struct run run;
	struct snapshots s = { .run = &run };
	struct totals t;
	uint64_t missing;
	long last;

	if (!start(&run, TACHO_MODE_OVERWRITE, milliseconds))
		return guest_say(name, false, "not recorded: %s", strerror(errno));
	take_snapshots(&s);
	stop(&run);
	last = s.whole < 0 ? s.whole : snapshot(&run.file);
	missing = missing_at_the_end(&run);
	t = balance(&run, &seen);
	ring_file_close(&run.file);
	printf("# %ld snapshots, %ld sub-buffers, %llu records skipped, %llu missing at the end\n",
	       s.taken, s.whole, (unsigned long long)t.skipped, (unsigned long long)missing);
	return say_totals(name,
			  last > 0 && s.taken > 2 && t.is_in_order && has_all_contexts(&t) &&
				  t.skipped <= t.lost * (uint64_t)s.taken && missing <= t.lost,
			  &t);
}

static const struct guest_case cases[] = {
	{ "discard", discard_is_exact }, { "overwrite", snapshots_are_whole },
	{ "outside", outside_is_exact }, { "sleeper", sleeper_is_told },
	{ "waking", waking_changes },    { NULL, NULL },
};

int main(int argc, char **argv)
{
	return guest_main(cases, argc, argv);
}
