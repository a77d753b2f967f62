/* SPDX-License-Identifier: MIT */
/*
 * simple.h - most filters compare a field or two with constants. Such a one becomes TESTS: data that are
 * gone through without a machine, a stack or kinds of values.
 *
 *	id > 2                          an integer: its distance from `low` is at most `span`
 *	total <= 9.5                    a double: the same, of a number that is in order as doubles are
 *	customer == "a*"                a string: begins with these bytes
 *	flags & 4, id % 100 == 0        an integer of which some bits, or the remainder, count
 *	id > 2 && customer == "anna"    two tests
 *	id < 2 || id > 9                two GROUPS of one test: all tests of one of them are to be true
 *
 * A test says true, false, or that it cannot tell: then the record is not cut into parts as
 * event-pack.h does it, and filter_run_parts() has to look.
 */
#ifndef TACHO_FILTER_SIMPLE_H
#define TACHO_FILTER_SIMPLE_H

#include <stdbool.h>

#include "filter/filter.h"
#include "filter/load.h"

enum filter_test_kind {
	FILTER_TEST_SIGNED = 1, /* an integer of `bytes` bytes */
	FILTER_TEST_UNSIGNED = 2,
	FILTER_TEST_DOUBLE = 3,
	FILTER_TEST_STRING = 4, /* is `bytes` bytes of text[] */
	FILTER_TEST_PREFIX = 5, /* begins with them */
};

/* What is done to an integer before it is looked at. */
enum filter_test_change {
	FILTER_CHANGE_MASK = 1,      /* & by */
	FILTER_CHANGE_REMAINDER = 2, /* % by, which has the integer's sign */
};

#define FILTER_TEST_TEXT_BYTES 32

struct filter_test {
	uint8_t kind;
	uint8_t bytes;
	uint8_t is_wanted; /* 0: true where it does not hold */
	uint8_t part;      /* the field is in this part; of those before it, */
	uint8_t strings;   /* which are strings, a bit each, */
	uint8_t change;   /* enum filter_test_change, or 0 */
	uint16_t before; /* and how many bytes the others have together */
	uint16_t at;     /* where in its part it is */
	uint8_t is_last; /* of its group */
	uint8_t reserved;
	union {
		struct {
			uint64_t low;
			uint64_t span;
			uint64_t by;
		};
		char text[FILTER_TEST_TEXT_BYTES];
	};
};

/*
 * filter_simplify() - Return: how many tests, at most @max, say the same as the filter; 0: none do
 *
 * Context: any, as filter_link().
 */
uint32_t filter_simplify(const struct filter_linked *linked, struct filter_test *ret_tests,
			 uint32_t max);

/* Doubles in ascending order are ascending integers, -0 next to 0; NaNs are outside of them all. */
static inline uint64_t filter_rank_of_double(uint64_t bits)
{
	return bits >> 63 ? ~bits : bits | 1ull << 63;
}

/* The test's part, if all those before it are as they should be. */
static inline const struct tacho_part *filter_test_part(const struct filter_test *test,
							const struct tacho_part *parts,
							uint32_t count)
{
	uint32_t index = tacho_load_relaxed(&test->part), before = 0;

	if (index >= count)
		return NULL;
	for (uint32_t i = 0; i < index; i++) {
		if ((parts[i].is_string != 0) != (test->strings >> i & 1))
			return NULL;
		before += parts[i].is_string ? 0 : parts[i].bytes;
	}
	return !index || before == test->before ? &parts[index] : NULL;
}

/* Return: false: it cannot be done */
static inline bool filter_test_change(const struct filter_test *test, uint64_t *word)
{
	uint64_t by = tacho_load_relaxed(&test->by);

	if (test->change == FILTER_CHANGE_MASK)
		*word &= by;
	else if ((int64_t)by <= 0)
		return false;
	else if (test->kind == FILTER_TEST_SIGNED)
		*word = (uint64_t)((int64_t)*word % (int64_t)by);
	else
		*word %= by;
	return true;
}

/* @word: whose low @bytes bytes are the value */
static inline int filter_test_value(const struct filter_test *test, uint64_t word, uint32_t bytes)
{
	uint32_t unused = (64 - 8 * bytes) & 63;

	word <<= unused;
	word = test->kind == FILTER_TEST_SIGNED ? (uint64_t)((int64_t)word >> unused) :
						  word >> unused;
	if (test->kind == FILTER_TEST_DOUBLE)
		word = filter_rank_of_double(word);
	if (test->change && !filter_test_change(test, &word))
		return -1;
	return (word - test->low <= test->span) == test->is_wanted;
}

static inline int filter_test_number(const struct filter_test *test, const struct tacho_part *part)
{
	uint32_t bytes = tacho_load_relaxed(&test->bytes), at = tacho_load_relaxed(&test->at);

	if (part->is_string || !bytes || (uint64_t)at + bytes > part->bytes)
		return -1;
	return filter_test_value(test, load_word((const char *)part->data + at, bytes), bytes);
}

/* Of a record that is one part, of these @bytes bytes of @word. */
static inline int filter_test_word(const struct filter_test *test, uint64_t word, uint64_t bytes)
{
	uint32_t width = tacho_load_relaxed(&test->bytes), at = tacho_load_relaxed(&test->at);

	if (test->kind >= FILTER_TEST_STRING || test->part || !width || at + width > bytes)
		return -1;
	word = TACHO_BIG_ENDIAN ? word >> (64 - 8 * (at + width)) : word >> 8 * at;
	return filter_test_value(test, word, width);
}

int filter_test_text(const struct filter_test *test, const struct tacho_part *part);

/*
 * filter_test_run() - Return: 1, 0, or negative: it cannot tell
 * @test: what it says may be nonsense, or change meanwhile: then so is the answer, and no more
 * @parts, @count: as for filter_run_parts()
 *
 * Here, since it is most of what an event costs that a filter refuses.
 *
 * Context: any; keeps errno and the state of floating point.
 */
static inline int filter_test_run(const struct filter_test *test, const struct tacho_part *parts,
				  uint32_t count)
{
	const struct tacho_part *part = filter_test_part(test, parts, count);

	if (!part)
		return -1;
	return test->kind >= FILTER_TEST_STRING ? filter_test_text(test, part) :
						  filter_test_number(test, part);
}

#endif
