/* SPDX-License-Identifier: MIT */
/* load.h - integers of a record, at any address. Part of libtacho. */
#ifndef TACHO_FILTER_LOAD_H
#define TACHO_FILTER_LOAD_H

#include <stdint.h>
#include <string.h>

/* load_word() - an unsigned integer of 8, 4, 2 or (whatever else @bytes says) 1 byte */
static inline uint64_t load_word(const char *data, uint32_t bytes)
{
	uint64_t word;
	uint32_t half;
	uint16_t quarter;

	switch (bytes) {
	case 8:
		memcpy(&word, data, 8);
		return word;
	case 4:
		memcpy(&half, data, 4);
		return half;
	case 2:
		memcpy(&quarter, data, 2);
		return quarter;
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
