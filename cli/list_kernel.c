/* SPDX-License-Identifier: MIT */
/* list_kernel.c - see list_kernel.h */
#include "list_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "base/pattern.h"
#include "cmd.h"
#include "event_show.h"
#include "json.h"
#include "kernel/catalog.h"
#include "kernel/instance.h"
#include "kernel/names.h"
#include "kernel/recipe.h"
#include "kernel/state_events.h"
#include "kernel/tracefs.h"
#include "kernel_wants.h"
#include "say.h"
#include "text.h"

struct listing {
	const struct list_kernel_wish *wish;
	int tracefs_fd;
	struct kernel_catalog catalog;
	json_object *events; /* or NULL */
	size_t count;        /* of those that were listed */
};

/* Of a system call, what begins it stands for both. */
static bool is_listed(const struct listing *l, const struct kernel_event *event)
{
	bool is_syscall = !strcmp(event->system, KERNEL_SYSCALLS);

	if (is_syscall != l->wish->syscalls)
		return false;
	return !is_syscall || !strncmp(event->event, "sys_enter_", 10);
}

static const char *name_of(const struct kernel_event *event)
{
	return strcmp(event->system, KERNEL_SYSCALLS) ? event->name : event->event + 10;
}

/* By the name of either tracer: "sched_switch" or "sched:sched_switch". */
static bool is_wanted(const struct listing *l, const struct kernel_event *event)
{
	const char *pattern = l->wish->pattern;
	char *full;
	bool is;

	if (!is_listed(l, event))
		return false;
	if (!pattern || pattern_is_match(pattern, strlen(pattern), name_of(event)))
		return true;
	full = xasprintf("%s:%s", event->system, event->event);
	is = pattern_is_match(pattern, strlen(pattern), full);
	free(full);
	return is;
}

/* Return: what its records will be; NULL: it cannot be told. */
static struct kernel_recipe *read_recipe(const struct listing *l, const struct kernel_event *event)
{
	struct kernel_format *format = malloc(sizeof(*format));
	struct kernel_recipe *recipe = NULL;

	if (format &&
	    !kernel_instance_format(l->tracefs_fd, event->system, event->event, format, NULL))
		kernel_recipe_make(event->system, format, &recipe, NULL);
	free(format);
	return recipe;
}

/* @ret_recipe: of which it is part; may be NULL
 * Return: NULL: it cannot be told. */
static const struct event_desc *read_desc(const struct listing *l, const struct kernel_event *event,
					  struct kernel_recipe **ret_recipe)
{
	*ret_recipe = NULL;
	for (int kind = 0; kernel_event_is_state(event) && kind < KERNEL_STATE_KINDS; kind++)
		if (!strcmp(kernel_state_desc(kind)->name, event->name))
			return kernel_state_desc(kind);
	*ret_recipe = read_recipe(l, event);
	return *ret_recipe ? kernel_recipe_desc(*ret_recipe) : NULL;
}

static void print_event(const struct listing *l, const struct kernel_event *event)
{
	struct kernel_recipe *recipe = NULL;
	const struct event_desc *desc = l->wish->fields ? read_desc(l, event, &recipe) : NULL;

	printf("%s", name_of(event));
	if (l->wish->fields && kernel_event_is_state(event))
		printf(" (told by tacho)");
	else if (l->wish->fields)
		printf(" (%s:%s)", event->system, event->event);
	putchar('\n');
	if (desc)
		event_show_fields(desc);
	kernel_recipe_free(recipe);
}

static void add_event(const struct listing *l, const struct kernel_event *event)
{
	json_object *entry = json_append_object(l->events);
	struct kernel_recipe *recipe;
	const struct event_desc *desc = read_desc(l, event, &recipe);

	json_add_text(entry, "name", name_of(event));
	if (!kernel_event_is_state(event)) {
		json_add_text(entry, "tracefs", event->system);
		json_add_text(entry, "tracefs_event", event->event);
	}
	if (desc)
		event_show_json_fields(desc, entry);
	kernel_recipe_free(recipe);
}

static void list_events(struct listing *l)
{
	for (size_t i = 0; i < l->catalog.count; i++) {
		const struct kernel_event *event = &l->catalog.events[i];

		if (!is_wanted(l, event))
			continue;
		l->count++;
		if (l->events)
			add_event(l, event);
		else
			print_event(l, event);
	}
}

/* What is misspelled is said by the one who refuses it when it is to be recorded. */
static int found(const struct listing *l)
{
	int status;

	if (l->count || !l->wish->pattern)
		return STATUS_DONE;
	status = kernel_wants(l->wish->syscalls ? TACHO_RULE_SYSCALL : TACHO_RULE_TRACEPOINT,
			      l->wish->pattern);
	return status ? status : fail("no event of the kernel has a name like '%s'", l->wish->pattern);
}

static int list_all(struct listing *l)
{
	json_object *root;
	int status;

	if (!l->wish->json) {
		list_events(l);
		return found(l);
	}
	root = json_object_new_object();
	l->events = json_add_array(root, l->wish->syscalls ? "syscalls" : "events");
	list_events(l);
	status = json_print(root);
	return status ? status : found(l);
}

int list_kernel(const struct list_kernel_wish *wish)
{
	struct listing l = { .wish = wish };
	struct tacho_error error;
	int status;

	l.tracefs_fd = tracefs_open(&error);
	if (l.tracefs_fd < 0)
		return fail_with(&error);
	if (kernel_catalog_open(l.tracefs_fd, &l.catalog, &error))
		status = fail_with(&error);
	else
		status = list_all(&l);
	kernel_catalog_close(&l.catalog);
	fd_close(l.tracefs_fd);
	return status;
}
