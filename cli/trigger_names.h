/* SPDX-License-Identifier: MIT */
/*
 * trigger_names.h - what the parts of triggers are called on the command line.
 */
#ifndef TACHO_CLI_TRIGGER_NAMES_H
#define TACHO_CLI_TRIGGER_NAMES_H

#include <stdio.h>

#include "format/session.h"

/* By enum tacho_condition; NULL-terminated. */
extern const char *const trigger_conditions[];
/* By number of the bit of enum tacho_action; NULL-terminated. */
extern const char *const trigger_actions[];

/* trigger_condition() - its name; "?" if the number is nobody's */
const char *trigger_condition(uint32_t condition);

/*
 * trigger_print_command() - the trigger as the line "add-trigger .." that makes it, in the session
 *                           that is meant where none is named; without a newline
 * trigger_print_options() - what stands behind "add-trigger" there, with a space before it
 *
 * @file: a copy, from look_session()
 */
void trigger_print_options(FILE *out, const struct tacho_session *file, uint32_t index);
void trigger_print_command(FILE *out, const struct tacho_session *file, uint32_t index);

/* trigger_rule() - of a trigger by event; NULL: it has none */
const struct tacho_rule *trigger_rule(const struct tacho_session *file, uint32_t index);

/* trigger_span() - a copy of what a span names; NULL: nothing. To be freed. */
char *trigger_span(const struct tacho_session *file, const struct tacho_span *span);

#endif
