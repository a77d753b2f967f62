/* SPDX-License-Identifier: MIT */
/*
 * json.h - fields of an event as JSON for programs whose numbers are doubles.
 *
 * As `tacho view --json` has them (tacho-view(1)), but: an integer of more than 2^53 in size is a
 * string, and so is one of base 16: "0x7f0012345678". A context that could not be read is null.
 */
#ifndef TACHO_CLI_EXPORT_JSON_H
#define TACHO_CLI_EXPORT_JSON_H

#include "ctf/print/out.h"
#include "ctf/read/reader.h"

/* export_json_members() - of one level, without the braces around. Return: how many there were. */
uint32_t export_json_members(struct read_out *out, const struct ctf_value *values, uint32_t count);

/* export_json_value() - one value, with all that is in it */
void export_json_value(struct read_out *out, const struct ctf_value *value);

#endif
