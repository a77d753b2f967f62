/* SPDX-License-Identifier: MIT */
/*
 * decode.h - bits of a packet to values, along a layout.
 *
 * A decoder belongs to one stream. It reads the packet that is in memory from `pos` on, and keeps
 *
 *      values   the fields of the event at hand (reader.h), where the layout is to be kept
 *      slots    values that lengths and tags refer to
 *      roles    values that the reader itself needs, by role
 */
#ifndef TACHO_CTF_READ_DECODE_H
#define TACHO_CTF_READ_DECODE_H

#include "layout.h"
#include "reader.h"

#define READ_STEPS_MAX (1u << 22) /* fields and elements in one scope: more is a damaged length */

struct read_flat; /* flat.h */

struct read_decoder {
	const uint8_t *data;
	uint64_t end; /* of the data, in bits */
	uint64_t pos; /* in bits */

	uint64_t *slots;
	struct ctf_value *values;
	uint32_t value_count;
	uint32_t value_capacity;

	uint64_t roles[READ_ROLES];
	uint32_t roles_seen; /* bit 1 << role */
	uint32_t thread_bytes;
	const char *thread; /* READ_ROLE_THREAD: in the data */
	uint64_t ticks;     /* the clock; events may have its low bits only */

	char *text; /* texts in UTF-8 that are not so in the data; as long as the packet is */
	size_t text_used;
	size_t text_capacity;

	uint32_t steps;
	uint32_t absent; /* optional fields of the structure or array at hand that are not there */
	const char *why; /* text of the last error */
};

/* Return: 0 or -ENOMEM. */
int read_decoder_init(struct read_decoder *d, uint32_t slot_count);
void read_decoder_fini(struct read_decoder *d);

/*
 * read_decode() - decode one scope at d->pos, and move behind it
 * @layout:  NULL: nothing
 * @is_kept: append its fields to d->values
 *
 * Return: 0, -ENODATA (the data ends before the scope does), -EPROTO (damaged), or -ENOMEM; with
 * d->why for each.
 */
int read_decode(struct read_decoder *d, const struct read_layout *layout, bool is_kept);

/*
 * read_decode_flat() - decode all that is behind a header, and move behind it; d->roles are those of it
 * @is_kept:   fill in its values
 * @is_filled: d->values are those of the same class already
 *
 * Return: 0; or -EAGAIN, and nothing is done: the general decoder has to say what it is.
 */
int read_decode_flat(struct read_decoder *d, const struct read_flat *flat, bool is_kept,
		     bool is_filled);

static inline bool read_decoder_has(const struct read_decoder *d, enum read_role role)
{
	return d->roles_seen >> role & 1;
}

/* read_decoder_clock() - a timestamp, of which fewer bits than the clock has may be given: it is
 * the next time at which the clock has them */
static inline void read_decoder_clock(struct read_decoder *d, uint64_t value, uint32_t bits)
{
	uint64_t mask = ~0ull >> (64 - bits);
	uint64_t ticks = (d->ticks & ~mask) | value;

	if (bits < 64 && ticks < d->ticks)
		ticks += mask + 1;
	d->ticks = ticks;
}

#endif
