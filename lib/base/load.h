/* SPDX-License-Identifier: MIT */
/* load.h - integers in the machine's byte order, at any address. */
#ifndef TACHO_BASE_LOAD_H
#define TACHO_BASE_LOAD_H

#include <stdint.h>
#include <string.h>

static inline uint16_t load_u16(const void *from)
{
	uint16_t number;

	memcpy(&number, from, sizeof(number));
	return number;
}

static inline uint32_t load_u32(const void *from)
{
	uint32_t number;

	memcpy(&number, from, sizeof(number));
	return number;
}

static inline uint64_t load_u64(const void *from)
{
	uint64_t number;

	memcpy(&number, from, sizeof(number));
	return number;
}

#endif
