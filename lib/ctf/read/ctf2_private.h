/* SPDX-License-Identifier: MIT */
/* ctf2_private.h - between the files that read CTF 2's metadata */
#ifndef TACHO_CTF_CTF2_PRIVATE_H
#define TACHO_CTF_CTF2_PRIVATE_H

#include <json-c/json.h>

#include "ctf2.h"

#define CTF2_CLASS_DEPTH_MAX 64
#define CTF2_ALIASES_MAX     16384

struct ctf2_alias {
	struct ctf2_alias *next;
	const char *name;
	struct read_type *type;
};

/* A clock by the name that only the metadata uses. */
struct ctf2_clock {
	struct ctf2_clock *next;
	const char *id;
	struct read_clock *clock;
};

struct ctf2 {
	struct read_metadata *metadata;
	struct ctf2_alias *aliases; /* the newest first */
	uint32_t alias_count;
	struct ctf2_clock *clocks;
	struct read_env **env_tail;
	struct read_clock **clock_tail;
	struct read_stream_class **stream_tail;
	struct read_event_class **event_tail;
	uint32_t fragment; /* the one that is read, from 1 */
	uint32_t depth;    /* of field classes */
	int error;         /* the first one sticks */
	struct tacho_error *e;
};

/* ctf2_fail() - record an error, unless there is one already */
void ctf2_fail(struct ctf2 *p, int code, const char *what);
void *ctf2_alloc(struct ctf2 *p, size_t bytes);
/* ctf2_copy() - of a JSON string, which ends at its first 0 byte; NULL after an error */
const char *ctf2_copy(struct ctf2 *p, json_object *value);

/* Properties of an object. NULL, or @otherwise: it has none; of another type, that is an error. */
json_object *ctf2_get(json_object *object, const char *key);
const char *ctf2_text(struct ctf2 *p, json_object *object, const char *key);
/* A number from 0 to @max. */
uint64_t ctf2_number(struct ctf2 *p, json_object *object, const char *key, uint64_t otherwise,
		     uint64_t max);
int64_t ctf2_signed(struct ctf2 *p, json_object *object, const char *key);

/* ctf2_type() - a field class, or the name of an alias; NULL after an error */
struct read_type *ctf2_type(struct ctf2 *p, json_object *value);

#endif
