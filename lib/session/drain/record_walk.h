/* SPDX-License-Identifier: MIT */
/*
 * record_walk.h - go through the records of a sub-buffer (format/record.h), to know the time of the
 * last one: the end of a packet that still grows must be neither before what it holds nor behind
 * what it will hold.
 */
#ifndef TACHO_SESSION_DRAIN_RECORD_WALK_H
#define TACHO_SESSION_DRAIN_RECORD_WALK_H

#include "session/drain/event_table.h"

/* What is behind the header of a tacho:writer. */
#define RECORD_WRITER_BYTES (TACHO_WRITER_BYTES_MAX - TACHO_EXTENDED_BYTES)

struct record_walk {
	uint64_t offset;  /* behind the last record that was seen */
	uint64_t last_ts; /* and its time */
	uint64_t end_ts;  /* to stop before the first record that is later; 0: nowhere */
	/* To go on only as format/record.h lets writers do it: no time is less than the one before.
	 * So zeros, and bytes of another lap of the ring, are told from records. */
	bool is_strict;
	uint64_t event_count; /* without tacho:writer */
	/* Who wrote that record: the payload of the last tacho:writer. */
	unsigned char writer[RECORD_WRITER_BYTES];
	uint32_t writer_bytes; /* 0: there was none yet */
};

/*
 * record_walk() - go on to the end, or to walk->end_ts
 * @walk:    zeros (but end_ts) at the start of a sub-buffer; after a failure, where the record is
 *           that made it
 * @content: the sub-buffer's bytes from its start on
 * @bytes:   where the last record ends
 *
 * Return: 0; -EBADMSG where something is not a record of a known event.
 */
int record_walk(struct record_walk *walk, const struct event_table *table, const void *content,
		uint64_t bytes);

#endif
