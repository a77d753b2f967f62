/* SPDX-License-Identifier: MIT */
/* text.c - see text.h */
#include "text.h"

#include <string.h>

#define REPLACEMENT 0xfffdu

/* ---- integers ---- */

uint32_t read_varint(const uint8_t *data, uint64_t left, bool is_signed, uint64_t *ret_number)
{
	uint64_t number = 0;
	uint32_t shift = 0;

	for (uint32_t i = 0; i < left && i < READ_VARINT_BYTES_MAX; i++, shift += 7) {
		number |= (uint64_t)(data[i] & 0x7f) << shift;
		if (data[i] & 0x80)
			continue;
		if (is_signed && shift + 7 < 64 && data[i] & 0x40)
			number |= ~0ull << (shift + 7);
		*ret_number = number;
		return i + 1;
	}
	return 0;
}

void read_varint_set(uint8_t *data, uint64_t number)
{
	for (int i = 0; i < READ_VARINT_BYTES_MAX; i++, number >>= 7)
		data[i] = (uint8_t)((i < READ_VARINT_BYTES_MAX - 1 ? 0x80 : 0) | (number & 0x7f));
}

/* ---- texts ---- */

uint32_t read_text_unit(enum read_encoding encoding)
{
	switch (encoding) {
	case READ_UTF16LE:
	case READ_UTF16BE:
		return 2;
	case READ_UTF32LE:
	case READ_UTF32BE:
		return 4;
	case READ_UTF8:
		break;
	}
	return 1;
}

static uint32_t unit_at(enum read_encoding encoding, const char *text)
{
	const uint8_t *at = (const uint8_t *)text;

	switch (encoding) {
	case READ_UTF16LE:
		return (uint32_t)(at[0] | at[1] << 8);
	case READ_UTF16BE:
		return (uint32_t)(at[1] | at[0] << 8);
	case READ_UTF32LE:
		return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
	case READ_UTF32BE:
		return at[3] | (uint32_t)at[2] << 8 | (uint32_t)at[1] << 16 | (uint32_t)at[0] << 24;
	case READ_UTF8:
		break;
	}
	return at[0];
}

uint64_t read_text_length(enum read_encoding encoding, const char *text, uint64_t bytes)
{
	uint32_t unit = read_text_unit(encoding);

	if (encoding == READ_UTF8)
		return strnlen(text, bytes);
	for (uint64_t at = 0; at + unit <= bytes; at += unit) {
		if (!unit_at(encoding, text + at))
			return at;
	}
	return bytes;
}

size_t read_text_room(uint64_t bytes)
{
	return (size_t)bytes * 2 + 8;
}

static size_t put(uint32_t character, char *to)
{
	uint8_t *at = (uint8_t *)to;

	if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
		character = REPLACEMENT;
	if (character < 0x80) {
		at[0] = (uint8_t)character;
		return 1;
	}
	if (character < 0x800) {
		at[0] = (uint8_t)(0xc0 | character >> 6);
		at[1] = (uint8_t)(0x80 | (character & 0x3f));
		return 2;
	}
	if (character < 0x10000) {
		at[0] = (uint8_t)(0xe0 | character >> 12);
		at[1] = (uint8_t)(0x80 | (character >> 6 & 0x3f));
		at[2] = (uint8_t)(0x80 | (character & 0x3f));
		return 3;
	}
	at[0] = (uint8_t)(0xf0 | character >> 18);
	at[1] = (uint8_t)(0x80 | (character >> 12 & 0x3f));
	at[2] = (uint8_t)(0x80 | (character >> 6 & 0x3f));
	at[3] = (uint8_t)(0x80 | (character & 0x3f));
	return 4;
}

static bool is_high(uint32_t unit)
{
	return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(uint32_t unit)
{
	return unit >= 0xdc00 && unit < 0xe000;
}

const char *read_text_convert(enum read_encoding encoding, const char *text, uint64_t bytes,
			      char *to, size_t *ret_bytes)
{
	uint32_t unit = read_text_unit(encoding);
	size_t done = 0;

	for (uint64_t at = 0; at + unit <= bytes; at += unit) {
		uint32_t character = unit_at(encoding, text + at);

		if (unit == 2 && is_high(character) && at + 4 <= bytes &&
		    is_low(unit_at(encoding, text + at + 2))) {
			at += 2;
			character = 0x10000 + ((character & 0x3ff) << 10) +
				    (unit_at(encoding, text + at) & 0x3ff);
		}
		done += put(character, to + done);
	}
	*ret_bytes = done;
	return to;
}
