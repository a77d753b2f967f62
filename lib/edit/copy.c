/* SPDX-License-Identifier: MIT */
/* copy.c - see copy.h */
#include "copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ctf/read/bits.h"
#include "ctf/read/decode.h"
#include "ctf/read/text.h"
#include "ctf/read/value.h"
#include "plain.h"

int copy_init(struct copy *copy, uint32_t slot_count, struct bits *to)
{
	*copy = (struct copy){ .to = to };
	copy->slots = calloc((size_t)slot_count + 1, sizeof(*copy->slots));
	return copy->slots ? 0 : -ENOMEM;
}

void copy_fini(struct copy *copy)
{
	free(copy->slots);
	free(copy->text);
	copy->slots = NULL;
	copy->text = NULL;
}

void copy_begin(struct copy *copy, const uint8_t *data, uint64_t end)
{
	copy->data = data;
	copy->end = end;
	copy->pos = 0;
	memset(copy->roles, 0, sizeof(copy->roles));
}

static int align(struct copy *copy, uint32_t bits, uint32_t to_bits)
{
	uint64_t pos = (copy->pos + bits - 1) & ~(uint64_t)(bits - 1);

	if (pos > copy->end)
		return -ENODATA;
	copy->pos = pos;
	return bits_align(copy->to, to_bits);
}

static int need(const struct copy *copy, uint64_t bits)
{
	return bits > copy->end - copy->pos ? -ENODATA : 0;
}

/* ---- scalars ---- */

static void note(struct copy *copy, const struct read_layout *l, uint64_t raw)
{
	uint64_t value = l->is_signed ? read_sign_extend(raw, l->bits) : raw;

	if (l->slot >= 0)
		copy->slots[l->slot] = value;
	if (l->role == READ_ROLE_NONE)
		return;
	copy->roles[l->role] = l;
	copy->role_pos[l->role] = copy->to->pos;
}

static int copy_number(struct copy *copy, const struct read_layout *l)
{
	uint64_t raw;
	int rc = need(copy, l->bits);

	if (rc)
		return rc;
	raw = read_bits(copy->data, copy->pos, l->bits, l->is_big);
	copy->pos += l->bits;
	if (l->kind != READ_FLOAT)
		note(copy, l, raw);
	return bits_add(copy->to, raw, l->bits, l->is_big);
}

static int copy_bytes(struct copy *copy, uint64_t count)
{
	const uint8_t *from = copy->data + copy->pos / 8;

	if (count > (copy->end - copy->pos) / 8)
		return -ENODATA;
	copy->pos += count * 8;
	return bits_add_bytes(copy->to, from, count);
}

/* One that is set later has as many bytes as any number needs. */
static int copy_varint(struct copy *copy, const struct read_layout *l)
{
	uint8_t longest[READ_VARINT_BYTES_MAX];
	const uint8_t *from = copy->data + copy->pos / 8;
	uint64_t number;
	uint32_t bytes = read_varint(from, (copy->end - copy->pos) / 8, l->is_signed, &number);

	if (!bytes)
		return -EPROTO;
	note(copy, l, number);
	if (copy->is_plain) {
		copy->pos += (uint64_t)bytes * 8;
		return bits_add(copy->to, number, PLAIN_VARINT_BITS, false);
	}
	if (l->role == READ_ROLE_NONE || l->role == READ_ROLE_EVENT_ID ||
	    l->role == READ_ROLE_CLOCK)
		return copy_bytes(copy, bytes);
	copy->pos += (uint64_t)bytes * 8;
	read_varint_set(longest, number);
	return bits_add_bytes(copy->to, longest, sizeof(longest));
}

static int reserve_text(struct copy *copy, size_t bytes)
{
	char *text;

	if (bytes <= copy->text_bytes)
		return 0;
	text = realloc(copy->text, bytes);
	if (!text)
		return -ENOMEM;
	copy->text = text;
	copy->text_bytes = bytes;
	return 0;
}

/* @bytes: of the text; @all: with what is behind it in its field */
static int convert(struct copy *copy, const struct read_layout *l, uint64_t bytes, uint64_t all)
{
	const char *from = (const char *)copy->data + copy->pos / 8;
	size_t length;
	int rc;

	if (bytes > BITS_BYTES_MAX)
		return -EFBIG;
	rc = reserve_text(copy, read_text_room(bytes) + 1);
	if (rc)
		return rc;
	read_text_convert((enum read_encoding)l->encoding, from, bytes, copy->text, &length);
	copy->text[length] = 0;
	copy->pos += all * 8;
	return bits_add_bytes(copy->to, copy->text, length + 1);
}

static int copy_string(struct copy *copy, const struct read_layout *l)
{
	enum read_encoding encoding = (enum read_encoding)l->encoding;
	const uint8_t *from = copy->data + copy->pos / 8;
	uint64_t left = (copy->end - copy->pos) / 8;
	uint64_t bytes = read_text_length(encoding, (const char *)from, left);

	if (bytes == left)
		return -ENODATA;
	if (copy->is_plain && plain_is_string(l))
		return convert(copy, l, bytes, bytes + read_text_unit(encoding));
	return copy_bytes(copy, bytes + read_text_unit(encoding));
}

/* ---- compounds ---- */

static int copy_node(struct copy *copy, const struct read_layout *l);

static int add_tag(void *data, const struct read_layout *tagged)
{
	struct copy *copy = data;
	uint32_t tag = plain_tag(tagged, copy->slots[tagged->from_slot]);
	int rc = bits_align(copy->to, PLAIN_ALIGN);

	return rc ? rc : bits_add(copy->to, tag, PLAIN_TAG_BITS, false);
}

static int copy_children(struct copy *copy, const struct read_layout *l)
{
	int rc = 0;

	for (uint32_t i = 0; i < l->child_count && !rc; i++) {
		if (copy->is_plain)
			rc = plain_each_tag(&l->children[i], add_tag, copy);
		if (!rc)
			rc = copy_node(copy, &l->children[i]);
	}
	return rc;
}

/* An array of characters. */
static int convert_elements(struct copy *copy, const struct read_layout *l, uint64_t count)
{
	const char *from = (const char *)copy->data + copy->pos / 8;

	if (count > (copy->end - copy->pos) / 8)
		return -ENODATA;
	return convert(copy, l, read_text_length((enum read_encoding)l->encoding, from, count),
		       count);
}

static int copy_elements(struct copy *copy, const struct read_layout *l, uint64_t count)
{
	int rc = 0;

	if (copy->is_plain && plain_is_string(l))
		return convert_elements(copy, l, count);
	if (read_is_bytes(l->children))
		return copy_bytes(copy, count);
	for (uint64_t i = 0; i < count && !rc; i++)
		rc = copy_node(copy, l->children);
	return rc;
}

static int copy_optional(struct copy *copy, const struct read_layout *l)
{
	return read_layout_option(l, copy->slots[l->from_slot]) ? copy_node(copy, l->children) : 0;
}

static int copy_variant(struct copy *copy, const struct read_layout *l)
{
	const struct read_option *option = read_layout_option(l, copy->slots[l->from_slot]);

	return option ? copy_node(copy, &l->children[option->index]) : -EPROTO;
}

static int copy_node(struct copy *copy, const struct read_layout *l)
{
	int rc = align(copy, l->align, copy->is_plain ? plain_align(l) : l->align);

	if (rc)
		return rc;
	if (copy->steps++ == READ_STEPS_MAX)
		return -EPROTO;
	switch (l->kind) {
	case READ_INTEGER:
	case READ_ENUM:
	case READ_FLOAT:
		return copy_number(copy, l);
	case READ_VARINT:
		return copy_varint(copy, l);
	case READ_STRING:
		return copy_string(copy, l);
	case READ_STRUCT:
		return copy_children(copy, l);
	case READ_VARIANT:
		return copy_variant(copy, l);
	case READ_OPTIONAL:
		return copy_optional(copy, l);
	case READ_ARRAY:
		return copy_elements(copy, l, l->count);
	case READ_SEQUENCE:
		break;
	}
	return copy_elements(copy, l, copy->slots[l->from_slot]);
}

int copy_scope(struct copy *copy, const struct read_layout *layout)
{
	copy->steps = 0;
	return layout ? copy_node(copy, layout) : 0;
}

/* ---- roles and places ---- */

void copy_set_role(struct copy *copy, enum read_role role, uint64_t value)
{
	const struct read_layout *l = copy->roles[role];

	if (l && l->kind == READ_VARINT && copy->is_plain)
		bits_set(copy->to, copy->role_pos[role], value, PLAIN_VARINT_BITS, false);
	else if (l && l->kind == READ_VARINT)
		read_varint_set(copy->to->data + copy->role_pos[role] / 8, value);
	else if (l)
		bits_set(copy->to, copy->role_pos[role], value, l->bits, l->is_big);
}

bool copy_role_fits(const struct copy *copy, enum read_role role, uint64_t value)
{
	const struct read_layout *l = copy->roles[role];

	return !l || l->kind == READ_VARINT || l->bits >= 64 || !(value >> l->bits);
}

void copy_set_clock(struct copy *copy, uint64_t ticks)
{
	const struct read_layout *l = copy->roles[READ_ROLE_CLOCK];
	uint8_t *at = copy->to->data + copy->role_pos[READ_ROLE_CLOCK] / 8;

	if (!l || l->kind != READ_VARINT || copy->is_plain) {
		copy_set_role(copy, READ_ROLE_CLOCK, ticks);
		return;
	}
	for (; *at & 0x80; at++, ticks >>= 7)
		*at = (uint8_t)(0x80 | (ticks & 0x7f));
	*at = (uint8_t)(ticks & 0x7f);
}

uint32_t copy_align(const struct read_layout *layout)
{
	uint32_t most = layout ? layout->align : 1;

	for (uint32_t i = 0; layout && i < layout->child_count; i++) {
		uint32_t align = copy_align(&layout->children[i]);

		most = align > most ? align : most;
	}
	return most;
}
