/* SPDX-License-Identifier: MIT */
/* proto.c - see proto.h */
#include "proto.h"

#include <stdlib.h>
#include <string.h>

#include "cli/text.h"

#define LENGTH_BYTES 4
#define VARINT_BYTES 10

enum wire {
	WIRE_VARINT = 0,
	WIRE_64_BITS = 1,
	WIRE_LENGTH = 2,
};

void proto_free(struct proto *proto)
{
	free(proto->data);
}

static unsigned char *room_for(struct proto *proto, size_t bytes)
{
	if (proto->room - proto->used < bytes) {
		proto->room = 2 * proto->room + bytes + 256;
		proto->data = xrealloc(proto->data, proto->room);
	}
	return proto->data + proto->used;
}

static void put_varint(struct proto *proto, uint64_t value)
{
	unsigned char *at = room_for(proto, VARINT_BYTES), *to = at;

	while (value >= 0x80) {
		*to++ = (unsigned char)(value | 0x80);
		value >>= 7;
	}
	*to++ = (unsigned char)value;
	proto->used += (size_t)(to - at);
}

static void put_tag(struct proto *proto, uint32_t field, enum wire wire)
{
	put_varint(proto, (uint64_t)field << 3 | wire);
}

static void put_raw(struct proto *proto, const void *data, size_t bytes)
{
	if (bytes)
		memcpy(room_for(proto, bytes), data, bytes);
	proto->used += bytes;
}

void proto_unsigned(struct proto *proto, uint32_t field, uint64_t value)
{
	put_tag(proto, field, WIRE_VARINT);
	put_varint(proto, value);
}

void proto_signed(struct proto *proto, uint32_t field, int64_t value)
{
	proto_unsigned(proto, field, (uint64_t)value);
}

void proto_double(struct proto *proto, uint32_t field, double value)
{
	unsigned char bytes[8];
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(bits >> 8 * i);
	put_tag(proto, field, WIRE_64_BITS);
	put_raw(proto, bytes, sizeof(bytes));
}

void proto_bytes(struct proto *proto, uint32_t field, const void *data, size_t bytes)
{
	put_tag(proto, field, WIRE_LENGTH);
	put_varint(proto, bytes);
	put_raw(proto, data, bytes);
}

void proto_text(struct proto *proto, uint32_t field, const char *text)
{
	proto_utf8(proto, field, text, strlen(text));
}

size_t proto_begin(struct proto *proto, uint32_t field)
{
	put_tag(proto, field, WIRE_LENGTH);
	room_for(proto, LENGTH_BYTES);
	proto->used += LENGTH_BYTES;
	return proto->used;
}

void proto_end(struct proto *proto, size_t at)
{
	size_t length = proto->used - at;

	for (size_t i = 0; i < LENGTH_BYTES; i++) {
		unsigned char more = i < LENGTH_BYTES - 1 ? 0x80 : 0;

		proto->data[at - LENGTH_BYTES + i] = (unsigned char)((length & 0x7f) | more);
		length >>= 7;
	}
}

/* ---- texts ---- */

static void put_clean(struct proto *proto, const char *text, size_t bytes)
{
	char *clean = utf8_bytes(text, bytes, &bytes);

	put_raw(proto, clean, bytes);
	free(clean);
}

void proto_utf8(struct proto *proto, uint32_t field, const char *text, size_t bytes)
{
	size_t at;

	if (is_ascii(text, bytes)) {
		proto_bytes(proto, field, text, bytes);
		return;
	}
	at = proto_begin(proto, field);
	put_clean(proto, text, bytes);
	proto_end(proto, at);
}
