/* SPDX-License-Identifier: MIT */
/*
 * bits.h - a buffer that is written bit by bit: the other direction of ctf/ctf/read/bits.h.
 */
#ifndef TACHO_EDIT_BITS_H
#define TACHO_EDIT_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BITS_BYTES_MAX ((size_t)1 << 31)

struct bits {
	uint8_t *data;
	size_t capacity; /* in bytes */
	uint64_t pos;    /* in bits */
};

void bits_fini(struct bits *bits);
/* bits_clear() - start anew, in the same memory */
void bits_clear(struct bits *bits);

/* Return of all: 0, -ENOMEM, or -EFBIG: more than BITS_BYTES_MAX. */
int bits_align(struct bits *bits, uint32_t align);
/* What is read first of @value is its low end, or with @is_big its high end. */
int bits_add(struct bits *bits, uint64_t value, uint32_t count, bool is_big);
/* bits->pos is at a whole byte. */
int bits_add_bytes(struct bits *bits, const void *data, size_t bytes);

/* bits_set() - write again what was written at @pos */
void bits_set(struct bits *bits, uint64_t pos, uint64_t value, uint32_t count, bool is_big);

#endif
