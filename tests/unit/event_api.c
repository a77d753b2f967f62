/* SPDX-License-Identifier: MIT */
/*
 * event_api.c - <tacho/event.h> in C, against a libtacho that remembers. Which field types and
 * bytes come of which C types; what is evaluated when.
 */
#include "tests/test.h"

#include <errno.h>
#include <stdlib.h>

#include <tacho/event.h>

#include "event_api_fake.h"

enum fruit { APPLE, PEAR = 7 };
enum debt { SOME = -3, NONE };

struct narrow {
	unsigned int three : 3;
	signed int five : 5;
	unsigned long long forty : 40;
	unsigned char flag : 1;
};

static uint32_t type_of_field(uint32_t i)
{
	return fake.info->fields[i].type;
}

/* One field named "v" of this type that holds these bytes. */
static void assert_field(uint32_t type, const void *bytes, uint32_t count)
{
	assert_int_equal(fake.hits, 1);
	assert_int_equal(fake.info->field_count, 1);
	assert_string_equal(fake.info->fields[0].name, "v");
	assert_int_equal(type_of_field(0), type);
	assert_int_equal(fake.payload_bytes, count);
	assert_memory_equal(fake.payload, bytes, count);
	fake_reset();
}

#define INTEGER(bytes, flags)  TACHO_TYPE(TACHO_KIND_INTEGER, bytes, flags)
#define SEQUENCE(bytes, flags) TACHO_TYPE(TACHO_KIND_SEQUENCE, bytes, flags)
#define FLOAT(bytes)           TACHO_TYPE(TACHO_KIND_FLOAT, bytes, 0)
#define STRING                 TACHO_TYPE(TACHO_KIND_STRING, 1, 0)
#define ADDRESS INTEGER(sizeof(void *), TACHO_FLAG_HEX | TACHO_FLAG_POINTER)

/* `value` is recorded with this type, as a `stored_type` of the same value. */
#define ASSERT_SCALAR(value, type, stored_type)                                                    \
	do {                                                                                       \
		const stored_type stored = (stored_type)(value);                                   \
		tacho_event(shop, scalar, "v", value);                                             \
		assert_int_equal(fake.words, 1);                                                   \
		assert_field(type, &stored, sizeof(stored));                                       \
	} while (0)

static void integers_keep_width_and_sign(void **state)
{
	const int8_t i8 = -1;
	const uint8_t u8 = 200;
	const int16_t i16 = -300;
	const uint16_t u16 = 65000;
	const int32_t i32 = INT32_MIN;
	const uint32_t u32 = UINT32_MAX;
	const int64_t i64 = INT64_MIN;
	const uint64_t u64 = UINT64_MAX;

	(void)state;
	ASSERT_SCALAR(i8, INTEGER(1, TACHO_FLAG_SIGNED), int8_t);
	ASSERT_SCALAR(u8, INTEGER(1, 0), uint8_t);
	ASSERT_SCALAR(i16, INTEGER(2, TACHO_FLAG_SIGNED), int16_t);
	ASSERT_SCALAR(u16, INTEGER(2, 0), uint16_t);
	ASSERT_SCALAR(i32, INTEGER(4, TACHO_FLAG_SIGNED), int32_t);
	ASSERT_SCALAR(u32, INTEGER(4, 0), uint32_t);
	ASSERT_SCALAR(i64, INTEGER(8, TACHO_FLAG_SIGNED), int64_t);
	ASSERT_SCALAR(u64, INTEGER(8, 0), uint64_t);
	ASSERT_SCALAR(-5L, INTEGER(sizeof(long), TACHO_FLAG_SIGNED), long);
	ASSERT_SCALAR(5UL, INTEGER(sizeof(long), 0), unsigned long);
	ASSERT_SCALAR(-5LL, INTEGER(8, TACHO_FLAG_SIGNED), long long);
	ASSERT_SCALAR(5ULL, INTEGER(8, 0), unsigned long long);
	ASSERT_SCALAR(sizeof(int), INTEGER(sizeof(size_t), 0), size_t);
}

static void bool_char_and_enum_are_told_apart(void **state)
{
	const _Bool yes = 1;
	const char letter = 'x';
	const enum fruit fruit = PEAR;
	const enum debt debt = SOME;
	const uint32_t sign = (char)-1 < 0 ? TACHO_FLAG_SIGNED : 0;

	(void)state;
	ASSERT_SCALAR(yes, INTEGER(1, TACHO_FLAG_BOOL), uint8_t);
	ASSERT_SCALAR(letter, INTEGER(1, TACHO_FLAG_CHAR | sign), char);
	ASSERT_SCALAR(fruit, INTEGER(4, 0), uint32_t);
	ASSERT_SCALAR(debt, INTEGER(4, TACHO_FLAG_SIGNED), int32_t);
}

static void floats_are_recorded_and_long_double_as_double(void **state)
{
	const long double wide = 2.5L;

	(void)state;
	ASSERT_SCALAR(1.5f, FLOAT(4), float);
	ASSERT_SCALAR(-1e300, FLOAT(8), double);
	ASSERT_SCALAR(wide, FLOAT(8), double);
}

static void pointers_of_all_kinds_are_addresses(void **state)
{
	struct narrow narrow;
	unsigned char bytes[4] = {0};
	const void *where = &narrow;
	int *nothing = NULL;

	(void)state;
	ASSERT_SCALAR(where, ADDRESS, uintptr_t);
	ASSERT_SCALAR(&narrow, ADDRESS, uintptr_t);
	ASSERT_SCALAR(bytes, ADDRESS, uintptr_t);
	ASSERT_SCALAR(nothing, ADDRESS, uintptr_t);
	ASSERT_SCALAR(NULL, ADDRESS, uintptr_t);
	ASSERT_SCALAR((void *)0, ADDRESS, uintptr_t);
	ASSERT_SCALAR(type_of_field, ADDRESS, uintptr_t);
	ASSERT_SCALAR(&type_of_field, ADDRESS, uintptr_t);
}

static void qualifiers_do_not_matter(void **state)
{
	volatile int loud = 3;
	const volatile uint16_t both = 4;
	const char *const text = "text";
	_Atomic int atomic = 5;

	(void)state;
	ASSERT_SCALAR(loud, INTEGER(4, TACHO_FLAG_SIGNED), int);
	ASSERT_SCALAR(both, INTEGER(2, 0), uint16_t);
	ASSERT_SCALAR(atomic, INTEGER(4, TACHO_FLAG_SIGNED), int);
	tacho_event(shop, qualified, "v", text);
	assert_field(STRING, "text", 5);
}

static void bit_fields_are_integers(void **state)
{
	const struct narrow narrow = {5, -7, 0xfedcba9876ull, 1};
	const int64_t expected[] = {5, -7, 0xfedcba9876, 1};
	int64_t value = 0;

	(void)state;
	tacho_event(shop, bits, "three", narrow.three, "five", narrow.five, "forty", narrow.forty,
		    "flag", narrow.flag);
	for (uint32_t i = 0, at = 0; i < 4; i++) {
		const uint32_t bytes = TACHO_TYPE_BYTES(type_of_field(i));

		assert_int_equal(TACHO_TYPE_KIND(type_of_field(i)), TACHO_KIND_INTEGER);
		assert_true(bytes <= sizeof(value));
		value = 0;
		if (i == 1)
			memset(&value, 0xff, sizeof(value)); /* the sign, where fewer bytes come */
		memcpy(&value, fake.payload + at, bytes);
		assert_true(value == expected[i]);
		at += bytes;
	}
}

static void strings_end_with_a_zero_byte(void **state)
{
	char array[16] = "array";
	char *pointer = array;

	(void)state;
	tacho_event(shop, string, "v", "literal");
	assert_field(STRING, "literal", 8);
	tacho_event(shop, string, "v", "");
	assert_field(STRING, "", 1);
	tacho_event(shop, string, "v", array);
	assert_field(STRING, "array", 6);
	tacho_event(shop, string, "v", pointer + 1);
	assert_field(STRING, "rray", 5);
	tacho_event(shop, string, "v", __func__);
	assert_field(STRING, __func__, sizeof(__func__));
	pointer = NULL;
	tacho_event(shop, string, "v", pointer);
	assert_field(STRING, "(null)", 7);
}

static void hex_keeps_the_width(void **state)
{
	const signed char minus = -1;
	const uint16_t half = 0xbeef;
	const struct narrow narrow = {5, -7, 0xfedcba9876ull, 1};
	const uint64_t forty = 0xfedcba9876ull;

	(void)state;
	ASSERT_SCALAR(tacho_hex(minus)->value, INTEGER(1, 0), uint8_t);
	tacho_event(shop, hex, "v", tacho_hex(minus));
	assert_field(INTEGER(1, TACHO_FLAG_HEX), "\xff", 1);
	tacho_event(shop, hex, "v", tacho_hex(half));
	assert_field(INTEGER(2, TACHO_FLAG_HEX), &half, 2);
	tacho_event(shop, hex, "v", tacho_hex(-1));
	assert_field(INTEGER(4, TACHO_FLAG_HEX), "\xff\xff\xff\xff", 4);
	tacho_event(shop, hex, "v", tacho_hex(~0ull));
	assert_field(INTEGER(8, TACHO_FLAG_HEX), "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
	tacho_event(shop, hex, "v", tacho_hex(narrow.forty));
	assert_field(INTEGER(8, TACHO_FLAG_HEX), &forty, 8);
	tacho_event(shop, hex, "v", tacho_hex(~0l));
	assert_field(INTEGER(sizeof(long), TACHO_FLAG_HEX), "\xff\xff\xff\xff\xff\xff\xff\xff",
		     sizeof(long));
}

/* A length before the bytes. */
static void assert_counted(uint32_t type, uint32_t count, const void *data, uint32_t bytes)
{
	unsigned char expected[64];

	memcpy(expected, &count, 4);
	memcpy(expected + 4, data, bytes);
	assert_field(type, expected, 4 + bytes);
}

static void counted_values_have_their_length_first(void **state)
{
	const int numbers[3] = {1, -2, 3};
	const double halves[2] = {0.5, 1.5};
	const _Bool flags[2] = {1, 0};
	const uint32_t sign = (char)-1 < 0 ? TACHO_FLAG_SIGNED : 0;

	(void)state;
	tacho_event(shop, counted, "v", tacho_text("abcdef", 3));
	assert_counted(TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), 3, "abc", 3);
	tacho_event(shop, counted, "v", tacho_bytes(numbers, 5));
	assert_counted(TACHO_TYPE(TACHO_KIND_BYTES, 1, 0), 5, numbers, 5);
	tacho_event(shop, counted, "v", tacho_array(numbers, 3));
	assert_counted(SEQUENCE(4, TACHO_FLAG_SIGNED), 3, numbers, 12);
	tacho_event(shop, counted, "v", tacho_array(halves, 2));
	assert_counted(SEQUENCE(8, TACHO_FLAG_FLOAT), 2, halves, 16);
	tacho_event(shop, counted, "v", tacho_array(flags, 2));
	assert_counted(SEQUENCE(1, TACHO_FLAG_BOOL), 2, flags, 2);
	tacho_event(shop, counted, "v", tacho_array("xy", 2));
	assert_counted(SEQUENCE(1, TACHO_FLAG_CHAR | sign), 2, "xy", 2);
}

static void counted_values_without_an_address_are_empty(void **state)
{
	const uint64_t *nothing = NULL;

	(void)state;
	tacho_event(shop, empty, "v", tacho_text(NULL, 3));
	assert_counted(TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), 0, "", 0);
	tacho_event(shop, empty, "v", tacho_bytes(NULL, 3));
	assert_counted(TACHO_TYPE(TACHO_KIND_BYTES, 1, 0), 0, "", 0);
	tacho_event(shop, empty, "v", tacho_array(nothing, 3));
	assert_counted(SEQUENCE(8, 0), 0, "", 0);
	tacho_event(shop, empty, "v", tacho_text("abc", 0));
	assert_counted(TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), 0, "", 0);
}

static void scalars_up_to_8_bytes_are_one_word(void **state)
{
	const uint8_t a = 1;
	const uint16_t b = 0x203;
	const uint32_t c = 0x4050607;
	const _Bool d = 1;
	unsigned char expected[8];

	(void)state;
	memcpy(expected, &a, 1);
	memcpy(expected + 1, &b, 2);
	memcpy(expected + 3, &c, 4);
	memcpy(expected + 7, &d, 1);
	tacho_event(shop, word, "a", a, "b", b, "c", c, "d", d);
	assert_int_equal(fake.words, 1);
	assert_int_equal(fake.payload_bytes, 8);
	assert_memory_equal(fake.payload, expected, 8);
	fake_reset();
	tacho_event(shop, word, "a", c, "b", c, "c", a);
	assert_int_equal(fake.words, 0);
	assert_int_equal(fake.part_count, 1);
	assert_int_equal(fake.payload_bytes, 9);
}

static void neighbouring_scalars_share_a_part(void **state)
{
	(void)state;
	tacho_event(shop, parts, "a", 1, "b", 2L, "s", "x", "c", 3, "t", tacho_text("yz", 2), "d",
		    4);
	/* a b | s | c and the length of t | t | d */
	assert_int_equal(fake.part_count, 5);
	assert_int_equal(fake.payload_bytes, 4 + sizeof(long) + 2 + 4 + 4 + 2 + 4);
}

static void sixteen_fields_are_the_most(void **state)
{
	char expected[] = "0\0001\0002\0003\0004\0005\0006\0007\0008\0009\0a\0b\0c\0d\0e\0f";

	(void)state;
	tacho_event(shop, sixteen, "k0", "0", "k1", "1", "k2", "2", "k3", "3", "k4", "4", "k5", "5",
		    "k6", "6", "k7", "7", "k8", "8", "k9", "9", "k10", "a", "k11", "b", "k12", "c",
		    "k13", "d", "k14", "e", "k15", "f");
	assert_int_equal(fake.info->field_count, 16);
	assert_string_equal(fake.info->fields[15].name, "k15");
	assert_int_equal(fake.payload_bytes, sizeof(expected));
	assert_memory_equal(fake.payload, expected, sizeof(expected));
}

static void sixteen_counted_fields_fit_the_parts(void **state)
{
	(void)state;
	tacho_event(shop, big, "0", tacho_text("x", 1), "1", tacho_text("x", 1), "2",
		    tacho_text("x", 1), "3", tacho_text("x", 1), "4", tacho_text("x", 1), "5",
		    tacho_text("x", 1), "6", tacho_text("x", 1), "7", tacho_text("x", 1), "8",
		    tacho_text("x", 1), "9", tacho_text("x", 1), "a", tacho_text("x", 1), "b",
		    tacho_text("x", 1), "c", tacho_text("x", 1), "d", tacho_text("x", 1), "e",
		    tacho_text("x", 1), "f", tacho_text("x", 1));
	assert_int_equal(fake.part_count, 32);
	assert_true(fake.part_count <= TACHO_PARTS_MAX);
	assert_int_equal(fake.payload_bytes, 16 * 5);
}

static int evaluations;

static int count_evaluation(void)
{
	return ++evaluations;
}

static const char *count_text(void)
{
	evaluations++;
	return "text";
}

static void record_counted(void)
{
	tacho_event(shop, evaluated, "a", count_evaluation(), "b", count_text(), "c",
		    tacho_hex(count_evaluation()), "d", tacho_text(count_text(), 2));
}

static void arguments_are_evaluated_once_and_in_order(void **state)
{
	const int values[3] = {1, 2, 3};

	(void)state;
	evaluations = 0;
	record_counted();
	assert_int_equal(evaluations, 4);
	tacho_event(shop, ordered, "a", count_evaluation(), "b", count_evaluation(), "c",
		    count_evaluation());
	assert_memory_equal(fake.payload, ((const int[]){5, 6, 7}), sizeof(values));
}

static void nothing_is_evaluated_while_disabled(void **state)
{
	(void)state;
	fake_enable("");
	evaluations = 0;
	record_counted();
	tacho_log(TACHO_LEVEL_INFO, "%d", count_evaluation());
	assert_int_equal(evaluations, 0);
	assert_int_equal(fake.hits, 0);
}

#define NESTED(a, b) ((a) + (b))
#define TWO_PAIRS    "x", 1, "y", 2

static void arguments_may_be_macros(void **state)
{
	(void)state;
	tacho_event(shop, nested, "v", NESTED(1, NESTED(2, 3)));
	assert_field(INTEGER(4, TACHO_FLAG_SIGNED), &(int){6}, 4);
	tacho_event(shop, expanded, TWO_PAIRS);
	assert_int_equal(fake.info->field_count, 2);
}

#define shop    not_this
#define careful not_this_either

static void names_are_not_expanded(void **state)
{
	(void)state;
	tacho_event(shop, careful);
	assert_string_equal(fake.info->provider, "shop");
	assert_string_equal(fake.info->name, "careful");
	tacho_event(shop, errno, "v", 1);
	assert_string_equal(fake.info->name, "errno");
	assert_int_equal(tacho_enabled(shop, careful), 1);
	assert_int_equal(tacho_enabled(shop, careless), 0);
}
#undef shop
#undef careful

static void an_event_is_one_statement(void **state)
{
	(void)state;
	if (evaluations < 0)
		tacho_event(shop, never);
	else
		tacho_event(shop, otherwise);
	for (int i = 0; i < 2; i++)
		tacho_event(shop, looped, "i", i);
	tacho_event(shop, left); tacho_event(shop, right);
	assert_string_equal(fake.names, "otherwise looped looped left right ");
	assert_int_equal(fake.payload_bytes, 0);
}

static int record_inner(void)
{
	tacho_event(shop, inner);
	return 1;
}

/* An event within the argument of another, not by a call, shadows its variables. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
static void events_nest_in_arguments(void **state)
{
	(void)state;
	tacho_event(shop, outer, "v", record_inner() + __extension__({
						 tacho_event(shop, middle);
						 1;
					 }));
	assert_string_equal(fake.names, "inner middle outer ");
}
#pragma GCC diagnostic pop

static void an_event_tells_where_it_is(void **state)
{
	const uint32_t line = __LINE__ + 3;

	(void)state;
	tacho_event(shop, here);
	assert_int_equal(fake.info->line, line);
	assert_string_equal(fake.info->file, __FILE__);
	assert_int_equal(fake.info->level, TACHO_LEVEL_DEBUG_LINE);
	assert_int_equal(fake.info->field_count, 0);
	tacho_event_level(TACHO_LEVEL_WARNING, shop, low_stock, "item", 1);
	assert_int_equal(fake.info->level, TACHO_LEVEL_WARNING);
}

static void begin_and_end_make_two_events(void **state)
{
	(void)state;
	tacho_begin(shop, order, "id", 7);
	assert_int_equal(fake.info->field_count, 1);
	tacho_end(shop, order, "id", 7, "ok", 1);
	assert_int_equal(fake.info->field_count, 2);
	assert_string_equal(fake.names, "order_begin order_end ");
}

static int leave_span(int early)
{
	TACHO_SPAN(shop, whole, "early", early);
	if (early)
		return 1;
	{
		TACHO_SPAN(shop, a); TACHO_SPAN(shop, b);
		tacho_event(shop, inside);
	}
	return 0;
}

static void a_span_ends_when_its_scope_is_left(void **state)
{
	(void)state;
	leave_span(1);
	assert_string_equal(fake.names, "whole_begin whole_end ");
	fake_reset();
	leave_span(0);
	assert_string_equal(fake.names, "whole_begin a_begin b_begin inside b_end a_end whole_end ");
}

static void a_message_is_formatted(void **state)
{
	(void)state;
	errno = ENOENT;
	tacho_log(TACHO_LEVEL_ERR, "%s: %d: %m", "file", 42);
	assert_int_equal(errno, ENOENT);
	assert_string_equal(fake.info->provider, "log");
	assert_string_equal(fake.info->name, "message");
	assert_string_equal(fake.info->fields[0].name, "message");
	assert_int_equal(fake.info->level, TACHO_LEVEL_ERR);
	assert_string_equal((const char *)fake.payload, "file: 42: No such file or directory");
	tacho_log(TACHO_LEVEL_INFO, "nothing to format");
	assert_string_equal((const char *)fake.payload, "nothing to format");
	assert_int_equal(fake.payload_bytes, 18);
}

static void a_long_message_is_cut_between_characters(void **state)
{
	char text[3000];

	(void)state;
	memset(text, 'x', sizeof(text));
	text[1023] = 0;
	tacho_log(TACHO_LEVEL_INFO, "%s", text);
	assert_int_equal(fake.payload_bytes, 1024);
	assert_string_equal((const char *)fake.payload, text);
	text[1023] = 'x';
	text[2999] = 0;
	tacho_log(TACHO_LEVEL_INFO, "%s", text);
	assert_int_equal(fake.payload_bytes, 1024);
	assert_string_equal((const char *)fake.payload + 1019, "x...");
	memcpy(text + 1018, "\xe2\x82\xac", 3);
	tacho_log(TACHO_LEVEL_INFO, "%s", text);
	assert_string_equal((const char *)fake.payload + 1017, "x...");
}

/* As the guide says to do where the level is an argument. */
static void log_line(int grave, const char *text)
{
	if (!tacho_enabled(log, message))
		return;
	switch (grave) {
	case 1:
		tacho_log(TACHO_LEVEL_ERR, "%s", text);
		break;
	default:
		tacho_log(TACHO_LEVEL_INFO, "%s", text);
	}
}

static void a_log_function_switches_between_levels(void **state)
{
	(void)state;
	log_line(1, "broken");
	assert_int_equal(fake.info->level, TACHO_LEVEL_ERR);
	assert_string_equal((const char *)fake.payload, "broken");
	log_line(0, "well");
	assert_int_equal(fake.info->level, TACHO_LEVEL_INFO);
	fake_enable("shop:alarm");
	fake_reset();
	log_line(1, "broken");
	assert_int_equal(fake.hits, 0);
}

static void raise_alarm(int high)
{
	if (high)
		tacho_event_level(TACHO_LEVEL_ALERT, shop, alarm, "level", 1);
	else
		tacho_event(shop, alarm, "name", "low");
}

static void enabled_follows_each_event_of_the_name(void **state)
{
	(void)state;
	fake_reset();
	fake_enable("");
	assert_int_equal(tacho_enabled(shop, alarm), 0);
	assert_int_equal(fake_count_events("alarm"), 2);
	for (uint32_t i = 0; i < fake.event_count; i++) {
		if (strcmp(fake.event[i]->info->name, "alarm") != 0)
			continue;
		fake.state[i] = 1;
		assert_int_equal(tacho_enabled(shop, alarm), 1);
		fake.state[i] = TACHO_STATE_STALE;
		assert_int_equal(tacho_enabled(shop, alarm), 0);
		fake.state[i] = 0;
	}
	fake_enable("shop:alarm");
	raise_alarm(0);
	raise_alarm(1);
	assert_int_equal(fake.hits, 2);
	assert_int_equal(tacho_enabled(shop, alarm) && !tacho_enabled(stop, alarm), 1);
}

static void enabled_is_false_where_there_is_no_such_event(void **state)
{
	(void)state;
	assert_int_equal(tacho_enabled(shop, unheard_of), 0);
	assert_int_equal(fake_count_events("unheard_of"), 0);
}

static void an_object_works_before_it_is_registered(void **state)
{
	(void)state;
	tacho_object_unregister(&tacho_this_object);
	assert_int_equal(fake.object_count, 0);
	assert_int_equal(tacho_enabled(shop, alarm), 1);
	assert_int_equal(fake.object_count, 1);
	tacho_object_unregister(&tacho_this_object);
	raise_alarm(1);
	assert_int_equal(fake.hits, 1);
	assert_int_equal(fake.object_count, 1);
}

static void events_are_known_before_they_are_hit(void **state)
{
	(void)state;
	assert_int_equal(fake.object_count, 1);
	assert_int_equal(fake_count_events("never"), 1);
}

static int enable_all(void **state)
{
	(void)state;
	fake_enable("*");
	fake_reset();
	return 0;
}

#define CASE(f) cmocka_unit_test_setup(f, enable_all)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(events_are_known_before_they_are_hit),
		CASE(integers_keep_width_and_sign),
		CASE(bool_char_and_enum_are_told_apart),
		CASE(floats_are_recorded_and_long_double_as_double),
		CASE(pointers_of_all_kinds_are_addresses),
		CASE(qualifiers_do_not_matter),
		CASE(bit_fields_are_integers),
		CASE(strings_end_with_a_zero_byte),
		CASE(hex_keeps_the_width),
		CASE(counted_values_have_their_length_first),
		CASE(counted_values_without_an_address_are_empty),
		CASE(scalars_up_to_8_bytes_are_one_word),
		CASE(neighbouring_scalars_share_a_part),
		CASE(sixteen_fields_are_the_most),
		CASE(sixteen_counted_fields_fit_the_parts),
		CASE(arguments_are_evaluated_once_and_in_order),
		CASE(nothing_is_evaluated_while_disabled),
		CASE(arguments_may_be_macros),
		CASE(names_are_not_expanded),
		CASE(an_event_is_one_statement),
		CASE(events_nest_in_arguments),
		CASE(an_event_tells_where_it_is),
		CASE(begin_and_end_make_two_events),
		CASE(a_span_ends_when_its_scope_is_left),
		CASE(a_message_is_formatted),
		CASE(a_long_message_is_cut_between_characters),
		CASE(a_log_function_switches_between_levels),
		CASE(enabled_follows_each_event_of_the_name),
		CASE(enabled_is_false_where_there_is_no_such_event),
		CASE(an_object_works_before_it_is_registered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
