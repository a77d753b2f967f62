/* SPDX-License-Identifier: MIT */
/*
 * proto.h - messages of Protocol Buffers, written into memory.
 *
 * A message within another has its length before it, which is not known until it ends: room of four
 * bytes is left, and filled with a number that has leading zeros, which the encoding allows.
 *
 *	at = proto_begin(&proto, 11);
 *	proto_unsigned(&proto, 9, 3);
 *	proto_end(&proto, at);
 */
#ifndef TACHO_CLI_EXPORT_PROTO_H
#define TACHO_CLI_EXPORT_PROTO_H

#include <stddef.h>
#include <stdint.h>

struct proto {
	unsigned char *data;
	size_t used, room;
};

void proto_free(struct proto *proto);

/* @field: its number in the schema */
void proto_unsigned(struct proto *proto, uint32_t field, uint64_t value);
void proto_signed(struct proto *proto, uint32_t field, int64_t value); /* int64, not sint64 */
void proto_double(struct proto *proto, uint32_t field, double value);
void proto_bytes(struct proto *proto, uint32_t field, const void *data, size_t bytes);
void proto_text(struct proto *proto, uint32_t field, const char *text);

/* proto_begin() - Return: for proto_end(). The message has less than 256 MiB. */
size_t proto_begin(struct proto *proto, uint32_t field);
void proto_end(struct proto *proto, size_t at);

/* proto_utf8() - a text that may hold anything: what is not UTF-8 becomes U+FFFD */
void proto_utf8(struct proto *proto, uint32_t field, const char *text, size_t bytes);

#endif
