/* SPDX-License-Identifier: MIT */
/* json.c - see json.h */
#include "json.h"

#include <math.h>
#include <string.h>

#define EXACT_MAX ((uint64_t)1 << 53)

static bool is_exact(const struct ctf_value *value)
{
	uint64_t size = value->is_signed && value->i < 0 ? -value->u : value->u;

	return size <= EXACT_MAX && value->base != 16;
}

static void put_digits(struct read_out *out, const struct ctf_value *value)
{
	if (value->base == 16) {
		out_text(out, "0x");
		out_padded(out, value->u, 16, 1);
	} else if (value->is_signed) {
		out_signed(out, value->i);
	} else {
		out_unsigned(out, value->u);
	}
}

static void put_integer(struct read_out *out, const struct ctf_value *value)
{
	const char *quote = is_exact(value) ? "" : "\"";

	out_text(out, quote);
	put_digits(out, value);
	out_text(out, quote);
}

static void put_float(struct read_out *out, const struct ctf_value *value)
{
	const char *quote = isfinite(value->f) ? "" : "\"";

	out_text(out, quote);
	out_float(out, value->f, value->bits);
	out_text(out, quote);
}

static void put_hex(struct read_out *out, const struct ctf_value *value)
{
	out_char(out, '"');
	for (uint32_t i = 0; i < value->length; i++)
		out_hex_byte(out, (uint8_t)value->bytes[i]);
	out_char(out, '"');
}

static void put_elements(struct read_out *out, const struct ctf_value *values, uint32_t count)
{
	out_char(out, '[');
	for (uint32_t i = 0; i < count; i += values[i].span) {
		if (i)
			out_char(out, ',');
		export_json_value(out, &values[i]);
	}
	out_char(out, ']');
}

static void put_struct(struct read_out *out, const struct ctf_value *value)
{
	out_char(out, '{');
	export_json_members(out, value + 1, value->span - 1);
	out_char(out, '}');
}

void export_json_value(struct read_out *out, const struct ctf_value *value)
{
	switch ((enum ctf_value_kind)value->kind) {
	case CTF_VALUE_UNSIGNED:
	case CTF_VALUE_SIGNED:
		put_integer(out, value);
		break;
	case CTF_VALUE_FLOAT:
		put_float(out, value);
		break;
	case CTF_VALUE_STRING:
		out_json_string(out, value->bytes, value->length);
		break;
	case CTF_VALUE_BYTES:
		put_hex(out, value);
		break;
	case CTF_VALUE_ENUM:
		if (value->label)
			out_json_string(out, value->label, strlen(value->label));
		else
			put_integer(out, value);
		break;
	case CTF_VALUE_STRUCT:
		put_struct(out, value);
		break;
	case CTF_VALUE_ARRAY:
		put_elements(out, value + 1, value->span - 1);
		break;
	}
}

uint32_t export_json_members(struct read_out *out, const struct ctf_value *values, uint32_t count)
{
	uint32_t members = 0;

	for (uint32_t i = 0; i < count; i += values[i].span) {
		if (values[i].is_length)
			continue;
		if (members++)
			out_char(out, ',');
		out_json_string(out, values[i].name, strlen(values[i].name));
		out_char(out, ':');
		export_json_value(out, &values[i]);
	}
	return members;
}
