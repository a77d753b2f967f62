/* SPDX-License-Identifier: MIT */
/*
 * ctf2.h - the metadata of CTF 2: a sequence of JSON texts (RFC 7464), of which each is a
 * fragment: the preamble, aliases of field classes, the classes of the trace, of clocks, of data
 * streams and of event records.
 *
 *      RS {"type": "preamble", "version": 2, ..} LF
 *      RS {"type": "data-stream-class", ..} LF
 *
 * They become what TSDL becomes: the types of types.h. Names of structure members are taken as
 * they are; roles come from the metadata and not from names, but for what CTF 2 has no role for: the
 * CPU, the process and the thread.
 *
 * Attributes are read over, but for the level of an event that babeltrace and LTTng write; a trace
 * with an extension is refused, as the specification asks for. The text is hostile: one fragment is
 * in memory at a time, and has at most so many bytes and levels.
 *
 * Not known here, and refused where the metadata declares them: integers of more than 64 bits, floats
 * but of 32 and 64 bits, and bits in another order than that of their byte order.
 */
#ifndef TACHO_CTF_CTF2_READ_H
#define TACHO_CTF_CTF2_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "types.h"

#define CTF2_SEPARATOR          0x1e /* RS */
#define CTF2_FRAGMENT_BYTES_MAX ((size_t)8 << 20)
#define CTF2_DEPTH_MAX          128

/* ctf2_is_metadata() - is it CTF 2, and not TSDL? */
bool ctf2_is_metadata(const char *text, size_t bytes);

/* ctf2_level_name() - how the attribute of an event names a level; NULL: it is none */
const char *ctf2_level_name(int32_t level);

/* What the scopes are called in a reference to a field. */
extern const char *const ctf2_origins[READ_SCOPES];

/*
 * ctf2_parse() - parse a metadata text
 * @metadata: zeroed; filled as far as the text is right, also on failure
 *
 * Return: 0, -EINVAL (@e has the fragment), or -ENOMEM.
 */
int ctf2_parse(const char *text, size_t bytes, struct read_metadata *metadata,
	       struct tacho_error *e);

#endif
