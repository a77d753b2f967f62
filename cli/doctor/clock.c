/* SPDX-License-Identifier: MIT */
/*
 * clock.c - which clock sessions use, what reading it costs, and whether the CPUs agree.
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "base/fd.h"
#include "doctor.h"
#include "format/port.h"
#include "session/clock.h"
#include "session/cpus.h"

#define SOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

#define COST_READS   5000
#define COST_BATCHES 9

#define AGREEMENT_ROUNDS      2000
#define AGREEMENT_ROUNDS_MIN  100
#define AGREEMENT_DEADLINE_NS 50000000ull
#define AGREEMENT_PAIRS_MAX   32

static uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static uint64_t counter(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#else
	return monotonic_ns();
#endif
}

/* Not before all that stands above it: else a CPU reads the clock while it still waits for its turn. */
static uint64_t counter_in_order(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_lfence();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#endif
	return counter();
}

/* The best of some batches: others run on this machine, too. */
static double cost_ns(uint64_t (*read_clock)(void))
{
	uint64_t best = UINT64_MAX;

	for (int batch = 0; batch < COST_BATCHES; batch++) {
		uint64_t begin = monotonic_ns(), took;

		for (int i = 0; i < COST_READS; i++)
			read_clock();
		took = monotonic_ns() - begin;
		if (took < best)
			best = took;
	}
	return (double)best / COST_READS;
}

static bool is_invariant(void)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned int a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && d & 1 << 8;
#else
	return true;
#endif
}

static bool is_slow_source(const char *source)
{
	return !strcmp(source, "hpet") || !strcmp(source, "acpi_pm") ||
	       !strcmp(source, "refined-jiffies") || !strcmp(source, "jiffies");
}

static void check_source(struct findings *all)
{
	double cost = cost_ns(monotonic_ns);
	char source[64];

	if (file_read_text(-1, SOURCE, source, sizeof(source)) < 0)
		strcpy(source, "unknown");
	if (is_slow_source(source))
		found_mend(found(all, "clock source", VERDICT_WARN,
				 "the kernel uses %s; "
				 "clock_gettime() takes %.0f ns",
				 source, cost),
			   "boot with tsc=reliable if the machine's counter is good; see: "
			   "dmesg | grep -i -e tsc -e clocksource");
	else
		found(all, "clock source", VERDICT_OK, "%s; clock_gettime() takes %.0f ns", source,
		      cost);
}

static void check_choice(struct findings *all)
{
	bool is_counter = clock_choose() == TACHO_CLOCK_COUNTER;

	if (is_counter)
		found(all, "clock", VERDICT_OK,
		      "sessions use the CPU's counter; reading it takes "
		      "%.1f ns",
		      cost_ns(counter));
	else
		found(all, "clock", VERDICT_WARN,
		      "sessions use CLOCK_MONOTONIC, as the CPU's "
		      "counter cannot be trusted; an event costs that much more");
	if (is_invariant())
		found(all, "counter", VERDICT_OK, "runs at one speed at all times");
	else
		found(all, "counter", is_counter ? VERDICT_FAIL : VERDICT_WARN,
		      "the CPU does not promise that it runs at one speed");
}

/* Two threads on two CPUs pass a turn back and forth; each expects a time not before the other's. */
struct agreement {
	uint32_t turn;
	uint32_t done; /* 1: give up */
	uint64_t latest;
	uint64_t rounds;
	uint64_t backwards; /* by how much, at most */
	uint64_t deadline_ns;
	uint32_t ready;
};

struct player {
	struct agreement *game;
	uint32_t cpu;
	uint32_t number; /* 0 or 1 */
};

static bool pin(uint32_t cpu)
{
	cpu_set_t set;

	if (cpu >= CPU_SETSIZE)
		return false;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return !pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/* The turn's release and acquire order everything else of the game. */
static void take_turn(struct agreement *game, uint32_t number)
{
	uint64_t now = counter_in_order();

	if (now < game->latest && game->latest - now > game->backwards)
		game->backwards = game->latest - now;
	game->latest = now;
	game->rounds++;
	tacho_store_release(&game->turn, 1 - number);
}

static bool is_over(struct agreement *game)
{
	return tacho_load_relaxed(&game->done) || monotonic_ns() > game->deadline_ns;
}

static void *play(void *argument)
{
	struct player *player = argument;
	struct agreement *game = player->game;
	uint32_t spins = 0;

	if (!pin(player->cpu)) {
		tacho_store_relaxed(&game->done, 1);
		return NULL;
	}
	while (!tacho_load_relaxed(&game->done)) {
		if (tacho_load_acquire(&game->turn) == player->number) {
			if (game->rounds >= AGREEMENT_ROUNDS)
				tacho_store_relaxed(&game->done, 1);
			else
				take_turn(game, player->number);
		} else if (++spins % 1024 == 0 && is_over(game)) {
			tacho_store_relaxed(&game->done, 1);
		}
	}
	return NULL;
}

/* Threads of their own, so that the command itself stays unpinned. */
static bool play_pair(uint32_t first, uint32_t second, struct agreement *game)
{
	struct player players[2] = { { game, first, 0 }, { game, second, 1 } };
	pthread_t thread[2];

	*game = (struct agreement){ .deadline_ns = monotonic_ns() + AGREEMENT_DEADLINE_NS };
	if (pthread_create(&thread[0], NULL, play, &players[0]))
		return false;
	if (pthread_create(&thread[1], NULL, play, &players[1])) {
		tacho_store_relaxed(&game->done, 1);
		pthread_join(thread[0], NULL);
		return false;
	}
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	return game->rounds >= AGREEMENT_ROUNDS_MIN;
}

/* CPUs that this process may run on: others cannot be asked. */
static uint32_t next_cpu(const cpu_set_t *allowed, uint32_t from)
{
	while (from < CPU_SETSIZE && !CPU_ISSET(from, allowed))
		from++;
	return from;
}

static void check_agreement(struct findings *all)
{
	unsigned int asked = 0, pairs = 0;
	uint64_t backwards = 0;
	struct agreement game;
	cpu_set_t allowed;
	uint32_t first;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		CPU_ZERO(&allowed);
	first = next_cpu(&allowed, 0);
	for (uint32_t cpu = next_cpu(&allowed, first + 1);
	     cpu < CPU_SETSIZE && asked < AGREEMENT_PAIRS_MAX;
	     cpu = next_cpu(&allowed, cpu + 1), asked++) {
		pairs += play_pair(first, cpu, &game);
		if (game.backwards > backwards)
			backwards = game.backwards;
	}
	if (backwards)
		found_mend(found(all, "CPUs", VERDICT_FAIL,
				 "their counters differ by %llu ticks; "
				 "events of different CPUs may be in the wrong order",
				 (unsigned long long)backwards),
			   "boot with clocksource=hpet tsc=unstable, or bring the firmware up to "
			   "date");
	else if (pairs < asked)
		found(all, "CPUs", VERDICT_WARN,
		      "only %u of %u could be compared, as the machine "
		      "is busy; try again later",
		      pairs + 1, asked + 1);
	else
		found(all, "CPUs", VERDICT_OK, "the counters of %u CPU%s agree", asked + 1,
		      asked ? "s" : "");
}

void doctor_clock(struct findings *all)
{
	check_source(all);
	check_choice(all);
	check_agreement(all);
}
