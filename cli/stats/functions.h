/* SPDX-License-Identifier: MIT */
/*
 * functions.h - how long functions take: of the events of tacho-functions(7).
 *
 * Of each thread, the functions that it is in are a stack:
 *
 *      main | parse | read                 entry of read: its time begins
 *      main | parse                        exit of read: so long it took, and so long parse did not
 *                                          take by itself
 *
 * An exit ends the latest entry of its function; those above it, left by longjmp() or whose exits were
 * lost, count as calls without an exit. A function that is called below itself has its total once.
 *
 * A function is an address in a process. At most STATS_FUNCTIONS_MAX are kept, STATS_CALLS_DEPTH calls
 * in each other and STATS_CALLS_OPEN at a time; what is beyond is left out, and counted.
 */
#ifndef TACHO_CLI_STATS_FUNCTIONS_H
#define TACHO_CLI_STATS_FUNCTIONS_H

#include "cli/view/map.h"
#include "cli/view/symbols.h"
#include "ctf/read/reader.h"
#include "durations.h"

#define STATS_FUNCTIONS_MAX 8192
#define STATS_CALLS_DEPTH   4096
#define STATS_CALLS_OPEN    (1u << 19)

struct stats_function {
	uint64_t address;
	uint32_t pid;
	char *symbol; /* or NULL */
	uint64_t calls;
	uint64_t total_ns, self_ns;
	struct stats_durations durations; /* of calls that have an exit */
};

struct stats_functions {
	struct view_map *by_address;  /* struct stats_function */
	struct view_map *threads;     /* by process and thread: the functions that it is in */
	struct view_symbols *symbols; /* borrowed; NULL: functions are addresses */
	uint64_t open_room;           /* of all threads */
	uint64_t entries, exits;
	uint64_t without_exit;  /* calls: left in another way */
	uint64_t without_entry; /* exits */
	uint64_t left_out;      /* calls */
};

void stats_functions_init(struct stats_functions *functions);
void stats_functions_fini(struct stats_functions *functions);

/* What an event says to it (calls.h). */
struct stats_functions_call {
	enum {
		STATS_ENTRY,
		STATS_EXIT,
		STATS_EXIT_LAST,  /* of the function that was entered last; it is not named */
		STATS_ENTRY_ALONE /* there are no exits */
	} kind;
	uint64_t address;
	uint64_t time_ns;
	uint32_t tid;
	struct symbols_process process; /* the pid alone, where nobody asks for symbols */
};

/* stats_functions_take() - Return: false: the event is another one. */
bool stats_functions_take(const struct stats_functions *functions, const struct ctf_item *item,
			  struct stats_functions_call *ret_call);
void stats_functions_put(struct stats_functions *functions,
			 const struct stats_functions_call *call);

/* stats_functions_unfinished() - calls that are not over */
uint64_t stats_functions_unfinished(const struct stats_functions *functions);

/* stats_functions_sorted() - those that took most by themselves first. Return: as view_map_sorted(). */
struct view_map_entry *stats_functions_sorted(const struct stats_functions *functions);

#endif
