/* SPDX-License-Identifier: MIT */
/* value.h - what of a value its layout alone says: between the decoder and the compiler. */
#ifndef TACHO_CTF_READ_VALUE_H
#define TACHO_CTF_READ_VALUE_H

#include "layout.h"
#include "reader.h"

/* Is each element the byte behind the one before, and so are all of them together one value? */
static inline bool read_is_bytes(const struct read_layout *element)
{
	return element->kind == READ_INTEGER && element->bits == 8 && element->align == 8 &&
	       (element->is_text || element->base == 16);
}

static inline enum ctf_value_kind read_number_kind(const struct read_layout *l)
{
	if (l->kind == READ_FLOAT)
		return CTF_VALUE_FLOAT;
	if (l->kind == READ_ENUM || (l->kind == READ_VARINT && l->mappings))
		return CTF_VALUE_ENUM;
	return l->is_signed ? CTF_VALUE_SIGNED : CTF_VALUE_UNSIGNED;
}

/* An integer, enum or float without its number. */
static inline struct ctf_value read_value_of_number(const struct read_layout *l, const char *name)
{
	return (struct ctf_value){
		.name = name,
		.mappings = read_number_kind(l) == CTF_VALUE_ENUM ? l->mappings : NULL,
		.span = 1,
		.kind = (uint8_t)read_number_kind(l),
		.base = l->kind == READ_FLOAT ? 0 : l->base,
		.bits = (uint8_t)l->bits,
		.is_signed = l->is_signed,
		.is_length = l->is_length,
		.is_character = l->is_text,
		.is_clock = l->is_clock && l->slot < 0,
	};
}

#endif
