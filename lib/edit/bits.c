/* SPDX-License-Identifier: MIT */
/* bits.c - see bits.h */
#include "bits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BYTES 4096

void bits_fini(struct bits *bits)
{
	free(bits->data);
	*bits = (struct bits){ 0 };
}

void bits_clear(struct bits *bits)
{
	bits->pos = 0;
}

static int reserve(struct bits *bits, uint64_t more)
{
	uint64_t bytes = (bits->pos + more + 7) / 8;
	size_t capacity = bits->capacity ? bits->capacity : FIRST_BYTES;
	uint8_t *data;

	if (bytes <= bits->capacity)
		return 0;
	if (more > BITS_BYTES_MAX * 8 || bytes > BITS_BYTES_MAX)
		return -EFBIG;
	while (capacity < bytes)
		capacity *= 2;
	data = realloc(bits->data, capacity);
	if (!data)
		return -ENOMEM;
	memset(data + bits->capacity, 0, capacity - bits->capacity);
	bits->data = data;
	bits->capacity = capacity;
	return 0;
}

int bits_align(struct bits *bits, uint32_t align)
{
	uint64_t pos = (bits->pos + align - 1) & ~(uint64_t)(align - 1);
	uint64_t from = (bits->pos + 7) / 8;
	int rc = reserve(bits, pos - bits->pos);

	if (rc)
		return rc;
	if (pos / 8 > from)
		memset(bits->data + from, 0, pos / 8 - from);
	bits->pos = pos;
	return 0;
}

void bits_set(struct bits *bits, uint64_t pos, uint64_t value, uint32_t count, bool is_big)
{
	for (uint32_t done = 0; done < count;) {
		uint32_t shift = pos & 7;
		uint32_t take = 8 - shift < count - done ? 8 - shift : count - done;
		uint32_t mask = (1u << take) - 1;
		uint32_t part = (uint32_t)(value >> (is_big ? count - done - take : done)) & mask;
		uint32_t at = is_big ? 8 - shift - take : shift;
		uint8_t *byte = &bits->data[pos >> 3];

		*byte = (uint8_t)((*byte & ~(mask << at)) | part << at);
		done += take;
		pos += take;
	}
}

int bits_add(struct bits *bits, uint64_t value, uint32_t count, bool is_big)
{
	int rc = reserve(bits, count);

	if (rc)
		return rc;
	bits_set(bits, bits->pos, value, count, is_big);
	bits->pos += count;
	return 0;
}

int bits_add_bytes(struct bits *bits, const void *data, size_t bytes)
{
	int rc = bytes > BITS_BYTES_MAX ? -EFBIG : reserve(bits, (uint64_t)bytes * 8);

	if (rc || !bytes)
		return rc;
	memcpy(bits->data + bits->pos / 8, data, bytes);
	bits->pos += (uint64_t)bytes * 8;
	return 0;
}
