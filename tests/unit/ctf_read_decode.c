/* SPDX-License-Identifier: MIT */
/* Bits to values: each type of TSDL, at any bit, in both byte orders, and lengths that lie. */
#include "tests/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ctf/read/decode.h"
#include "ctf/read/reader.h"
#include "ctf/read/trace.h"

#define U8         "integer { size = 8; align = 8; } "
#define U16        "integer { size = 16; align = 8; } "
#define CHAR       "integer { size = 8; align = 8; encoding = UTF8; } "
#define BYTES(...) ((const uint8_t[]){ __VA_ARGS__ })

struct decoded {
	struct read_trace *trace;
	struct read_decoder d;
	int rc;
};

/* Decode @bytes as the fields of an event. */
static struct decoded decode(const char *order, const char *fields, const uint8_t *data,
			     size_t bytes)
{
	struct tacho_error error = { 0 };
	struct decoded decoded = { 0 };
	char text[2048];

	snprintf(text, sizeof(text),
		 "trace { byte_order = %s; }; stream { }; event { fields := struct { %s }; };",
		 order, fields);
	if (read_trace_parse(text, strlen(text), &error, &decoded.trace))
		fail_msg("%s", error.text);
	assert_int_equal(read_decoder_init(&decoded.d, decoded.trace->slot_count), 0);
	decoded.d.data = data;
	decoded.d.end = bytes * 8;
	decoded.rc = read_decode(&decoded.d, decoded.trace->streams[0].events[0].fields, true);
	return decoded;
}

#define DECODE(order, fields, ...)                                                                 \
	decode(order, fields, BYTES(__VA_ARGS__), sizeof(BYTES(__VA_ARGS__)))

static void fini(struct decoded *decoded)
{
	read_decoder_fini(&decoded->d);
	read_trace_free(decoded->trace);
}

static void bits_are_taken_from_the_low_end_in_little_endian(void **state)
{
	struct decoded r = DECODE("le",
				  "integer { size = 5; align = 1; } a; "
				  "integer { size = 27; align = 1; } b;",
				  0x3f, 0x00, 0x00, 0x80);

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.d.values[0].u, 31);
	assert_int_equal(r.d.values[1].u, 0x4000001);
	fini(&r);
}

static void bits_are_taken_from_the_high_end_in_big_endian(void **state)
{
	struct decoded r = DECODE("be",
				  "integer { size = 5; align = 1; } a; "
				  "integer { size = 12; align = 1; signed = true; } b; "
				  "integer { size = 32; align = 8; } c;",
				  0xff, 0xff, 0x00, 0x12, 0x34, 0x56, 0x78);

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.d.values[0].u, 31);
	assert_int_equal(r.d.values[1].i, -2);
	assert_int_equal(r.d.values[2].u, 0x12345678);
	fini(&r);
}

static void fields_and_structs_are_aligned(void **state)
{
	struct decoded r = DECODE("le",
				  U8 "a; struct { " U8 "b; } align(32) s; "
				     "integer { size = 16; align = 16; } c;",
				  1, 0, 0, 0, 2, 0, 3, 4);

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.d.values[1].kind, CTF_VALUE_STRUCT);
	assert_int_equal(r.d.values[1].span, 2);
	assert_int_equal(r.d.values[2].u, 2);
	assert_int_equal(r.d.values[3].u, 0x0403);
	fini(&r);
}

static void enum_has_its_label(void **state)
{
	struct decoded r = DECODE("le",
				  "enum : integer { size = 8; align = 8; signed = true; } "
				  "{ LOW = -128 ... -1, ZERO } a, b, c;",
				  0x80, 0, 1);

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_string_equal(r.d.values[0].label, "LOW");
	assert_int_equal(r.d.values[0].i, -128);
	assert_string_equal(r.d.values[1].label, "ZERO");
	assert_null(r.d.values[2].label);
	fini(&r);
}

static void variant_is_what_its_tag_says(void **state)
{
	static const char fields[] =
		"enum : " U8 "{ A, B = 1 ... 4 } tag; "
		"variant <tag> { " U8 "A; struct { " U8 "x; string y; } B; } v;";
	struct decoded r = DECODE("le", fields, 4, 9, 'h', 'i', 0);

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_string_equal(r.d.values[1].name, "v");
	assert_int_equal(r.d.values[1].kind, CTF_VALUE_STRUCT);
	assert_int_equal(r.d.values[2].u, 9);
	assert_memory_equal(r.d.values[3].bytes, "hi", 2);
	fini(&r);
	r = DECODE("le", fields, 5, 9);
	assert_int_equal(r.rc, -EPROTO);
	assert_non_null(strstr(r.d.why, "variant"));
	fini(&r);
}

static void text_bytes_and_numbers_are_told_apart(void **state)
{
	struct decoded r =
		DECODE("le",
		       U8 "__t_length; " CHAR "_t[ __t_length ]; " CHAR "f[4]; "
			  "integer { size = 8; align = 8; base = hex; } b[2]; " U16 "n[2];",
		       3, 'a', 0, 'b', 'c', 'd', 0, 'e', 0xde, 0xad, 1, 0, 2, 0);
	const struct ctf_value *v = r.d.values;

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_true(v[0].is_length);
	assert_string_equal(v[1].name, "t");
	assert_int_equal(v[1].kind, CTF_VALUE_STRING);
	assert_int_equal(v[1].length, 3);
	assert_int_equal(v[2].kind, CTF_VALUE_STRING);
	assert_int_equal(v[2].length, 2);
	assert_int_equal(v[3].kind, CTF_VALUE_BYTES);
	assert_int_equal(v[3].length, 2);
	assert_int_equal(v[4].kind, CTF_VALUE_ARRAY);
	assert_int_equal(v[4].length, 2);
	assert_int_equal(v[4].span, 3);
	assert_int_equal(v[6].u, 2);
	fini(&r);
}

static void zeros_at_the_end_of_a_counted_text_are_kept(void **state)
{
	struct decoded r = DECODE("le", U8 "n; " CHAR "t[n]; " U8 "m; " CHAR "z[m];", 4, 'a', 0,
				  'b', 0, 2, 0, 0);

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.d.values[1].length, 4);
	assert_memory_equal(r.d.values[1].bytes, "a\0b", 4);
	assert_int_equal(r.d.values[3].length, 2);
	fini(&r);
}

static void length_may_be_in_an_outer_struct_or_by_full_path(void **state)
{
	struct decoded r = DECODE("le",
				  U8 "n; struct { " U8 "a[n]; " U8
				     "b[event.fields.n]; } s; struct { " U8 "n; " U8 "c[n]; } t;",
				  1, 7, 8, 2, 9, 10);

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.d.values[3].u, 7);
	assert_int_equal(r.d.values[5].u, 8);
	assert_int_equal(r.d.values[8].length, 2);
	assert_int_equal(r.d.values[10].u, 10);
	fini(&r);
}

static void floats_of_both_sizes_are_read(void **state)
{
	struct decoded r = DECODE("be",
				  "floating_point { exp_dig = 8; mant_dig = 24; align = 8; } f; "
				  "floating_point { exp_dig = 11; mant_dig = 53; align = 8; } d;",
				  0x3f, 0xc0, 0, 0, 0xc0, 0x02, 0, 0, 0, 0, 0, 0);

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_true(r.d.values[0].f == 1.5);
	assert_true(r.d.values[1].f == -2.25);
	fini(&r);
}

static void data_that_ends_too_early_is_an_error(void **state)
{
	struct decoded r = DECODE("le", U16 "a;", 1);

	(void)state;
	assert_int_equal(r.rc, -ENODATA);
	fini(&r);
	r = DECODE("le", "string s;", 'n', 'o', ' ', 'e', 'n', 'd');
	assert_int_equal(r.rc, -ENODATA);
	fini(&r);
	r = DECODE("le", "integer { size = 32; align = 8; } n; " CHAR "t[n];", 255, 255, 255, 255,
		   'x');
	assert_int_equal(r.rc, -ENODATA);
	fini(&r);
	r = DECODE("le", U8 "a[18446744073709551615];", 1);
	assert_int_equal(r.rc, -ENODATA);
	fini(&r);
}

static void elements_without_bits_are_no_endless_loop(void **state)
{
	uint8_t *data = calloc(1, 1 << 20);
	struct decoded r;

	(void)state;
	assert_non_null(data);
	r = decode("le", "struct { } a[8000000][8000000];", data, 1 << 20);
	assert_int_equal(r.rc, -EPROTO);
	fini(&r);
	free(data);
}

static void length_that_is_no_earlier_field_is_refused(void **state)
{
	struct tacho_error error = { 0 };
	struct read_trace *trace;
	char text[] = "stream { }; event { fields := struct { " U8 "a[n]; " U8 "n; }; };";

	(void)state;
	assert_int_equal(read_trace_parse(text, strlen(text), &error, &trace), -EINVAL);
	assert_non_null(strstr(error.text, "field `a`"));
	read_trace_free(trace);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(bits_are_taken_from_the_low_end_in_little_endian),
		cmocka_unit_test(bits_are_taken_from_the_high_end_in_big_endian),
		cmocka_unit_test(fields_and_structs_are_aligned),
		cmocka_unit_test(enum_has_its_label),
		cmocka_unit_test(variant_is_what_its_tag_says),
		cmocka_unit_test(text_bytes_and_numbers_are_told_apart),
		cmocka_unit_test(zeros_at_the_end_of_a_counted_text_are_kept),
		cmocka_unit_test(length_may_be_in_an_outer_struct_or_by_full_path),
		cmocka_unit_test(floats_of_both_sizes_are_read),
		cmocka_unit_test(data_that_ends_too_early_is_an_error),
		cmocka_unit_test(elements_without_bits_are_no_endless_loop),
		cmocka_unit_test(length_that_is_no_earlier_field_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
