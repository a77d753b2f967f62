/* SPDX-License-Identifier: MIT */
/*
 * odd.h - what our reader takes in a trace's metadata, and others do not.
 *
 * Such metadata are written anew (tsdl.h), without what is odd: of things that are there twice, the
 * first stays.
 */
#ifndef TACHO_EDIT_ODD_H
#define TACHO_EDIT_ODD_H

#include "ctf/read/trace.h"

#define ODD_LEVEL_MAX 14 /* levels have numbers up to this one */

/* odd_metadata() - what is odd in TSDL, in words; NULL: nothing */
const char *odd_metadata(const struct read_trace *trace);

bool odd_uuid(const char *uuid);
/* A clock whose name another one before it has. */
bool odd_clock(const struct read_clock *first, const struct read_clock *clock);
bool odd_freq(const struct read_clock *clock);
/* An offset that cannot be said in nanoseconds since 1970, in 63 bits. */
bool odd_offset(const struct read_clock *clock);
bool odd_env(const struct read_env *first, const struct read_env *env);
/* A stream that no packet can be of. */
bool odd_stream(const struct read_trace *trace, uint32_t at);
/* A label without a value, or without a text. */
bool odd_mapping(const struct read_layout *l, const struct read_mapping *map);
bool odd_has_mappings(const struct read_layout *l);
/* An option of a variant that no value of its tag chooses. */
bool odd_option(const struct read_layout *variant, const struct read_layout *option);
/* Words of TSDL, which are no names. */
bool odd_word(const char *name);
/* A field with a name that means something, of a type that cannot be that. */
bool odd_role(const struct read_layout *l);
/* The same of the UUID in a packet's header. */
bool odd_uuid_field(const struct read_layout *l);
/* A number of an event that no header says, or that is too large. */
bool odd_event_id(const struct read_stream_layout *stream, const struct read_event *event);
/* How many fields before it have its name, one underscore at the beginning apart. */
uint32_t odd_name_number(const struct read_layout *parent, const struct read_layout *l);

#endif
