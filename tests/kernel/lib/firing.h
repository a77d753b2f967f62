/* SPDX-License-Identifier: MIT */
/*
 * firing.h - the tracepoint of fire/tacho_fire.c from the side of who reads it: what was hit, what is in the
 * rings, and whether each difference was counted as lost.
 */
#ifndef TACHO_TESTS_KERNEL_FIRING_H
#define TACHO_TESTS_KERNEL_FIRING_H

#include <pthread.h>

#include "ring_file.h"
#include "walk.h"

#define FIRING_CPUS_MAX 64
#define FIRING_CONTEXTS 4 /* task, softirq, irq, NMI */
#define FIRING_ID       1 /* the event's */

struct fired {
	uint64_t hits[FIRING_CPUS_MAX][FIRING_CONTEXTS];
};

/* What was read of one CPU. */
struct firing_ledger {
	struct walk walk;
	uint64_t read[FIRING_CONTEXTS];
	uint64_t next[FIRING_CONTEXTS]; /* the sequence that comes next */
	uint64_t skipped;               /* sequences that were not there, of contexts seen before */
	bool has_next[FIRING_CONTEXTS];
	bool went_back;
};

/* The run: hits for some milliseconds, by a thread, since the write that starts it lasts so long. */
struct firing {
	pthread_t thread;
	unsigned int milliseconds;
	bool is_over;
};

bool firing_start(struct firing *firing, unsigned int milliseconds);
bool firing_is_over(struct firing *firing);
void firing_join(struct firing *firing);

/* firing_count() - hits so far. Return: false if the module is not loaded. */
bool firing_count(struct fired *ret_fired);
uint64_t firing_hits(const struct fired *before, const struct fired *after, uint32_t cpu);

void ledger_init(struct firing_ledger *ledger);
uint64_t ledger_read(const struct firing_ledger *ledger);
/* ledger_forget_place() - what comes next is not behind what came before. */
void ledger_forget_place(struct firing_ledger *ledger);

#endif
