/* SPDX-License-Identifier: MIT */
/*
 * locks.h - which locks threads waited for, and how long: of the events of tacho-locks(7) that
 * have a field wait_ns.
 *
 * A lock is an address in a process; at most STATS_LOCKS_MAX are kept, and events of others counted.
 * Waits for condition variables are mostly meant, so they are not among `waits`.
 */
#ifndef TACHO_CLI_STATS_LOCKS_H
#define TACHO_CLI_STATS_LOCKS_H

#include "cli/view/map.h"
#include "cli/view/symbols.h"
#include "ctf/read/reader.h"
#include "values.h"

#define STATS_LOCKS_MAX 65536

struct stats_lock {
	const char *kind; /* "mutex", "rwlock" or "cond" */
	uint64_t address;
	uint32_t pid;
	uint64_t calls;
	uint64_t waits; /* calls that did not have it at once */
	uint64_t wait_ns, longest_ns;
	char *symbol; /* where the longest wait was; NULL: not known */
};

struct stats_locks {
	struct view_map *by_address; /* struct stats_lock */
	struct stats_values *waits;  /* for mutexes and rwlocks, nanoseconds */
	uint64_t calls;
	struct view_symbols *symbols; /* NULL: addresses get no names */
};

void stats_locks_init(struct stats_locks *locks);
void stats_locks_fini(struct stats_locks *locks);

/* What an event says to it (calls.h). */
struct stats_locks_call {
	const char *kind;
	uint64_t address, wait_ns;
	uint64_t caller, time_ns;
	struct symbols_process process; /* with symbols; else only its pid */
};

/* stats_locks_take() - Return: false: the event is another one. */
bool stats_locks_take(const struct stats_locks *locks, const struct ctf_item *item,
		      struct stats_locks_call *ret_call);
void stats_locks_put(struct stats_locks *locks, const struct stats_locks_call *call);

/* stats_locks_sorted() - the longest waited for first. Return: as view_map_sorted(). */
struct view_map_entry *stats_locks_sorted(const struct stats_locks *locks);

#endif
