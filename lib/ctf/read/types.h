/* SPDX-License-Identifier: MIT */
/*
 * types.h - what a trace's metadata declares, as the parser leaves it. Nothing is resolved
 * yet: the native byte order, clocks and the fields that lengths and tags refer to are known only
 * at the end of the text; layout.h makes of it what the decoder follows.
 *
 * All of it lives in the arena of the struct read_metadata.
 */
#ifndef TACHO_CTF_READ_TYPES_H
#define TACHO_CTF_READ_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"

enum read_kind {
	READ_INTEGER,
	READ_FLOAT,
	READ_STRING,
	READ_ENUM,
	READ_STRUCT,
	READ_VARIANT,
	READ_ARRAY,
	READ_SEQUENCE,
	READ_VARINT, /* an integer of so many bytes as it needs (LEB128), with labels or without */
	READ_OPTIONAL, /* its element, or nothing */
};

enum read_order {
	READ_ORDER_NATIVE,
	READ_ORDER_LITTLE,
	READ_ORDER_BIG,
};

/* CTF's dynamic scopes, in the order in which they stand in a stream. */
enum read_scope {
	READ_SCOPE_PACKET_HEADER,
	READ_SCOPE_PACKET_CONTEXT,
	READ_SCOPE_EVENT_HEADER,
	READ_SCOPE_STREAM_CONTEXT, /* stream.event.context */
	READ_SCOPE_EVENT_CONTEXT,
	READ_SCOPE_FIELDS,
	READ_SCOPES,
};

enum read_role {
	READ_ROLE_NONE,
	READ_ROLE_MAGIC,
	READ_ROLE_STREAM_ID,
	READ_ROLE_INSTANCE,
	READ_ROLE_TIME_BEGIN,
	READ_ROLE_TIME_END,
	READ_ROLE_CONTENT_BITS,
	READ_ROLE_PACKET_BITS,
	READ_ROLE_DISCARDED,
	READ_ROLE_SEQUENCE,
	READ_ROLE_CPU,
	READ_ROLE_EVENT_ID,
	READ_ROLE_CLOCK, /* the event's timestamp, or its low bits */
	READ_ROLE_PID,
	READ_ROLE_TID,
	READ_ROLE_THREAD, /* a string */
	READ_ROLES,
};

/* How the characters of a text are written. */
enum read_encoding {
	READ_UTF8,
	READ_UTF16LE,
	READ_UTF16BE,
	READ_UTF32LE,
	READ_UTF32BE,
};

/* Where the field of a length or tag is, in CTF 2. */
struct read_location {
	enum read_scope origin; /* READ_SCOPES: the structure that holds what refers to it */
	const char **names;     /* of fields, from there on; NULL: the structure around */
	uint32_t count;
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
	struct read_mapping *ranges; /* of an option in CTF 2: of the tag; NULL: by its name */
};

struct read_type {
	enum read_kind kind;
	enum read_order order;
	uint32_t bits;
	uint32_t align; /* in bits; 0: what the kind implies */
	uint8_t base;
	bool is_signed;
	bool is_text;          /* an integer that is a character */
	const char *clock;     /* "clock.NAME.value" or NULL */
	const char *reference; /* the path of a sequence's length or a variant's tag */
	const struct read_location *location; /* the same in CTF 2 */
	uint64_t count;                       /* elements of an array */
	struct read_type *element; /* of an array, sequence, optional; the integer of an enum */
	struct read_field *fields;
	struct read_mapping
		*mappings;   /* of an optional: when it is there; NULL: if the tag is not 0 */
	enum read_role role; /* in CTF 2 */
	bool ends_at_null;   /* see struct read_layout */
	enum read_encoding encoding;
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
	bool has_id;                    /* else it is 0 */
	const struct read_clock *clock; /* in CTF 2 */
	struct read_type *packet_context;
	struct read_type *event_header;
	struct read_type *event_context;
};

struct read_event_class {
	struct read_event_class *next;
	uint64_t id;
	uint64_t stream_id;
	const char *name;
	int32_t level;      /* CTF_LEVEL_NONE */
	const char *uri;    /* of its model; or NULL */
	const char *source; /* "shop.c:42": where it is in its program; or NULL */
	struct read_type *context;
	struct read_type *fields;
};

/* Lists are in the order of the text. */
struct read_metadata {
	struct read_arena arena;
	uint32_t major, minor; /* version of CTF */
	bool is_packetized;    /* the text came in packets */
	const char *odd;  /* the first thing that was read over, and that others refuse; or NULL */
	const char *uuid; /* or NULL */
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
