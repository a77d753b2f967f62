/* SPDX-License-Identifier: MIT */
/*
 * bits.h - integers of 1 to 64 bits at any bit of a buffer.
 *
 * In little-endian data the first bit is the lowest of the first byte, and what is read first is
 * the low end of the integer; in big-endian data both are the highest.
 */
#ifndef TACHO_CTF_READ_BITS_H
#define TACHO_CTF_READ_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "format/port.h"

static inline uint64_t read_bits_slow(const uint8_t *data, uint64_t pos, uint32_t bits, bool is_big)
{
	uint64_t value = 0;
	uint32_t got = 0;

	while (got < bits) {
		uint32_t shift = pos & 7;
		uint32_t take = 8 - shift < bits - got ? 8 - shift : bits - got;
		uint32_t byte = data[pos >> 3];
		uint64_t part = byte >> (is_big ? 8 - shift - take : shift) & ((1u << take) - 1);

		value = is_big ? value << take | part : value | part << got;
		got += take;
		pos += take;
	}
	return value;
}

/* read_bits() - the caller has checked that they are there */
static inline uint64_t read_bits(const uint8_t *data, uint64_t pos, uint32_t bits, bool is_big)
{
	uint32_t u32;
	uint64_t u64;

	if (pos & 7 || is_big != TACHO_BIG_ENDIAN)
		return read_bits_slow(data, pos, bits, is_big);
	switch (bits) {
	case 32:
		memcpy(&u32, data + (pos >> 3), sizeof(u32));
		return u32;
	case 64:
		memcpy(&u64, data + (pos >> 3), sizeof(u64));
		return u64;
	default:
		return read_bits_slow(data, pos, bits, is_big);
	}
}

static inline uint64_t read_sign_extend(uint64_t value, uint32_t bits)
{
	return bits < 64 && value >> (bits - 1) & 1 ? value | ~0ull << bits : value;
}

#endif
