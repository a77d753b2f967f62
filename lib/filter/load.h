/* SPDX-License-Identifier: MIT */
/* load.h - integers of a record, at any address. Part of libtacho. */
#ifndef TACHO_FILTER_LOAD_H
#define TACHO_FILTER_LOAD_H

#include <stdint.h>

#include "base/load.h"

/* load_word() - an unsigned integer of 8, 4, 2 or (whatever else @bytes says) 1 byte */
static inline uint64_t load_word(const char *data, uint32_t bytes)
{
	switch (bytes) {
	case 8:
		return load_u64(data);
	case 4:
		return load_u32(data);
	case 2:
		return load_u16(data);
	}
	return (unsigned char)*data;
}

/* load_signed() - what the low @bytes bytes of @word are as a signed integer: 1 to 8 */
static inline uint64_t load_signed(uint64_t word, uint32_t bytes)
{
	uint32_t unused = (64 - 8 * bytes) & 63;

	return (uint64_t)((int64_t)(word << unused) >> unused);
}

#endif
