/* SPDX-License-Identifier: MIT */
/*
 * event_table.h - what the event ids of a session mean: sessions/NAME/events (format/runtime.h), as
 * far as it was read. Written by traced programs, so hostile: read with pread(2) and checked.
 */
#ifndef TACHO_SESSION_DRAIN_EVENT_TABLE_H
#define TACHO_SESSION_DRAIN_EVENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/event_desc.h"
#include "format/runtime.h"

struct event_table {
	int fd;
	uint32_t id_count; /* ids below it were handed out when last looked */
	uint32_t settled;  /* all ids below it are known, or known to be malformed */
	uint32_t known_count;
	uint32_t malformed_count;
	struct event_desc **desc; /* by id; TACHO_EVENT_IDS of them; NULL: not known */
	uint64_t *contexts;       /* the same, as in the table; known ones only */
	uint64_t *malformed;      /* a bit per id */
};

int event_table_open(int session_dir_fd, struct event_table *ret_table, struct tacho_error *error);
void event_table_close(struct event_table *table);

/*
 * event_table_refresh() - read what was published since the last time
 *
 * An id that is in a record before this call is known after it.
 *
 * Return: how many events are new, or a negative errno.
 */
int event_table_refresh(struct event_table *table);

/* event_table_get() - the description of an id, or NULL. */
const struct event_desc *event_table_get(const struct event_table *table, uint32_t id);
/* event_table_is_kernel() - of an id that is known: are its records the kernel's? */
bool event_table_is_kernel(const struct event_table *table, uint32_t id);
/* event_table_contexts() - what records of an id that is known begin with: a mask of contexts. */
uint64_t event_table_contexts(const struct event_table *table, uint32_t id);

#endif
