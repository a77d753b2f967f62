/* SPDX-License-Identifier: MIT */
/* names.h - the objects of lib/ctf that stand behind those of include/tacho/reader.h, and back. */
#ifndef TACHO_READER_NAMES_H
#define TACHO_READER_NAMES_H

#include <tacho/reader.h>

#include "ctf/read/reader.h"

struct read_layout;

static inline struct ctf_reader *inner_reader(struct tacho_reader *reader)
{
	return (struct ctf_reader *)reader;
}

static inline const struct ctf_reader *inner_const_reader(const struct tacho_reader *reader)
{
	return (const struct ctf_reader *)reader;
}

static inline const struct read_trace *inner_trace(const struct tacho_reader_trace *trace)
{
	return (const struct read_trace *)trace;
}

static inline const struct tacho_reader_trace *outer_trace(const struct read_trace *trace)
{
	return (const struct tacho_reader_trace *)trace;
}

static inline const struct ctf_item *inner_item(const struct tacho_reader_item *item)
{
	return (const struct ctf_item *)item;
}

static inline const struct ctf_value *inner_value(const struct tacho_reader_value *value)
{
	return (const struct ctf_value *)value;
}

static inline const struct read_event *inner_class(const struct tacho_reader_class *event_class)
{
	return (const struct read_event *)event_class;
}

static inline const struct tacho_reader_class *outer_class(const struct read_event *event_class)
{
	return (const struct tacho_reader_class *)event_class;
}

static inline const struct read_layout *inner_type(const struct tacho_reader_type *type)
{
	return (const struct read_layout *)type;
}

static inline const struct tacho_reader_type *outer_type(const struct read_layout *type)
{
	return (const struct tacho_reader_type *)type;
}

#endif
