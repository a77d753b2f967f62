/* SPDX-License-Identifier: MIT */
/* out.c - see out.h */
#include "out.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_all(struct read_out *out, const char *data, size_t bytes)
{
	while (bytes && !out->error) {
		ssize_t n = write(out->fd, data, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			out->error = -errno;
			return;
		}
		data += n;
		bytes -= (size_t)n;
	}
}

int out_flush(struct read_out *out)
{
	write_all(out, out->data, out->used);
	out->flushed += out->used;
	out->used = 0;
	return out->error;
}

void out_long(struct read_out *out, const char *bytes, size_t count)
{
	out_flush(out);
	if (count > READ_OUT_BYTES) {
		write_all(out, bytes, count);
		out->flushed += count;
		return;
	}
	memcpy(out->data, bytes, count);
	out->used = count;
}

/* ---- numbers ---- */

void out_padded(struct read_out *out, uint64_t number, unsigned int base, unsigned int digits)
{
	char text[64];
	unsigned int i = sizeof(text);

	do {
		text[--i] = "0123456789abcdef"[number % base];
		number /= base;
	} while (i && (number || sizeof(text) - i < digits));
	out_bytes(out, text + i, sizeof(text) - i);
}

/* Two digits at a time. */
static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

void out_unsigned(struct read_out *out, uint64_t number)
{
	char text[20];
	unsigned int i = sizeof(text);

	if (number < 10) {
		out_char(out, (char)('0' + number));
		return;
	}
	while (number >= 100) {
		i -= 2;
		memcpy(text + i, pairs + 2 * (number % 100), 2);
		number /= 100;
	}
	text[--i] = pairs[2 * number + 1];
	if (number >= 10)
		text[--i] = pairs[2 * number];
	out_bytes(out, text + i, sizeof(text) - i);
}

/* Halves of four digits, so that divisions do not wait for each other. */
void out_ns(struct read_out *out, uint32_t ns)
{
	uint32_t high = ns / 10000, low = ns % 10000, top = high / 10000;
	char *text = out_reserve(out, 9);

	high %= 10000;
	text[0] = (char)('0' + top % 10);
	memcpy(text + 1, pairs + 2 * (high / 100), 2);
	memcpy(text + 3, pairs + 2 * (high % 100), 2);
	memcpy(text + 5, pairs + 2 * (low / 100), 2);
	memcpy(text + 7, pairs + 2 * (low % 100), 2);
}

void out_signed(struct read_out *out, int64_t number)
{
	if (number < 0)
		out_char(out, '-');
	out_unsigned(out, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

static bool is_same(double number, const char *text, unsigned int bits)
{
	if (bits == 32)
		return strtof(text, NULL) == (float)number;
	return strtod(text, NULL) == number;
}

void out_float(struct read_out *out, double number, unsigned int bits)
{
	int digits = bits == 32 ? 6 : 15;
	char text[40];

	if (!isfinite(number)) {
		out_text(out, isnan(number) ? "nan" : number < 0 ? "-inf" : "inf");
		return;
	}
	do
		snprintf(text, sizeof(text), "%.*g", digits, number);
	while (!is_same(number, text, bits) && ++digits <= 17);
	out_text(out, text);
}

void out_hex_byte(struct read_out *out, uint8_t byte)
{
	out_padded(out, byte, 16, 2);
}

/* ---- strings ---- */

/* The bytes of the UTF-8 character at @s; 0 if there is none (RFC 3629: no surrogates, nothing
 * that a shorter form has, nothing above U+10FFFF). */
static size_t utf8_bytes(const unsigned char *s, size_t left)
{
	size_t bytes = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	if (!bytes || bytes > left || s[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < bytes; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return bytes;
}

/* The letter of a one-letter escape, or 0. */
static char escape_letter(unsigned char c)
{
	switch (c) {
	case '\n':
		return 'n';
	case '\t':
		return 't';
	case '\r':
		return 'r';
	case '\b':
		return 'b';
	case '\f':
		return 'f';
	case '"':
	case '\\':
		return (char)c;
	default:
		return 0;
	}
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '\'' && c != '?';
}

/* Eight bytes of one value. */
static inline uint64_t each(uint8_t byte)
{
	return 0x0101010101010101u * byte;
}

/* Is any of eight bytes 0? Which one is not told: a byte above a 0 may look like one. */
static inline uint64_t has_zero(uint64_t word)
{
	return (word - each(1)) & ~word & each(0x80);
}

static inline bool are_plain(uint64_t word)
{
	uint64_t is_control = (word - each(0x20)) & ~word & each(0x80);

	return !((word & each(0x80)) | is_control | has_zero(word ^ each(0x7f)) |
		 has_zero(word ^ each('"')) | has_zero(word ^ each('\\')) |
		 has_zero(word ^ each('\'')) | has_zero(word ^ each('?')));
}

size_t out_plain_bytes(const char *text, size_t bytes)
{
	uint64_t word;
	size_t i = 0;

	for (; bytes - i >= sizeof(word); i += sizeof(word)) {
		memcpy(&word, text + i, sizeof(word));
		if (!are_plain(word))
			break;
	}
	while (i < bytes && is_plain((unsigned char)text[i]))
		i++;
	return i;
}

/* One character that is not plain; returns how many bytes it took. */
static size_t c_escape(struct read_out *out, const unsigned char *s, size_t left)
{
	char letter = escape_letter(s[0]);
	size_t bytes = utf8_bytes(s, left);
	/* U+0080 to U+009F are control characters too. */
	bool is_control = bytes == 2 && s[0] == 0xc2 && s[1] < 0xa0;

	if (bytes > 1 && !is_control) {
		out_bytes(out, (const char *)s, bytes);
		return bytes;
	}
	out_char(out, '\\');
	out_char(out, letter ? letter : 'x');
	if (!letter)
		out_hex_byte(out, s[0]);
	return 1;
}

static size_t json_escape(struct read_out *out, const unsigned char *s, size_t left)
{
	char letter = escape_letter(s[0]);
	size_t bytes = utf8_bytes(s, left);

	if (letter) {
		out_char(out, '\\');
		out_char(out, letter);
	} else if (bytes > 1) {
		out_bytes(out, (const char *)s, bytes);
	} else {
		out_text(out, "\\u");
		out_padded(out, bytes ? s[0] : 0xfffd, 16, 4);
	}
	return bytes ? bytes : 1;
}

/* Escaped by others, but not here. */
static bool is_sign(unsigned char c)
{
	return c == '\'' || c == '?';
}

static size_t out_sign(struct read_out *out, unsigned char c)
{
	out_char(out, (char)c);
	return 1;
}

typedef size_t (*escape_fn)(struct read_out *out, const unsigned char *s, size_t left);

static void out_escaped(struct read_out *out, const char *text, size_t bytes, escape_fn escape)
{
	const unsigned char *s = (const unsigned char *)text;

	while (bytes) {
		size_t done = out_plain_bytes((const char *)s, bytes);

		if (done)
			out_bytes(out, (const char *)s, done);
		else if (is_sign(*s))
			done = out_sign(out, *s);
		else
			done = escape(out, s, bytes);
		s += done;
		bytes -= done;
	}
}

void out_c_escaped(struct read_out *out, const char *text, size_t bytes)
{
	out_escaped(out, text, bytes, c_escape);
}

void out_json_string(struct read_out *out, const char *text, size_t bytes)
{
	out_char(out, '"');
	out_escaped(out, text, bytes, json_escape);
	out_char(out, '"');
}
