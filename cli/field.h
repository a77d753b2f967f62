/* SPDX-License-Identifier: MIT */
/*
 * field.h - the type of an event's field in words: "int32", "string", "pointer", "float64[3]".
 */
#ifndef TACHO_CLI_FIELD_H
#define TACHO_CLI_FIELD_H

#include "base/event_desc.h"
#include "text.h"

struct short_text field_type(const struct event_field *field);

#endif
