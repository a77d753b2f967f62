/* SPDX-License-Identifier: MIT */
/*
 * event_ids.h - the session's event table (format/runtime.h): find a description with its contexts, or
 * add it. Traced programs do, for their events, and tools for the kernel's. Other programs of the same
 * user write to it, too: nothing in it is trusted further than the mapping reaches.
 *
 * Context: any thread, any signal handler; wait-free.
 */
#ifndef TACHO_BASE_EVENT_IDS_H
#define TACHO_BASE_EVENT_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/runtime.h"

/* Makes sure that @bytes bytes of the file, from @at on, have memory. Return: 0, or a negative errno. */
typedef int event_ids_allocate(uint64_t at, uint64_t bytes, void *arg);

/*
 * event_ids_get() - the id of a description
 * @events: TACHO_EVENTS_BYTES of it are mapped
 *
 * Return: the id; -ENOSPC: there are too many, or no memory for them.
 */
int event_ids_get(struct tacho_events *events, uint64_t contexts, const struct tacho_desc *desc,
		  event_ids_allocate *allocate, void *arg);

#endif
