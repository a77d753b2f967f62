/* SPDX-License-Identifier: MIT */
/*
 * value.h - what operators do with values, and which kinds they take. filter.h says what is meant.
 */
#ifndef TACHO_FILTER_VALUE_H
#define TACHO_FILTER_VALUE_H

#include "filter/filter.h"

/* A kind that is not known before an event is: of a field, in a tool. */
#define FILTER_ANY 0x100u

/*
 * value_kind_of_unary(), value_kind_of_binary() - the kind of the result, before values are known
 * @a, @b: FILTER_SIGNED (for any integer), FILTER_DOUBLE, FILTER_STRING, FILTER_PATTERN, FILTER_ANY
 *
 * AND and OR are unary here: they look at one value. Return: FILTER_NOTHING where the operator does
 * not take these.
 */
uint32_t value_kind_of_unary(uint32_t opcode, uint32_t a);
uint32_t value_kind_of_binary(uint32_t opcode, uint32_t a, uint32_t b);

/* value_is_true() - is a number not 0? Return: 1, 0, or negative: it is no number. */
int value_is_true(const struct filter_value *value);

/* value_unary(), value_binary() - the result replaces @a. @steps: how many are left for patterns.
 * Return: 0; negative: it cannot be done. */
int value_unary(uint32_t opcode, struct filter_value *a);
int value_binary(uint32_t opcode, struct filter_value *a, const struct filter_value *b,
		 uint32_t *steps);

#endif
