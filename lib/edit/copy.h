/* SPDX-License-Identifier: MIT */
/*
 * copy.h - copy scopes of a packet to another place, field by field.
 *
 * Fields are aligned relative to their packet, so what stands elsewhere in a new packet may need
 * other padding. Where a whole record stands at the same place modulo its alignment, who copies it
 * can take its bytes as they are.
 *
 * A field with a role may get another value; where each of them went is known afterwards, so that
 * sizes and counts can be set when the packet is complete.
 */
#ifndef TACHO_EDIT_COPY_H
#define TACHO_EDIT_COPY_H

#include "bits.h"
#include "ctf/read/layout.h"

struct copy {
	const uint8_t *data;
	uint64_t end; /* of the data, in bits */
	uint64_t pos; /* in bits */
	struct bits *to;
	uint64_t *slots; /* values that lengths and tags refer to, as in a decoder */
	uint32_t steps;
	bool is_plain;   /* what CTF 1.8 has not becomes what it has: plain.h */
	char *text;      /* room for one that is converted */
	size_t text_bytes;

	/* Of the last field with each role: where it went. NULL: there was none. */
	const struct read_layout *roles[READ_ROLES];
	uint64_t role_pos[READ_ROLES];
};

/* Return: 0 or -ENOMEM. */
int copy_init(struct copy *copy, uint32_t slot_count, struct bits *to);
void copy_fini(struct copy *copy);

/* copy_begin() - a packet's data */
void copy_begin(struct copy *copy, const uint8_t *data, uint64_t end);

/*
 * copy_scope() - copy one scope from copy->pos to the end of copy->to, and move behind it
 * @layout: NULL: nothing
 *
 * Return: 0, -ENODATA (the data ends before the scope does), -EPROTO (damaged), -ENOMEM, -EFBIG.
 */
int copy_scope(struct copy *copy, const struct read_layout *layout);

/* copy_set_role() - give the field with a role, if there was one, its value */
void copy_set_role(struct copy *copy, enum read_role role, uint64_t value);

/* copy_role_fits() - has it the bits for a value? If there is no such field, yes. */
bool copy_role_fits(const struct copy *copy, enum read_role role, uint64_t value);

/* copy_set_clock() - the same of the time in a header, whose length is kept; with is_plain, one of
 * variable length holds all of it */
void copy_set_clock(struct copy *copy, uint64_t ticks);

/* copy_align() - the largest alignment of a scope and all that can be in it */
uint32_t copy_align(const struct read_layout *layout);

#endif
