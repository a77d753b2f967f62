/* SPDX-License-Identifier: MIT */
/* tracks.c - see tracks.h */
#include "tracks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"
#include "cli/text.h"
#include "cli/view/filter.h"
#include "cli/view/map.h"
#include "spans.h"

/* No system gives a process such a number. */
#define SHOWN_PIDS_FIRST 0x40000000u

/* A field of one kind of event that is a counter. */
struct counted {
	const struct export_name *name;
	const char *field;
	struct counted *next;
};

/* All that is to be known of an event by its name. */
struct class
{
	bool is_known;
	struct export_name *name, *category;
	struct export_event_kind kind;
	struct counted *counted;
};

struct process_key {
	uint32_t host, pid;
};

struct thread_key {
	uint32_t process, tid;
};

struct counter_key {
	uint32_t process, name;
};

struct host {
	uint32_t number;
	const char *name;
};

struct export_tracks {
	const struct export_tracks_options *options;
	struct export_sink *sink;
	struct view_map *names, *classes;
	struct view_map *hosts, *processes, *shown, *threads, *counters;
	struct export_name *last_name; /* all of them, for their end */
	struct export_thread *last_thread;
	const struct read_trace *trace; /* whose host is at hand */
	struct host host;
	struct view_map *lost_until; /* by CPU */
	uint64_t losses, left_out, last_ns;
};

/* ---- names ---- */

struct export_name *export_name(struct export_tracks *tracks, const char *text, size_t bytes)
{
	struct export_name *name = view_map_get(tracks->names, text, bytes);

	if (!name || name->text)
		return name;
	name->text = xasprintf("%.*s", (int)bytes, text);
	name->id = (uint32_t)view_map_count(tracks->names);
	name->next = tracks->last_name;
	tracks->last_name = name;
	return name;
}

static struct export_name *name_of(struct export_tracks *tracks, const char *text)
{
	return export_name(tracks, text, strlen(text));
}

/* ---- processes and threads ---- */

static void set_host(struct export_tracks *tracks, const struct ctf_event *event)
{
	const char *name = ctf_event_env(event, "hostname");
	uint32_t *number;

	tracks->trace = event->trace;
	name = name ? name : "";
	number = view_map_get(tracks->hosts, name, strlen(name));
	if (number && !*number)
		*number = (uint32_t)view_map_count(tracks->hosts);
	tracks->host = (struct host){ number ? *number : 0, name };
}

/* The first process that has a number shows it; those of other hosts show another. */
static uint32_t shown_pid(struct export_tracks *tracks, uint32_t pid, uint32_t number)
{
	uint32_t *owner = view_map_get(tracks->shown, &pid, sizeof(pid));

	if (owner && !*owner)
		*owner = number;
	return owner && *owner == number ? pid : SHOWN_PIDS_FIRST + number;
}

static struct export_process *process_of(struct export_tracks *tracks,
					 const struct ctf_event *event)
{
	struct process_key key = { 0, event->pid };
	struct export_process *process;

	if (event->trace != tracks->trace || !tracks->host.name)
		set_host(tracks, event);
	key.host = tracks->host.number;
	process = view_map_get(tracks->processes, &key, sizeof(key));
	if (!process || process->number)
		return process;
	process->number = (uint32_t)view_map_count(tracks->processes);
	process->pid = event->pid;
	process->shown_pid = shown_pid(tracks, event->pid, process->number);
	process->host =
		name_of(tracks, tracks->host.name) ? name_of(tracks, tracks->host.name)->text : "";
	return process;
}

static void copy_name(char ret_name[64], const char *name)
{
	snprintf(ret_name, 64, "%s", name);
}

/* A process is called like its first thread; until that is seen, like the first one that is. */
static void name_process(struct export_tracks *tracks, struct export_process *process,
			 const struct export_thread *thread)
{
	bool is_first = thread->tid == process->pid;

	if ((*process->name && !is_first) || !strcmp(process->name, thread->name))
		return;
	copy_name(process->name, thread->name);
	tracks->sink->process(tracks->sink, process);
}

static void name_thread(struct export_tracks *tracks, struct export_thread *thread,
			const struct ctf_event *event, bool is_new)
{
	if (is_new && !*event->thread)
		tracks->sink->thread(tracks->sink, thread);
	if (!*event->thread || !strncmp(thread->name, event->thread, sizeof(thread->name) - 1))
		return;
	copy_name(thread->name, event->thread);
	name_process(tracks, thread->process, thread);
	tracks->sink->thread(tracks->sink, thread);
}

static struct export_thread *thread_of(struct export_tracks *tracks, const struct ctf_event *event)
{
	struct export_process *process = process_of(tracks, event);
	struct thread_key key = { process ? process->number : 0, event->tid };
	struct export_thread *thread;
	bool is_new;

	thread = process ? view_map_get(tracks->threads, &key, sizeof(key)) : NULL;
	if (!thread)
		return NULL;
	is_new = !thread->number;
	if (is_new) {
		thread->number = (uint32_t)view_map_count(tracks->threads);
		thread->process = process;
		thread->tid = event->tid;
		thread->next = tracks->last_thread;
		tracks->last_thread = thread;
		if (!*event->thread && !*process->name)
			tracks->sink->process(tracks->sink, process);
	}
	name_thread(tracks, thread, event, is_new);
	return thread;
}

/* ---- what an event is ---- */

bool export_is_counter(const char *text)
{
	const char *dot = strchr(text, '.');

	return dot && dot != text && dot[1];
}

static void add_counted(struct export_tracks *tracks, struct class *class,
			const struct ctf_event *event, const char *wanted)
{
	size_t bytes = strcspn(wanted, ".");
	char *text = xasprintf("%s%s", event->name, wanted + bytes);
	struct export_name *name = name_of(tracks, text);
	struct counted *counted;

	free(text);
	if (!name)
		return;
	counted = xcalloc(1, sizeof(*counted));
	*counted = (struct counted){ name, wanted + bytes + 1, class->counted };
	class->counted = counted;
}

static void find_counted(struct export_tracks *tracks, struct class *class,
			 const struct ctf_event *event)
{
	for (char *const *wanted = tracks->options->counters; *wanted; wanted++) {
		if (pattern_is_match(*wanted, strcspn(*wanted, "."), event->name))
			add_counted(tracks, class, event, *wanted);
	}
}

static struct class *class_of(struct export_tracks *tracks, const struct ctf_event *event)
{
	struct class *class = view_map_get(tracks->classes, event->name, strlen(event->name));

	if (!class || class->is_known)
		return class;
	class->is_known = true;
	class->name = name_of(tracks, event->name);
	class->category = name_of(tracks, *event->provider ? event->provider : "events");
	class->kind = export_event_kind(tracks, tracks->options->spans, event);
	find_counted(tracks, class, event);
	return class;
}

/* ---- spans ---- */

static void tell(const struct export_tracks *tracks,
		 void (*what)(struct export_sink *, const struct export_moment *),
		 const struct export_moment *moment)
{
	if (what)
		what(tracks->sink, moment);
}

static void begin_span(struct export_tracks *tracks, struct export_thread *thread,
		       struct export_moment *moment)
{
	const struct export_span span = {
		.name = moment->name,
		.category = moment->category,
		.begin_ns = moment->time_ns,
		.losses = tracks->losses,
	};

	if (!export_spans_push(thread, &span)) {
		thread->beyond++;
		tracks->left_out++;
		tell(tracks, tracks->sink->instant, moment);
		return;
	}
	moment->depth = thread->depth - 1;
	tell(tracks, tracks->sink->begin, moment);
}

/* The latest span that is open, for a reason of which no event tells. */
static void end_top(struct export_tracks *tracks, struct export_thread *thread, uint64_t time_ns,
		    enum export_how how)
{
	const struct export_span span = thread->spans[--thread->depth];
	const struct export_moment moment = {
		.thread = thread,
		.name = span.name,
		.category = span.category,
		.span = &span,
		.time_ns = time_ns,
		.depth = thread->depth,
		.how = how,
	};

	tell(tracks, tracks->sink->end, &moment);
}

static void end_at(struct export_tracks *tracks, struct export_thread *thread, uint32_t at,
		   struct export_moment *moment)
{
	const struct export_span span = thread->spans[at];

	moment->span = &span;
	moment->depth = at;
	thread->depth = at;
	tell(tracks, tracks->sink->end, moment);
}

static void begin_again(struct export_tracks *tracks, struct export_thread *thread,
			const struct export_span *span, uint64_t time_ns)
{
	const struct export_moment moment = {
		.thread = thread,
		.name = span->name,
		.category = span->category,
		.time_ns = time_ns,
		.depth = thread->depth,
		.how = EXPORT_CONTINUED,
	};

	thread->spans[thread->depth++] = *span;
	tell(tracks, tracks->sink->begin, &moment);
}

/* Spans above that of @at, which ends now: see SPANS in tracks.h. */
static void end_below(struct export_tracks *tracks, struct export_thread *thread, uint32_t at,
		      struct export_moment *moment)
{
	uint32_t depth = thread->depth;

	for (uint32_t i = depth; i-- > at + 1;) {
		bool is_lost = thread->spans[i].losses != tracks->losses;

		end_top(tracks, thread, moment->time_ns,
			is_lost ? EXPORT_END_LOST : EXPORT_CONTINUED);
	}
	end_at(tracks, thread, at, moment);
	for (uint32_t i = at + 1; i < depth; i++) {
		const struct export_span span = thread->spans[i];

		if (span.losses == tracks->losses)
			begin_again(tracks, thread, &span, moment->time_ns);
	}
}

static void end_span(struct export_tracks *tracks, struct export_thread *thread,
		     struct export_moment *moment, const struct export_name *name_alone)
{
	uint32_t at;

	if (thread->beyond) {
		thread->beyond--;
		at = thread->depth;
	} else {
		at = export_spans_find(thread, moment->name);
	}
	if (at == thread->depth) {
		moment->name = name_alone;
		tell(tracks, tracks->sink->instant, moment);
		return;
	}
	end_below(tracks, thread, at, moment);
}

/* ---- items ---- */

static struct export_counter *counter_of(struct export_tracks *tracks,
					 const struct export_process *process,
					 const struct counted *counted)
{
	struct counter_key key = { process->number, counted->name->id };
	struct export_counter *counter = view_map_get(tracks->counters, &key, sizeof(key));

	if (!counter || counter->number)
		return counter;
	*counter = (struct export_counter){
		.process = process,
		.name = counted->name,
		.field = counted->field,
		.number = (uint32_t)view_map_count(tracks->counters),
	};
	if (tracks->sink->counter)
		tracks->sink->counter(tracks->sink, counter);
	return counter;
}

static bool is_number(const struct ctf_value *value)
{
	return value && (value->kind == CTF_VALUE_UNSIGNED || value->kind == CTF_VALUE_SIGNED ||
			 value->kind == CTF_VALUE_FLOAT || value->kind == CTF_VALUE_ENUM);
}

static void count(struct export_tracks *tracks, const struct export_thread *thread,
		  const struct class *class, const struct ctf_item *item)
{
	for (const struct counted *counted = class->counted; counted; counted = counted->next) {
		const struct ctf_value *value =
			view_field(&item->event, counted->field, strlen(counted->field));
		struct export_counter *counter;

		if (!is_number(value) || !tracks->sink->count)
			continue;
		counter = counter_of(tracks, thread->process, counted);
		if (counter)
			tracks->sink->count(tracks->sink, counter, item->time_ns, value);
	}
}

static void draw(struct export_tracks *tracks, struct export_thread *thread, struct class *class,
		 const struct ctf_item *item)
{
	const struct export_name *span = class->kind.span;
	struct export_moment moment = {
		.thread = thread,
		.name = class->name,
		.category = class->category,
		.event = &item->event,
		.time_ns = item->time_ns,
		.depth = thread->depth,
	};

	if (class->kind.is_function)
		span = export_function_name(tracks, tracks->options->symbols, item);
	if (span)
		moment.name = span;
	if (span && class->kind.what == EXPORT_EVENT_BEGIN)
		begin_span(tracks, thread, &moment);
	else if (span && class->kind.what == EXPORT_EVENT_END)
		end_span(tracks, thread, &moment, class->name);
	else
		tell(tracks, tracks->sink->instant, &moment);
	count(tracks, thread, class, item);
}

static void take_event(struct export_tracks *tracks, const struct ctf_item *item)
{
	struct export_thread *thread = thread_of(tracks, &item->event);
	struct class *class = class_of(tracks, &item->event);

	if (thread && tracks->sink->event)
		tracks->sink->event(tracks->sink, thread, item);
	if (thread && class && class->name && class->category)
		draw(tracks, thread, class, item);
	else
		tracks->left_out++;
}

static void take_lost(struct export_tracks *tracks, const struct ctf_lost *lost)
{
	uint64_t *until = view_map_get(tracks->lost_until, &lost->cpu, sizeof(lost->cpu));
	uint64_t begin_ns = until && *until > lost->begin_ns ? *until : lost->begin_ns;

	tracks->losses++;
	if (begin_ns > lost->end_ns)
		begin_ns = lost->end_ns;
	if (until && *until < lost->end_ns)
		*until = lost->end_ns;
	if (tracks->sink->lost)
		tracks->sink->lost(tracks->sink, lost, begin_ns);
}

void export_tracks_item(struct export_tracks *tracks, const struct ctf_item *item)
{
	if (item->time_ns > tracks->last_ns)
		tracks->last_ns = item->time_ns;
	switch (item->kind) {
	case CTF_ITEM_EVENT:
		take_event(tracks, item);
		break;
	case CTF_ITEM_LOST:
		take_lost(tracks, &item->lost);
		break;
	case CTF_ITEM_DAMAGE:
		if (tracks->sink->damage)
			tracks->sink->damage(tracks->sink, &item->damage, item->time_ns);
		break;
	}
}

void export_tracks_end(struct export_tracks *tracks)
{
	struct export_thread *thread = tracks->last_thread;

	for (; thread; thread = thread->next) {
		while (thread->depth)
			end_top(tracks, thread, tracks->last_ns, EXPORT_UNFINISHED);
	}
}

uint64_t export_tracks_left_out(const struct export_tracks *tracks)
{
	return tracks->left_out;
}

/* ---- making one ---- */

struct export_tracks *export_tracks_new(const struct export_tracks_options *options,
					struct export_sink *sink)
{
	struct export_tracks *tracks = xcalloc(1, sizeof(*tracks));

	tracks->options = options;
	tracks->sink = sink;
	sink->tracks = tracks;
	tracks->names = view_map_new(sizeof(struct export_name), EXPORT_NAMES_MAX);
	tracks->classes = view_map_new(sizeof(struct class), EXPORT_NAMES_MAX);
	tracks->hosts = view_map_new(sizeof(uint32_t), EXPORT_NAMES_MAX);
	tracks->processes = view_map_new(sizeof(struct export_process), EXPORT_THREADS_MAX);
	tracks->shown = view_map_new(sizeof(uint32_t), EXPORT_THREADS_MAX);
	tracks->threads = view_map_new(sizeof(struct export_thread), EXPORT_THREADS_MAX);
	tracks->counters = view_map_new(sizeof(struct export_counter), EXPORT_COUNTERS_MAX);
	tracks->lost_until = view_map_new(sizeof(uint64_t), EXPORT_THREADS_MAX);
	return tracks;
}

static int in_no_order(const void *a, const void *b)
{
	(void)a;
	(void)b;
	return 0;
}

static void free_classes(struct view_map *classes)
{
	struct view_map_entry *entries = view_map_sorted(classes, in_no_order);

	for (size_t i = 0; i < view_map_count(classes); i++) {
		struct counted *counted = ((struct class *)entries[i].value)->counted;

		while (counted) {
			struct counted *next = counted->next;

			free(counted);
			counted = next;
		}
	}
	free(entries);
	view_map_free(classes);
}

void export_tracks_free(struct export_tracks *tracks)
{
	if (!tracks)
		return;
	for (struct export_name *name = tracks->last_name; name; name = name->next)
		free((char *)(uintptr_t)name->text);
	for (struct export_thread *thread = tracks->last_thread; thread; thread = thread->next)
		free(thread->spans);
	free_classes(tracks->classes);
	view_map_free(tracks->names);
	view_map_free(tracks->hosts);
	view_map_free(tracks->processes);
	view_map_free(tracks->shown);
	view_map_free(tracks->threads);
	view_map_free(tracks->counters);
	view_map_free(tracks->lost_until);
	free(tracks);
}
