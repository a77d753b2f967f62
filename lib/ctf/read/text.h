/* SPDX-License-Identifier: MIT */
/*
 * text.h - what CTF 2 has beyond integers of fixed size and UTF-8: integers in LEB128, and texts
 * in UTF-16 and UTF-32.
 */
#ifndef TACHO_CTF_READ_TEXT_H
#define TACHO_CTF_READ_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "types.h"

#define READ_VARINT_BYTES_MAX 10

/* read_varint() - Return: how many bytes it has; 0: it does not end, or has more than 64 bits */
uint32_t read_varint(const uint8_t *data, uint64_t left, bool is_signed, uint64_t *ret_number);
/* read_varint_set() - one of READ_VARINT_BYTES_MAX bytes, unsigned */
void read_varint_set(uint8_t *data, uint64_t number);

/* read_text_unit() - bytes of the smallest character */
uint32_t read_text_unit(enum read_encoding encoding);
/* read_text_length() - bytes before the first 0 character; @bytes: there is none */
uint64_t read_text_length(enum read_encoding encoding, const char *text, uint64_t bytes);
/* read_text_room() - that so many bytes need in UTF-8 */
size_t read_text_room(uint64_t bytes);
/*
 * read_text_convert() - to UTF-8; what is no character becomes U+FFFD
 * @to: has read_text_room(@bytes)
 * @ret_bytes: how many were written
 *
 * Return: @to.
 */
const char *read_text_convert(enum read_encoding encoding, const char *text, uint64_t bytes,
			      char *to, size_t *ret_bytes);

#endif
