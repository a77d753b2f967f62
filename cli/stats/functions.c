/* SPDX-License-Identifier: MIT */
/* functions.c - see functions.h */
#include "functions.h"

#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "cli/view/filter.h"

#define THREADS_MAX 16384
#define FIRST_ROOM  16

struct function_key {
	uint64_t address;
	uint64_t pid;
};

struct frame {
	struct stats_function *function; /* NULL: there was no room for it */
	uint64_t address;
	uint64_t begin_ns;
	uint64_t inside_ns; /* in what it called */
};

struct thread {
	struct frame *frames;
	uint32_t depth, room;
	uint64_t beyond; /* calls above all frames, for which there was no room */
};

void stats_functions_init(struct stats_functions *functions)
{
	*functions = (struct stats_functions){
		.by_address = view_map_new(sizeof(struct stats_function), STATS_FUNCTIONS_MAX),
		.threads = view_map_new(sizeof(struct thread), THREADS_MAX),
	};
}

static void free_functions(const struct view_map *map)
{
	struct view_map_entry *entries = view_map_sorted(map, view_map_oldest_first);

	for (size_t i = 0; i < view_map_count(map); i++) {
		struct stats_function *function = entries[i].value;

		free(function->symbol);
		stats_durations_fini(&function->durations);
	}
	free(entries);
}

void stats_functions_fini(struct stats_functions *functions)
{
	struct view_map_entry *threads = view_map_sorted(functions->threads, view_map_oldest_first);

	for (size_t i = 0; i < view_map_count(functions->threads); i++)
		free(((struct thread *)threads[i].value)->frames);
	free(threads);
	free_functions(functions->by_address);
	view_map_free(functions->threads);
	view_map_free(functions->by_address);
}

/* ---- calls ---- */

static void name_function(struct stats_functions *functions,
			  const struct stats_functions_call *call, struct stats_function *function)
{
	struct symbol symbol;

	if (functions->symbols && view_symbols_at(functions->symbols, call->process, call->time_ns,
						  call->address, false, &symbol))
		function->symbol = view_symbol_text(&symbol);
}

static struct stats_function *function_of(struct stats_functions *functions,
					  const struct stats_functions_call *call)
{
	const struct function_key key = { call->address, call->process.pid };
	struct stats_function *function = view_map_get(functions->by_address, &key, sizeof(key));

	if (!function)
		return NULL;
	if (!function->calls)
		name_function(functions, call, function);
	function->address = call->address;
	function->pid = call->process.pid;
	function->calls++;
	return function;
}

static struct thread *thread_of(struct stats_functions *functions,
				const struct stats_functions_call *call)
{
	const uint32_t key[] = { call->process.pid, call->tid };

	return view_map_get(functions->threads, key, sizeof(key));
}

static bool has_room(struct stats_functions *functions, struct thread *thread)
{
	uint32_t room = thread->room ? 2 * thread->room : FIRST_ROOM;

	if (thread->depth < thread->room)
		return true;
	if (room > STATS_CALLS_DEPTH ||
	    functions->open_room + room - thread->room > STATS_CALLS_OPEN)
		return false;
	thread->frames = xrealloc(thread->frames, room * sizeof(*thread->frames));
	functions->open_room += room - thread->room;
	thread->room = room;
	return true;
}

static void enter(struct stats_functions *functions, const struct stats_functions_call *call)
{
	struct stats_function *function = function_of(functions, call);
	struct thread *thread = thread_of(functions, call);

	functions->entries++;
	if (!thread || thread->beyond || !has_room(functions, thread)) {
		functions->left_out++;
		if (thread)
			thread->beyond++;
		return;
	}
	functions->left_out += !function;
	thread->frames[thread->depth++] =
		(struct frame){ function, call->address, call->time_ns, 0 };
}

static bool is_below_itself(const struct thread *thread, const struct frame *frame)
{
	for (const struct frame *below = thread->frames; below < frame; below++) {
		if (below->address == frame->address)
			return true;
	}
	return false;
}

static void end_call(struct thread *thread, uint64_t time_ns)
{
	struct frame *frame = &thread->frames[--thread->depth];
	uint64_t ns = time_ns > frame->begin_ns ? time_ns - frame->begin_ns : 0;
	struct stats_function *function = frame->function;

	if (thread->depth)
		frame[-1].inside_ns += ns;
	if (!function)
		return;
	stats_durations_add(&function->durations, ns);
	function->self_ns += ns > frame->inside_ns ? ns - frame->inside_ns : 0;
	if (!is_below_itself(thread, frame))
		function->total_ns += ns;
}

/* It was left in another way. What it called is then inside the one below. */
static void drop_call(struct stats_functions *functions, struct thread *thread)
{
	struct frame *frame = &thread->frames[--thread->depth];

	frame[-1].inside_ns += frame->inside_ns;
	functions->without_exit++;
}

static bool is_in(const struct thread *thread, uint64_t address)
{
	for (uint32_t i = thread->depth; i; i--) {
		if (thread->frames[i - 1].address == address)
			return true;
	}
	return false;
}

static void leave(struct stats_functions *functions, const struct stats_functions_call *call)
{
	struct thread *thread = thread_of(functions, call);
	bool has_name = call->kind == STATS_EXIT;

	functions->exits++;
	if (thread && thread->beyond) {
		thread->beyond--;
		return;
	}
	if (!thread || !thread->depth || (has_name && !is_in(thread, call->address))) {
		functions->without_entry++;
		return;
	}
	while (has_name && thread->frames[thread->depth - 1].address != call->address)
		drop_call(functions, thread);
	end_call(thread, call->time_ns);
}

void stats_functions_put(struct stats_functions *functions, const struct stats_functions_call *call)
{
	switch (call->kind) {
	case STATS_ENTRY:
		enter(functions, call);
		break;
	case STATS_EXIT:
	case STATS_EXIT_LAST:
		leave(functions, call);
		break;
	case STATS_ENTRY_ALONE:
		functions->entries++;
		functions->left_out += !function_of(functions, call);
		break;
	}
}

/* ---- events ---- */

static const struct {
	const char *provider, *name;
	int kind;
} events[] = {
	{ "lttng_ust_cyg_profile", "func_entry", STATS_ENTRY },
	{ "lttng_ust_cyg_profile", "func_exit", STATS_EXIT },
	{ "lttng_ust_cyg_profile_fast", "func_entry", STATS_ENTRY },
	{ "lttng_ust_cyg_profile_fast", "func_exit", STATS_EXIT_LAST },
	{ "function", "entry", STATS_ENTRY_ALONE },
};

/* Return: -1: it is another one. */
static int kind_of(const struct ctf_event *event)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (!strcmp(events[i].provider, event->provider) &&
		    !strcmp(events[i].name, event->base_name))
			return events[i].kind;
	}
	return -1;
}

static bool take_address(const struct ctf_event *event, uint64_t *ret_address)
{
	const struct ctf_value *value = view_field(event, "func_addr", strlen("func_addr"));

	if (!value || (value->kind != CTF_VALUE_UNSIGNED && value->kind != CTF_VALUE_SIGNED))
		return false;
	*ret_address = value->u;
	return true;
}

bool stats_functions_take(const struct stats_functions *functions, const struct ctf_item *item,
			  struct stats_functions_call *ret_call)
{
	const struct ctf_event *event = &item->event;
	int kind = kind_of(event);

	if (kind < 0)
		return false;
	*ret_call = (struct stats_functions_call){
		.kind = kind, .time_ns = item->time_ns, .tid = event->tid, .process.pid = event->pid
	};
	if (kind != STATS_EXIT_LAST && !take_address(event, &ret_call->address))
		return false;
	if (functions->symbols)
		ret_call->process = view_symbols_process(functions->symbols, event);
	return true;
}

/* ---- asking ---- */

uint64_t stats_functions_unfinished(const struct stats_functions *functions)
{
	struct view_map_entry *threads = view_map_sorted(functions->threads, view_map_oldest_first);
	uint64_t count = 0;

	for (size_t i = 0; i < view_map_count(functions->threads); i++) {
		const struct thread *thread = threads[i].value;

		count += thread->depth + thread->beyond;
	}
	free(threads);
	return count;
}

static int compare(const void *a, const void *b)
{
	const struct stats_function *x = ((const struct view_map_entry *)a)->value;
	const struct stats_function *y = ((const struct view_map_entry *)b)->value;

	if (x->self_ns != y->self_ns)
		return x->self_ns < y->self_ns ? 1 : -1;
	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

struct view_map_entry *stats_functions_sorted(const struct stats_functions *functions)
{
	return view_map_sorted(functions->by_address, compare);
}
