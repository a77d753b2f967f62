/* SPDX-License-Identifier: MIT */
/*
 * flat.h - all that is behind an event's header as one list of steps, of an event that always has the
 * same values: contexts and fields that are numbers, texts, and structs and short arrays of numbers.
 *
 *      values    | stream context | event context | fields    |      a template, copied once
 *      steps     | run | text | run                     | text       each fills in its values
 *
 * Where the event before was of the same class, its values are there already: what is known of the
 * class alone stays, and numbers and the places of texts are filled in.
 */
#ifndef TACHO_CTF_READ_FLAT_H
#define TACHO_CTF_READ_FLAT_H

#include "program.h"

enum read_flat_kind {
	READ_FLAT_RUN,    /* numbers whose places are known from the first one on */
	READ_FLAT_STRING, /* up to its 0 byte */
	READ_FLAT_BYTES,  /* so many, a text or not */
};

struct read_flat_step {
	uint8_t kind;                   /* enum read_flat_kind */
	bool is_simple;                 /* of a run: each number is */
	bool is_context;                /* it may say who writes */
	uint32_t align;                 /* in bits */
	uint32_t bits;                  /* at least; but of a string, all of them */
	uint32_t value;                 /* the first one */
	const struct read_step *run;    /* or NULL */
	const struct read_layout *node; /* of a text */
};

struct read_flat {
	struct read_flat_step *steps;
	uint32_t step_count;
	uint32_t value_count;
	uint32_t stream_context_count; /* of the values; they come first */
	uint32_t context_count;        /* those of the event's own context, too */
	bool has_contexts;             /* which may say who writes */
	bool is_numbers;               /* one run of simple ones, to which nothing refers */
	struct ctf_value *values;      /* the template */
};

/*
 * read_flat_compile() - once programs of the scopes are compiled
 * @scopes: contexts of stream and event, and fields; each may be NULL
 * @ret_flat: NULL: the event's values are not always the same ones
 *
 * Return: 0 or -ENOMEM.
 */
int read_flat_compile(struct read_arena *arena, const struct read_layout *const scopes[3],
		      const struct read_flat **ret_flat);

#endif
