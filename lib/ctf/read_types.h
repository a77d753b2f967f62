/* SPDX-License-Identifier: MIT */
/*
 * read_types.h - what a trace's metadata declares, as the parser leaves it. Nothing is resolved
 * yet: the native byte order, clocks and the fields that lengths and tags refer to are known only
 * at the end of the text; read_layout.h makes of it what the decoder follows.
 *
 * All of it lives in the arena of the struct read_metadata.
 */
#ifndef TACHO_CTF_READ_TYPES_H
#define TACHO_CTF_READ_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "read_arena.h"

enum read_kind {
	READ_INTEGER,
	READ_FLOAT,
	READ_STRING,
	READ_ENUM,
	READ_STRUCT,
	READ_VARIANT,
	READ_ARRAY,
	READ_SEQUENCE,
};

enum read_order {
	READ_ORDER_NATIVE,
	READ_ORDER_LITTLE,
	READ_ORDER_BIG,
};

/* A label of an enum. low and high are signed where the enum's integer is. */
struct read_mapping {
	struct read_mapping *next;
	const char *label;
	uint64_t low, high;
};

/* A field of a struct or an option of a variant. */
struct read_field {
	struct read_field *next;
	const char *name;
	struct read_type *type;
};

struct read_type {
	enum read_kind kind;
	enum read_order order;
	uint32_t bits;
	uint32_t align; /* in bits; 0: what the kind implies */
	uint8_t base;
	bool is_signed;
	bool is_text;              /* an integer that is a character */
	const char *clock;         /* "clock.NAME.value" or NULL */
	const char *reference;     /* the path of a sequence's length or a variant's tag */
	uint64_t count;            /* elements of an array */
	struct read_type *element; /* of an array or sequence; the integer of an enum */
	struct read_field *fields;
	struct read_mapping *mappings;
};

struct read_clock {
	struct read_clock *next;
	const char *name;
	const char *uuid;        /* clocks with the same one can be compared; or NULL */
	const char *description; /* or NULL */
	uint64_t precision_ticks;
	bool is_absolute; /* can be compared with the clocks of other traces that are */
	uint64_t freq_hz;
	int64_t offset_s;
	int64_t offset_ticks;
};

struct read_env {
	struct read_env *next;
	const char *name;
	const char *value; /* numbers as text */
	bool is_number;
};

struct read_stream_class {
	struct read_stream_class *next;
	uint64_t id;
	struct read_type *packet_context;
	struct read_type *event_header;
	struct read_type *event_context;
};

struct read_event_class {
	struct read_event_class *next;
	uint64_t id;
	uint64_t stream_id;
	const char *name;
	int32_t level;   /* CTF_LEVEL_NONE */
	const char *uri; /* of its model; or NULL */
	struct read_type *context;
	struct read_type *fields;
};

/* Lists are in the order of the text. */
struct read_metadata {
	struct read_arena arena;
	uint32_t major, minor; /* version of CTF */
	bool is_packetized;    /* the text came in packets */
	const char *uuid;      /* or NULL */
	enum read_order order;
	struct read_type *packet_header;
	struct read_clock *clocks;
	struct read_env *envs;
	struct read_stream_class *streams;
	struct read_event_class *events;
};

#define READ_ALIGN_BITS_MAX (1u << 20)

/* read_clock_ns() - @ticks in nanoseconds since 1970; no clock: ticks are nanoseconds */
uint64_t read_clock_ns(const struct read_clock *clock, uint64_t ticks);

const struct read_clock *read_metadata_clock(const struct read_metadata *metadata,
					     const char *reference);

#endif
