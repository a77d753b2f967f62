/* SPDX-License-Identifier: MIT */
/*
 * parts.c - the fields of a record that is not written yet, from its parts. Part of libtacho.
 *
 * What is read of a part is read within its bounds, whatever the event's description says of it. An
 * item that does not lie in one part (none does, as event-pack.h makes them) cannot be read.
 */
#include <string.h>

#include "filter/float_state.h"
#include "filter/linked.h"
#include "filter/load.h"

/* A place in the payload. */
struct cursor {
	const struct tacho_part *part;
	uint32_t left; /* parts, this one included */
	uint32_t at;   /* byte of this one */
};

struct parts_source {
	struct filter_source source; /* the first member */
	const struct filter_linked *linked;
	const struct tacho_part *parts;
	uint32_t count;
};

/* ---- walking ---- */

/* From the end of a part to the next, where that is no string. */
static void settle(struct cursor *c)
{
	while (c->left && c->at == c->part->bytes && !c->part->is_string) {
		c->part++;
		c->left--;
		c->at = 0;
	}
}

/* Return: what is there; NULL: there is not that much. */
static const char *take(struct cursor *c, uint64_t bytes)
{
	const char *data;

	settle(c);
	if (!bytes)
		return "";
	if (!c->left || c->part->is_string || bytes > c->part->bytes - c->at)
		return NULL;
	data = (const char *)c->part->data + c->at;
	c->at += (uint32_t)bytes;
	return data;
}

/* Bytes that may be of several parts. */
static bool skip(struct cursor *c, uint32_t bytes)
{
	if (c->left && !c->part->is_string && bytes <= c->part->bytes - c->at) {
		c->at += bytes;
		return true;
	}
	while (bytes) {
		uint32_t here;

		settle(c);
		if (!c->left || c->part->is_string)
			return false;
		here = c->part->bytes - c->at;
		here = here < bytes ? here : bytes;
		c->at += here;
		bytes -= here;
	}
	return true;
}

static int string_of(struct filter_value *ret_value, const char *text, uint64_t bytes)
{
	if (!text)
		return -1;
	ret_value->text = text;
	ret_value->bytes = (uint32_t)bytes;
	ret_value->kind = FILTER_STRING;
	return 0;
}

/* A string is a part of its own, or is somewhere in one and has its 0 byte there. */
static int take_string(struct cursor *c, struct filter_value *ret_value)
{
	const char *text, *end;

	settle(c);
	if (!c->left)
		return -1;
	text = (const char *)c->part->data + c->at;
	if (c->part->is_string) {
		string_of(ret_value, text, c->part->bytes);
		c->part++;
		c->left--;
		c->at = 0;
		return 0;
	}
	end = memchr(text, 0, c->part->bytes - c->at);
	if (!end)
		return -1;
	c->at += (uint32_t)(end - text) + 1;
	return string_of(ret_value, text, (uint64_t)(end - text));
}

/* Text, bytes, sequence: a number, and as many elements. */
static const char *take_counted(struct cursor *c, uint32_t type, uint32_t *ret_count)
{
	uint32_t length_bytes = TACHO_TYPE_LENGTH_BYTES(type);
	const char *head = take(c, length_bytes);
	uint64_t count = head ? load_word(head, length_bytes) : UINT64_MAX;

	if (count > UINT32_MAX)
		return NULL;
	*ret_count = (uint32_t)count;
	return take(c, count * TACHO_TYPE_BYTES(type));
}

static bool skip_item(struct cursor *c, uint32_t type)
{
	struct filter_value ignored;
	uint32_t count;

	if (TACHO_TYPE_KIND(type) == TACHO_KIND_STRING)
		return !take_string(c, &ignored);
	return take_counted(c, type, &count) != NULL;
}

static bool walk(const struct parts_source *source, const struct filter_place *place,
		 struct cursor *ret_cursor)
{
	const struct filter_stretch *stretch = filter_stretches(source->linked);

	*ret_cursor = (struct cursor){ source->parts, source->count, 0 };
	for (uint32_t i = 0; i < place->stretches; i++) {
		if (!skip(ret_cursor, stretch[i].fixed_bytes) ||
		    !skip_item(ret_cursor, stretch[i].type))
			return false;
	}
	return skip(ret_cursor, place->fixed_bytes);
}

/* ---- values ---- */

static int load_integer(const char *data, uint32_t type, struct filter_value *ret_value)
{
	uint32_t bytes = TACHO_TYPE_BYTES(type);
	bool is_signed = TACHO_TYPE_FLAGS(type) & TACHO_FLAG_SIGNED;
	uint64_t word = load_word(data, bytes);

	if (TACHO_TYPE_FLAGS(type) & TACHO_FLAG_NETWORK && !TACHO_BIG_ENDIAN)
		word = __builtin_bswap64(word) >> (64 - 8 * bytes);
	ret_value->word = is_signed ? load_signed(word, bytes) : word;
	ret_value->kind = is_signed || bytes < 8 ? FILTER_SIGNED : FILTER_UNSIGNED;
	return 0;
}

static int load_double(const char *data, uint32_t type, struct filter_value *ret_value)
{
	float single;

	if (TACHO_TYPE_BYTES(type) == sizeof(single)) {
		memcpy(&single, data, sizeof(single));
		ret_value->real = single;
	} else {
		memcpy(&ret_value->real, data, sizeof(ret_value->real));
	}
	ret_value->kind = FILTER_DOUBLE;
	return 0;
}

/* field_kind() has found that the type has a value. */
static int load_number(const char *data, uint32_t type, bool is_float,
		       struct filter_value *ret_value)
{
	if (!data)
		return -1;
	return is_float ? load_double(data, type, ret_value) : load_integer(data, type, ret_value);
}

static int load_scalar(struct cursor *c, uint32_t type, struct filter_value *ret_value)
{
	bool is_float = TACHO_TYPE_KIND(type) == TACHO_KIND_FLOAT;

	return load_number(take(c, TACHO_TYPE_BYTES(type)), type, is_float, ret_value);
}

/* Characters end at their first 0 byte. */
static int characters_of(struct filter_value *ret_value, const char *text, uint64_t bytes)
{
	const char *end = text ? memchr(text, 0, bytes) : NULL;

	return string_of(ret_value, text, end ? (uint64_t)(end - text) : bytes);
}

/* The elements of a sequence, array, text or of bytes. */
static int load_elements(const struct filter_place *place, const char *data, uint32_t count,
			 struct filter_value *ret_value)
{
	uint32_t kind = TACHO_TYPE_KIND(place->type), bytes = TACHO_TYPE_BYTES(place->type);
	bool is_text = kind == TACHO_KIND_TEXT || kind == TACHO_KIND_BYTES;

	if (!data)
		return -1;
	if (place->element == TACHO_FILTER_WHOLE)
		return is_text ? string_of(ret_value, data, count) :
				 characters_of(ret_value, data, count);
	if (place->element >= count)
		return -1;
	return load_number(data + (uint64_t)place->element * bytes, place->type,
			   !is_text && TACHO_TYPE_FLAGS(place->type) & TACHO_FLAG_FLOAT, ret_value);
}

static int load_string(struct cursor *c, const struct filter_place *place,
		       struct filter_value *ret_value)
{
	int ret = take_string(c, ret_value);

	if (ret || place->element == TACHO_FILTER_WHOLE)
		return ret;
	return load_elements(place, ret_value->text, ret_value->bytes, ret_value);
}

static int load(struct cursor *c, const struct filter_place *place, struct filter_value *ret_value)
{
	uint32_t bytes = TACHO_TYPE_BYTES(place->type), count = place->count;
	const char *data;

	switch (TACHO_TYPE_KIND(place->type)) {
	case TACHO_KIND_INTEGER:
	case TACHO_KIND_FLOAT:
		return load_scalar(c, place->type, ret_value);
	case TACHO_KIND_STRING:
		return load_string(c, place, ret_value);
	case TACHO_KIND_ARRAY:
		data = take(c, (uint64_t)count * bytes);
		return load_elements(place, data, count, ret_value);
	}
	data = take_counted(c, place->type, &count);
	return load_elements(place, data, count, ret_value);
}

static int field(struct filter_source *base, uint32_t index, struct filter_value *ret_value)
{
	const struct parts_source *source = (const struct parts_source *)base;
	const struct filter_place *place = &source->linked->place[index];
	struct cursor c;

	return walk(source, place, &c) ? load(&c, place, ret_value) : -1;
}

bool filter_run_parts(const struct filter_linked *linked, const struct tacho_part *parts,
		      uint32_t count, filter_context_fn context, void *data)
{
	struct parts_source source = { { field, context, data }, linked, parts, count };
	struct float_state saved;
	bool is_match;

	if (!linked->has_doubles)
		return filter_run(linked->filter, &source.source);
	float_state_enter(&saved);
	is_match = filter_run(linked->filter, &source.source);
	float_state_leave(&saved);
	return is_match;
}
