/* SPDX-License-Identifier: MIT */
/* decode.c - see decode.h */
#include "decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/load.h"
#include "bits.h"
#include "flat.h"
#include "text.h"
#include "value.h"

#define EMPTY_MAX (1u << 16) /* elements of an array that may take no data */

void read_decoder_fini(struct read_decoder *d)
{
	free(d->slots);
	free(d->values);
	free(d->text);
	d->slots = NULL;
	d->text = NULL;
	d->values = NULL;
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

static int grow_values(struct read_decoder *d, uint32_t more)
{
	uint64_t capacity = ((uint64_t)d->value_count + more) * 2 + 16;
	struct ctf_value *values = NULL;

	if (capacity <= UINT32_MAX)
		values = realloc(d->values, capacity * sizeof(*values));
	if (!values)
		return fail(d, -ENOMEM, "no memory for an event");
	d->values = values;
	d->value_capacity = (uint32_t)capacity;
	return 0;
}

/* There is room for values from the beginning, so that places among none are no arithmetic with NULL. */
int read_decoder_init(struct read_decoder *d, uint32_t slot_count)
{
	*d = (struct read_decoder){ .why = "" };
	d->slots = calloc((size_t)slot_count + 1, sizeof(*d->slots));
	if (d->slots && !grow_values(d, 0))
		return 0;
	read_decoder_fini(d);
	return -ENOMEM;
}

/* Room for so many values behind those there are. */
static inline int reserve_values(struct read_decoder *d, uint32_t more)
{
	return more <= d->value_capacity - d->value_count ? 0 : grow_values(d, more);
}

static int add_value(struct read_decoder *d, const struct ctf_value *value)
{
	int rc = reserve_values(d, 1);

	if (!rc)
		d->values[d->value_count++] = *value;
	return rc;
}

/* ---- scalars ---- */

/* @bits: how many of the value's there are, of a clock */
static inline void note_bits(struct read_decoder *d, const struct read_layout *l, uint64_t value,
			     uint32_t bits)
{
	if (l->slot >= 0)
		d->slots[l->slot] = value;
	if (l->role == READ_ROLE_NONE)
		return;
	if (l->role == READ_ROLE_CLOCK)
		read_decoder_clock(d, value, bits);
	d->roles[l->role] = value;
	d->roles_seen |= 1u << l->role;
}

static void note_integer(struct read_decoder *d, const struct read_layout *l, uint64_t value)
{
	note_bits(d, l, value, l->bits);
}

static bool has_value(const struct read_mapping *map, uint64_t value, bool is_signed)
{
	if (is_signed)
		return (int64_t)value >= (int64_t)map->low && (int64_t)value <= (int64_t)map->high;
	return value >= map->low && value <= map->high;
}

static void set_label(struct ctf_value *value, const struct read_layout *l)
{
	const struct read_mapping *map = l->mappings;

	while (map && !has_value(map, value->u, l->is_signed))
		map = map->next;
	value->label = map ? map->label : NULL;
}

static void set_number(struct ctf_value *value, const struct read_layout *l, uint64_t number)
{
	float single;
	uint32_t half = (uint32_t)number;

	value->u = number;
	if (value->kind == CTF_VALUE_ENUM)
		set_label(value, l);
	if (l->kind != READ_FLOAT || l->bits != 32)
		return;
	memcpy(&single, &half, sizeof(single));
	value->f = single;
}

static uint64_t read_number(const struct read_decoder *d, const struct read_layout *l, uint64_t pos)
{
	uint64_t number = read_bits(d->data, pos, l->bits, l->is_big);

	return l->is_signed ? read_sign_extend(number, l->bits) : number;
}

static int decode_number(struct read_decoder *d, const struct read_layout *l, const char *name,
			 bool is_kept)
{
	struct ctf_value value;
	uint64_t number;
	int rc = need(d, l->bits);

	if (rc)
		return rc;
	number = read_number(d, l, d->pos);
	d->pos += l->bits;
	if (l->kind != READ_FLOAT)
		note_integer(d, l, number);
	if (!is_kept)
		return 0;
	value = read_value_of_number(l, name);
	set_number(&value, l, number);
	return add_value(d, &value);
}

static int decode_varint(struct read_decoder *d, const struct read_layout *l, const char *name,
			 bool is_kept)
{
	const uint8_t *at = d->data + d->pos / 8;
	struct ctf_value value;
	uint64_t number;
	uint32_t bytes = read_varint(at, (d->end - d->pos) / 8, l->is_signed, &number);

	if (!bytes)
		return fail(d, -EPROTO, "an integer that does not end, or has more than 64 bits");
	d->pos += (uint64_t)bytes * 8;
	note_bits(d, l, number, bytes < READ_VARINT_BYTES_MAX ? bytes * 7 : 64);
	if (!is_kept)
		return 0;
	value = read_value_of_number(l, name);
	set_number(&value, l, number);
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

/* A text that is not UTF-8 where it stands. */
static int add_converted(struct read_decoder *d, const struct read_layout *l, const char *name,
			 const char *text, uint64_t bytes)
{
	size_t room = read_text_room(bytes);

	/* All texts of a packet together are not longer than it is. */
	if (!d->text_used && d->text_capacity < read_text_room(d->end / 4)) {
		free(d->text);
		d->text_capacity = read_text_room(d->end / 4);
		d->text = malloc(d->text_capacity);
		if (!d->text) {
			d->text_capacity = 0;
			return fail(d, -ENOMEM, "no memory for a text");
		}
	}
	if (room > d->text_capacity - d->text_used)
		return fail(d, -EPROTO, "a text of an absurd length");
	text = read_text_convert((enum read_encoding)l->encoding, text, bytes,
				 d->text + d->text_used, &room);
	d->text_used += room;
	return add_bytes(d, name, CTF_VALUE_STRING, text, room);
}

static int decode_wide_string(struct read_decoder *d, const struct read_layout *l, const char *name,
			      bool is_kept)
{
	const char *text = (const char *)d->data + d->pos / 8;
	uint64_t bytes_left = (d->end - d->pos) / 8;
	uint64_t bytes = read_text_length((enum read_encoding)l->encoding, text, bytes_left);

	if (bytes == bytes_left)
		return fail(d, -ENODATA, "the packet ends within a string");
	d->pos += (bytes + read_text_unit((enum read_encoding)l->encoding)) * 8;
	return is_kept ? add_converted(d, l, name, text, bytes) : 0;
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

/* An array of characters is a string: up to its first 0 byte, if its size is fixed, and in CTF 2.
 * Else, 0 bytes are a part of a counted text. */
static int decode_text(struct read_decoder *d, const struct read_layout *l, const char *name,
		       uint64_t count, bool is_kept)
{
	const char *text = (const char *)d->data + d->pos / 8;
	uint64_t length = l->ends_at_null ? strnlen(text, count) : count;

	d->pos += count * 8;
	if (l->encoding != READ_UTF8) {
		length = read_text_length((enum read_encoding)l->encoding, text, count);
		return is_kept ? add_converted(d, l, name, text, length) : 0;
	}
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

/* @absent: those of what is around it */
static void end_compound(struct read_decoder *d, uint32_t at, uint32_t absent)
{
	d->values[at].span = d->value_count - at;
	d->values[at].length -= d->absent;
	d->absent = absent;
}

static uint32_t begin_absent(struct read_decoder *d)
{
	uint32_t absent = d->absent;

	d->absent = 0;
	return absent;
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
	uint32_t at, absent;
	int rc;

	if (!is_kept)
		return decode_children(d, l, false);
	absent = begin_absent(d);
	rc = begin_compound(d, name, CTF_VALUE_STRUCT, l->child_count, &at);
	if (!rc)
		rc = decode_children(d, l, true);
	if (!rc)
		end_compound(d, at, absent);
	return rc;
}

static int decode_each(struct read_decoder *d, const struct read_layout *element, uint64_t count,
		       bool is_kept)
{
	int rc = 0;

	for (uint64_t i = 0; i < count && !rc; i++)
		rc = decode(d, element, "", is_kept);
	return rc;
}

/* Elements that may be empty, as compounds may, are not bounded by the data that is left. */
static bool is_beyond(const struct read_decoder *d, const struct read_layout *element,
		      uint64_t count)
{
	bool has_bits = element->kind == READ_INTEGER || element->kind == READ_FLOAT ||
			element->kind == READ_ENUM;

	return count > d->end - d->pos && (has_bits || count > EMPTY_MAX);
}

static int decode_elements(struct read_decoder *d, const struct read_layout *l, const char *name,
			   uint64_t count, bool is_kept)
{
	const struct read_layout *element = l->children;
	uint32_t at, absent;
	int rc;

	if (is_beyond(d, element, count))
		return fail(d, -ENODATA, "a length that goes beyond its packet");
	if (read_is_bytes(element)) {
		rc = need(d, count * 8);
		if (rc)
			return rc;
		return element->is_text ? decode_text(d, l, name, count, is_kept) :
					  decode_raw(d, name, count, is_kept);
	}
	if (!is_kept)
		return decode_each(d, element, count, false);
	absent = begin_absent(d);
	rc = begin_compound(d, name, CTF_VALUE_ARRAY, (uint32_t)count, &at);
	if (!rc)
		rc = decode_each(d, element, count, true);
	if (!rc)
		end_compound(d, at, absent);
	return rc;
}

static int decode_option(struct read_decoder *d, const struct read_layout *l, const char *name,
			 bool is_kept)
{
	uint32_t at = d->value_count;
	int rc = decode(d, l, name, is_kept);

	if (!rc && is_kept)
		d->values[at].variants++;
	return rc;
}

static int decode_variant(struct read_decoder *d, const struct read_layout *l, const char *name,
			  bool is_kept)
{
	const struct read_option *option = read_layout_option(l, d->slots[l->from_slot]);

	if (!option)
		return fail(d, -EPROTO, "a variant's tag that none of its options has");
	return decode_option(d, &l->children[option->index], name, is_kept);
}

static int decode_optional(struct read_decoder *d, const struct read_layout *l, const char *name,
			   bool is_kept)
{
	if (read_layout_option(l, d->slots[l->from_slot]))
		return decode(d, l->children, name, is_kept);
	d->absent++;
	return 0;
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
	case READ_FLOAT:
		return decode_number(d, l, name, is_kept);
	case READ_VARINT:
		return decode_varint(d, l, name, is_kept);
	case READ_STRING:
		return l->encoding == READ_UTF8 ? decode_string(d, l, name, is_kept) :
						  decode_wide_string(d, l, name, is_kept);
	case READ_STRUCT:
		return decode_struct(d, l, name, is_kept);
	case READ_VARIANT:
		return decode_variant(d, l, name, is_kept);
	case READ_OPTIONAL:
		return decode_optional(d, l, name, is_kept);
	case READ_ARRAY:
		return decode_elements(d, l, name, l->count, is_kept);
	case READ_SEQUENCE:
		break;
	}
	return decode_elements(d, l, name, d->slots[l->from_slot], is_kept);
}

/* ---- programs ---- */

static inline uint64_t load_number(const struct read_decoder *d, const struct read_load *load,
				   uint64_t pos)
{
	const uint8_t *data = d->data + (pos >> 3);

	switch ((enum read_load_kind)load->kind) {
	case READ_LOAD_U8:
		return *data;
	case READ_LOAD_S8:
		return (uint64_t)(int64_t)(int8_t)*data;
	case READ_LOAD_U16:
		return load_u16(data);
	case READ_LOAD_S16:
		return (uint64_t)(int64_t)(int16_t)load_u16(data);
	case READ_LOAD_U32:
		return load_u32(data);
	case READ_LOAD_S32:
		return (uint64_t)(int64_t)(int32_t)load_u32(data);
	case READ_LOAD_U64:
		return load_u64(data);
	case READ_LOAD_BITS:
		break;
	}
	return read_number(d, load->layout, pos);
}

/* Only what is noted of a run. */
static void note_run(struct read_decoder *d, const struct read_step *run)
{
	for (uint32_t i = 0; i < run->note_count; i++)
		note_integer(d, run->notes[i].layout,
			     load_number(d, &run->notes[i], d->pos + run->notes[i].at));
}

static inline void fill_value(struct read_decoder *d, const struct read_load *load,
			      struct ctf_value *value)
{
	uint64_t number = load_number(d, load, d->pos + load->at);

	if (load->is_noted)
		note_integer(d, load->layout, number);
	if (load->is_plain)
		value->u = number;
	else
		set_number(value, load->layout, number);
}

static inline int keep_run(struct read_decoder *d, const struct read_step *run)
{
	const struct read_load *loads_end = run->loads + run->load_count;
	struct ctf_value *values;
	int rc = reserve_values(d, run->value_count);

	if (rc)
		return rc;
	values = d->values + d->value_count;
	for (uint32_t i = 0; i < run->value_count; i++)
		values[i] = run->values[i];
	for (const struct read_load *load = run->loads; load < loads_end; load++)
		fill_value(d, load, &values[load->value]);
	d->value_count += run->value_count;
	return 0;
}

static inline int decode_run(struct read_decoder *d, const struct read_step *run, bool is_kept)
{
	int rc = align(d, run->align);

	if (!rc)
		rc = need(d, run->bits);
	if (rc)
		return rc;
	if (is_kept)
		rc = keep_run(d, run);
	else
		note_run(d, run);
	d->pos += run->bits;
	return rc;
}

static int run_program(struct read_decoder *d, const struct read_program *program, bool is_kept)
{
	const struct read_step *end = program->steps + program->step_count;
	int rc = 0;

	for (const struct read_step *step = program->steps; step < end && !rc; step++) {
		if (step->kind == READ_STEP_RUN)
			rc = decode_run(d, step, is_kept);
		else
			rc = decode(d, step->node, step->node->name, is_kept);
	}
	return rc;
}

int read_decode(struct read_decoder *d, const struct read_layout *layout, bool is_kept)
{
	int rc;

	if (!layout)
		return 0;
	d->steps = 0;
	d->absent = 0;
	rc = align(d, layout->align);
	if (rc)
		return rc;
	return layout->program ? run_program(d, layout->program, is_kept) :
				 decode_children(d, layout, is_kept);
}

/* May read up to READ_SLACK_BYTES more than there are. */
static inline uint64_t load_simple(const uint8_t *data, const struct read_load *load)
{
	uint64_t number = load_u64(data) << load->shift;

	return load->is_signed ? (uint64_t)((int64_t)number >> load->shift) : number >> load->shift;
}

static int prepare_values(struct read_decoder *d, const struct read_flat *flat)
{
	d->value_count = 0;
	if (reserve_values(d, flat->value_count))
		return -EAGAIN;
	if (flat->value_count)
		memcpy(d->values, flat->values, flat->value_count * sizeof(*d->values));
	return 0;
}

/* Each is_simple. */
static inline void fill_simple(struct read_decoder *d, const struct read_flat_step *step,
			       uint64_t pos)
{
	const struct read_load *loads = step->run->loads;
	struct ctf_value *values = d->values + step->value;
	const uint8_t *data = d->data + (pos >> 3);

	for (uint32_t i = 0; i < step->run->load_count; i++)
		values[loads[i].value].u = load_simple(data + (loads[i].at >> 3), &loads[i]);
}

static void fill_run(struct read_decoder *d, const struct read_flat_step *step, uint64_t pos)
{
	const struct read_load *loads = step->run->loads;
	struct ctf_value *values = d->values + step->value;

	for (uint32_t i = 0; i < step->run->load_count; i++)
		set_number(&values[loads[i].value], loads[i].layout,
			   load_number(d, &loads[i], pos + loads[i].at));
}

static inline void take_run(struct read_decoder *d, const struct read_flat_step *step, uint64_t pos,
			    bool is_kept)
{
	const struct read_step *run = step->run;

	if (is_kept && step->is_simple)
		fill_simple(d, step, pos);
	else if (is_kept)
		fill_run(d, step, pos);
	for (uint32_t i = 0; i < run->note_count; i++)
		note_integer(d, run->notes[i].layout,
			     load_number(d, &run->notes[i], pos + run->notes[i].at));
}

/* Return: false: it has no end. */
static inline bool take_string(struct read_decoder *d, const struct read_flat_step *step,
			       uint64_t *io_pos, bool is_kept)
{
	const char *text = (const char *)d->data + *io_pos / 8;
	uint64_t bytes_left = (d->end - *io_pos) / 8;
	const char *end = bytes_left ? memchr(text, 0, bytes_left) : NULL;

	if (!end || end - text > UINT32_MAX)
		return false;
	if (step->is_context)
		note_text(d, step->node, text, (uint64_t)(end - text));
	if (is_kept) {
		d->values[step->value].bytes = text;
		d->values[step->value].length = (uint32_t)(end - text);
	}
	*io_pos += (uint64_t)(end - text + 1) * 8;
	return true;
}

static inline void take_bytes(struct read_decoder *d, const struct read_flat_step *step,
			      uint64_t pos, bool is_kept)
{
	const char *bytes = (const char *)d->data + pos / 8;
	uint64_t length = step->node->count;

	if (step->node->children->is_text) {
		if (step->node->ends_at_null)
			length = strnlen(bytes, length);
		if (step->is_context)
			note_text(d, step->node, bytes, length);
	}
	if (is_kept) {
		d->values[step->value].bytes = bytes;
		d->values[step->value].length = (uint32_t)length;
	}
}

/* Return: false: there is not enough of it. */
static inline bool take_step(struct read_decoder *d, const struct read_flat_step *step,
			     uint64_t *io_pos, bool is_kept)
{
	uint64_t pos = (*io_pos + step->align - 1) & ~(uint64_t)(step->align - 1);

	*io_pos = pos + step->bits;
	if (pos > d->end || step->bits > d->end - pos)
		return false;
	if (step->kind == READ_FLAT_STRING)
		return take_string(d, step, io_pos, is_kept);
	if (step->kind == READ_FLAT_RUN)
		take_run(d, step, pos, is_kept);
	else
		take_bytes(d, step, pos, is_kept);
	return true;
}

static __attribute__((noinline)) int decode_steps(struct read_decoder *d,
						  const struct read_flat *flat, bool is_kept)
{
	const struct read_flat_step *end = flat->steps + flat->step_count;
	uint64_t pos = d->pos;

	d->roles_seen = 0;
	for (const struct read_flat_step *step = flat->steps; step < end; step++) {
		if (!take_step(d, step, &pos, is_kept))
			return -EAGAIN;
	}
	d->value_count = is_kept ? flat->value_count : 0;
	d->pos = pos;
	return 0;
}

/* What most events are: without the loop over steps, 37 instructions less. */
static inline int decode_numbers(struct read_decoder *d, const struct read_flat *flat, bool is_kept)
{
	const struct read_flat_step *step = flat->steps;
	uint64_t pos = (d->pos + step->align - 1) & ~(uint64_t)(step->align - 1);

	if (pos > d->end || step->bits > d->end - pos)
		return -EAGAIN;
	if (is_kept)
		fill_simple(d, step, pos);
	d->value_count = is_kept ? flat->value_count : 0;
	d->pos = pos + step->bits;
	return 0;
}

int read_decode_flat(struct read_decoder *d, const struct read_flat *flat, bool is_kept,
		     bool is_filled)
{
	if (is_kept && !is_filled && prepare_values(d, flat))
		return -EAGAIN;
	return flat->is_numbers ? decode_numbers(d, flat, is_kept) : decode_steps(d, flat, is_kept);
}
