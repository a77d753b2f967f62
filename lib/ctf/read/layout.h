/* SPDX-License-Identifier: MIT */
/*
 * layout.h - what the decoder follows: the declared types with everything resolved.
 *
 * A declared type may be used in several places, and a length or tag in it may mean another field
 * in each; so each use is a copy of its own. A field that a length or tag refers to has a SLOT:
 * the decoder stores the field's value there, and the length or tag takes it from there. Slots are
 * numbered through a whole trace.
 *
 * A field that the reader itself needs (the id in an event's header, cpu_id in a packet's context)
 * has a ROLE: by its name in CTF 1.8; in CTF 2 as the metadata says, but for those that it knows no
 * roles for.
 */
#ifndef TACHO_CTF_READ_LAYOUT_H
#define TACHO_CTF_READ_LAYOUT_H

#include <stddef.h>

#include "lex.h"
#include "types.h"

#define READ_NESTING_MAX 64

struct read_option {
	uint64_t low, high;
	uint32_t index; /* of the child */
};

struct read_layout {
	enum read_kind kind;
	enum read_role role;
	const char *name;     /* as people know it: without the first underscore */
	const char *raw_name; /* as the metadata has it */
	uint32_t bits;
	uint32_t align;
	uint8_t base;
	bool is_big;
	bool is_signed;
	bool is_text;
	bool is_clock;                /* a time of a clock */
	bool is_length;               /* only there for the sequence behind it */
	bool ends_at_null;            /* an array of characters ends at its first 0 byte */
	uint8_t encoding;             /* of a string or array of characters: enum read_encoding */
	int32_t slot;                 /* where the value is kept; -1: nowhere */
	int32_t from_slot;            /* where length or tag come from */
	bool from_signed;             /* the tag is signed */
	bool is_labelled;             /* a variant whose tag has a label for each option */
	uint64_t count;               /* elements of an array */
	struct read_layout *children; /* fields, options, or the one element */
	uint32_t child_count;
	uint32_t built_count; /* while it is being built: what references may see */
	const struct read_mapping *mappings;
	struct read_option *options; /* of a variant or optional: which tag means which child */
	uint32_t option_count;
	const struct read_program *program; /* of a scope, once it is compiled (program.h) */
};

struct read_layout_builder {
	struct read_metadata *metadata;
	struct read_layout *scopes[READ_SCOPES]; /* those built so far, for references */
	uint32_t slot_count;
	uint32_t align_max;             /* of all fields, in bits */
	const struct read_clock *clock; /* of the last READ_ROLE_CLOCK */
	struct tacho_error *e;
};

/*
 * read_layout_build() - build the layout of one scope, and put it into builder->scopes
 * @type: NULL for a scope that does not exist
 *
 * Return: 0, -EINVAL, or -ENOMEM.
 */
int read_layout_build(struct read_layout_builder *builder, enum read_scope scope,
		      const struct read_type *type);

/* read_layout_option() - the option of a variant that a tag chooses, or the one of an optional;
 * NULL: none */
static inline const struct read_option *read_layout_option(const struct read_layout *variant,
							   uint64_t tag)
{
	for (uint32_t i = 0; i < variant->option_count; i++) {
		const struct read_option *option = &variant->options[i];

		if (variant->from_signed ? (int64_t)tag >= (int64_t)option->low &&
						   (int64_t)tag <= (int64_t)option->high :
					   tag >= option->low && tag <= option->high)
			return option;
	}
	return NULL;
}

#endif
