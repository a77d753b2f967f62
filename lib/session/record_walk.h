/* SPDX-License-Identifier: MIT */
/*
 * record_walk.h - go through the records of a sub-buffer (format/record.h), to know the time of the
 * last one: the end of a packet that still grows must be neither before what it holds nor behind
 * what it will hold.
 */
#ifndef TACHO_SESSION_RECORD_WALK_H
#define TACHO_SESSION_RECORD_WALK_H

#include "session/event_table.h"

struct record_walk {
	uint64_t offset;  /* behind the last record that was seen */
	uint64_t last_ts; /* and its time */
};

/*
 * record_walk() - go on to the end
 * @walk:    zeros at the start of a sub-buffer; after a failure, where the record is that made it
 * @content: the sub-buffer's bytes from its start on
 * @bytes:   where the last record ends
 *
 * Return: 0; -EBADMSG where something is not a record of a known event.
 */
int record_walk(struct record_walk *walk, const struct event_table *table, const void *content,
		uint64_t bytes);

#endif
