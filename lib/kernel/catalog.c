/* SPDX-License-Identifier: MIT */
/* catalog.c - see catalog.h */
#include "kernel/catalog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "kernel/names.h"
#include "kernel/tracefs.h"

static size_t count_lines(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

/* "system:event" */
static int take_event(char *line, struct kernel_event *ret_event)
{
	char *colon = strchr(line, ':');

	if (!colon)
		return -EBADMSG;
	*colon = 0;
	ret_event->system = line;
	ret_event->event = colon + 1;
	return kernel_name_event(ret_event->system, ret_event->event, ret_event->name,
				 sizeof(ret_event->name));
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct kernel_event *)a)->name, ((const struct kernel_event *)b)->name);
}

void kernel_event_set_state(struct kernel_event *event, enum kernel_state_kind kind)
{
	event->system = KERNEL_STATE_SYSTEM;
	event->event = kernel_state_desc(kind)->name;
	str_copy(event->name, sizeof(event->name), event->event);
}

int kernel_catalog_open(int tracefs_fd, struct kernel_catalog *ret_catalog,
			struct tacho_error *error)
{
	struct kernel_catalog catalog = { 0 };
	long ret = tracefs_read(tracefs_fd, "available_events", &catalog.text);
	char *rest;

	if (ret < 0)
		return error_set(error, (int)ret, "cannot read which events the kernel has: %s",
				 strerror((int)-ret));
	catalog.events = calloc(count_lines(catalog.text) + KERNEL_STATE_KINDS, sizeof(*catalog.events));
	if (!catalog.events) {
		free(catalog.text);
		return error_set(error, -ENOMEM, "no memory for the list of the kernel's events");
	}
	for (char *line = strtok_r(catalog.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		catalog.count += !take_event(line, &catalog.events[catalog.count]);
	for (int kind = 0; kind < KERNEL_STATE_KINDS; kind++)
		kernel_event_set_state(&catalog.events[catalog.count++], kind);
	qsort(catalog.events, catalog.count, sizeof(*catalog.events), compare);
	*ret_catalog = catalog;
	return 0;
}

void kernel_catalog_close(struct kernel_catalog *catalog)
{
	free(catalog->events);
	free(catalog->text);
	*catalog = (struct kernel_catalog){ 0 };
}

bool kernel_event_is_syscall(const struct kernel_event *event)
{
	return !strcmp(event->system, KERNEL_SYSCALLS);
}

bool kernel_event_is_state(const struct kernel_event *event)
{
	return !strcmp(event->system, KERNEL_STATE_SYSTEM);
}

const char *kernel_event_subject(const struct kernel_event *event)
{
	static const char *const fronts[] = { "sys_enter_", "sys_exit_" };

	if (!kernel_event_is_syscall(event))
		return event->name;
	for (int i = 0; i < 2; i++)
		if (!strncmp(event->event, fronts[i], strlen(fronts[i])))
			return event->event + strlen(fronts[i]);
	return "";
}
