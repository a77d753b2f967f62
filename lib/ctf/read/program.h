/* SPDX-License-Identifier: MIT */
/*
 * program.h - the layout of a scope as a flat program, compiled once per event class.
 *
 *      STEP_RUN    fields whose places are known from the first one on: integers, enums, floats,
 *                  and structs and short arrays of these. One check of bounds for all of them;
 *                  then their values are copied from a template, and the numbers filled in.
 *      STEP_NODE   anything else, left to the general decoder (decode.c): strings,
 *                  sequences, variants, long arrays.
 *
 * A run that nobody wants to see is skipped by its size, but for the few fields that are noted:
 * those that lengths and tags refer to, and those with a role.
 */
#ifndef TACHO_CTF_READ_PROGRAM_H
#define TACHO_CTF_READ_PROGRAM_H

#include "layout.h"
#include "reader.h"

#define READ_RUN_VALUES_MAX 1024

enum read_load_kind {
	READ_LOAD_U8,
	READ_LOAD_U16,
	READ_LOAD_U32,
	READ_LOAD_U64, /* signed or not; and so are the bits of a float */
	READ_LOAD_S8,
	READ_LOAD_S16,
	READ_LOAD_S32,
	READ_LOAD_BITS, /* of any width, place and byte order */
};

/* A number to be filled in. */
struct read_load {
	uint32_t at;    /* bits from the start of the run */
	uint32_t value; /* which one of the run */
	uint8_t kind;   /* enum read_load_kind */
	bool is_noted;
	bool is_plain; /* the number is the value: neither a label nor a conversion */
	/* Plain, and in the machine's order at a whole byte: 64 bits from there, without so many,
	 * signed or not. */
	bool is_simple;
	bool is_signed;
	uint8_t shift;
	const struct read_layout *layout;
};

enum read_step_kind {
	READ_STEP_RUN,
	READ_STEP_NODE,
};

struct read_step {
	enum read_step_kind kind;
	uint32_t align;                 /* in bits, of a run */
	const struct read_layout *node; /* of STEP_NODE */
	uint32_t bits;                  /* of a run */
	uint32_t value_count;
	uint32_t load_count;
	uint32_t note_count;
	struct ctf_value *values; /* the template */
	struct read_load *loads;
	struct read_load *notes; /* those of the loads that are noted */
};

struct read_program {
	struct read_step *steps;
	uint32_t step_count;
};

/*
 * read_program_compile() - compile a scope; its layout then leads to the program
 * @layout: NULL for a scope that does not exist. All layouts of the trace are built: later ones
 *          may refer to fields of this one.
 * @with_roles: whether roles of its fields mean anything
 *
 * Return: 0 or -ENOMEM.
 */
int read_program_compile(struct read_arena *arena, struct read_layout *layout, bool with_roles);

#endif
