/* SPDX-License-Identifier: MIT */
/* The words and declarations of TSDL, and what is wrong with some. */
#include "tests/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ctf/read/metadata.h"
#include "ctf/read/reader.h"
#include "ctf/read/trace.h"

#define U8 "integer { size = 8; align = 8; }"

static struct tacho_error error;

static int parse(const char *text, struct read_metadata *metadata)
{
	char *copy = strdup(text);
	int rc;

	assert_non_null(copy);
	memset(metadata, 0, sizeof(*metadata));
	memset(&error, 0, sizeof(error));
	rc = read_metadata_parse(copy, strlen(copy), metadata, &error);
	free(copy);
	return rc;
}

static void expect_error(const char *text, const char *what)
{
	struct read_metadata metadata;

	assert_int_equal(parse(text, &metadata), -EINVAL);
	if (!strstr(error.text, what))
		fail_msg("\"%s\" is not in \"%s\"", what, error.text);
	read_arena_fini(&metadata.arena);
}

/* The fields of the only event of a text. */
static struct read_field *fields_of(const char *fields, struct read_metadata *metadata)
{
	char text[2048];

	snprintf(text, sizeof(text), "/* CTF 1.8 */ event { fields := struct { %s }; };", fields);
	assert_int_equal(parse(text, metadata), 0);
	assert_non_null(metadata->events);
	return metadata->events->fields->fields;
}

static void integers_have_size_sign_base_and_order(void **state)
{
	struct read_metadata metadata;
	struct read_field *f = fields_of("integer { size = 0x10; signed = true; base = hex; "
					 "align = 16; byte_order = be; encoding = UTF8; } n;",
					 &metadata);

	(void)state;
	assert_string_equal(f->name, "n");
	assert_int_equal(f->type->kind, READ_INTEGER);
	assert_int_equal(f->type->bits, 16);
	assert_int_equal(f->type->align, 16);
	assert_int_equal(f->type->base, 16);
	assert_int_equal(f->type->order, READ_ORDER_BIG);
	assert_true(f->type->is_signed);
	assert_true(f->type->is_text);
	read_arena_fini(&metadata.arena);
}

static void aliases_may_have_several_words(void **state)
{
	struct read_metadata metadata;
	struct read_field *f =
		fields_of("typealias " U8 " := unsigned small int; typedef unsigned small int tiny;"
			  "unsigned small int a, b[3]; const tiny c;",
			  &metadata);

	(void)state;
	assert_int_equal(f->type->bits, 8);
	assert_int_equal(f->next->type->kind, READ_ARRAY);
	assert_int_equal(f->next->type->count, 3);
	assert_string_equal(f->next->next->name, "c");
	assert_ptr_equal(f->next->next->type, f->type);
	read_arena_fini(&metadata.arena);
}

static void names_end_with_their_block(void **state)
{
	(void)state;
	expect_error("stream { typealias " U8
		     " := inner; };\nevent { fields := struct { inner x; }; };",
		     "line 2: a type that was not declared");
}

static void first_dimension_is_the_outer_one(void **state)
{
	struct read_metadata metadata;
	struct read_field *f = fields_of(U8 " a[2][3];", &metadata);

	(void)state;
	assert_int_equal(f->type->count, 2);
	assert_int_equal(f->type->element->count, 3);
	assert_int_equal(f->type->element->element->kind, READ_INTEGER);
	read_arena_fini(&metadata.arena);
}

static void enums_count_on_from_the_last_value(void **state)
{
	struct read_metadata metadata;
	struct read_field *f = fields_of("enum : integer { size = 8; signed = true; } "
					 "{ A, B = -3, C, \"D d\" = 5 ... 7, E, } e;",
					 &metadata);
	struct read_mapping *map = f->type->mappings;

	(void)state;
	assert_int_equal(map->low, 0);
	map = map->next;
	assert_int_equal((int64_t)map->low, -3);
	map = map->next;
	assert_int_equal((int64_t)map->low, -2);
	map = map->next;
	assert_string_equal(map->label, "D d");
	assert_int_equal(map->high, 7);
	map = map->next;
	assert_int_equal(map->low, 8);
	assert_null(map->next);
	read_arena_fini(&metadata.arena);
}

static void strings_have_the_escapes_of_c(void **state)
{
	struct read_metadata metadata;

	(void)state;
	assert_int_equal(parse("env { a = \"q\\\"b\\\\n\\n\\x41\\101\\t\"; b = -5; };", &metadata),
			 0);
	assert_string_equal(metadata.envs->value, "q\"b\\n\nAA\t");
	assert_string_equal(metadata.envs->next->value, "-5");
	read_arena_fini(&metadata.arena);
}

static void unknown_attributes_and_blocks_are_read_over(void **state)
{
	struct read_metadata metadata;

	(void)state;
	assert_int_equal(parse("callsite { name = \"x\"; ip = 0x40; };\n"
			       "event { name = \"e\"; model.emf.uri = \"http://x\"; id = 7;\n"
			       "loglevel = 3; what := struct { " U8 " a; } align(32); };;",
			       &metadata),
			 0);
	assert_string_equal(metadata.events->name, "e");
	assert_int_equal(metadata.events->id, 7);
	assert_int_equal(metadata.events->level, 3);
	read_arena_fini(&metadata.arena);
}

static void clock_times_are_exact_for_all_64_bits(void **state)
{
	struct read_metadata metadata;
	const struct read_clock *clock;

	(void)state;
	assert_int_equal(parse("clock { name = tsc; freq = 3000000000; offset_s = 1700000000; "
			       "offset = -3000000000; };",
			       &metadata),
			 0);
	clock = read_metadata_clock(&metadata, "clock.tsc.value");
	assert_non_null(clock);
	assert_null(read_metadata_clock(&metadata, "clock.ts.value"));
	assert_int_equal(read_clock_ns(clock, 3000000000), 1700000000000000000);
	assert_int_equal(read_clock_ns(clock, 3000000004), 1700000000000000001);
	/* 2^63 ticks are 97 years: beyond what fits 64 bits before the division. */
	assert_int_equal(read_clock_ns(clock, 1ull << 63), 4774457344618258602);
	assert_int_equal(read_clock_ns(NULL, 42), 42);
	read_arena_fini(&metadata.arena);
}

static void errors_name_their_line(void **state)
{
	(void)state;
	expect_error("\n\nevent { id = }; ", "line 3: a number expected");
	expect_error("env { a = \"no end; };", "line 1: a string without an end");
	expect_error("env { a = 1 }", "';' expected");
	expect_error("event { fields := struct { integer { size = 65; } x; }; };", "1 to 64 bits");
	expect_error("event { fields := struct { " U8 " x", "';' expected");
	expect_error("clock { freq = 0; };", "frequency 0");
	expect_error("trace { major = 2; };", "version 1");
	expect_error("env { a = 99999999999999999999; };", "64 bits");
	expect_error("?", "TSDL does not know");
}

static void nesting_has_a_limit(void **state)
{
	char text[16384] = "event { fields := ";

	(void)state;
	for (int i = 0; i < 1000; i++)
		strcat(text, "struct { ");
	expect_error(text, "nested too deeply");
}

static void types_that_double_with_each_name_are_refused(void **state)
{
	char text[8192] = "struct s0 { " U8 " a; };", more[128];
	struct read_trace *trace;

	(void)state;
	for (int i = 1; i < 40; i++) {
		snprintf(more, sizeof(more), "struct s%d { struct s%d a; struct s%d b; };\n", i,
			 i - 1, i - 1);
		strcat(text, more);
	}
	strcat(text, "stream { }; event { fields := struct s39; };");
	assert_int_equal(read_trace_parse(text, strlen(text), &error, &trace), -ENOMEM);
	read_trace_free(trace);
}

/* A packet of metadata, in the machine's byte order or the other. */
static size_t put_packet(char *at, const char *text, size_t packet_bytes, bool is_swapped)
{
	uint32_t words[] = { 0x75d11d57, (uint32_t)(37 + strlen(text)) * 8,
			     (uint32_t)packet_bytes * 8 };

	for (size_t i = 0; i < 3 && is_swapped; i++)
		words[i] = __builtin_bswap32(words[i]);
	memset(at, 0, packet_bytes);
	memcpy(at, &words[0], 4);
	memcpy(at + 24, &words[1], 8);
	memcpy(at + 37, text, strlen(text));
	return packet_bytes;
}

static void packets_of_metadata_are_joined(void **state)
{
	enum read_order order[2];
	char data[256];

	(void)state;
	for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
		size_t bytes = put_packet(data, "env { a = \"left", 100, is_swapped);

		bytes += put_packet(data + bytes, "right\"; };", 60, is_swapped);
		assert_int_equal(read_metadata_text(data, &bytes, &order[is_swapped], &error), 0);
		assert_int_equal(bytes, 25);
		assert_memory_equal(data, "env { a = \"leftright\"; };", bytes);
	}
	assert_int_not_equal(order[0], order[1]);
}

static void packet_of_metadata_beyond_its_file_is_refused(void **state)
{
	enum read_order order;
	char data[256];
	size_t bytes = put_packet(data, "env { };", 100, false);

	(void)state;
	bytes += put_packet(data + bytes, "x", 60, false) - 1;
	assert_int_equal(read_metadata_text(data, &bytes, &order, &error), -EINVAL);
	assert_int_equal(bytes, 8);
	assert_non_null(strstr(error.text, "byte 100"));
}

static void what_stands_before_an_error_is_kept(void **state)
{
	char text[] = "stream { }; event { name = \"good\"; fields := struct { }; }; event { oops";
	struct read_trace *trace;

	(void)state;
	assert_int_equal(read_trace_parse(text, strlen(text), &error, &trace), -EINVAL);
	assert_non_null(trace);
	assert_string_equal(read_trace_event(&trace->streams[0], 0)->name, "good");
	read_trace_free(trace);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_have_size_sign_base_and_order),
		cmocka_unit_test(aliases_may_have_several_words),
		cmocka_unit_test(names_end_with_their_block),
		cmocka_unit_test(first_dimension_is_the_outer_one),
		cmocka_unit_test(enums_count_on_from_the_last_value),
		cmocka_unit_test(strings_have_the_escapes_of_c),
		cmocka_unit_test(unknown_attributes_and_blocks_are_read_over),
		cmocka_unit_test(clock_times_are_exact_for_all_64_bits),
		cmocka_unit_test(errors_name_their_line),
		cmocka_unit_test(nesting_has_a_limit),
		cmocka_unit_test(types_that_double_with_each_name_are_refused),
		cmocka_unit_test(packets_of_metadata_are_joined),
		cmocka_unit_test(packet_of_metadata_beyond_its_file_is_refused),
		cmocka_unit_test(what_stands_before_an_error_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
