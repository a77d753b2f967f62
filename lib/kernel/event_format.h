/* SPDX-License-Identifier: MIT */
/*
 * event_format.h - what an event of the kernel consists of: the text of events/SYSTEM/EVENT/format.
 *
 *      name: sched_waking
 *      ID: 372
 *      format:
 *      	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
 *      	...
 *
 *      	field:char comm[16];	offset:8;	size:16;	signed:0;
 *      	field:pid_t pid;	offset:24;	size:4;	signed:1;
 *      	field:__data_loc char[] name;	offset:28;	size:4;	signed:0;
 *
 *      print fmt: "..."
 *
 * Of fields with common_ in front of their names, which all events have, nothing is kept.
 */
#ifndef TACHO_KERNEL_EVENT_FORMAT_H
#define TACHO_KERNEL_EVENT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "format/record.h"

#define KERNEL_FIELD_NAME_BYTES 64
#define KERNEL_FIELD_TYPE_BYTES 96
#define KERNEL_FIELDS_MAX       128 /* the kernel has one event with 42 */

enum kernel_place {
	KERNEL_IN_PLACE,
	KERNEL_DATA_LOC, /* a word: bytes << 16 | offset from the event's begin */
	KERNEL_REL_LOC,  /* the same, offset from behind the word */
};

struct kernel_field {
	char name[KERNEL_FIELD_NAME_BYTES];
	char type[KERNEL_FIELD_TYPE_BYTES]; /* C's, of an element: "unsigned int", "const char *" */
	enum kernel_place place;
	uint32_t offset;
	uint32_t bytes; /* in place: of all elements; else of the word */
	uint32_t count; /* elements; 0: it is no array */
	bool is_signed;
};

struct kernel_format {
	char name[TACHO_NAME_MAX + 1];
	uint16_t id;
	uint32_t field_count;
	struct kernel_field field[KERNEL_FIELDS_MAX];
};

/* kernel_format_parse() - Return: 0; -EBADMSG: it is no such text, or has an event that is beyond
 * what can be recorded. */
int kernel_format_parse(const char *text, struct kernel_format *ret_format,
			struct tacho_error *error);

#endif
