/* SPDX-License-Identifier: MIT */
/*
 * filter_fixture.h - one event with fields of every type, its payload as a program would hand it
 * over, and filters that are run on it.
 */
#ifndef TACHO_TESTS_UNIT_FILTER_FIXTURE_H
#define TACHO_TESTS_UNIT_FILTER_FIXTURE_H

#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/event_desc.h"
#include "filter/filter.h"
#include "filter/simple.h"
#include "format/session.h"
#include "tacho/event.h"

#define SIGNED_INTEGER(bytes)   TACHO_TYPE(TACHO_KIND_INTEGER, bytes, TACHO_FLAG_SIGNED)
#define UNSIGNED_INTEGER(bytes) TACHO_TYPE(TACHO_KIND_INTEGER, bytes, 0)

static const struct event_field all_fields[] = {
	{ "i8", SIGNED_INTEGER(1), 0 },
	{ "i16", SIGNED_INTEGER(2), 0 },
	{ "i32", SIGNED_INTEGER(4), 0 },
	{ "i64", SIGNED_INTEGER(8), 0 },
	{ "u8", UNSIGNED_INTEGER(1), 0 },
	{ "u16", UNSIGNED_INTEGER(2), 0 },
	{ "u32", UNSIGNED_INTEGER(4), 0 },
	{ "u64", UNSIGNED_INTEGER(8), 0 },
	{ "yes", TACHO_TYPE(TACHO_KIND_INTEGER, 1, TACHO_FLAG_BOOL), 0 },
	{ "letter", TACHO_TYPE(TACHO_KIND_INTEGER, 1, TACHO_FLAG_CHAR | TACHO_FLAG_SIGNED), 0 },
	{ "pointer", TACHO_TYPE(TACHO_KIND_INTEGER, 8, TACHO_FLAG_HEX | TACHO_FLAG_POINTER), 0 },
	{ "hex", TACHO_TYPE(TACHO_KIND_INTEGER, 4, TACHO_FLAG_HEX), 0 },
	{ "single", TACHO_TYPE(TACHO_KIND_FLOAT, 4, 0), 0 },
	{ "real", TACHO_TYPE(TACHO_KIND_FLOAT, 8, 0), 0 },
	{ "string", TACHO_TYPE(TACHO_KIND_STRING, 1, 0), 0 },
	{ "behind", SIGNED_INTEGER(2), 0 },
	{ "text", TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), 0 },
	{ "bytes", TACHO_TYPE(TACHO_KIND_BYTES, 1, 0), 0 },
	{ "shorts", TACHO_TYPE(TACHO_KIND_ARRAY, 2, TACHO_FLAG_SIGNED), 3 },
	{ "floats", TACHO_TYPE(TACHO_KIND_ARRAY, 4, TACHO_FLAG_FLOAT), 2 },
	{ "letters", TACHO_TYPE(TACHO_KIND_ARRAY, 1, TACHO_FLAG_CHAR), 8 },
	{ "words", TACHO_TYPE(TACHO_KIND_SEQUENCE, 8, 0), 0 },
	{ "reals", TACHO_TYPE(TACHO_KIND_SEQUENCE, 8, TACHO_FLAG_FLOAT), 0 },
	{ "name", TACHO_TYPE(TACHO_KIND_SEQUENCE, 1, TACHO_FLAG_CHAR), 0 },
	{ "nothing", TACHO_TYPE(TACHO_KIND_SEQUENCE, 4, 0), 0 },
	{ "empty", TACHO_TYPE(TACHO_KIND_STRING, 1, 0), 0 },
	{ "order.id", UNSIGNED_INTEGER(4), 0 },
	{ "a b", UNSIGNED_INTEGER(4), 0 },
	{ "last", UNSIGNED_INTEGER(1), 0 },
};
#define ALL_FIELDS_COUNT (sizeof(all_fields) / sizeof(all_fields[0]))

static const struct event_desc all_types = {
	.provider = "test",
	.name = "all",
	.file = "",
	.field_count = ALL_FIELDS_COUNT,
	.fields = all_fields,
};

struct filter_fixture {
	uint64_t desc[TACHO_DESC_BYTES_MAX / 8];
	uint64_t memory[1024];
	unsigned char buffer[TACHO_PACK_BYTES_(ALL_FIELDS_COUNT)];
	struct tacho_part parts[TACHO_PACK_PARTS_(ALL_FIELDS_COUNT)];
	uint32_t part_count;
	struct filter_complaint error;
	struct filter_complaint warning;
};

static const uint64_t all_words[] = { 1, UINT64_MAX, 1ull << 63 };
static const double all_reals[] = { -0.5, INFINITY };
static const int16_t all_shorts[] = { -1, 300, INT16_MIN };
static const float all_floats[] = { 0.1f, 2 };
static const char all_letters[8] = "ab\0cdef";

static void pack_integers(struct tacho_packer *p)
{
	tacho_pack_integer(p, (uint64_t)-8, 1);
	tacho_pack_integer(p, (uint64_t)-1600, 2);
	tacho_pack_integer(p, (uint64_t)-320000, 4);
	tacho_pack_integer(p, (uint64_t)INT64_MIN, 8);
	tacho_pack_integer(p, 200, 1);
	tacho_pack_integer(p, 60000, 2);
	tacho_pack_integer(p, 4000000000, 4);
	tacho_pack_integer(p, UINT64_MAX, 8);
	tacho_pack_integer(p, 1, 1);
	tacho_pack_integer(p, 'x', 1);
	tacho_pack_integer(p, 0xffff800000000010, 8);
	tacho_pack_integer(p, 0xff7, 4);
	tacho_pack_float(p, 0.1f);
	tacho_pack_double(p, 2.5);
}

static void pack_all(struct filter_fixture *f)
{
	struct tacho_packer p;

	tacho_pack_init(&p, f->buffer, f->parts);
	pack_integers(&p);
	tacho_pack_string(&p, "/var/log/a*b.log");
	tacho_pack_integer(&p, 77, 2);
	tacho_pack_counted(&p,
			   "gr\xc3\xbc\xc3\x9f"
			   "e\0x",
			   9, 1);
	tacho_pack_counted(&p, "\x01\x02\xff", 3, 1);
	tacho_pack_close(&p);
	tacho_pack_part(&p, all_shorts, sizeof(all_shorts), 0);
	tacho_pack_part(&p, all_floats, sizeof(all_floats), 0);
	tacho_pack_part(&p, all_letters, sizeof(all_letters), 0);
	tacho_pack_counted(&p, all_words, 3, 8);
	tacho_pack_counted(&p, all_reals, 2, 8);
	tacho_pack_counted(&p, "anna", 4, 1);
	tacho_pack_counted(&p, NULL, 0, 4);
	tacho_pack_string(&p, "");
	tacho_pack_integer(&p, 12, 4);
	tacho_pack_integer(&p, 13, 4);
	tacho_pack_integer(&p, 14, 1);
	tacho_pack_close(&p);
	f->part_count = p.part_count;
}

static int filter_set_up(void **state)
{
	struct filter_fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	assert_true(event_desc_build(&all_types, f->desc, sizeof(f->desc)) > 0);
	pack_all(f);
	*state = f;
	return 0;
}

static int filter_tear_down(void **state)
{
	free(*state);
	return 0;
}

static int some_context(void *data, uint32_t context, struct filter_value *ret_value)
{
	(void)data;
	ret_value->kind = FILTER_SIGNED;
	switch (context) {
	case TACHO_CONTEXT_VPID:
		ret_value->word = 5;
		return 0;
	case TACHO_CONTEXT_PROCNAME:
		ret_value->kind = FILTER_STRING;
		ret_value->text = "shop";
		ret_value->bytes = 4;
		return 0;
	case TACHO_CONTEXT_PERF + 3:
		ret_value->kind = FILTER_UNSIGNED;
		ret_value->word = 1ull << 63;
		return 0;
	}
	return -1;
}

static int some_counter(void *data, const char *name)
{
	(void)data;
	return strcmp(name, "perf:thread:cpu-cycles") ? -1 : TACHO_CONTEXT_PERF + 3;
}

/* Compiled and checked; a failure of the test where it cannot be. */
static struct tacho_filter *compiled(struct filter_fixture *f, const char *text)
{
	struct tacho_filter *filter;

	if (filter_compile(text, some_counter, NULL, &filter, &f->warning, &f->error))
		fail_msg("'%s', byte %zu: %s", text, f->error.at, f->error.what);
	assert_int_equal(filter_check(filter, filter->bytes), 0);
	return filter;
}

static const struct filter_linked *linked(struct filter_fixture *f,
					  const struct tacho_filter *filter)
{
	return filter_link(filter, (const struct tacho_desc *)f->desc, f->memory,
			   sizeof(f->memory));
}

/* How many tests say the same; 0: none do, or they cannot tell. If they say anything else, the test has
 * failed. */
static uint32_t run_simple(struct filter_fixture *f, const struct filter_linked *l, const char *text,
			   bool is_expected)
{
	struct filter_test tests[8];
	uint32_t count = l ? filter_simplify(l, tests, 8) : 0;
	int answer = 0, group = 1;

	for (uint32_t i = 0; i < count && answer >= 0; i++) {
		if (group > 0)
			group = filter_test_run(&tests[i], f->parts, f->part_count);
		if (group < 0)
			answer = group;
		else if (tests[i].is_last)
			answer |= group;
		group = tests[i].is_last ? 1 : group;
	}
	if (count && answer >= 0 && answer != is_expected)
		fail_msg("the tests of '%s' say %d", text, answer);
	return answer < 0 ? 0 : count;
}

static bool is_match(struct filter_fixture *f, const char *text)
{
	struct tacho_filter *filter = compiled(f, text);
	const struct filter_linked *l = linked(f, filter);
	bool answer = l && filter_run_parts(l, f->parts, f->part_count, some_context, NULL);

	run_simple(f, l, text, answer);
	free(filter);
	return answer;
}

static inline uint32_t simple_tests(struct filter_fixture *f, const char *text)
{
	struct tacho_filter *filter = compiled(f, text);
	const struct filter_linked *l = linked(f, filter);
	uint32_t count = run_simple(f, l, text,
				    l && filter_run_parts(l, f->parts, f->part_count, some_context,
							  NULL));

	free(filter);
	return count;
}

struct expectation {
	const char *text;
	bool is_match;
};

static inline void expect(struct filter_fixture *f, const struct expectation *table, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (is_match(f, table[i].text) != table[i].is_match)
			fail_msg("'%s' is not %s", table[i].text,
				 table[i].is_match ? "true" : "false");
	}
}
#define EXPECT(f, table) expect(f, table, sizeof(table) / sizeof((table)[0]))

#endif
