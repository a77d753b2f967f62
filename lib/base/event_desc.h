/* SPDX-License-Identifier: MIT */
/*
 * event_desc.h - the description of an event (format/record.h), checked and ready for use.
 *
 * The bytes come from the shared memory of traced programs. event_desc_parse() copies them before
 * it looks at them; what it returns is ours and holds what this header promises.
 */
#ifndef TACHO_BASE_EVENT_DESC_H
#define TACHO_BASE_EVENT_DESC_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/record.h"

struct event_field {
	const char *name;
	uint32_t type;  /* TACHO_TYPE(): kind, size and flags go together */
	uint32_t count; /* elements of an array, else 0 */
};

/* A name of the values from low to high, which are signed where the field is. */
struct event_label {
	const char *text; /* at most TACHO_NAME_MAX bytes */
	uint64_t low;
	uint64_t high;
};

struct event_labels {
	const struct event_label *label;
	unsigned int count;
};

struct event_desc {
	const char *provider; /* at most TACHO_NAME_MAX bytes, as are all names; may be "" */
	const char *name;
	const char *file; /* "" if unknown */
	unsigned int line;
	unsigned int level; /* enum tacho_level */
	unsigned int field_count;
	const struct event_field *fields;
	const struct event_labels *labels; /* of each field; NULL: none has any */
	const char *model_uri;             /* NULL: none */
};

/*
 * event_desc_parse() - check and copy a description
 *
 * A record of an event without a description, and all behind it in its sub-buffer, cannot be read.
 * So what is odd but does not hide where a field ends is not refused but mended: levels, flags and
 * counts out of range, names that are too long, numbers of sizes that no machine has.
 *
 * @bytes: a struct tacho_desc; hostile, may even change meanwhile
 * @size:  how many bytes may be read
 *
 * Return: 0 and a description for event_desc_free(); -EBADMSG (with the reason in @error) or
 * -ENOMEM.
 */
int event_desc_parse(const void *bytes, size_t size, struct event_desc **ret_desc,
		     struct tacho_error *error);

/* NULL is allowed. */
void event_desc_free(struct event_desc *desc);

/*
 * event_desc_build() - the opposite of parse
 *
 * Return: the number of bytes, at most @size; -E2BIG where they do not fit @size or
 * TACHO_DESC_BYTES_MAX. Nothing is checked beyond that.
 */
int event_desc_build(const struct event_desc *desc, void *bytes, size_t size);

#endif
