/* SPDX-License-Identifier: MIT */
/*
 * out.h - text that goes to a file descriptor in large pieces.
 *
 * The first error sticks, and everything after it is thrown away, so that only whoever flushes
 * has to look.
 */
#ifndef TACHO_CTF_READ_OUT_H
#define TACHO_CTF_READ_OUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define READ_OUT_BYTES ((size_t)256 << 10)

struct read_out {
	int fd;
	int error;        /* negative errno of the first write that failed */
	uint64_t flushed; /* bytes, written or thrown away */
	size_t used;
	char data[READ_OUT_BYTES];
};

/* out_flush() - write what is gathered. Return: 0 or the first error. */
int out_flush(struct read_out *out);

/* out_total() - bytes in all, flushed or not */
static inline uint64_t out_total(const struct read_out *out)
{
	return out->flushed + out->used;
}

/* out_long() - more than there is room for, or so much that it is written at once */
void out_long(struct read_out *out, const char *bytes, size_t count);

static inline void out_bytes(struct read_out *out, const char *bytes, size_t count)
{
	if (count > READ_OUT_BYTES - out->used) {
		out_long(out, bytes, count);
		return;
	}
	memcpy(out->data + out->used, bytes, count);
	out->used += count;
}

/* out_reserve() - place for @count bytes, at most READ_OUT_BYTES, all of which are to be written to */
static inline char *out_reserve(struct read_out *out, size_t count)
{
	if (count > READ_OUT_BYTES - out->used)
		out_flush(out);
	out->used += count;
	return out->data + out->used - count;
}

static inline void out_text(struct read_out *out, const char *text)
{
	out_bytes(out, text, strlen(text));
}

static inline void out_char(struct read_out *out, char c)
{
	if (out->used == READ_OUT_BYTES)
		out_flush(out);
	out->data[out->used++] = c;
}

void out_unsigned(struct read_out *out, uint64_t number);
void out_signed(struct read_out *out, int64_t number);
/* The nine digits of the fraction of a second. */
void out_ns(struct read_out *out, uint32_t ns);
/* @digits: at least so many, with zeros before */
void out_padded(struct read_out *out, uint64_t number, unsigned int base, unsigned int digits);
/* The shortest decimal that reads back as the same float of @bits bits; nan, inf or -inf. */
void out_float(struct read_out *out, double number, unsigned int bits);
void out_hex_byte(struct read_out *out, uint8_t byte);

/* How many bytes from here on are letters, digits and other signs of ASCII that no form escapes. */
size_t out_plain_bytes(const char *text, size_t bytes);
/* C's escapes, without the quotation marks: for terminals, which must see no control character. */
void out_c_escaped(struct read_out *out, const char *text, size_t bytes);
/* A JSON string with its quotation marks. */
void out_json_string(struct read_out *out, const char *text, size_t bytes);

#endif
