/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * record.h - one recorded event, byte for byte, and the description of its fields.
 *
 * THE RECORD
 *
 * A record is a header and a payload, without any padding: the next record starts at the byte
 * after it. It is a CTF event as it stands: a drain copies it to disk unchanged. Integers are in
 * the byte order of the machine, at any address.
 *
 * There are three headers. The low 5 bits of the first byte (the high ones on a big-endian
 * machine) tell which:
 *
 *   compact, 4 bytes      31                            5 4     0
 *                        +-------------------------------+-------+
 *                        |  timestamp, low 27 bits       |  id   |     id 0 .. 28
 *                        +-------------------------------+-------+
 *
 *   medium, 6 bytes      +-------------------------------+-------+----------------+
 *                        |  timestamp, low 27 bits       |  30   |  id, 16 bits   |
 *                        +-------------------------------+-------+----------------+
 *
 *   extended, 13 bytes   +-------+-------+--------------+--------------------------+
 *                        |  31   | 3 x 0 |  id, 32 bits |  timestamp, 64 bits      |
 *                        +-------+-------+--------------+--------------------------+
 *
 * (29 is kept for later.) The timestamp is the raw clock of the session. A WINDOW is
 * timestamp >> 27. A compact or medium header is allowed only when the record before it in the
 * same sub-buffer lies in the same window; otherwise the header is extended. So a reader needs no
 * more than the record before, and the 27 bits never wrap between two records: a reader that
 * knows only CTF's rule ("smaller than before means one wrap") finds the same time.
 *
 * WHO WROTE IT
 *
 * The rings are per CPU, so the thread that writes changes only when the scheduler changes it.
 * The event with id 0, "tacho:writer", says who writes from here on; each sub-buffer starts with
 * one, so each can be read alone:
 *
 *   payload of tacho:writer       u32 pid, u32 tid, name of the thread (bytes, then one 0 byte)
 *
 * Event ids from TACHO_ID_FIRST up are indices into the session's event table (runtime.h) and mean
 * what the entry there says.
 *
 * CONTEXTS
 *
 * What the entry there says may include contexts: values that the tracer adds, such as who or where
 * the event was. They stand right behind the header, before the event's own fields, in the order of
 * their numbers (enum tacho_context in session.h, which has their sizes). tacho:writer has none.
 *
 * FIELDS
 *
 * The rest of a payload is the event's fields one after the other:
 *
 *   integer, float       1, 2, 4 or 8 bytes
 *   string               its bytes, then one 0 byte
 *   text, bytes          u32 length, then as many bytes
 *   sequence             u32 number of elements, then the elements
 *   array                the elements; their number is in the description
 *
 * The length may be of another size, which its type tells (TACHO_FLAG_LENGTH_8 and so on). Fields
 * that only filters see (TACHO_FLAG_NOWRITE) are not in the record; they are the last ones of a
 * description.
 */
#ifndef TACHO_FORMAT_RECORD_H
#define TACHO_FORMAT_RECORD_H

#include "port.h"

#define TACHO_ID_BITS      5
#define TACHO_WINDOW_SHIFT 27

#define TACHO_ID_COMPACT_MAX 28 /* the largest id that fits a compact header */
#define TACHO_ID_MEDIUM      30 /* mark of a medium header */
#define TACHO_ID_EXTENDED    31 /* mark of an extended header */
#define TACHO_ID_MEDIUM_MAX  0xffff

#define TACHO_ID_WRITER 0 /* tacho:writer */
#define TACHO_ID_FIRST  1 /* the first id of the session's event table */

#define TACHO_COMPACT_BYTES  4
#define TACHO_MEDIUM_BYTES   6
#define TACHO_EXTENDED_BYTES 13
#define TACHO_EXTENDED_ID    1 /* where in an extended header the id and the timestamp start */
#define TACHO_EXTENDED_TS    5

/* The name of a thread, as the kernel keeps it, with its 0 byte. */
#define TACHO_THREAD_NAME_BYTES 16
/* pid, tid, name, behind an extended header. */
#define TACHO_WRITER_BYTES_MAX (TACHO_EXTENDED_BYTES + 4 + 4 + TACHO_THREAD_NAME_BYTES)

/* The first four bytes of a compact or medium header, as an integer. */
static inline uint32_t tacho_header_word(uint64_t timestamp, uint32_t mark)
{
#if TACHO_BIG_ENDIAN
	return mark << TACHO_WINDOW_SHIFT | ((uint32_t)timestamp & 0x07ffffffu);
#else
	return (uint32_t)timestamp << TACHO_ID_BITS | mark;
#endif
}

/* What kind a field is. */
enum tacho_kind {
	TACHO_KIND_NONE = 0,
	TACHO_KIND_INTEGER = 1,
	TACHO_KIND_FLOAT = 2,
	TACHO_KIND_STRING = 3,   /* ends with a 0 byte */
	TACHO_KIND_TEXT = 4,     /* counted UTF-8 */
	TACHO_KIND_BYTES = 5,    /* counted bytes, shown in hexadecimal */
	TACHO_KIND_SEQUENCE = 6, /* counted integers or floats */
	TACHO_KIND_ARRAY = 7,    /* integers or floats, number in the description */
	TACHO_KIND_MAX = 7,
};

/* How it is shown and stored. */
enum tacho_type_flag {
	TACHO_FLAG_SIGNED = 1 << 0,
	TACHO_FLAG_HEX = 1 << 1,     /* shown in base 16 */
	TACHO_FLAG_BOOL = 1 << 2,
	TACHO_FLAG_CHAR = 1 << 3,    /* one character: shown as such where a reader can */
	TACHO_FLAG_POINTER = 1 << 4, /* an address; HEX is set as well */
	TACHO_FLAG_FLOAT = 1 << 5,   /* the elements of a sequence or array are floats */
	TACHO_FLAG_NETWORK = 1 << 6, /* integers with the most significant byte first */
	TACHO_FLAG_ENUM = 1 << 7,    /* an integer with names for values: labels_at */
	TACHO_FLAG_LENGTH_8 = 1 << 8, /* of text, bytes and sequences; none of the three: 32 bits */
	TACHO_FLAG_LENGTH_16 = 2 << 8,
	TACHO_FLAG_LENGTH_64 = 3 << 8,
	TACHO_FLAG_NOWRITE = 1 << 10, /* not in the record */
	TACHO_FLAG_ALL = (1 << 11) - 1,
};

/*
 * A field's type is one integer:   flags << 16 | element bytes << 8 | kind
 * Element bytes: 1, 2, 4 or 8; 1 for strings, text and bytes.
 */
#define TACHO_TYPE(kind, bytes, flags) \
	((uint32_t)(kind) | (uint32_t)(bytes) << 8 | (uint32_t)(flags) << 16)
#define TACHO_TYPE_KIND(type)  ((type) & 0xffu)
#define TACHO_TYPE_BYTES(type) ((type) >> 8 & 0xffu)
#define TACHO_TYPE_FLAGS(type) ((type) >> 16)
/* The bytes of the length of a text, bytes or sequence. */
#define TACHO_TYPE_LENGTH_BYTES(type) (0x8214u >> 4 * (TACHO_TYPE_FLAGS(type) >> 8 & 3) & 0xfu)
#define TACHO_TYPE_IS_WRITTEN(type)   (!(TACHO_TYPE_FLAGS(type) & TACHO_FLAG_NOWRITE))

/* Severity, LTTng's numbers: the smaller, the graver. */
enum tacho_level {
	TACHO_LEVEL_EMERG = 0,
	TACHO_LEVEL_ALERT = 1,
	TACHO_LEVEL_CRIT = 2,
	TACHO_LEVEL_ERR = 3,
	TACHO_LEVEL_WARNING = 4,
	TACHO_LEVEL_NOTICE = 5,
	TACHO_LEVEL_INFO = 6,
	TACHO_LEVEL_DEBUG_SYSTEM = 7,
	TACHO_LEVEL_DEBUG_PROGRAM = 8,
	TACHO_LEVEL_DEBUG_PROCESS = 9,
	TACHO_LEVEL_DEBUG_MODULE = 10,
	TACHO_LEVEL_DEBUG_UNIT = 11,
	TACHO_LEVEL_DEBUG_FUNCTION = 12,
	TACHO_LEVEL_DEBUG_LINE = 13, /* an event's level where it names none */
	TACHO_LEVEL_DEBUG = 14,
	TACHO_LEVEL_MAX = 14,
};

/*
 * THE DESCRIPTION OF AN EVENT, as it stands in a process's registry and in a session's event
 * table. Everything is relative to its own start, so it can be copied anywhere:
 *
 *   +---------------------+----------------------+---------------------------------------+
 *   | struct tacho_desc   | tacho_desc_field x n | strings, each with a 0 byte; labels   |
 *   +---------------------+----------------------+---------------------------------------+
 *   0                     40                     |<-- *_at count from byte 0 of the desc
 *
 * Labels are a struct tacho_desc_labels and so many struct tacho_desc_label, at a multiple of 8.
 * Values may have several labels, and a label several ranges of values.
 *
 * Who writes: the traced process, once, before the description is published; nobody changes it
 * afterwards. A reader treats it as hostile (event_desc_parse() in lib/base).
 */
struct tacho_desc_field {
	uint32_t type;    /* TACHO_TYPE() */
	uint32_t count;   /* elements of an array, else 0 */
	uint32_t name_at; /* where the field's name starts */
	uint32_t labels_at; /* where the names of its values start; 0: it has none */
};

struct tacho_desc_labels {
	uint32_t count;
	uint32_t reserved;
};

struct tacho_desc_label {
	uint64_t low; /* the first value and the last, sign-extended where the field is signed */
	uint64_t high;
	uint32_t text_at;
	uint32_t reserved;
};

struct tacho_desc {
	uint32_t bytes;        /* the whole, a multiple of 8 */
	uint32_t field_count;
	uint64_t hash;         /* tacho_desc_hash() of all bytes behind this field */
	uint32_t level;        /* enum tacho_level */
	uint32_t provider_at;
	uint32_t event_at;     /* the name without the provider */
	uint32_t file_at;      /* source file, "" if unknown */
	uint32_t line;
	uint32_t model_uri_at; /* where a URI starts that names the event's model; 0: none */
};
TACHO_STATIC_ASSERT(sizeof(struct tacho_desc) == 40, "layout of struct tacho_desc");
TACHO_STATIC_ASSERT(sizeof(struct tacho_desc_field) == 16, "layout of struct tacho_desc_field");
TACHO_STATIC_ASSERT(sizeof(struct tacho_desc_label) == 24, "layout of struct tacho_desc_label");

#define TACHO_DESC_HASHED    16 /* the first byte that the hash covers */
#define TACHO_DESC_BYTES_MAX 65536
#define TACHO_FIELDS_MAX     256
#define TACHO_LABELS_MAX     4096 /* of all fields of an event */
#define TACHO_NAME_MAX       255 /* bytes of a provider's, event's or field's name, 0 byte apart */

/* FNV-1a, 64 bits. */
static inline uint64_t tacho_desc_hash(const void *data, size_t bytes)
{
	const unsigned char *p = (const unsigned char *)data;
	uint64_t hash = 0xcbf29ce484222325ull;

	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ p[i]) * 0x100000001b3ull;
	return hash;
}

#endif
