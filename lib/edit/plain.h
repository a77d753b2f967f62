/* SPDX-License-Identifier: MIT */
/*
 * plain.h - what CTF 2 has and CTF 1.8 has not, in the terms of 1.8.
 *
 *      in CTF 2                                        in CTF 1.8
 *      --------                                        ----------
 *      integer of variable length                      integer of 64 bits, with the same labels
 *      text in UTF-16 or UTF-32, of any kind           string in UTF-8
 *      optional field                                  tag, and a variant { struct { } none; T some; }
 *      variant whose options the tag has no labels for tag, and a variant
 *      least alignment of an array                     that of its elements
 *
 * A tag is an enum that stands in front of the field, or, as arrays cannot hold one, in front of
 * the member of the innermost structure that holds it. The field that chose the option in CTF 2
 * stays what it is. All structures are aligned to whole bytes, as tags are.
 */
#ifndef TACHO_EDIT_PLAIN_H
#define TACHO_EDIT_PLAIN_H

#include "ctf/read/trace.h"

#define PLAIN_TAG_BITS    32
#define PLAIN_VARINT_BITS 64
#define PLAIN_ALIGN       8

/* plain_is_needed() - has a trace anything of the left column? */
bool plain_is_needed(const struct read_trace *trace);

/* plain_is_string() - a text that becomes a string in UTF-8 */
bool plain_is_string(const struct read_layout *l);
/* plain_has_tag() - an optional, or a variant that gets a tag of its own */
bool plain_has_tag(const struct read_layout *l);
/* plain_tag() - its value; @tag: that of the field that chooses in CTF 2 */
uint32_t plain_tag(const struct read_layout *l, uint64_t tag);
uint32_t plain_align(const struct read_layout *l);

/*
 * plain_each_tag() - those whose tags stand in front of a member, in their order
 * @take: returns 0 to go on
 */
int plain_each_tag(const struct read_layout *member,
		   int (*take)(void *data, const struct read_layout *tagged), void *data);

#endif
