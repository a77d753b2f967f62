/* SPDX-License-Identifier: MIT */
/* read_decode.c - see read_decode.h */
#include "read_decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read_bits.h"

int read_decoder_init(struct read_decoder *d, uint32_t slot_count)
{
	*d = (struct read_decoder){ .why = "" };
	d->slots = calloc((size_t)slot_count + 1, sizeof(*d->slots));
	return d->slots ? 0 : -ENOMEM;
}

void read_decoder_fini(struct read_decoder *d)
{
	free(d->slots);
	free(d->values);
	d->slots = NULL;
	d->values = NULL;
}

bool read_decoder_has(const struct read_decoder *d, enum read_role role)
{
	return d->roles_seen >> role & 1;
}

static int fail(struct read_decoder *d, int code, const char *why)
{
	d->why = why;
	return code;
}

static int align(struct read_decoder *d, uint32_t bits)
{
	uint64_t pos = (d->pos + bits - 1) & ~(uint64_t)(bits - 1);

	if (pos > d->end)
		return fail(d, -ENODATA, "the packet ends within an event");
	d->pos = pos;
	return 0;
}

static int need(struct read_decoder *d, uint64_t bits)
{
	if (bits > d->end - d->pos)
		return fail(d, -ENODATA, "the packet ends within an event");
	return 0;
}

/* ---- values ---- */

static int grow_values(struct read_decoder *d)
{
	uint32_t capacity = d->value_capacity ? d->value_capacity * 2 : 16;
	struct ctf_value *values;

	values = realloc(d->values, capacity * sizeof(*values));
	if (!values)
		return fail(d, -ENOMEM, "no memory for an event");
	d->values = values;
	d->value_capacity = capacity;
	return 0;
}

static int add_value(struct read_decoder *d, const struct ctf_value *value)
{
	int rc = d->value_count == d->value_capacity ? grow_values(d) : 0;

	if (!rc)
		d->values[d->value_count++] = *value;
	return rc;
}

/* ---- scalars ---- */

/* A timestamp with fewer bits than the clock: the next time at which the clock has them. */
static void update_clock(struct read_decoder *d, uint64_t value, uint32_t bits)
{
	uint64_t mask = bits < 64 ? (1ull << bits) - 1 : ~0ull;
	uint64_t ticks = (d->ticks & ~mask) | value;

	if (bits < 64 && ticks < d->ticks)
		ticks += mask + 1;
	d->ticks = ticks;
}

static void note_integer(struct read_decoder *d, const struct read_layout *l, uint64_t value)
{
	if (l->slot >= 0)
		d->slots[l->slot] = value;
	if (l->role == READ_ROLE_NONE)
		return;
	if (l->role == READ_ROLE_CLOCK)
		update_clock(d, value, l->bits);
	d->roles[l->role] = value;
	d->roles_seen |= 1u << l->role;
}

static const char *find_label(const struct read_layout *l, uint64_t value)
{
	for (const struct read_mapping *map = l->mappings; map; map = map->next) {
		bool is_in = l->is_signed ? (int64_t)value >= (int64_t)map->low &&
						    (int64_t)value <= (int64_t)map->high :
					    value >= map->low && value <= map->high;

		if (is_in)
			return map->label;
	}
	return NULL;
}

static int decode_integer(struct read_decoder *d, const struct read_layout *l, const char *name,
			  bool is_kept)
{
	struct ctf_value value = { .name = name, .span = 1 };
	uint64_t number;
	int rc = need(d, l->bits);

	if (rc)
		return rc;
	number = read_bits(d->data, d->pos, l->bits, l->is_big);
	if (l->is_signed)
		number = read_sign_extend(number, l->bits);
	d->pos += l->bits;
	note_integer(d, l, number);
	if (!is_kept)
		return 0;
	value.u = number;
	value.kind = l->is_signed ? CTF_VALUE_SIGNED : CTF_VALUE_UNSIGNED;
	if (l->kind == READ_ENUM) {
		value.kind = CTF_VALUE_ENUM;
		value.label = find_label(l, number);
	}
	value.base = l->base;
	value.bits = (uint8_t)l->bits;
	value.is_signed = l->is_signed;
	value.is_length = l->is_length;
	value.is_character = l->is_text;
	return add_value(d, &value);
}

static int decode_float(struct read_decoder *d, const struct read_layout *l, const char *name,
			bool is_kept)
{
	struct ctf_value value = {
		.name = name, .span = 1, .kind = CTF_VALUE_FLOAT, .bits = (uint8_t)l->bits
	};
	uint64_t number;
	uint32_t half;
	float single;
	int rc = need(d, l->bits);

	if (rc)
		return rc;
	number = read_bits(d->data, d->pos, l->bits, l->is_big);
	d->pos += l->bits;
	if (!is_kept)
		return 0;
	memcpy(&value.f, &number, sizeof(value.f));
	if (l->bits == 32) {
		half = (uint32_t)number;
		memcpy(&single, &half, sizeof(single));
		value.f = single;
	}
	return add_value(d, &value);
}

/* ---- strings ---- */

static int add_bytes(struct read_decoder *d, const char *name, enum ctf_value_kind kind,
		     const char *bytes, uint64_t length)
{
	struct ctf_value value = { .name = name,
				   .span = 1,
				   .kind = (uint8_t)kind,
				   .bytes = bytes,
				   .length = (uint32_t)length };

	if (length > UINT32_MAX)
		return fail(d, -EPROTO, "a string of an absurd length");
	return add_value(d, &value);
}

static void note_text(struct read_decoder *d, const struct read_layout *l, const char *text,
		      uint64_t bytes)
{
	if (l->role != READ_ROLE_THREAD)
		return;
	d->thread = text;
	d->thread_bytes = (uint32_t)bytes;
	d->roles_seen |= 1u << READ_ROLE_THREAD;
}

static int decode_string(struct read_decoder *d, const struct read_layout *l, const char *name,
			 bool is_kept)
{
	const char *text = (const char *)d->data + d->pos / 8;
	uint64_t bytes_left = (d->end - d->pos) / 8;
	const char *end = bytes_left ? memchr(text, 0, bytes_left) : NULL;

	if (!end)
		return fail(d, -ENODATA, "the packet ends within a string");
	d->pos += (uint64_t)(end - text + 1) * 8;
	note_text(d, l, text, (uint64_t)(end - text));
	return is_kept ? add_bytes(d, name, CTF_VALUE_STRING, text, (uint64_t)(end - text)) : 0;
}

/* An array of characters is a string: up to its first 0 byte, if its size is fixed. Of a counted
 * text, 0 bytes are a part. */
static int decode_text(struct read_decoder *d, const struct read_layout *l, const char *name,
		       uint64_t count, bool is_kept)
{
	const char *text = (const char *)d->data + d->pos / 8;
	uint64_t length = l->kind == READ_ARRAY ? strnlen(text, count) : count;

	d->pos += count * 8;
	note_text(d, l, text, length);
	return is_kept ? add_bytes(d, name, CTF_VALUE_STRING, text, length) : 0;
}

static int decode_raw(struct read_decoder *d, const char *name, uint64_t count, bool is_kept)
{
	const char *bytes = (const char *)d->data + d->pos / 8;

	d->pos += count * 8;
	return is_kept ? add_bytes(d, name, CTF_VALUE_BYTES, bytes, count) : 0;
}

/* ---- compounds ---- */

static int decode(struct read_decoder *d, const struct read_layout *l, const char *name,
		  bool is_kept);

/* A value whose span and length are filled in once what it holds is decoded. */
static int begin_compound(struct read_decoder *d, const char *name, enum ctf_value_kind kind,
			  uint32_t length, uint32_t *ret_at)
{
	struct ctf_value value = { .name = name, .kind = (uint8_t)kind, .length = length };

	*ret_at = d->value_count;
	return add_value(d, &value);
}

static void end_compound(struct read_decoder *d, uint32_t at)
{
	d->values[at].span = d->value_count - at;
}

static int decode_children(struct read_decoder *d, const struct read_layout *l, bool is_kept)
{
	int rc = 0;

	for (uint32_t i = 0; i < l->child_count && !rc; i++)
		rc = decode(d, &l->children[i], l->children[i].name, is_kept);
	return rc;
}

static int decode_struct(struct read_decoder *d, const struct read_layout *l, const char *name,
			 bool is_kept)
{
	uint32_t at;
	int rc;

	if (!is_kept)
		return decode_children(d, l, false);
	rc = begin_compound(d, name, CTF_VALUE_STRUCT, l->child_count, &at);
	if (!rc)
		rc = decode_children(d, l, true);
	if (!rc)
		end_compound(d, at);
	return rc;
}

/* Is each element one byte, at a whole byte? */
static bool is_byte(const struct read_layout *element)
{
	return element->kind == READ_INTEGER && element->bits == 8 && !(element->align % 8);
}

static int decode_each(struct read_decoder *d, const struct read_layout *element, uint64_t count,
		       bool is_kept)
{
	int rc = 0;

	for (uint64_t i = 0; i < count && !rc; i++)
		rc = decode(d, element, "", is_kept);
	return rc;
}

static int decode_elements(struct read_decoder *d, const struct read_layout *l, const char *name,
			   uint64_t count, bool is_kept)
{
	const struct read_layout *element = l->children;
	uint32_t at;
	int rc;

	if (count > d->end - d->pos)
		return fail(d, -ENODATA, "a length that goes beyond its packet");
	if (is_byte(element) && (element->is_text || element->base == 16)) {
		rc = need(d, count * 8);
		if (rc)
			return rc;
		return element->is_text ? decode_text(d, l, name, count, is_kept) :
					  decode_raw(d, name, count, is_kept);
	}
	if (!is_kept)
		return decode_each(d, element, count, false);
	rc = begin_compound(d, name, CTF_VALUE_ARRAY, (uint32_t)count, &at);
	if (!rc)
		rc = decode_each(d, element, count, true);
	if (!rc)
		end_compound(d, at);
	return rc;
}

static bool is_in(const struct read_option *option, uint64_t tag, bool is_signed)
{
	if (is_signed)
		return (int64_t)tag >= (int64_t)option->low &&
		       (int64_t)tag <= (int64_t)option->high;
	return tag >= option->low && tag <= option->high;
}

static int decode_variant(struct read_decoder *d, const struct read_layout *l, const char *name,
			  bool is_kept)
{
	uint64_t tag = d->slots[l->from_slot];

	for (uint32_t i = 0; i < l->option_count; i++) {
		const struct read_option *option = &l->options[i];

		if (is_in(option, tag, l->from_signed))
			return decode(d, &l->children[option->index], name, is_kept);
	}
	return fail(d, -EPROTO, "a variant's tag that none of its options has");
}

static int decode(struct read_decoder *d, const struct read_layout *l, const char *name,
		  bool is_kept)
{
	int rc = align(d, l->align);

	if (rc)
		return rc;
	/* Fields without bits take no data, so the end of the data does not bound them. */
	if (d->steps++ == READ_STEPS_MAX)
		return fail(d, -EPROTO, "an absurd number of elements");
	switch (l->kind) {
	case READ_INTEGER:
	case READ_ENUM:
		return decode_integer(d, l, name, is_kept);
	case READ_FLOAT:
		return decode_float(d, l, name, is_kept);
	case READ_STRING:
		return decode_string(d, l, name, is_kept);
	case READ_STRUCT:
		return decode_struct(d, l, name, is_kept);
	case READ_VARIANT:
		return decode_variant(d, l, name, is_kept);
	case READ_ARRAY:
		return decode_elements(d, l, name, l->count, is_kept);
	case READ_SEQUENCE:
		break;
	}
	return decode_elements(d, l, name, d->slots[l->from_slot], is_kept);
}

int read_decode(struct read_decoder *d, const struct read_layout *layout, bool is_kept)
{
	int rc;

	if (!layout)
		return 0;
	d->steps = 0;
	rc = align(d, layout->align);
	return rc ? rc : decode_children(d, layout, is_kept);
}
