/* SPDX-License-Identifier: MIT */
/*
 * registry.h - what running programs say of themselves (apps/, format/runtime.h).
 *
 * A registry is hostile: it is read with pread(2), which a file that shrinks cannot hurt, into
 * memory of our own, and checked there. Only its head and state words are mapped, since tools note
 * ancestors in the one, and change the others by atomic operations.
 */
#ifndef TACHO_SESSION_REGISTRY_H
#define TACHO_SESSION_REGISTRY_H

#include <stdbool.h>

#include "base/event_desc.h"
#include "session/session.h"

struct registry {
	int fd;
	struct tacho_registry head; /* as read; executable ends with a 0 byte */
	uint32_t event_count;       /* those with a state word that can be touched */
	struct tacho_registry *shared; /* the head, mapped, and behind it the events */
	struct tacho_registry_event *event; /* event_count of them, as read */
	unsigned char *descs;       /* the file's bytes from TACHO_REGISTRY_DESCS_AT on */
	uint64_t descs_bytes;
};

/*
 * registries_visit() - call @visit for the registry of each running program
 * @visit: returns 0 to go on, or a negative errno, which ends it
 *
 * What dead programs left behind is removed on the way, if their pids are of our namespace.
 */
int registries_visit(struct runtime *runtime, int (*visit)(struct registry *, void *), void *arg);

/* registries_settle() - without a visit: dead programs are removed, and what programs could not say of
 * themselves is said (tacho_registry.unnoted_slots). */
void registries_settle(struct runtime *runtime);

/* registry_state_of() - the state word of event @i, shared with the program */
uint32_t *registry_state_of(const struct registry *registry, uint32_t i);

/* registry_event() - the description of event @i; NULL if it is not published, or malformed. To be
 * freed with event_desc_free(). */
struct event_desc *registry_event(const struct registry *registry, uint32_t i);

#endif
