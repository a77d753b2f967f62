/* SPDX-License-Identifier: MIT */
/*
 * kinds.h - one form's way to print each kind of values: the only place that tells kinds apart.
 *
 * Forms are constants, and the function is part of who calls it, so compilers call the members, or
 * put them in place, as if they stood in a switch there.
 */
#ifndef TACHO_CTF_READ_PRINT_KINDS_H
#define TACHO_CTF_READ_PRINT_KINDS_H

#include "ctf/read/reader.h"
#include "out.h"

typedef void (*print_kind_fn)(struct read_out *out, const struct ctf_value *value);

struct print_kinds {
	print_kind_fn integer; /* signed or not */
	print_kind_fn real;
	print_kind_fn string;
	print_kind_fn bytes;
	print_kind_fn label; /* of an enum, which may have none */
	print_kind_fn structure;
	print_kind_fn array;
};

static inline __attribute__((always_inline)) void print_by_kind(const struct print_kinds *kinds,
								struct read_out *out,
								const struct ctf_value *value)
{
	switch ((enum ctf_value_kind)value->kind) {
	case CTF_VALUE_UNSIGNED:
	case CTF_VALUE_SIGNED:
		kinds->integer(out, value);
		break;
	case CTF_VALUE_FLOAT:
		kinds->real(out, value);
		break;
	case CTF_VALUE_STRING:
		kinds->string(out, value);
		break;
	case CTF_VALUE_BYTES:
		kinds->bytes(out, value);
		break;
	case CTF_VALUE_ENUM:
		kinds->label(out, value);
		break;
	case CTF_VALUE_STRUCT:
		kinds->structure(out, value);
		break;
	case CTF_VALUE_ARRAY:
		kinds->array(out, value);
		break;
	}
}

#endif
