/* SPDX-License-Identifier: MIT */
/*
 * catalog.h - the events that this kernel has: tracefs's available_events, with the names that they
 * have in traces (names.h); and those that tools tell for it (state_events.h).
 */
#ifndef TACHO_KERNEL_CATALOG_H
#define TACHO_KERNEL_CATALOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "format/record.h"
#include "kernel/state_events.h"

struct kernel_event {
	const char *system;
	const char *event;
	char name[TACHO_NAME_MAX + 1]; /* in traces, rules and listings */
};

struct kernel_catalog {
	char *text; /* that the names are in */
	struct kernel_event *events;
	size_t count;
};

/* kernel_catalog_open() - Return: 0, or a negative errno; sorted by name in traces. */
int kernel_catalog_open(int tracefs_fd, struct kernel_catalog *ret_catalog,
			struct tacho_error *error);
void kernel_catalog_close(struct kernel_catalog *catalog);

bool kernel_event_is_syscall(const struct kernel_event *event);
/* kernel_event_is_state() - one of state_events.h, of which tracefs knows nothing */
bool kernel_event_is_state(const struct kernel_event *event);
void kernel_event_set_state(struct kernel_event *event, enum kernel_state_kind kind);
/* kernel_event_subject() - what a rule's pattern is compared with: of a system call its bare name, for
 * its begin as for its end */
const char *kernel_event_subject(const struct kernel_event *event);

#endif
