/* SPDX-License-Identifier: MIT */
/* locks.c - see locks.h */
#include "locks.h"

#include <stdlib.h>
#include <string.h>

#include "cli/view/filter.h"

#define PROVIDER "lttng_ust_pthread"

struct lock_key {
	uint64_t address;
	uint64_t pid;
};

void stats_locks_init(struct stats_locks *locks)
{
	*locks = (struct stats_locks){
		.by_address = view_map_new(sizeof(struct stats_lock), STATS_LOCKS_MAX),
		.waits = stats_values_new(),
	};
}

static void free_symbols(struct stats_locks *locks)
{
	struct view_map_entry *entries = locks->symbols ? stats_locks_sorted(locks) : NULL;

	for (size_t i = 0; entries && i < view_map_count(locks->by_address); i++)
		free(((struct stats_lock *)entries[i].value)->symbol);
	free(entries);
}

void stats_locks_fini(struct stats_locks *locks)
{
	free_symbols(locks);
	view_map_free(locks->by_address);
	stats_values_free(locks->waits);
}

static const struct ctf_value *number_of(const struct ctf_event *event, const char *name)
{
	const struct ctf_value *value = view_field(event, name, strlen(name));

	return value && (value->kind == CTF_VALUE_UNSIGNED || value->kind == CTF_VALUE_SIGNED) ?
		       value :
		       NULL;
}

/* A wait for a condition has its mutex as well. Return: what was waited for, or NULL. */
static const struct ctf_value *lock_of(const struct ctf_event *event, const char **ret_kind)
{
	static const char *const kinds[] = { "cond", "mutex", "rwlock" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct ctf_value *value = number_of(event, kinds[i]);

		*ret_kind = kinds[i];
		if (value)
			return value;
	}
	return NULL;
}

bool stats_locks_take(const struct stats_locks *locks, const struct ctf_item *item,
		      struct stats_locks_call *ret_call)
{
	const struct ctf_event *event = &item->event;
	const struct ctf_value *lock, *wait, *caller;
	const char *kind;

	if (strcmp(event->provider, PROVIDER))
		return false;
	lock = lock_of(event, &kind);
	wait = number_of(event, "wait_ns");
	if (!lock || !wait)
		return false;
	caller = number_of(event, "caller");
	*ret_call = (struct stats_locks_call){ .kind = kind,
					       .address = lock->u,
					       .wait_ns = wait->u,
					       .caller = caller ? caller->u : 0,
					       .time_ns = item->time_ns,
					       .process.pid = event->pid };
	if (locks->symbols)
		ret_call->process = view_symbols_process(locks->symbols, event);
	return true;
}

static void name_wait(const struct stats_locks *locks, const struct stats_locks_call *call,
		      struct stats_lock *lock)
{
	struct symbol symbol;

	free(lock->symbol);
	lock->symbol = NULL;
	if (locks->symbols && view_symbols_at(locks->symbols, call->process, call->time_ns,
					      call->caller, true, &symbol))
		lock->symbol = view_symbol_text(&symbol);
}

static void count(struct stats_locks *locks, const struct stats_locks_call *call)
{
	const struct lock_key key = { call->address, call->process.pid };
	struct stats_lock *lock = view_map_get(locks->by_address, &key, sizeof(key));

	if (!lock)
		return;
	lock->kind = call->kind;
	lock->address = call->address;
	lock->pid = call->process.pid;
	lock->calls++;
	lock->waits += call->wait_ns > 0;
	lock->wait_ns += call->wait_ns;
	if (call->wait_ns <= lock->longest_ns)
		return;
	lock->longest_ns = call->wait_ns;
	name_wait(locks, call, lock);
}

void stats_locks_put(struct stats_locks *locks, const struct stats_locks_call *call)
{
	locks->calls++;
	count(locks, call);
	if (call->wait_ns && strcmp(call->kind, "cond"))
		stats_values_add(locks->waits, (double)call->wait_ns);
}

static int compare(const void *a, const void *b)
{
	const struct stats_lock *x = ((const struct view_map_entry *)a)->value;
	const struct stats_lock *y = ((const struct view_map_entry *)b)->value;

	if (x->wait_ns != y->wait_ns)
		return x->wait_ns < y->wait_ns ? 1 : -1;
	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

struct view_map_entry *stats_locks_sorted(const struct stats_locks *locks)
{
	return view_map_sorted(locks->by_address, compare);
}
